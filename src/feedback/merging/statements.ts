import { type SQL, sql } from 'drizzle-orm'
import {
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../db/schema/feedback'
import { cascadeJson } from '../../db/sql/content'
import { eventSql } from '../../db/sql/events'
import { keyAcrossProducts } from '../../db/sql/field'
import { setJsonMembers } from '../../db/sql/selection'
import { caller, insertInto, type Statement, statement, type Values } from '../../db/sql/statement'
import { comment } from '../comments/fields'
import { contentOfMergedIdea, feedback, isCopiedLeaving } from '../ideas/statements'
import { emitVotes } from '../votes/statements'

/**
 * Votes and subscriptions of a merged item stay, and the target gets copies with `merged_from`. A person who left a
 * merged item has left the target too, until the person takes part in the target or follows another merged item. Comments
 * move to the target, and `feedback_merged_comments` records the origin of each comment.
 */

/** Key of an item in an event about the row, hidden from readers without access to the product of that item. */
const selectCrossProductKey = (id: SQL) => {
  const other = (column: SQL) => sql`(SELECT ${column} FROM ${feedbackItems} k WHERE k.id = ${id})`
  return keyAcrossProducts(
    { key: other(sql`k.external_key`), product: other(sql`k.product_id`) },
    sql`${feedbackItems.productId}`,
  )
}

export type StatementMaker = (values: Values) => Statement<never>
export const makeStatement = (text: SQL): StatementMaker => statement<never, Values>(text)

type MergeEvent = 'merged' | 'unmerged'

/** `pairs`: a join named `pair`, with the ids `item_id` of merged items and `into_id` of their targets. */
export const emitSourceEvents = (type: MergeEvent, pairs: SQL): StatementMaker =>
  statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      key: feedback.eventSource.key,
      product: feedback.eventSource.product,
      hidesActor: feedback.eventSource.hidesActor,
      data: sql`json_object('external_key', ${feedbackItems.externalKey},
        ${sql.raw(type === 'merged' ? "'into'" : "'from'")}, ${selectCrossProductKey(sql`pair.into_id`)})`,
      from: sql`FROM ${pairs} CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = pair.item_id`,
      many: true,
    }),
  )

export const emitTargetEvents = (type: MergeEvent, pairs: SQL): StatementMaker => {
  const { key, product, person, hidesActor, data, joins } = feedback.eventSource
  return statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      ...{ key, product, person, hidesActor },
      data: setJsonMembers(data, [{ name: type, json: selectCrossProductKey(sql`pair.item_id`) }]),
      from: sql`FROM ${pairs} CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = pair.into_id ${joins}`,
      many: true,
    }),
  )
}

export const COPIED_TABLES = {
  votes: {
    table: feedbackVotes,
    index: sql`feedback_votes_merged`,
    own: { createdAt: sql`o.created_at`, type: sql`o.type` },
    order: sql`s.id`,
    onConflict: sql`NOTHING`,
    isCopied: sql`true`,
  },
  subscriptions: {
    table: feedbackSubscriptions,
    index: sql`feedback_subscriptions_merged`,
    own: { createdAt: sql`o.created_at`, reason: sql`o.reason` },
    order: sql`o.reason = 'left', s.id`,
    onConflict: sql`UPDATE SET reason = excluded.reason, created_at = excluded.created_at, merged_from = excluded.merged_from
      WHERE ${isCopiedLeaving} AND excluded.reason <> 'left'`,
    isCopied: sql`(o.reason <> 'left' OR NOT EXISTS (SELECT 1 FROM ${feedbackVotes} v WHERE v.subscription_id = ${caller.subscription}
      AND v.feedback_id = pair.into_id AND v.user_id = o.user_id AND v.type = 'up' AND v.merged_from IS NULL))`,
  },
} as const

export type CopiedTable = (typeof COPIED_TABLES)[keyof typeof COPIED_TABLES]

const copyRowsToTargets = ({ table, own, isCopied, onConflict }: CopiedTable, pairs: SQL) =>
  makeStatement(
    insertInto(
      table as typeof feedbackVotes,
      {
        subscriptionId: caller.subscription,
        feedbackId: sql`pair.into_id`,
        userId: sql`o.user_id`,
        mergedFrom: sql`pair.item_id`,
        ...own,
      },
      sql`FROM ${pairs} CROSS JOIN ${table} o ON o.subscription_id = ${caller.subscription} AND o.feedback_id = pair.item_id
        WHERE ${isCopied} ON CONFLICT DO ${onConflict}`,
    ),
  )

/** Votes that a target has from merged items. */
export const fromCopiedVotes = (
  pairs: SQL,
) => sql`FROM ${pairs} CROSS JOIN ${feedbackVotes} v INDEXED BY feedback_votes_merged
    ON v.subscription_id = ${caller.subscription} AND v.merged_from = pair.item_id AND v.feedback_id = pair.into_id
  CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = pair.into_id`

/** Comments are listed with another idea. `moved` selects the `id` of each comment, and `from_id` of the former idea. */
export const emitMovedComments = (moved: SQL): StatementMaker => {
  const { key, product, person, data, joins } = comment.eventSource
  return statement<never, Values>(() =>
    eventSql({
      type: 'comment.updated',
      ...{ key, product, person, data },
      previous: sql`json_object('feedbackKey', ${selectCrossProductKey(sql`moved.from_id`)})`,
      from: sql`FROM (${moved} LIMIT -1) moved CROSS JOIN ${feedbackComments} ON ${feedbackComments.id} = moved.id
        AND +${commentIsOfTenant} AND ${feedbackComments.deletedAt} IS NULL
      CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = ${feedbackComments.feedbackId} ${joins}`,
      many: true,
    }),
  )
}

/** A merged idea leaves the lists, and an unmerged idea returns. `from`: the ideas, with the joins of the record. */
export const emitListed = (happening: 'deleted' | 'restored', from: SQL): StatementMaker => {
  const { key, product, person, hidesActor, data } = feedback.eventSource
  return statement<never, Values>(() =>
    eventSql({
      type: `feedback.${happening}`,
      ...{ key, product, person, hidesActor, data, from },
      cascade: cascadeJson(contentOfMergedIdea),
      many: true,
    }),
  )
}

const commentIsOfTenant = sql`${feedbackComments.subscriptionId} = ${caller.subscription}`
const itemIsOfTenant = sql`+${feedbackItems.subscriptionId} = ${caller.subscription}`

/** Merges items into targets that are not merged themselves. */
export const buildMerge = (pairs: SQL): StatementMaker[] => [
  emitSourceEvents('merged', pairs),
  emitListed(
    'deleted',
    sql`FROM ${pairs} CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = pair.item_id ${feedback.eventSource.joins}`,
  ),
  copyRowsToTargets(COPIED_TABLES.votes, pairs),
  statement<never, Values>(() => emitVotes('created', fromCopiedVotes(pairs))),
  copyRowsToTargets(COPIED_TABLES.subscriptions, pairs),
  makeStatement(
    insertInto(
      feedbackMergedComments,
      { subscriptionId: caller.subscription, feedbackId: sql`pair.item_id`, commentId: feedbackComments.id },
      sql`FROM ${pairs} CROSS JOIN ${feedbackComments} ON ${commentIsOfTenant} AND ${feedbackComments.feedbackId} = pair.item_id`,
    ),
  ),
  makeStatement(sql`UPDATE ${feedbackComments} SET feedback_id = pair.into_id FROM ${pairs}
    WHERE ${commentIsOfTenant} AND ${feedbackComments.feedbackId} = pair.item_id`),
  emitMovedComments(sql`SELECT m.comment_id AS id, pair.item_id AS from_id FROM ${pairs} CROSS JOIN ${feedbackMergedComments} m
    ON m.subscription_id = ${caller.subscription} AND m.feedback_id = pair.item_id`),
  makeStatement(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} + s.comment,
      comment_bytes = ${feedbackItems.commentBytes} + s.comment_bytes
    FROM (SELECT pair.into_id, sum(i.comment) AS comment, sum(i.comment_bytes) AS comment_bytes
      FROM ${pairs} CROSS JOIN ${feedbackItems} i ON i.id = pair.item_id GROUP BY pair.into_id) s
    WHERE ${itemIsOfTenant} AND ${feedbackItems.id} = s.into_id`),
  makeStatement(sql`UPDATE ${feedbackItems} SET merged_into = pair.into_id, version = version + 1, comment = 0, comment_bytes = 0
    FROM ${pairs} WHERE ${itemIsOfTenant} AND ${feedbackItems.id} = pair.item_id`),
  emitTargetEvents('merged', pairs),
]
