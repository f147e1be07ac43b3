import { declareCeiling, EVERY_KEY_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries/schedule'
import { EraseWorkspace, WorkspaceErasure } from './schema'

export const eraseWorkspace = operation({
  id: 'eraseWorkspace',
  ceiling: declareCeiling(100_000, EVERY_KEY_COST_REASON),
  of: 'workspace',
  scope: '*',
  route: 'DELETE /api/v2/workspace',
  summary: 'Erase the workspace',
  description:
    'Schedules the erasure of the whole workspace in 7 days: all records, events, API keys, files, exports and archived events. Until then you can read everything, download exports that exist, and `POST /api/v2/workspace/restore` cancels the erasure. All other operations are a 409 `erase_scheduled`. Links to unsubscribe from mail keep working.',
  workspaceWide: true,
  ignoresQuota: true,
  body: EraseWorkspace,
  data: WorkspaceErasure,
  message: 'Erasure scheduled',
  handle: async ({ body, db }) => ({ data: await queries.scheduleErasure(db, body) }),
})

export const restoreWorkspace = operation({
  id: 'restoreWorkspace',
  ceiling: declareCeiling(100_000, EVERY_KEY_COST_REASON),
  of: 'workspace',
  scope: '*',
  route: 'POST /api/v2/workspace/restore',
  summary: 'Cancel the erasure of the workspace',
  description:
    'Cancels a scheduled erasure. Without a scheduled erasure the operation changes nothing. After `eraseAt` the answer is a 409.',
  workspaceWide: true,
  ignoresQuota: true,
  ignoresErasure: true,
  data: WorkspaceErasure,
  message: 'Erasure canceled',
  handle: async ({ db }) => ({ data: await queries.cancelErasure(db) }),
})
