import { sql } from 'drizzle-orm'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import { named, onBehalf, person } from '../../db/members'
import { guard } from '../../db/refuse'
import { feedbackItems, feedbackSubscriptions } from '../../db/schema/feedback'
import { caller, inline, insertInto, statement, type Values } from '../../db/statement'
import { type FeedbackKey, feedback } from '../ideas/statements'

const own = sql`${feedbackSubscriptions.subscriptionId} = ${caller.subscription}
  AND ${feedbackSubscriptions.feedbackId} = ${feedback.id} AND ${feedbackSubscriptions.userId} = ${person}`
const reason = sql`coalesce((SELECT ${feedbackSubscriptions.reason} FROM ${feedbackSubscriptions} WHERE ${own}), '')`

const behalf = onBehalf('/email')
const hasLeft = guard<Values>(
  inline(
    'conflict:/email: This person has unsubscribed from the item. Only a key of their own can subscribe them again.',
  ),
  sql`${person} <> ${caller.user} AND ${reason} = 'left'`,
)

/**
 * Sets the subscription of a person, and emits an event if the state changes. A subscription copied by a merge stays
 * after an unmerge.
 */
function setting(wanted: 'asked' | 'left') {
  const becomes = inline(wanted)
  const differs = wanted === 'left' ? sql`${reason} <> 'left'` : sql`${reason} IN ('', 'left')`
  const told = statement<never, Values>(() =>
    eventSql({
      type: wanted === 'left' ? 'feedback.unsubscribed' : 'feedback.subscribed',
      key: feedback.told.key,
      product: feedback.told.product,
      unnamed: feedback.told.unnamed,
      data: sql`json_object('external_key', ${feedbackItems.externalKey},
        'user_id', CASE WHEN ${feedbackItems.isAnonymous} IS NOT 1 THEN CAST(${person} AS INTEGER) END)`,
      from: sql`FROM ${feedbackItems} WHERE ${feedback.addressed} AND ${differs}`,
    }),
  )
  const set = statement<never, Values>(
    insertInto(
      feedbackSubscriptions,
      {
        subscriptionId: caller.subscription,
        feedbackId: feedback.id,
        userId: person,
        reason: becomes,
        createdAt: caller.now,
      },
      sql`WHERE ${differs} ON CONFLICT DO UPDATE SET reason = excluded.reason, merged_from = NULL`,
    ),
  )
  const keep = statement<never, Values>(sql`UPDATE ${feedbackSubscriptions} SET merged_from = NULL
    WHERE ${own} AND ${feedbackSubscriptions.mergedFrom} IS NOT NULL`)
  return (key: Values) => [told(key), set(key), keep(key)]
}

const subscribing = setting('asked')
const leaving = setting('left')
const standing = answer<{ externalKey: string; left: number }, Values>(
  { externalKey: feedbackItems.externalKey, left: sql`${reason} = 'left'` },
  sql`FROM ${feedbackItems} WHERE ${feedback.addressed}`,
)

async function write(db: Database, key: FeedbackKey, make: typeof subscribing, email?: string) {
  const somebody = email === undefined ? undefined : { email }
  const values = { ...key, ...named(somebody) }
  const { answer: rows } = await db.write({
    guards: [...feedback.writable(key), ...behalf.guards(somebody), ...(somebody ? [hasLeft(values)] : [])],
    statements: [...behalf.made(somebody, { unseen: false }), ...make(values)],
    answer: standing(values),
  })
  return { externalKey: rows[0].externalKey, subscribed: rows[0].left === 0 }
}

/**
 * Subscribes the person with the address (an unknown address becomes a member), or the user of the key without `email`.
 */
export const subscribe = (db: Database, key: FeedbackKey, email?: string) => write(db, key, subscribing, email)
export const unsubscribe = (db: Database, key: FeedbackKey) => write(db, key, leaving)
