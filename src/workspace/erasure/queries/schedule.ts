import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { apiKeys, subscriptions } from '../../../db/schema/tenancy'
import { eventSql } from '../../../db/sql/events'
import { momentJson } from '../../../db/sql/field'
import { returning } from '../../../db/sql/returning'
import { caller, inline, param, statement } from '../../../db/sql/statement'
import { toIso } from '../../../text/moments'
import type { EraseWorkspace } from '../schema'

/** Time to cancel the erasure of a workspace, in milliseconds (docs/api-conventions.md). */
const ERASURE_GRACE_MS = inline(7 * 86_400_000)

const isCallerWorkspace = sql`${subscriptions.id} = ${caller.subscription}`
const isScheduled = sql`${isCallerWorkspace} AND ${subscriptions.eraseAt} IS NOT NULL`

const confirmationDiffers = guard<{ confirm: string }>(
  'validation_failed:/confirm:Must be the name of the workspace. GET /api/v2/me shows the name.',
  sql`NOT EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${isCallerWorkspace} AND ${subscriptions.name} = ${param('confirm')})`,
)
const erasureHasBegun = guard(
  'conflict:The erasure of the workspace has begun. Nobody can cancel the erasure any more.',
  sql`EXISTS (SELECT 1 FROM ${subscriptions} WHERE ${isScheduled} AND ${subscriptions.eraseAt} <= ${caller.now})`,
)

const setEraseAt = statement<never>(
  sql`UPDATE ${subscriptions} SET erase_at = ${caller.now} + ${ERASURE_GRACE_MS} WHERE ${isCallerWorkspace}`,
)
const clearEraseAt = statement<never>(sql`UPDATE ${subscriptions} SET erase_at = NULL WHERE ${isScheduled}`)
const freezeKeys = statement<never>(sql`UPDATE ${apiKeys} SET erase_at = ${caller.now} + ${ERASURE_GRACE_MS}
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.expiresAt} > ${caller.now}`)
const releaseKeys = statement<never>(sql`UPDATE ${apiKeys} SET erase_at = NULL
  WHERE ${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.eraseAt} IS NOT NULL`)

const WORKSPACE_EVENT_KEY = inline('workspace')
const emitScheduled = statement<never>(
  eventSql({
    type: 'workspace.erase_scheduled',
    key: WORKSPACE_EVENT_KEY,
    data: sql`json_object('name', ${subscriptions.name}, 'eraseAt', ${momentJson(subscriptions.eraseAt)})`,
    from: sql`FROM ${subscriptions} WHERE ${isCallerWorkspace}`,
  }),
)
const emitCanceled = statement<never>(
  eventSql({
    type: 'workspace.erase_canceled',
    key: WORKSPACE_EVENT_KEY,
    data: sql`json_object('name', ${subscriptions.name}, 'eraseAt', NULL)`,
    from: sql`FROM ${subscriptions} WHERE ${isScheduled}`,
  }),
)

const returningEraseAt = returning<{ eraseAt: number | null }>(
  { eraseAt: subscriptions.eraseAt },
  sql`FROM ${subscriptions} WHERE ${isCallerWorkspace}`,
)

export async function scheduleErasure(db: Database, { confirm }: z.output<typeof EraseWorkspace>) {
  const { rows } = await db.write({
    guards: [confirmationDiffers({ confirm })],
    statements: [setEraseAt({}), freezeKeys({}), emitScheduled({})],
    returning: returningEraseAt({}),
  })
  return { eraseAt: toIso(rows[0].eraseAt) }
}

export async function cancelErasure(db: Database) {
  const { rows } = await db.write({
    guards: [erasureHasBegun({})],
    statements: [emitCanceled({}), clearEraseAt({}), releaseKeys({})],
    returning: returningEraseAt({}),
  })
  return { eraseAt: toIso(rows[0].eraseAt) }
}
