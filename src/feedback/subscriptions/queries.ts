import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { bindPerson, createBehalfStatements, idOfPersonOrCaller } from '../../db/records/members'
import { feedbackItems, feedbackSubscriptions } from '../../db/schema/feedback'
import { eventSql } from '../../db/sql/events'
import { returning } from '../../db/sql/returning'
import { caller, inline, insertInto, statement, type Values } from '../../db/sql/statement'
import { emitUnknownMember } from '../../people/members/statements'
import { type FeedbackKey, feedback } from '../ideas/statements'

const subscriptionIsOfPerson = sql`${feedbackSubscriptions.subscriptionId} = ${caller.subscription}
  AND ${feedbackSubscriptions.feedbackId} = ${feedback.id} AND ${feedbackSubscriptions.userId} = ${idOfPersonOrCaller}`
const currentSubscriptionReason = sql`coalesce((SELECT ${feedbackSubscriptions.reason} FROM ${feedbackSubscriptions} WHERE ${subscriptionIsOfPerson}), '')`

const behalfOfSubscriber = createBehalfStatements('/email', { emitCreated: emitUnknownMember })
const personUnsubscribed = guard<Values>(
  'conflict:/email: This person has unsubscribed from the item. Only a key of this person can subscribe the person again.',
  sql`${idOfPersonOrCaller} <> ${caller.user} AND ${currentSubscriptionReason} = 'left'`,
)

/** A subscription copied by a merge stays after an unmerge. */
function buildSubscriptionChange(wanted: 'asked' | 'left') {
  const newReason = inline(wanted)
  const differs =
    wanted === 'left'
      ? sql`${currentSubscriptionReason} <> 'left'`
      : // A vote subscribes until the voter withdraws the vote or votes against the item.
        sql`${currentSubscriptionReason} IN ('', 'left', 'vote')`
  const emitChange = statement<never, Values>(() =>
    eventSql({
      type: wanted === 'left' ? 'feedback.unsubscribed' : 'feedback.subscribed',
      key: feedback.eventSource.key,
      product: feedback.eventSource.product,
      hidesActor: feedback.eventSource.hidesActor,
      data: sql`json_object('external_key', ${feedbackItems.externalKey},
        'user_id', CASE WHEN ${feedbackItems.isAnonymous} IS NOT 1 THEN CAST(${idOfPersonOrCaller} AS INTEGER) END)`,
      from: sql`FROM ${feedbackItems} WHERE ${feedback.byKey} AND ${differs}`,
    }),
  )
  const upsertSubscription = statement<never, Values>(
    insertInto(
      feedbackSubscriptions,
      {
        subscriptionId: caller.subscription,
        feedbackId: feedback.id,
        userId: idOfPersonOrCaller,
        reason: newReason,
        createdAt: caller.now,
      },
      sql`WHERE ${differs} ON CONFLICT DO UPDATE SET reason = excluded.reason, merged_from = NULL`,
    ),
  )
  const keepAfterUnmerge = statement<never, Values>(sql`UPDATE ${feedbackSubscriptions} SET merged_from = NULL
    WHERE ${subscriptionIsOfPerson} AND ${feedbackSubscriptions.mergedFrom} IS NOT NULL`)
  return (key: Values) => [emitChange(key), upsertSubscription(key), keepAfterUnmerge(key)]
}

const subscribeStatements = buildSubscriptionChange('asked')
const unsubscribeStatements = buildSubscriptionChange('left')
const returningSubscription = returning<{ externalKey: string; left: number }, Values>(
  { externalKey: feedbackItems.externalKey, left: sql`${currentSubscriptionReason} = 'left'` },
  sql`FROM ${feedbackItems} WHERE ${feedback.byKey}`,
)

async function saveSubscription(db: Database, key: FeedbackKey, make: typeof subscribeStatements, email?: string) {
  const somebody = email === undefined ? undefined : { email }
  const values = { ...key, ...bindPerson(somebody) }
  const { rows } = await db.write({
    guards: [
      ...feedback.writeGuards(key),
      ...behalfOfSubscriber.guards(somebody),
      ...(somebody ? [personUnsubscribed(values)] : []),
    ],
    statements: [...behalfOfSubscriber.insertUnknown(somebody, { unseen: false }), ...make(values)],
    returning: returningSubscription(values),
  })
  return { externalKey: rows[0].externalKey, subscribed: rows[0].left === 0 }
}

export const subscribePerson = (db: Database, key: FeedbackKey, email?: string) =>
  saveSubscription(db, key, subscribeStatements, email)
export const unsubscribeCaller = (db: Database, key: FeedbackKey) => saveSubscription(db, key, unsubscribeStatements)
