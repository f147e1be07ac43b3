import { sql } from 'drizzle-orm'
import { workingKey } from '../../../db/access'
import type { Store } from '../../../db/client'
import { apiKeys, products } from '../../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../../db/schema/webhooks'
import { caller, inline, param, statement, type Values } from '../../../db/statement'

/** An attempt may take this many milliseconds before the next attempt starts. */
const LEASE = inline(120_000)

export interface ReceiptName {
  subscriptionId: number
  receiptId: number
}

const thisReceipt = sql`${incomingReceipts.id} = ${param('receiptId')} AND ${incomingReceipts.subscriptionId} = ${caller.subscription}
  AND ${incomingReceipts.status} = 'queued'`

export interface ReceivedRow {
  id: number
  payload: string
  incomingWebhookId: number
  hops: number
  attempts: number
  provider: string
  action: string
  target: string
  mapping: string
  /** Null after the removal of the product. */
  product: string | null
  /** Null after the end of the key. */
  jti: string | null
  userId: number
  scopes: string
  products: string | null
  issuedAt: number
  expiresAt: number
}

const selectReceived = statement<ReceivedRow, Values>(sql`SELECT ${incomingReceipts.id} AS "id",
    ${incomingReceipts.payload} AS "payload", ${incomingReceipts.hops} AS "hops", ${incomingWebhooks.id} AS "incomingWebhookId",
    ${incomingReceipts.attempts} AS "attempts", ${incomingWebhooks.provider} AS "provider",
    ${incomingWebhooks.action} AS "action", ${incomingWebhooks.target} AS "target", ${incomingWebhooks.mapping} AS "mapping",
    ${products.externalKey} AS "product", iif(${workingKey}, ${apiKeys.jti}, NULL) AS "jti", ${apiKeys.userId} AS "userId",
    ${apiKeys.scopes} AS "scopes", ${apiKeys.products} AS "products", ${apiKeys.createdAt} AS "issuedAt",
    ${apiKeys.expiresAt} AS "expiresAt"
  FROM ${incomingReceipts} CROSS JOIN ${incomingWebhooks} ON ${incomingWebhooks.id} = ${incomingReceipts.incomingWebhookId}
    AND ${incomingWebhooks.subscriptionId} = ${caller.subscription}
    LEFT JOIN ${products} ON ${products.id} = ${incomingWebhooks.productId} AND ${products.subscriptionId} = ${caller.subscription}
      AND ${products.deletedAt} IS NULL
    LEFT JOIN ${apiKeys} ON ${apiKeys.id} = ${incomingWebhooks.keyId} AND ${apiKeys.subscriptionId} = ${caller.subscription}
  WHERE ${thisReceipt}`)

const claim = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET attempts = attempts + 1, next_attempt_at = ${caller.now} + ${LEASE} WHERE ${thisReceipt}`)

export async function takeReceipt(store: Store, { subscriptionId, receiptId }: ReceiptName) {
  const [, [row]] = await store.batch(subscriptionId, claim({ receiptId }), selectReceived({ receiptId }))
  return row
}

export interface Settled {
  status: 'processed' | 'ignored' | 'failed'
  outcome: string | null
  error: string | null
}

const settle = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET status = ${param('status')}, outcome = ${param('outcome')}, error = ${param('error')}, payload = NULL, version = version + 1
  WHERE ${thisReceipt}`)

export async function settleReceipt(store: Store, { subscriptionId, receiptId }: ReceiptName, settled: Settled) {
  await store.batch(subscriptionId, settle({ receiptId, ...settled }))
}

const defer = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET attempts = attempts - 1, next_attempt_at = ${caller.now} + ${param('delay')} WHERE ${thisReceipt}`)

/** Gives the attempt back, and makes the receipt due after `delay` milliseconds. */
export async function deferReceipt(store: Store, { subscriptionId, receiptId }: ReceiptName, delay: number) {
  await store.batch(subscriptionId, defer({ receiptId, delay }))
}

// Receipts per cron run, in ten calls to the queue.
const MAX_WOKEN = inline(1_000)

const selectDue = statement<ReceiptName>(sql`SELECT ${incomingReceipts.subscriptionId} AS "subscriptionId",
    ${incomingReceipts.id} AS "receiptId"
  FROM ${incomingReceipts} WHERE ${incomingReceipts.status} = 'queued' AND ${incomingReceipts.nextAttemptAt} <= ${caller.now}
  ORDER BY ${incomingReceipts.nextAttemptAt} LIMIT ${MAX_WOKEN}`)

const mark = statement<never, { ids: string }>(sql`
  UPDATE ${incomingReceipts} SET next_attempt_at = ${caller.now} + ${LEASE}
  WHERE ${incomingReceipts.id} IN (SELECT value FROM json_each(${param('ids')}))`)

export async function listDueReceipts(store: Store): Promise<ReceiptName[]> {
  const [rows] = await store.batch(null, selectDue({}))
  return rows
}

export async function markReceipts(store: Store, names: readonly ReceiptName[]): Promise<void> {
  await store.batch(null, mark({ ids: JSON.stringify(names.map(({ receiptId }) => receiptId)) }))
}
