import { type SQL, sql } from 'drizzle-orm'
import { JIRA_SOURCE } from '../../../../backlog/external/schema'
import type { Store } from '../../../../db/client/client'
import { feedbackComments, feedbackItems } from '../../../../db/schema/feedback'
import { users } from '../../../../db/schema/tenancy'
import { incomingReceipts, incomingRecords, incomingWebhooks } from '../../../../db/schema/webhooks'
import { workItemComments, workItemForeignIds, workItems } from '../../../../db/schema/work-items'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../../../db/sql/statement'
import type { PayloadPlan } from '../../plan'
import { isBoundQueuedReceipt, type QueuedReceipt, type ReceiptKey } from './receipts'
import { createSentSelects, type SentContent } from './sent'

export type RecordPlan = Extract<PayloadPlan, { does: 'change' | 'remove' }>

// The item of a former id gets the present id too, unless another item has it.
const insertPresentId = statement<never, Values>(
  insertInto(
    workItemForeignIds,
    {
      subscriptionId: caller.subscription,
      productId: workItemForeignIds.productId,
      source: workItemForeignIds.source,
      foreignId: param('externalId'),
      workItemId: workItemForeignIds.workItemId,
    },
    sql`FROM ${incomingReceipts} CROSS JOIN ${incomingWebhooks} ON ${incomingWebhooks.id} = ${incomingReceipts.incomingWebhookId}
        AND ${incomingWebhooks.subscriptionId} = ${caller.subscription}
      CROSS JOIN ${workItemForeignIds} ON ${workItemForeignIds.subscriptionId} = ${caller.subscription}
        AND ${workItemForeignIds.productId} = ${incomingWebhooks.productId} AND ${workItemForeignIds.source} = ${param('source')}
        AND ${workItemForeignIds.foreignId} = ${param('formerId')}
      CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemForeignIds.workItemId}
        AND +${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
    WHERE ${isBoundQueuedReceipt} ON CONFLICT DO NOTHING`,
  ),
)

const isBoundRecord = (kind: string, id: string) => sql`${incomingRecords.subscriptionId} = ${caller.subscription}
  AND ${incomingRecords.productId} = ${param('productId')} AND ${incomingRecords.kind} = ${param(kind)}
  AND ${incomingRecords.source} = ${param('source')} AND ${incomingRecords.foreignId} = ${param(id)}`

// Longer than the requests of a delivery take. A crashed delivery continues with its own lease.
const RECORD_LEASE_MS = inline(120_000)

/** What is known of the last change of a record in the other system. */
export interface KnownChange {
  changedAt: number | null
  isRemoved: number
  /** JSON. */
  details: string
}

const knownChangeColumns = sql`changed_at AS "changedAt", is_removed AS "isRemoved", details AS "details"`

/** Only one delivery at a time works on a record; no row for the others. */
const claimRecord = statement<KnownChange, Values>(sql`INSERT INTO ${incomingRecords}
    (subscription_id, product_id, kind, source, foreign_id, lease_until, holder, seen_at)
  SELECT ${caller.subscription}, ${param('productId')}, ${param('kind')}, ${param('source')}, ${param('externalId')},
    ${caller.now} + ${RECORD_LEASE_MS}, ${param('receiptId')}, ${caller.now} WHERE true
  ON CONFLICT DO UPDATE SET lease_until = excluded.lease_until, holder = excluded.holder, seen_at = excluded.seen_at
    WHERE lease_until <= ${caller.now} OR holder = excluded.holder
  RETURNING ${knownChangeColumns}`)

const selectCommentChange = statement<KnownChange, Values>(
  sql`SELECT ${knownChangeColumns} FROM ${incomingRecords} WHERE ${isBoundRecord('commentKind', 'commentId')}`,
)

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

const selectAuthor = statement<{ isRemoved: number }, Values>(sql`SELECT u.deleted_at IS NOT NULL AS "isRemoved"
  FROM ${users} u WHERE u.subscription_id = ${caller.subscription} AND u.email = ${param('author')}`)

const isIdeaOfId = sql`i.subscription_id = ${caller.subscription} AND i.product_id = ${param('productId')}
  AND i.source = ${param('source')} AND i.external_id = ${param('externalId')} AND i.deleted_at IS NULL`
/** The idea, or the idea that it was merged into. */
const selectFinalIdeaId = sql`(WITH RECURSIVE way (id, further) AS (
    SELECT i.id, i.merged_into FROM ${feedbackItems} i WHERE ${isIdeaOfId}
    UNION ALL SELECT n.id, n.merged_into FROM way CROSS JOIN ${feedbackItems} n
      ON n.id = way.further AND +n.subscription_id = ${caller.subscription} AND n.deleted_at IS NULL)
  SELECT id FROM way WHERE further IS NULL)`

/** An idea of the product. `isMerged`: `externalKey` is the key of another idea, which stands for the idea. */
export interface LinkedIdea {
  id: number
  externalKey: string
  isMerged: number
}

const selectIdea = statement<LinkedIdea, Values>(sql`SELECT f.id AS "id", f.external_key AS "externalKey",
    NOT EXISTS (SELECT 1 FROM ${feedbackItems} i WHERE ${isIdeaOfId} AND i.id = f.id) AS "isMerged"
  FROM ${feedbackItems} f WHERE f.id = ${selectFinalIdeaId} AND +f.subscription_id = ${caller.subscription}`)

const selectCommentOf = (
  table: typeof workItemComments | typeof feedbackComments,
  column: 'work_item_id' | 'feedback_id',
  ownId: SQL,
) =>
  statement<{ id: number; isRemoved: number }, Values>(sql`SELECT c.id AS "id", c.deleted_at IS NOT NULL AS "isRemoved"
    FROM ${table} c WHERE c.subscription_id = ${caller.subscription} AND ${sql.raw(`c.${column}`)} = ${ownId}
      AND c.source = ${param('source')} AND c.external_id = ${param('commentId')} ORDER BY c.deleted_at IS NOT NULL LIMIT 1`)
const COMMENT_SELECT_BY_KIND = {
  work_item: selectCommentOf(workItemComments, 'work_item_id', ownItemId),
  feedback: selectCommentOf(feedbackComments, 'feedback_id', selectFinalIdeaId),
}

const SENT_SELECT_BY_KIND = createSentSelects(ownItemId, selectFinalIdeaId)

const bindPlan = ({ receiptId }: ReceiptKey, { productId }: Pick<QueuedReceipt, 'productId'>, plan: RecordPlan) => {
  const { kind, source, externalId } = plan.record
  const commentId = plan.does === 'change' ? (plan.comment?.id ?? null) : null
  return { receiptId, productId, kind, source, externalId, commentKind: `${kind}_comment`, commentId }
}

/** The records of a plan, as far as they exist. */
export interface ClaimedRecord {
  known: KnownChange
  knownComment: KnownChange | undefined
  idea: LinkedIdea | undefined
  /** The idea of the issue before its transfer. */
  formerIdea: LinkedIdea | undefined
  comment: { id: number; isRemoved: number } | undefined
  sent: SentContent[]
  own: LinkedItem | undefined
  parent: LinkedItem | undefined
  userIds: number[]
  /** False if the author of the comment has an address that the key cannot make a member. */
  canNameAuthor: boolean
}

/** Takes the lease of the record, and finds the records of the plan; undefined while another delivery has the lease. */
export async function claimPlannedRecord(
  store: Store,
  name: ReceiptKey,
  row: QueuedReceipt,
  plan: RecordPlan,
): Promise<ClaimedRecord | undefined> {
  const values = bindPlan(name, row, plan)
  const { kind } = plan.record
  const lookups = plan.does === 'change' ? plan.request?.lookups : undefined
  const { parent, assignees = [] } = lookups ?? {}
  const author = plan.does === 'change' ? (plan.comment?.body.author?.email ?? null) : null
  const formerIds = plan.formerIds.map((formerId) => ({ ...values, formerId }))
  if (kind === 'work_item' && formerIds.length)
    await store.batch(name.subscriptionId, ...formerIds.map((one) => insertPresentId(one)))
  const formerId = kind === 'feedback' ? (plan.formerIds[0] ?? null) : null
  const [[known], [knownComment], items, [idea], [formerIdea], [comment], people, [authorUser], sent] =
    await store.batch(
      name.subscriptionId,
      claimRecord(values),
      selectCommentChange(values),
      selectItems({ ...values, parent: parent ?? null }),
      selectIdea(values),
      selectIdea({ ...values, externalId: formerId }),
      COMMENT_SELECT_BY_KIND[kind](values),
      selectUsers({ emails: JSON.stringify(assignees) }),
      selectAuthor({ author }),
      SENT_SELECT_BY_KIND[kind](values),
    )
  if (!known) return undefined
  const find = (role: LinkedItem['role']) => items.find((item) => item.role === role)
  return {
    ...{ known, knownComment, idea: kind === 'feedback' ? idea : undefined, formerIdea, comment, sent },
    own: kind === 'work_item' ? find('own') : undefined,
    parent: find('parent'),
    userIds: people.map(({ id }) => id),
    canNameAuthor: authorUser ? authorUser.isRemoved === 0 : row.products === null,
  }
}

/** Null keeps the stored value. */
export interface RecordedChange {
  changedAt: number | null
  isRemoved: boolean | null
  details: string | null
}

export const UNCHANGED_RECORD: RecordedChange = { changedAt: null, isRemoved: null, details: null }

const laterChange = sql`iif(${param('changedAt')} IS NULL, changed_at, max(coalesce(changed_at, ${param('changedAt')}), ${param('changedAt')}))`
const releaseRecord = statement<
  never,
  Values
>(sql`UPDATE ${incomingRecords} SET lease_until = 0, changed_at = ${laterChange},
    is_removed = coalesce(${param('isRemoved')}, is_removed), details = coalesce(${param('details')}, details)
  WHERE ${isBoundRecord('kind', 'externalId')} AND holder = ${param('receiptId')}`)

const upsertCommentChange = statement<never, Values>(sql`INSERT INTO ${incomingRecords}
    (subscription_id, product_id, kind, source, foreign_id, changed_at, is_removed, seen_at)
  SELECT ${caller.subscription}, ${param('productId')}, ${param('commentKind')}, ${param('source')}, ${param('commentId')},
    ${param('changedAt')}, ${param('isRemoved')}, ${caller.now} WHERE true
  ON CONFLICT DO UPDATE SET changed_at = ${laterChange}, is_removed = excluded.is_removed, seen_at = excluded.seen_at`)

/** Statements that end the lease and store the applied changes. */
export function buildReleaseStatements(
  name: ReceiptKey,
  row: Pick<QueuedReceipt, 'productId'>,
  plan: RecordPlan,
  { record, comment }: { record: RecordedChange; comment: RecordedChange | undefined },
): Statement<never>[] {
  const values = bindPlan(name, row, plan)
  return [releaseRecord({ ...values, ...record }), ...(comment ? [upsertCommentChange({ ...values, ...comment })] : [])]
}
