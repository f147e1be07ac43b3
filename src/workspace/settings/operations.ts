import { operation } from '../../http/operation'
import * as queries from './queries'
import { ModifySettings, Settings } from './schema'

export const getSettings = operation({
  id: 'getSettings',
  method: 'get',
  path: '/api/v2/settings',
  tag: 'Settings',
  summary: 'Retrieve the settings of the workspace',
  description: 'Every workspace has them from the beginning.',
  scope: 'products:read',
  data: Settings,
  handle: ({ db }) => queries.getSettings(db),
})

export const modifySettings = operation({
  id: 'modifySettings',
  method: 'put',
  path: '/api/v2/settings',
  tag: 'Settings',
  summary: 'Modify the settings of the workspace',
  description: 'Changes the members that are sent. What was made before stays as it is.',
  scope: 'products:write',
  workspaceWide: true,
  body: ModifySettings,
  data: Settings,
  conditional: true,
  message: 'Settings saved',
  handle: ({ body, db, ifMatch }) => queries.modifySettings(db, body, ifMatch),
})
