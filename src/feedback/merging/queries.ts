import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { referenceTo } from '../../db/client/references'
import { guard } from '../../db/client/refuse'
import {
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../db/schema/feedback'
import { coversProduct } from '../../db/sql/access'
import { eventSql } from '../../db/sql/events'
import { keyAcrossProducts } from '../../db/sql/field'
import { setJsonMembers } from '../../db/sql/selection'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { type FeedbackKey, feedback } from '../ideas/statements'

/**
 * Votes and subscriptions of a merged item stay, and the target gets copies with `merged_from`. Comments move to the
 * target, and `feedback_merged_comments` records the origin of each comment.
 */

const itemIdOfKey = (name: string) => sql`(SELECT i.id FROM ${feedbackItems} i
  WHERE i.subscription_id = ${caller.subscription} AND i.external_key = ${param(name)})`
const sourceId = itemIdOfKey('feedback_external_key')
const targetId = itemIdOfKey('into')
const currentTargetId = sql`(SELECT i.merged_into FROM ${feedbackItems} i WHERE i.id = ${sourceId})`
/** Key of an item in an event about the row, hidden from readers without access to the product of that item. */
const crossProductKey = (id: SQL) => {
  const other = (column: SQL) => sql`(SELECT ${column} FROM ${feedbackItems} k WHERE k.id = ${id})`
  return keyAcrossProducts(
    { key: other(sql`k.external_key`), product: other(sql`k.product_id`) },
    sql`${feedbackItems.productId}`,
  )
}

type MakeStatement = (values: Values) => Statement<never>
const toStatement = (text: SQL): MakeStatement => statement<never, Values>(text)

const emitSourceEvent = (type: 'merged' | 'unmerged', target: SQL): MakeStatement =>
  statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      key: feedback.eventSource.key,
      product: feedback.eventSource.product,
      hidesActor: feedback.eventSource.hidesActor,
      data: sql`json_object('external_key', ${feedbackItems.externalKey},
        ${sql.raw(type === 'merged' ? "'into'" : "'from'")}, ${crossProductKey(target)})`,
      from: sql`FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${sourceId}`,
    }),
  )

const emitTargetEvent = (type: 'merged' | 'unmerged', target: SQL): MakeStatement => {
  const { key, product, person, hidesActor, data } = feedback.eventSource
  return statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      ...{ key, product, person, hidesActor },
      data: setJsonMembers(data, [{ name: type, json: crossProductKey(sourceId) }]),
      from: sql`${feedback.from} WHERE ${feedbackItems.id} = ${target}`,
    }),
  )
}

const fromCountedComments = (
  of: SQL,
) => sql`FROM ${feedbackComments} WHERE ${feedbackComments.subscriptionId} = ${caller.subscription}
  AND ${feedbackComments.feedbackId} = ${of} AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL`
const countedComments = sql`(SELECT count(*) ${fromCountedComments(sourceId)})`
const countedBytes = sql`(SELECT coalesce(sum(octet_length(${feedbackComments.text})), 0) ${fromCountedComments(sourceId)})`

const { subscription } = caller
const COPIED_TABLES = {
  votes: {
    table: feedbackVotes,
    index: sql`feedback_votes_merged`,
    own: { createdAt: sql`o.created_at`, type: sql`o.type` },
    which: sql``,
  },
  subscriptions: {
    table: feedbackSubscriptions,
    index: sql`feedback_subscriptions_merged`,
    own: { createdAt: sql`o.created_at`, reason: sql`o.reason` },
    which: sql`AND o.reason <> 'left'`,
  },
} as const

const copyToTarget = ({ table, own, which }: (typeof COPIED_TABLES)[keyof typeof COPIED_TABLES]) =>
  toStatement(
    insertInto(
      table as typeof feedbackVotes,
      { subscriptionId: subscription, feedbackId: targetId, userId: sql`o.user_id`, mergedFrom: sourceId, ...own },
      sql`FROM ${table} o WHERE o.subscription_id = ${subscription} AND o.feedback_id = ${sourceId} ${which}
        ON CONFLICT DO NOTHING`,
    ),
  )

/** Removes the copies, or hands a copy over to another merged item with a row of the same user. */
function removeCopies({
  table,
  index,
  own,
  which,
}: (typeof COPIED_TABLES)[keyof typeof COPIED_TABLES]): MakeStatement[] {
  const isCopy = sql`${table.subscriptionId} = ${subscription} AND ${table.feedbackId} = ${currentTargetId}
    AND ${table.mergedFrom} = ${sourceId}`
  const fromFurtherSource = sql`FROM ${feedbackItems} s CROSS JOIN ${table} o ON o.subscription_id = ${subscription}
      AND o.feedback_id = s.id AND o.user_id = ${table.userId} ${which}
    WHERE s.subscription_id = ${subscription} AND s.merged_into = ${currentTargetId} AND s.id <> ${sourceId}`
  const [first, second] = Object.values(own)
  const names = 'type' in own ? sql.raw('created_at, type') : sql.raw('created_at, reason')
  return [
    toStatement(sql`UPDATE ${table} INDEXED BY ${index} SET (merged_from, ${names}) = (SELECT s.id, ${first}, ${second} ${fromFurtherSource} ORDER BY s.id LIMIT 1)
      WHERE ${isCopy} AND EXISTS (SELECT 1 ${fromFurtherSource})`),
    toStatement(sql`DELETE FROM ${table} INDEXED BY ${index} WHERE ${isCopy}`),
  ]
}

const isTenantComment = sql`${feedbackComments.subscriptionId} = ${subscription}`
const isMovedComment = sql`${feedbackMergedComments.subscriptionId} = ${subscription} AND ${feedbackMergedComments.feedbackId} = ${sourceId}`

const mergeStatements = [
  emitSourceEvent('merged', targetId),
  copyToTarget(COPIED_TABLES.votes),
  copyToTarget(COPIED_TABLES.subscriptions),
  toStatement(
    insertInto(
      feedbackMergedComments,
      { subscriptionId: subscription, feedbackId: sourceId, commentId: feedbackComments.id },
      sql`FROM ${feedbackComments} WHERE ${isTenantComment} AND ${feedbackComments.feedbackId} = ${sourceId}`,
    ),
  ),
  toStatement(
    sql`UPDATE ${feedbackComments} SET feedback_id = ${targetId} WHERE ${isTenantComment} AND ${feedbackComments.feedbackId} = ${sourceId}`,
  ),
  toStatement(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} + s.comment,
      comment_bytes = ${feedbackItems.commentBytes} + s.comment_bytes
    FROM (SELECT i.comment, i.comment_bytes FROM ${feedbackItems} i WHERE i.id = ${sourceId}) s
    WHERE ${feedbackItems.id} = ${targetId}`),
  toStatement(sql`UPDATE ${feedbackItems} SET merged_into = ${targetId}, version = version + 1, comment = 0, comment_bytes = 0
    WHERE ${feedbackItems.id} = ${sourceId}`),
  emitTargetEvent('merged', targetId),
]

const targetIsSource = guard<Values>(
  'validation_failed:/into:Must be the key of another item',
  sql`${param('into')} = ${param('feedback_external_key')}`,
)
const returningTarget = feedback.returningWhere(sql`${feedbackItems.id} = ${targetId}`)

export function mergeFeedbackItem(db: Database, key: FeedbackKey, into: string) {
  const values = { ...key, into }
  return feedback.save(db, {
    guards: [...feedback.writeGuards(key), targetIsSource(values)],
    references: referenceTo('feedbackItem', '/into', into),
    statements: mergeStatements.map((make) => make(values)),
    returning: returningTarget(values),
  })
}

const fromReachableItem = sql`FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${sourceId} AND ${feedbackItems.deletedAt} IS NULL
  AND ${coversProduct(sql`${feedbackItems.productId}`)}`
const itemNotFound = guard<Values>('feedback_item_not_found', sql`NOT EXISTS (SELECT 1 ${fromReachableItem})`)
const notMerged = guard<Values>(
  'conflict:This item is not merged into another.',
  sql`EXISTS (SELECT 1 ${fromReachableItem} AND ${feedbackItems.mergedInto} IS NULL)`,
)
const targetBeyondKey = guard<Values>(
  'insufficient_scope:This API key does not cover the product of the item that this item was merged into. Use a key that covers the product.',
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} t WHERE t.id = ${currentTargetId} AND NOT ${coversProduct(sql`t.product_id`)})`,
)
const targetMergedKey = sql`(SELECT t.external_key FROM ${feedbackItems} t WHERE t.id = ${currentTargetId} AND t.merged_into IS NOT NULL)`
const targetMerged = guard<Values>(
  sql`'conflict:' || ${targetMergedKey} || ', the item that this item was merged into, is merged too. Unmerge that item first.'`,
  sql`${targetMergedKey} IS NOT NULL`,
)

const unmergeStatements = [
  emitSourceEvent('unmerged', currentTargetId),
  ...removeCopies(COPIED_TABLES.votes),
  ...removeCopies(COPIED_TABLES.subscriptions),
  toStatement(sql`UPDATE ${feedbackComments} SET feedback_id = ${sourceId} WHERE +${isTenantComment}
    AND ${feedbackComments.id} IN (SELECT ${feedbackMergedComments.commentId} FROM ${feedbackMergedComments} WHERE ${isMovedComment})`),
  toStatement(sql`DELETE FROM ${feedbackMergedComments} WHERE ${isMovedComment}`),
  toStatement(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} - ${countedComments},
    comment_bytes = ${feedbackItems.commentBytes} - ${countedBytes} WHERE ${feedbackItems.id} = ${currentTargetId}`),
  emitTargetEvent('unmerged', currentTargetId),
  toStatement(sql`UPDATE ${feedbackItems} SET merged_into = NULL, version = version + 1, comment = ${countedComments}, comment_bytes = ${countedBytes}
    WHERE ${feedbackItems.id} = ${sourceId}`),
]

export const unmergeFeedbackItem = (db: Database, key: FeedbackKey) =>
  feedback.save(db, {
    guards: [itemNotFound(key), notMerged(key), targetBeyondKey(key), targetMerged(key)],
    statements: unmergeStatements.map((make) => make(key)),
    returning: feedback.returningByKey(key),
  })
