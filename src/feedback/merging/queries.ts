import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { feedbackComments, feedbackItems, feedbackMergedComments, feedbackVotes } from '../../db/schema/feedback'
import { coversProduct } from '../../db/sql/access'
import { momentJson } from '../../db/sql/field'
import { referenceTo } from '../../db/sql/references'
import { boundLimit, caller, param, statement, type Values } from '../../db/sql/statement'
import { notFoundError } from '../../text/errors'
import { type FeedbackKey, feedback } from '../ideas/statements'
import { emitVotes } from '../votes/statements'
import {
  buildMerge,
  COPIED_TABLES,
  type CopiedTable,
  emitListed,
  emitMovedComments,
  emitSourceEvents,
  emitTargetEvents,
  makeStatement,
  type StatementMaker,
} from './statements'

type MergedItem = Record<'id' | 'vote', number> & Record<'external_key' | 'title' | 'created_at', string>

const selectMergedItems = statement<MergedItem, Values>(sql`SELECT m.id AS "id", m.external_key AS "external_key",
    m.title AS "title", m.vote AS "vote", ${momentJson(sql`m.created_at`)} AS "created_at"
  FROM ${feedbackItems} m INDEXED BY feedback_items_merged
  WHERE m.subscription_id = ${caller.subscription} AND m.merged_into = ${feedback.id} AND m.deleted_at IS NULL
    AND ${coversProduct(sql`m.product_id`)} ORDER BY m.id ${boundLimit('limit')}`)

export async function listMergedItems(db: Database, key: FeedbackKey, limit: number): Promise<MergedItem[]> {
  const [rows, [found]] = await db.read(selectMergedItems({ ...key, limit }), feedback.selectId(key))
  if (!found) throw notFoundError(feedback.missing)
  return rows
}

const selectItemIdOfKey = (name: string) => sql`(SELECT i.id FROM ${feedbackItems} i
  WHERE i.subscription_id = ${caller.subscription} AND i.external_key = ${param(name)})`
const sourceItemId = selectItemIdOfKey('feedback_external_key')
const targetItemId = selectItemIdOfKey('into')
const currentTargetItemId = sql`(SELECT i.merged_into FROM ${feedbackItems} i WHERE i.id = ${sourceItemId})`
const pairOfPath = sql`(SELECT ${sourceItemId} AS item_id, ${targetItemId} AS into_id) pair`
const currentPair = sql`(SELECT ${sourceItemId} AS item_id, ${currentTargetItemId} AS into_id) pair`
const mergeStatements = buildMerge(pairOfPath)

const fromPublicComments = sql`FROM ${feedbackComments} WHERE ${feedbackComments.subscriptionId} = ${caller.subscription}
  AND ${feedbackComments.feedbackId} = ${sourceItemId} AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL`
const publicCommentCount = sql`(SELECT count(*) ${fromPublicComments})`
const publicCommentBytes = sql`(SELECT coalesce(sum(octet_length(${feedbackComments.text})), 0) ${fromPublicComments})`

const { subscription: callerWorkspaceId } = caller

function describeCopies({ table, order }: CopiedTable) {
  const isCopy = sql`${table.subscriptionId} = ${callerWorkspaceId} AND ${table.feedbackId} = ${currentTargetItemId}
    AND ${table.mergedFrom} = ${sourceItemId}`
  const fromFurtherSource = sql`FROM ${feedbackItems} s CROSS JOIN ${table} o ON o.subscription_id = ${callerWorkspaceId}
      AND o.feedback_id = s.id AND o.user_id = ${table.userId}
    WHERE s.subscription_id = ${callerWorkspaceId} AND s.merged_into = ${currentTargetItemId} AND s.id <> ${sourceItemId}`
  return {
    isCopy,
    fromNextSource: sql`${fromFurtherSource} ORDER BY ${order} LIMIT 1`,
    isHandedOver: sql`EXISTS (SELECT 1 ${fromFurtherSource})`,
  }
}

/** Removes the copies, or hands a copy over to another merged item with a row of the same user. */
function createCopyRemoval(copied: CopiedTable): StatementMaker[] {
  const { table, index, own } = copied
  const { isCopy, fromNextSource, isHandedOver } = describeCopies(copied)
  const [first, second] = Object.values(own)
  const names = 'type' in own ? sql.raw('created_at, type') : sql.raw('created_at, reason')
  return [
    makeStatement(sql`UPDATE ${table} INDEXED BY ${index} SET (merged_from, ${names}) = (SELECT s.id, ${first}, ${second} ${fromNextSource})
      WHERE ${isCopy} AND ${isHandedOver}`),
    makeStatement(sql`DELETE FROM ${table} INDEXED BY ${index} WHERE ${isCopy}`),
  ]
}

/** The copies of votes that the target loses, and the copies that are votes of another merged item from now on. */
function createVoteEvents(): StatementMaker[] {
  const { isCopy, fromNextSource, isHandedOver } = describeCopies(COPIED_TABLES.votes)
  const fromCopies = (which: SQL, columns: SQL) =>
    sql`FROM (SELECT ${columns} FROM ${feedbackVotes} INDEXED BY feedback_votes_merged WHERE ${isCopy} AND ${which} LIMIT -1) v
      CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = ${currentTargetItemId}`
  const { userId, type, createdAt } = feedbackVotes
  const next = (column: SQL) => sql`(SELECT ${column} ${fromNextSource})`
  const becoming = sql`${userId}, ${next(sql`o.type`)} AS type, ${next(sql`o.created_at`)} AS created_at,
    ${type} AS former_type, ${createdAt} AS former_created_at`
  const previous = sql`json_object('type', v.former_type, 'createdAt', ${momentJson(sql`v.former_created_at`)})`
  const differs = sql`(${type}, ${createdAt}) IS NOT (SELECT o.type, o.created_at ${fromNextSource})`
  return [
    emitVotes('updated', fromCopies(sql`${isHandedOver} AND ${differs}`, becoming), previous),
    emitVotes('deleted', fromCopies(sql`NOT ${isHandedOver}`, sql`${userId}, ${type}, ${createdAt}`)),
  ].map((source) => statement<never, Values>(source))
}

const commentIsOfTenant = sql`${feedbackComments.subscriptionId} = ${callerWorkspaceId}`
const commentIsMoved = sql`${feedbackMergedComments.subscriptionId} = ${callerWorkspaceId} AND ${feedbackMergedComments.feedbackId} = ${sourceItemId}`

const targetIsSource = guard<Values>(
  'validation_failed:/into:Must be the key of another item',
  sql`${param('into')} = ${param('feedback_external_key')}`,
)
const returningTargetItem = feedback.returningWhere(sql`${feedbackItems.id} = ${targetItemId}`)

export function mergeFeedbackItem(db: Database, key: FeedbackKey, into: string) {
  const values = { ...key, into }
  return feedback.save(db, {
    guards: [...feedback.writeGuards(key), targetIsSource(values)],
    references: referenceTo('feedbackItem', '/into', into),
    statements: mergeStatements.map((make) => make(values)),
    returning: returningTargetItem(values),
  })
}

const fromReachableItem = sql`FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${sourceItemId} AND ${feedbackItems.deletedAt} IS NULL
  AND ${coversProduct(sql`${feedbackItems.productId}`)}`
const itemNotFound = guard<Values>('feedback_item_not_found', sql`NOT EXISTS (SELECT 1 ${fromReachableItem})`)
const itemNotMerged = guard<Values>(
  'conflict:This item is not merged into another.',
  sql`EXISTS (SELECT 1 ${fromReachableItem} AND ${feedbackItems.mergedInto} IS NULL)`,
)
const keyExcludesTarget = guard<Values>(
  'insufficient_scope:This API key does not cover the product of the item that this item was merged into. Use a key that covers the product.',
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} t WHERE t.id = ${currentTargetItemId} AND NOT ${coversProduct(sql`t.product_id`)})`,
)
const mergedTargetKey = sql`(SELECT t.external_key FROM ${feedbackItems} t WHERE t.id = ${currentTargetItemId} AND t.merged_into IS NOT NULL)`
const targetAlreadyMerged = guard<Values>(
  sql`'conflict:' || ${mergedTargetKey} || ', the item that this item was merged into, is merged too. Unmerge that item first.'`,
  sql`${mergedTargetKey} IS NOT NULL`,
)

const unmergeStatements = [
  emitSourceEvents('unmerged', currentPair),
  ...createVoteEvents(),
  ...createCopyRemoval(COPIED_TABLES.votes),
  ...createCopyRemoval(COPIED_TABLES.subscriptions),
  makeStatement(sql`UPDATE ${feedbackComments} SET feedback_id = ${sourceItemId} WHERE +${commentIsOfTenant}
    AND ${feedbackComments.id} IN (SELECT ${feedbackMergedComments.commentId} FROM ${feedbackMergedComments} WHERE ${commentIsMoved})`),
  emitMovedComments(sql`SELECT ${feedbackMergedComments.commentId} AS id, ${currentTargetItemId} AS from_id
    FROM ${feedbackMergedComments} WHERE ${commentIsMoved}`),
  makeStatement(sql`DELETE FROM ${feedbackMergedComments} WHERE ${commentIsMoved}`),
  makeStatement(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} - ${publicCommentCount},
    comment_bytes = ${feedbackItems.commentBytes} - ${publicCommentBytes} WHERE ${feedbackItems.id} = ${currentTargetItemId}`),
  emitTargetEvents('unmerged', currentPair),
  makeStatement(sql`UPDATE ${feedbackItems} SET merged_into = NULL, version = version + 1, comment = ${publicCommentCount}, comment_bytes = ${publicCommentBytes}
    WHERE ${feedbackItems.id} = ${sourceItemId}`),
  emitListed(
    'restored',
    sql`FROM ${feedbackItems} ${feedback.eventSource.joins} WHERE ${feedbackItems.id} = ${sourceItemId}`,
  ),
]

export const unmergeFeedbackItem = (db: Database, key: FeedbackKey) =>
  feedback.save(db, {
    guards: [itemNotFound(key), itemNotMerged(key), keyExcludesTarget(key), targetAlreadyMerged(key)],
    statements: unmergeStatements.map((make) => make(key)),
    returning: feedback.returningByKey(key),
  })
