import { operation } from '../../http/operation'
import * as queries from './queries'
import { ModifyPortal, PortalSettings } from './schema'

export const getPortalSettings = operation({
  id: 'getPortalSettings',
  of: 'portal',
  route: 'GET /api/v2/settings/portal',
  summary: 'Retrieve the settings of the portal',
  description: 'Every workspace has these settings from the beginning. The portal opens with its slug.',
  data: PortalSettings,
  handle: ({ db }) => queries.getPortalSettings(db),
})

export const modifyPortalSettings = operation({
  id: 'modifyPortalSettings',
  of: 'portal',
  route: 'PUT /api/v2/settings/portal',
  summary: 'Modify the settings of the portal',
  description:
    'Changes only the members that you send. A slug that another portal has is a 409. The portal shows the ideas of `products`; without products the portal is empty.',
  workspaceWide: true,
  body: ModifyPortal,
  data: PortalSettings,
  conditional: true,
  message: 'Portal saved',
  handle: ({ body, db, ifMatch }) => queries.modifyPortalSettings(db, body, ifMatch),
})
