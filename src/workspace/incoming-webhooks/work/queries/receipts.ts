import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { apiKeys, products } from '../../../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../../../db/schema/webhooks'
import { isUsableKey } from '../../../../db/sql/access'
import { caller, inline, param, type Statement, statement, type Values } from '../../../../db/sql/statement'
import { selectDueInTurn } from '../../../../db/sql/turns'

const RECEIPT_LEASE_MS = inline(120_000)

export interface ReceiptKey {
  subscriptionId: number
  receiptId: number
}

export const isBoundQueuedReceipt = sql`${incomingReceipts.id} = ${param('receiptId')} AND ${incomingReceipts.subscriptionId} = ${caller.subscription}
  AND ${incomingReceipts.status} = 'queued'`

export interface QueuedReceipt {
  id: number
  deliveryId: string
  payload: string
  incomingWebhookId: number
  productId: number
  hops: number
  attempts: number
  provider: string
  action: string
  target: string
  mapping: string
  exceptAuthors: string
  product: string | null
  jti: string | null
  userId: number
  scopes: string
  products: string | null
  issuedAt: number
  expiresAt: number
}

const selectReceipt = statement<QueuedReceipt, Values>(sql`SELECT ${incomingReceipts.id} AS "id",
    ${incomingReceipts.deliveryId} AS "deliveryId", ${incomingReceipts.payload} AS "payload", ${incomingReceipts.hops} AS "hops", ${incomingWebhooks.id} AS "incomingWebhookId",
    ${incomingWebhooks.productId} AS "productId",
    ${incomingReceipts.attempts} AS "attempts", ${incomingWebhooks.provider} AS "provider",
    ${incomingWebhooks.action} AS "action", ${incomingWebhooks.target} AS "target", ${incomingWebhooks.mapping} AS "mapping",
    ${incomingWebhooks.exceptAuthors} AS "exceptAuthors",
    ${products.externalKey} AS "product", iif(${isUsableKey}, ${apiKeys.jti}, NULL) AS "jti", ${apiKeys.userId} AS "userId",
    ${apiKeys.scopes} AS "scopes", ${apiKeys.products} AS "products", ${apiKeys.createdAt} AS "issuedAt",
    ${apiKeys.expiresAt} AS "expiresAt"
  FROM ${incomingReceipts} CROSS JOIN ${incomingWebhooks} ON ${incomingWebhooks.id} = ${incomingReceipts.incomingWebhookId}
    AND ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    LEFT JOIN ${products} ON ${products.id} = ${incomingWebhooks.productId} AND ${products.subscriptionId} = ${caller.subscription}
      AND ${products.deletedAt} IS NULL
    LEFT JOIN ${apiKeys} ON ${apiKeys.id} = ${incomingWebhooks.keyId} AND ${apiKeys.subscriptionId} = ${caller.subscription}
  WHERE ${isBoundQueuedReceipt}`)

const updateReceiptLease = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET attempts = attempts + 1, next_attempt_at = ${caller.now} + ${RECEIPT_LEASE_MS} WHERE ${isBoundQueuedReceipt}`)

export async function claimReceipt(store: Store, { subscriptionId, receiptId }: ReceiptKey) {
  const [, [row]] = await store.batch(subscriptionId, updateReceiptLease({ receiptId }), selectReceipt({ receiptId }))
  return row
}

export interface ReceiptOutcome {
  status: 'processed' | 'ignored' | 'failed'
  outcome: string | null
  error: string | null
}

// Real payloads have about 20 kB. Both limits bound the bytes that a failing or chatty sender stores: 20 MB per webhook.
const MAX_KEPT_PAYLOAD_BYTES = inline(100_000)
const MAX_KEPT_PAYLOADS = inline(200)

/** A replay needs the payload. A processed delivery is never handled again. */
const updateReceiptOutcome = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET status = ${param('status')}, outcome = ${param('outcome')}, error = ${param('error')}, version = version + 1,
    payload = iif(${param('status')} <> 'processed' AND octet_length(payload) <= ${MAX_KEPT_PAYLOAD_BYTES}, payload, NULL)
  WHERE ${isBoundQueuedReceipt}`)

const eraseSurplusPayload = statement<
  never,
  Values
>(sql`UPDATE ${incomingReceipts} SET payload = NULL, version = version + 1
  WHERE ${incomingReceipts.id} = (SELECT r.id FROM ${incomingReceipts} r INDEXED BY incoming_receipts_kept
    WHERE r.subscription_id = ${caller.subscription} AND r.incoming_webhook_id = ${param('incomingWebhookId')}
      AND r.payload IS NOT NULL AND r.status <> 'queued'
    ORDER BY r.created_at DESC, r.id DESC LIMIT 1 OFFSET ${MAX_KEPT_PAYLOADS})
  AND +${incomingReceipts.subscriptionId} = ${caller.subscription}`)

/** `before`: statements of the same batch, which stand before the outcome. */
export async function recordReceiptOutcome(
  store: Store,
  { subscriptionId, receiptId }: ReceiptKey,
  { incomingWebhookId }: Pick<QueuedReceipt, 'incomingWebhookId'>,
  settled: ReceiptOutcome,
  before: readonly Statement<never>[],
) {
  await store.batch(
    subscriptionId,
    ...before,
    updateReceiptOutcome({ receiptId, ...settled }),
    ...(settled.status === 'processed' ? [] : [eraseSurplusPayload({ incomingWebhookId })]),
  )
}

const updateNextReceiptAttempt = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET attempts = attempts - 1, next_attempt_at = ${caller.now} + ${param('delay')} WHERE ${isBoundQueuedReceipt}`)

export async function deferReceipt(
  store: Store,
  { subscriptionId, receiptId }: ReceiptKey,
  delay: number,
  before: readonly Statement<never>[],
) {
  await store.batch(subscriptionId, ...before, updateNextReceiptAttempt({ receiptId, delay }))
}

// Receipts per cron run, in ten calls to the queue.
const MAX_RECEIPTS_PER_CRON = 1_000

const selectDueReceipts = statement<{ subscriptionId: number; id: number }>(
  selectDueInTurn({
    group: incomingReceipts.subscriptionId,
    dueAt: incomingReceipts.nextAttemptAt,
    isWaiting: sql`${incomingReceipts.status} = 'queued'`,
    names: ['subscriptionId', 'id'],
    limit: MAX_RECEIPTS_PER_CRON,
  }),
)

const postponeReceipts = statement<never, { ids: string }>(sql`
  UPDATE ${incomingReceipts} SET next_attempt_at = ${caller.now} + ${RECEIPT_LEASE_MS}
  WHERE ${incomingReceipts.id} IN (SELECT value FROM json_each(${param('ids')}))`)

export async function listDueReceipts(store: Store): Promise<ReceiptKey[]> {
  const [rows] = await store.batch(null, selectDueReceipts({}))
  return rows.map(({ subscriptionId, id }) => ({ subscriptionId, receiptId: id }))
}

export async function markReceiptsEnqueued(store: Store, names: readonly ReceiptKey[]): Promise<void> {
  await store.batch(null, postponeReceipts({ ids: JSON.stringify(names.map(({ receiptId }) => receiptId)) }))
}
