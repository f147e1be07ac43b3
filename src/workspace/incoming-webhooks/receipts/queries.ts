import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import type { Key } from '../../../db/records/record'
import { incomingReceipts, incomingWebhooks } from '../../../db/schema/webhooks'
import { makeEventStatement } from '../../../db/sql/events'
import { equalsAny, unindexed } from '../../../db/sql/filter'
import { caller, inline, param, statement, type Values } from '../../../db/sql/statement'
import { ListReceipts } from '../schema'
import { incomingWebhook, receipt, type receiptKeyColumns } from '../statements'

export const listReceipts = makeListReader(receipt, ListReceipts, {
  sorts: { createdAt: incomingReceipts.createdAt },
  filters: { status: unindexed(equalsAny(incomingReceipts.status)) },
}).page

const LOST_MESSAGE_DELAY_MS = inline(60_000)

type NewReceiptValues = {
  incomingWebhookId: number
  deliveryId: string
  payload: string
  signedDigest: string | null
  hops: number
}
const deliveryIsDuplicate = sql`EXISTS (SELECT 1 FROM ${incomingReceipts} r WHERE r.subscription_id = ${caller.subscription}
  AND r.incoming_webhook_id = ${param('incomingWebhookId')} AND r.signed_digest = ${param('signedDigest')} AND r.status <> 'failed')`

/** Stores a delivery. A duplicate by id or by signed bytes returns no row, and a failed delivery is queued again. */
export const insertReceipt = statement<{ id: number }, NewReceiptValues>(sql`
  INSERT INTO ${incomingReceipts} (subscription_id, incoming_webhook_id, delivery_id, payload, signed_digest, hops, next_attempt_at, created_at)
  SELECT ${caller.subscription}, id, ${param('deliveryId')}, ${param('payload')}, ${param('signedDigest')}, ${param('hops')}, ${caller.now} + ${LOST_MESSAGE_DELAY_MS}, ${caller.now}
  FROM ${incomingWebhooks} WHERE ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    AND ${incomingWebhooks.id} = ${param('incomingWebhookId')} AND ${incomingWebhooks.deletedAt} IS NULL AND NOT ${deliveryIsDuplicate}
  ON CONFLICT (subscription_id, incoming_webhook_id, delivery_id) DO UPDATE SET status = 'queued', payload = excluded.payload,
    signed_digest = excluded.signed_digest, hops = excluded.hops, error = NULL, attempts = 0, next_attempt_at = excluded.next_attempt_at, version = version + 1
    WHERE status = 'failed' RETURNING id AS "id"`)

type ReceiptKey = Key<typeof receiptKeyColumns> & { incomingWebhookId: number }

const receiptProcessed = receipt.refuseIf(
  'conflict:This delivery was handled. It is not handled twice.',
  sql`${incomingReceipts.status} = 'processed'`,
)
const payloadErased = receipt.refuseIf(
  'conflict:The payload of this delivery is no longer stored. Send the delivery again at the sender.',
  sql`${incomingReceipts.payload} IS NULL`,
)
const repeatReceived = receipt.refuseIf(
  'conflict:The sender has sent this delivery again. The later receipt has its result.',
  sql`EXISTS (SELECT 1 FROM ${incomingReceipts} r WHERE r.subscription_id = ${caller.subscription}
    AND r.incoming_webhook_id = ${incomingReceipts.incomingWebhookId} AND r.signed_digest = ${incomingReceipts.signedDigest}
    AND r.id <> ${incomingReceipts.id} AND r.status <> 'failed')`,
)

const requeueReceipt = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET status = 'queued', outcome = NULL, error = NULL, attempts = 0,
    next_attempt_at = ${caller.now} + ${LOST_MESSAGE_DELAY_MS}, version = version + 1
  WHERE ${receipt.byKey}`)

const emitReceiptReplayed = makeEventStatement<Values>({
  type: 'incoming_webhook.replayed',
  key: incomingWebhook.eventSource.key,
  product: incomingWebhook.eventSource.product,
  data: sql`json_object('id', ${incomingWebhooks.id}, 'receiptId', CAST(${param('receiptId')} AS INTEGER))`,
  from: sql`FROM ${incomingWebhooks} WHERE ${incomingWebhook.byKey}`,
})

export const replayReceipt = (db: Database, key: ReceiptKey) =>
  receipt.save(db, {
    guards: [...receipt.writeGuards(key), receiptProcessed(key), payloadErased(key), repeatReceived(key)],
    statements: [requeueReceipt(key), emitReceiptReplayed({}, key)],
    returning: receipt.returningByKey(key),
  })
