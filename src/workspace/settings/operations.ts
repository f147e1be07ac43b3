import { operation } from '../../http/operation'
import * as queries from './queries'
import { ModifySettings, Settings } from './schema'

export const getSettings = operation({
  id: 'getSettings',
  of: 'settings',
  route: 'GET /api/v2/settings',
  summary: 'Retrieve the settings of the workspace',
  description: 'Every workspace has settings from the beginning.',
  data: Settings,
  handle: ({ db }) => queries.getSettings(db),
})

export const modifySettings = operation({
  id: 'modifySettings',
  of: 'settings',
  route: 'PUT /api/v2/settings',
  summary: 'Modify the settings of the workspace',
  description: 'Changes only the members that you send. Existing records do not change.',
  workspaceWide: true,
  body: ModifySettings,
  data: Settings,
  conditional: true,
  message: 'Settings saved',
  handle: ({ body, db, ifMatch }) => queries.modifySettings(db, body, ifMatch),
})
