import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
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
import { referenceTo } from '../../db/sql/references'
import { setJsonMembers } from '../../db/sql/selection'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { type FeedbackKey, feedback } from '../ideas/statements'

/**
 * Votes and subscriptions of a merged item stay, and the target gets copies with `merged_from`. Comments move to the
 * target, and `feedback_merged_comments` records the origin of each comment.
 */

const selectItemIdOfKey = (name: string) => sql`(SELECT i.id FROM ${feedbackItems} i
  WHERE i.subscription_id = ${caller.subscription} AND i.external_key = ${param(name)})`
const sourceItemId = selectItemIdOfKey('feedback_external_key')
const targetItemId = selectItemIdOfKey('into')
const currentTargetItemId = sql`(SELECT i.merged_into FROM ${feedbackItems} i WHERE i.id = ${sourceItemId})`
/** Key of an item in an event about the row, hidden from readers without access to the product of that item. */
const selectCrossProductKey = (id: SQL) => {
  const other = (column: SQL) => sql`(SELECT ${column} FROM ${feedbackItems} k WHERE k.id = ${id})`
  return keyAcrossProducts(
    { key: other(sql`k.external_key`), product: other(sql`k.product_id`) },
    sql`${feedbackItems.productId}`,
  )
}

type StatementMaker = (values: Values) => Statement<never>
const makeStatement = (text: SQL): StatementMaker => statement<never, Values>(text)

const emitSourceEvent = (type: 'merged' | 'unmerged', target: SQL): StatementMaker =>
  statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      key: feedback.eventSource.key,
      product: feedback.eventSource.product,
      hidesActor: feedback.eventSource.hidesActor,
      data: sql`json_object('external_key', ${feedbackItems.externalKey},
        ${sql.raw(type === 'merged' ? "'into'" : "'from'")}, ${selectCrossProductKey(target)})`,
      from: sql`FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${sourceItemId}`,
    }),
  )

const emitTargetEvent = (type: 'merged' | 'unmerged', target: SQL): StatementMaker => {
  const { key, product, person, hidesActor, data } = feedback.eventSource
  return statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      ...{ key, product, person, hidesActor },
      data: setJsonMembers(data, [{ name: type, json: selectCrossProductKey(sourceItemId) }]),
      from: sql`${feedback.from} WHERE ${feedbackItems.id} = ${target}`,
    }),
  )
}

const fromPublicComments = (
  of: SQL,
) => sql`FROM ${feedbackComments} WHERE ${feedbackComments.subscriptionId} = ${caller.subscription}
  AND ${feedbackComments.feedbackId} = ${of} AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL`
const publicCommentCount = sql`(SELECT count(*) ${fromPublicComments(sourceItemId)})`
const publicCommentBytes = sql`(SELECT coalesce(sum(octet_length(${feedbackComments.text})), 0) ${fromPublicComments(sourceItemId)})`

const { subscription: callerWorkspaceId } = caller
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

const copyRowsToTarget = ({ table, own, which }: (typeof COPIED_TABLES)[keyof typeof COPIED_TABLES]) =>
  makeStatement(
    insertInto(
      table as typeof feedbackVotes,
      {
        subscriptionId: callerWorkspaceId,
        feedbackId: targetItemId,
        userId: sql`o.user_id`,
        mergedFrom: sourceItemId,
        ...own,
      },
      sql`FROM ${table} o WHERE o.subscription_id = ${callerWorkspaceId} AND o.feedback_id = ${sourceItemId} ${which}
        ON CONFLICT DO NOTHING`,
    ),
  )

/** Removes the copies, or hands a copy over to another merged item with a row of the same user. */
function createCopyRemoval({
  table,
  index,
  own,
  which,
}: (typeof COPIED_TABLES)[keyof typeof COPIED_TABLES]): StatementMaker[] {
  const isCopy = sql`${table.subscriptionId} = ${callerWorkspaceId} AND ${table.feedbackId} = ${currentTargetItemId}
    AND ${table.mergedFrom} = ${sourceItemId}`
  const fromFurtherSource = sql`FROM ${feedbackItems} s CROSS JOIN ${table} o ON o.subscription_id = ${callerWorkspaceId}
      AND o.feedback_id = s.id AND o.user_id = ${table.userId} ${which}
    WHERE s.subscription_id = ${callerWorkspaceId} AND s.merged_into = ${currentTargetItemId} AND s.id <> ${sourceItemId}`
  const [first, second] = Object.values(own)
  const names = 'type' in own ? sql.raw('created_at, type') : sql.raw('created_at, reason')
  return [
    makeStatement(sql`UPDATE ${table} INDEXED BY ${index} SET (merged_from, ${names}) = (SELECT s.id, ${first}, ${second} ${fromFurtherSource} ORDER BY s.id LIMIT 1)
      WHERE ${isCopy} AND EXISTS (SELECT 1 ${fromFurtherSource})`),
    makeStatement(sql`DELETE FROM ${table} INDEXED BY ${index} WHERE ${isCopy}`),
  ]
}

const commentIsOfTenant = sql`${feedbackComments.subscriptionId} = ${callerWorkspaceId}`
const commentIsMoved = sql`${feedbackMergedComments.subscriptionId} = ${callerWorkspaceId} AND ${feedbackMergedComments.feedbackId} = ${sourceItemId}`

const mergeStatements = [
  emitSourceEvent('merged', targetItemId),
  copyRowsToTarget(COPIED_TABLES.votes),
  copyRowsToTarget(COPIED_TABLES.subscriptions),
  makeStatement(
    insertInto(
      feedbackMergedComments,
      { subscriptionId: callerWorkspaceId, feedbackId: sourceItemId, commentId: feedbackComments.id },
      sql`FROM ${feedbackComments} WHERE ${commentIsOfTenant} AND ${feedbackComments.feedbackId} = ${sourceItemId}`,
    ),
  ),
  makeStatement(
    sql`UPDATE ${feedbackComments} SET feedback_id = ${targetItemId} WHERE ${commentIsOfTenant} AND ${feedbackComments.feedbackId} = ${sourceItemId}`,
  ),
  makeStatement(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} + s.comment,
      comment_bytes = ${feedbackItems.commentBytes} + s.comment_bytes
    FROM (SELECT i.comment, i.comment_bytes FROM ${feedbackItems} i WHERE i.id = ${sourceItemId}) s
    WHERE ${feedbackItems.id} = ${targetItemId}`),
  makeStatement(sql`UPDATE ${feedbackItems} SET merged_into = ${targetItemId}, version = version + 1, comment = 0, comment_bytes = 0
    WHERE ${feedbackItems.id} = ${sourceItemId}`),
  emitTargetEvent('merged', targetItemId),
]

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
  emitSourceEvent('unmerged', currentTargetItemId),
  ...createCopyRemoval(COPIED_TABLES.votes),
  ...createCopyRemoval(COPIED_TABLES.subscriptions),
  makeStatement(sql`UPDATE ${feedbackComments} SET feedback_id = ${sourceItemId} WHERE +${commentIsOfTenant}
    AND ${feedbackComments.id} IN (SELECT ${feedbackMergedComments.commentId} FROM ${feedbackMergedComments} WHERE ${commentIsMoved})`),
  makeStatement(sql`DELETE FROM ${feedbackMergedComments} WHERE ${commentIsMoved}`),
  makeStatement(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} - ${publicCommentCount},
    comment_bytes = ${feedbackItems.commentBytes} - ${publicCommentBytes} WHERE ${feedbackItems.id} = ${currentTargetItemId}`),
  emitTargetEvent('unmerged', currentTargetItemId),
  makeStatement(sql`UPDATE ${feedbackItems} SET merged_into = NULL, version = version + 1, comment = ${publicCommentCount}, comment_bytes = ${publicCommentBytes}
    WHERE ${feedbackItems.id} = ${sourceItemId}`),
]

export const unmergeFeedbackItem = (db: Database, key: FeedbackKey) =>
  feedback.save(db, {
    guards: [itemNotFound(key), itemNotMerged(key), keyExcludesTarget(key), targetAlreadyMerged(key)],
    statements: unmergeStatements.map((make) => make(key)),
    returning: feedback.returningByKey(key),
  })
