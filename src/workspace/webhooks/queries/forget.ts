import { sql } from 'drizzle-orm'
import { incomingReceipts, webhookDeliveries } from '../../../db/schema/webhooks'
import { caller, statement } from '../../../db/statement'

const KEPT = sql.raw(String(30 * 86_400_000))
// A minute's share: a busy day's deliveries are forgotten as fast as they came.
const MAX_FORGOTTEN = sql.raw('5000')

/** Deletes deliveries that are a month old, of all workspaces, the oldest first. What waits for a paused endpoint stays. */
export const forgetDeliveries = statement<never>(sql`DELETE FROM ${webhookDeliveries}
  WHERE (subscription_id, webhook_id, event_id) IN (
    SELECT subscription_id, webhook_id, event_id FROM ${webhookDeliveries} INDEXED BY webhook_deliveries_old
    WHERE ${webhookDeliveries.createdAt} <= ${caller.now} - ${KEPT} AND ${webhookDeliveries.status} <> 'pending'
    ORDER BY ${webhookDeliveries.createdAt} LIMIT ${MAX_FORGOTTEN})`)

/** The same of what came to incoming webhooks. */
export const forgetReceipts = statement<never>(sql`DELETE FROM ${incomingReceipts} WHERE id IN (
    SELECT id FROM ${incomingReceipts} WHERE ${incomingReceipts.createdAt} <= ${caller.now} - ${KEPT}
    ORDER BY ${incomingReceipts.createdAt} LIMIT ${MAX_FORGOTTEN})`)
