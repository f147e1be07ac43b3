import { type SQL, sql } from 'drizzle-orm'
import { JIRA_SOURCE } from '../../../backlog/external/schema'
import type { Store } from '../../../db/client/client'
import { feedbackItems } from '../../../db/schema/feedback'
import { apiKeys, products, users } from '../../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks } from '../../../db/schema/webhooks'
import { workItemForeignIds, workItems } from '../../../db/schema/work-items'
import { isUsableKey } from '../../../db/sql/access'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { selectDueInTurn } from '../../../db/sql/turns'
import type { ForeignRecord, PlanLookups, RenamedItemId } from '../plan'

const RECEIPT_LEASE_MS = inline(120_000)

export interface ReceiptKey {
  subscriptionId: number
  receiptId: number
}

const isBoundQueuedReceipt = sql`${incomingReceipts.id} = ${param('receiptId')} AND ${incomingReceipts.subscriptionId} = ${caller.subscription}
  AND ${incomingReceipts.status} = 'queued'`

export interface QueuedReceipt {
  id: number
  payload: string
  incomingWebhookId: number
  productId: number
  hops: number
  attempts: number
  provider: string
  action: string
  target: string
  mapping: string
  product: string | null
  jti: string | null
  userId: number
  scopes: string
  products: string | null
  issuedAt: number
  expiresAt: number
}

const selectReceipt = statement<QueuedReceipt, Values>(sql`SELECT ${incomingReceipts.id} AS "id",
    ${incomingReceipts.payload} AS "payload", ${incomingReceipts.hops} AS "hops", ${incomingWebhooks.id} AS "incomingWebhookId",
    ${incomingWebhooks.productId} AS "productId",
    ${incomingReceipts.attempts} AS "attempts", ${incomingWebhooks.provider} AS "provider",
    ${incomingWebhooks.action} AS "action", ${incomingWebhooks.target} AS "target", ${incomingWebhooks.mapping} AS "mapping",
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

// An item that release 0.2 identified by the number gets the address, unless another item has the address.
const insertRenamedId = statement<never, Values>(
  insertInto(
    workItemForeignIds,
    {
      subscriptionId: caller.subscription,
      productId: workItemForeignIds.productId,
      source: workItemForeignIds.source,
      foreignId: param('to'),
      workItemId: workItemForeignIds.workItemId,
    },
    sql`FROM ${incomingReceipts} CROSS JOIN ${incomingWebhooks} ON ${incomingWebhooks.id} = ${incomingReceipts.incomingWebhookId}
        AND ${incomingWebhooks.subscriptionId} = ${caller.subscription}
      CROSS JOIN ${workItemForeignIds} ON ${workItemForeignIds.subscriptionId} = ${caller.subscription}
        AND ${workItemForeignIds.productId} = ${incomingWebhooks.productId} AND ${workItemForeignIds.source} = ${param('source')}
        AND ${workItemForeignIds.foreignId} = ${param('from')}
      CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemForeignIds.workItemId}
        AND +${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
    WHERE ${isBoundQueuedReceipt} ON CONFLICT DO NOTHING`,
  ),
)

export async function storeRenamedId(store: Store, { subscriptionId, receiptId }: ReceiptKey, id: RenamedItemId) {
  await store.batch(subscriptionId, insertRenamedId({ receiptId, ...id }))
}

/** An item of the product. `name`: the key in Jira, or else the own key. */
export interface LinkedItem {
  role: 'own' | 'parent'
  id: number
  type: 'epic' | 'feature' | 'userstory'
  externalKey: string
  name: string
  epicId: number | null
  featureId: number | null
  /** A JSON array. */
  userIds: string
}

const itemIsInProduct = sql`w.product_id = ${param('productId')} AND +w.subscription_id = ${caller.subscription}
  AND w.deleted_at IS NULL`

const selectItemIdOfJira = (column: 'jira_id' | 'jira_key', name: string) => sql`(SELECT min(w.id) FROM ${workItems} w
  INDEXED BY ${sql.raw(`work_items_${column}`)} WHERE ${itemIsInProduct}
  AND ${sql.raw(`w.${column}`)} = ${param(name)} AND ${sql.raw(`w.${column}`)} <> '')`

const selectItemId = (name: string) => sql`iif(${param('source')} = ${inline(JIRA_SOURCE)},
  ${selectItemIdOfJira('jira_id', name)},
  (SELECT w.id FROM ${workItemForeignIds} x CROSS JOIN ${workItems} w ON w.id = x.work_item_id AND ${itemIsInProduct}
    WHERE x.subscription_id = ${caller.subscription} AND x.product_id = ${param('productId')}
      AND x.source = ${param('source')} AND x.foreign_id = ${param(name)}))`

const selectItem = (role: LinkedItem['role'], itemId: SQL) => sql`SELECT ${inline(role)} AS "role", i.id AS "id",
    i.type AS "type", i.external_key AS "externalKey", iif(i.jira_key <> '', i.jira_key, i.external_key) AS "name",
    i.epic_id AS "epicId", i.feature_id AS "featureId", i.user_ids AS "userIds"
  FROM ${workItems} i WHERE i.id = ${itemId} AND +i.subscription_id = ${caller.subscription}`

const ownItemId = selectItemId('externalId')
const parentItemId = sql`coalesce(${selectItemId('parent')}, ${selectItemIdOfJira('jira_key', 'parent')})`
const selectItems = statement<LinkedItem, Values>(
  sql`${selectItem('own', ownItemId)} UNION ALL ${selectItem('parent', parentItemId)}`,
)

const selectUsers = statement<{ id: number }, { emails: string }>(sql`SELECT u.id AS "id"
  FROM json_each(${param('emails')}) c CROSS JOIN ${users} u ON u.subscription_id = ${caller.subscription}
    AND u.email = c.value AND u.deleted_at IS NULL ORDER BY c.key`)

export async function findLinkedRecords(
  store: Store,
  { subscriptionId }: ReceiptKey,
  { productId }: QueuedReceipt,
  { assignees, ...ids }: PlanLookups,
) {
  const [items, found] = await store.batch(
    subscriptionId,
    selectItems({ productId, ...ids }),
    selectUsers({ emails: JSON.stringify(assignees) }),
  )
  const find = (role: LinkedItem['role']) => items.find((item) => item.role === role)
  return { own: find('own'), parent: find('parent'), userIds: found.map(({ id }) => id) }
}

// A merged idea stays, because the idea stands for others.
const selectIdea = statement<{ externalKey: string }, Values>(sql`SELECT ${feedbackItems.externalKey} AS "externalKey"
  FROM ${feedbackItems} WHERE ${feedbackItems.subscriptionId} = ${caller.subscription}
    AND ${feedbackItems.productId} = ${param('productId')} AND ${feedbackItems.source} = ${param('source')}
    AND ${feedbackItems.externalId} = ${param('externalId')} AND ${feedbackItems.deletedAt} IS NULL
    AND ${feedbackItems.mergedInto} IS NULL`)

const selectOwnItem = statement<LinkedItem, Values>(selectItem('own', ownItemId))

/** The key of the record with an id in another system, and the type of an item. */
export async function findForeignRecord(
  store: Store,
  { subscriptionId }: ReceiptKey,
  { productId }: QueuedReceipt,
  { kind, ...id }: ForeignRecord,
): Promise<{ externalKey: string; type?: LinkedItem['type'] } | undefined> {
  const values = { productId, ...id }
  const select = kind === 'feedback' ? selectIdea : selectOwnItem
  const [[found]] = await store.batch(subscriptionId, select(values))
  return found
}

export interface ReceiptOutcome {
  status: 'processed' | 'ignored' | 'failed'
  outcome: string | null
  error: string | null
}

const updateReceiptOutcome = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET status = ${param('status')}, outcome = ${param('outcome')}, error = ${param('error')}, payload = NULL, version = version + 1
  WHERE ${isBoundQueuedReceipt}`)

export async function recordReceiptOutcome(
  store: Store,
  { subscriptionId, receiptId }: ReceiptKey,
  settled: ReceiptOutcome,
) {
  await store.batch(subscriptionId, updateReceiptOutcome({ receiptId, ...settled }))
}

const updateNextReceiptAttempt = statement<never, Values>(sql`UPDATE ${incomingReceipts}
  SET attempts = attempts - 1, next_attempt_at = ${caller.now} + ${param('delay')} WHERE ${isBoundQueuedReceipt}`)

export async function deferReceipt(store: Store, { subscriptionId, receiptId }: ReceiptKey, delay: number) {
  await store.batch(subscriptionId, updateNextReceiptAttempt({ receiptId, delay }))
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
