import { type SQL, sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import { keyOfOther } from '../../db/field'
import { guard } from '../../db/refuse'
import {
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../db/schema/feedback'
import { withMembers } from '../../db/selection'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import { type FeedbackKey, feedback } from '../ideas/statements'

/*
 * Votes of a merged item stay in place, and the target gets copies with `merged_from`; subscriptions are copied alike.
 * Comments move to the target, and `feedback_merged_comments` records the origin of each comment. New votes on the
 * target belong to the target.
 */

const ofKey = (name: string) => sql`(SELECT i.id FROM ${feedbackItems} i
  WHERE i.subscription_id = ${caller.subscription} AND i.external_key = ${param(name)})`
const source = ofKey('feedback_external_key')
const named = ofKey('into')
const present = sql`(SELECT i.merged_into FROM ${feedbackItems} i WHERE i.id = ${source})`
/** Key of an item in an event about the row, hidden from readers without access to the product of that item. */
const keyOf = (id: SQL) => {
  const other = (column: SQL) => sql`(SELECT ${column} FROM ${feedbackItems} k WHERE k.id = ${id})`
  return keyOfOther(
    { key: other(sql`k.external_key`), product: other(sql`k.product_id`) },
    sql`${feedbackItems.productId}`,
  )
}

type Make = (values: Values) => Statement<never>
const made = (text: SQL): Make => statement<never, Values>(text)

const tellsSource = (type: 'merged' | 'unmerged', target: SQL): Make =>
  statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      key: feedback.told.key,
      product: feedback.told.product,
      unnamed: feedback.told.unnamed,
      data: sql`json_object('external_key', ${feedbackItems.externalKey},
        ${sql.raw(type === 'merged' ? "'into'" : "'from'")}, ${keyOf(target)})`,
      from: sql`FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${source}`,
    }),
  )

/** Emits the event of the target with the values at this point of the batch. */
const tellsTarget = (type: 'merged' | 'unmerged', target: SQL): Make => {
  const { key, product, person, unnamed, data } = feedback.told
  return statement<never, Values>(() =>
    eventSql({
      type: `feedback.${type}`,
      ...{ key, product, person, unnamed },
      data: withMembers(data, [{ name: type, json: keyOf(source) }]),
      from: sql`${feedback.from} WHERE ${feedbackItems.id} = ${target}`,
    }),
  )
}

const counted = (
  of: SQL,
) => sql`FROM ${feedbackComments} WHERE ${feedbackComments.subscriptionId} = ${caller.subscription}
  AND ${feedbackComments.feedbackId} = ${of} AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL`
const count = sql`(SELECT count(*) ${counted(source)})`
const bytes = sql`(SELECT coalesce(sum(octet_length(${feedbackComments.text})), 0) ${counted(source)})`

const { subscription } = caller
const copies = {
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

/** Copies rows of users without a row on the target. */
const copy = ({ table, own, which }: (typeof copies)[keyof typeof copies]) =>
  made(
    insertInto(
      table as typeof feedbackVotes,
      { subscriptionId: subscription, feedbackId: named, userId: sql`o.user_id`, mergedFrom: source, ...own },
      sql`FROM ${table} o WHERE o.subscription_id = ${subscription} AND o.feedback_id = ${source} ${which}
        ON CONFLICT DO NOTHING`,
    ),
  )

/** Removes the copies, or hands a copy over to another merged item with a row of the same user. */
function takesBack({ table, index, own, which }: (typeof copies)[keyof typeof copies]): Make[] {
  const copied = sql`${table.subscriptionId} = ${subscription} AND ${table.feedbackId} = ${present}
    AND ${table.mergedFrom} = ${source}`
  const other = sql`FROM ${feedbackItems} s CROSS JOIN ${table} o ON o.subscription_id = ${subscription}
      AND o.feedback_id = s.id AND o.user_id = ${table.userId} ${which}
    WHERE s.subscription_id = ${subscription} AND s.merged_into = ${present} AND s.id <> ${source}`
  const [first, second] = Object.values(own)
  const names = 'type' in own ? sql.raw('created_at, type') : sql.raw('created_at, reason')
  return [
    made(sql`UPDATE ${table} INDEXED BY ${index} SET (merged_from, ${names}) = (SELECT s.id, ${first}, ${second} ${other} ORDER BY s.id LIMIT 1)
      WHERE ${copied} AND EXISTS (SELECT 1 ${other})`),
    made(sql`DELETE FROM ${table} INDEXED BY ${index} WHERE ${copied}`),
  ]
}

const own = sql`${feedbackComments.subscriptionId} = ${subscription}`
const belonging = sql`${feedbackMergedComments.subscriptionId} = ${subscription} AND ${feedbackMergedComments.feedbackId} = ${source}`

const merging = [
  tellsSource('merged', named),
  copy(copies.votes),
  copy(copies.subscriptions),
  made(
    insertInto(
      feedbackMergedComments,
      { subscriptionId: subscription, feedbackId: source, commentId: feedbackComments.id },
      sql`FROM ${feedbackComments} WHERE ${own} AND ${feedbackComments.feedbackId} = ${source}`,
    ),
  ),
  made(
    sql`UPDATE ${feedbackComments} SET feedback_id = ${named} WHERE ${own} AND ${feedbackComments.feedbackId} = ${source}`,
  ),
  made(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} + s.comment,
      comment_bytes = ${feedbackItems.commentBytes} + s.comment_bytes
    FROM (SELECT i.comment, i.comment_bytes FROM ${feedbackItems} i WHERE i.id = ${source}) s
    WHERE ${feedbackItems.id} = ${named}`),
  made(sql`UPDATE ${feedbackItems} SET merged_into = ${named}, version = version + 1, comment = 0, comment_bytes = 0
    WHERE ${feedbackItems.id} = ${source}`),
  tellsTarget('merged', named),
]

const itself = guard<Values>(
  sql`'validation_failed:/into:Must be the key of another item'`,
  sql`${param('into')} = ${param('feedback_external_key')}`,
)
const target = feedback.answering(sql`${feedbackItems.id} = ${named}`)

/** Hides the item behind the target, which gets the votes, comments and subscribers. */
export function mergeFeedbackItem(db: Database, key: FeedbackKey, into: string) {
  const given = { ...key, into }
  return feedback.save(db, {
    guards: [...feedback.writable(key), itself(given)],
    references: [{ kind: 'feedbackItem', path: '/into', value: into }],
    statements: merging.map((make) => make(given)),
    answer: target(given),
  })
}

const there = sql`FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${source} AND ${feedbackItems.deletedAt} IS NULL
  AND ${covered(sql`${feedbackItems.productId}`)}`
const absent = guard<Values>('feedback_item_not_found', sql`NOT EXISTS (SELECT 1 ${there})`)
const apart = guard<Values>(
  sql`'conflict:This item is not merged into another.'`,
  sql`EXISTS (SELECT 1 ${there} AND ${feedbackItems.mergedInto} IS NULL)`,
)
const beyondKey = guard<Values>(
  sql`'insufficient_scope:This API key does not cover the product of the item that this one was merged into. Use one that does.'`,
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} t WHERE t.id = ${present} AND NOT ${covered(sql`t.product_id`)})`,
)
const further = sql`(SELECT t.external_key FROM ${feedbackItems} t WHERE t.id = ${present} AND t.merged_into IS NOT NULL)`
const mergedFurther = guard<Values>(
  sql`'conflict:' || ${further} || ', which this item was merged into, is merged itself. Unmerge that one first.'`,
  sql`${further} IS NOT NULL`,
)

const unmerging = [
  tellsSource('unmerged', present),
  ...takesBack(copies.votes),
  ...takesBack(copies.subscriptions),
  made(sql`UPDATE ${feedbackComments} SET feedback_id = ${source} WHERE +${own}
    AND ${feedbackComments.id} IN (SELECT ${feedbackMergedComments.commentId} FROM ${feedbackMergedComments} WHERE ${belonging})`),
  made(sql`DELETE FROM ${feedbackMergedComments} WHERE ${belonging}`),
  made(sql`UPDATE ${feedbackItems} SET comment = ${feedbackItems.comment} - ${count},
    comment_bytes = ${feedbackItems.commentBytes} - ${bytes} WHERE ${feedbackItems.id} = ${present}`),
  tellsTarget('unmerged', present),
  made(sql`UPDATE ${feedbackItems} SET merged_into = NULL, version = version + 1, comment = ${count}, comment_bytes = ${bytes}
    WHERE ${feedbackItems.id} = ${source}`),
]

export const unmergeFeedbackItem = (db: Database, key: FeedbackKey) =>
  feedback.save(db, {
    guards: [absent(key), apart(key), beyondKey(key), mergedFurther(key)],
    statements: unmerging.map((make) => make(key)),
    answer: feedback.reply(key),
  })
