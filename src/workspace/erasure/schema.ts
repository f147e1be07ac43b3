import * as z from 'zod'
import { Timestamp, text } from '../../http/schemas'

const MAX_CONFIRM_LENGTH = 1_000

export const EraseWorkspace = z
  .object({
    confirm: text(MAX_CONFIRM_LENGTH).meta({ description: 'The name of the workspace, as `GET /api/v2/me` shows it.' }),
  })
  .meta({ id: 'EraseWorkspace', examples: [{ confirm: 'Acme' }] })

export const WorkspaceErasure = z
  .object({ eraseAt: Timestamp.nullable().meta({ description: 'null without a scheduled erasure.' }) })
  .meta({ id: 'WorkspaceErasure', description: 'The time from which the workspace is erased.' })

export const WorkspaceErasureEvent = z.object({ name: z.string(), eraseAt: Timestamp.nullable() })
