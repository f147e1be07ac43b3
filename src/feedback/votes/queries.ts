import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { eventSql } from '../../db/events'
import { computed, moment, personal } from '../../db/field'
import { list } from '../../db/list'
import { named, onBehalf, person } from '../../db/members'
import { record } from '../../db/record'
import { feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/statement'
import { closed, type FeedbackKey, feedback, rejected, standingFeedback, subscribes } from '../ideas/statements'
import { type CastVote, ListVoters, type Vote } from './schema'

const behalf = onBehalf('/email')
const ofItem = sql`${feedbackVotes.subscriptionId} = ${caller.subscription} AND ${feedbackVotes.feedbackId} = ${feedback.id}`
const present = sql`coalesce((SELECT ${feedbackVotes.type} FROM ${feedbackVotes}
  WHERE ${ofItem} AND ${feedbackVotes.userId} = ${person}), 'none')`
const type = sql`${param('type')}`
const counted = (which: 'up' | 'down') => {
  const is = inline(which)
  return sql`(${type} = ${is}) - (i.was = ${is})`
}

// Runs before the vote is stored, because the event compares the previous vote and computes the new counts.
const voted = statement<never, Values>(() =>
  eventSql({
    type: 'feedback.voted',
    key: sql`i.external_key`,
    product: sql`i.product_id`,
    data: sql`json_object('external_key', i.external_key, 'user_id', i.voter, 'type', ${type},
      'vote', i.vote + ${counted('up')}, 'down_vote', i.down_vote + ${counted('down')})`,
    previous: sql`json_object('type', i.was)`,
    from: sql`FROM (SELECT ${feedbackItems.externalKey}, ${feedbackItems.productId}, ${feedbackItems.vote},
        ${feedbackItems.downVote}, ${person} AS voter, ${present} AS was
      FROM ${feedbackItems} WHERE ${feedback.addressed}) i WHERE i.was <> ${type}`,
  }),
)

// Voting again keeps a vote copied by a merge even after an unmerge.
const cast = statement<never, Values>(
  insertInto(
    feedbackVotes,
    {
      subscriptionId: caller.subscription,
      feedbackId: feedback.id,
      userId: person,
      createdAt: caller.now,
      type,
    },
    sql`WHERE true ON CONFLICT DO UPDATE SET type = excluded.type, merged_from = NULL,
      created_at = iif(${feedbackVotes.type} = excluded.type, ${feedbackVotes.createdAt}, excluded.created_at)
      WHERE ${feedbackVotes.type} <> excluded.type OR ${feedbackVotes.mergedFrom} IS NOT NULL`,
  ),
)
const subscribe = subscribes(feedback.id, person, 'vote')
const takeBack = statement<never, Values>(
  sql`DELETE FROM ${feedbackVotes} WHERE ${ofItem} AND ${feedbackVotes.userId} = ${person}`,
)
const unsubscribe = statement<never, Values>(sql`DELETE FROM ${feedbackSubscriptions}
  WHERE ${feedbackSubscriptions.subscriptionId} = ${caller.subscription}
    AND ${feedbackSubscriptions.feedbackId} = ${feedback.id} AND ${feedbackSubscriptions.userId} = ${person}
    AND ${feedbackSubscriptions.reason} = 'vote'`)

const standing = answer<z.input<typeof Vote>, Values>(
  {
    externalKey: feedbackItems.externalKey,
    vote: feedbackItems.vote,
    downVote: feedbackItems.downVote,
    haveIVoted: sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${ofItem} AND ${feedbackVotes.userId} = ${caller.user})`,
    type: present,
  },
  sql`FROM ${feedbackItems} WHERE ${feedback.addressed}`,
)

/** Sets the vote of a person on the item; repeating the vote changes nothing. */
export async function castVote(db: Database, key: FeedbackKey, { type, email }: z.output<typeof CastVote>) {
  const somebody = email === undefined ? undefined : { email }
  const given = { ...key, ...named(somebody), type }
  const statements: Statement<never>[] =
    type === 'none' ? [takeBack(given), unsubscribe(given)] : [cast(given), subscribe(given)]
  const { answer: rows } = await db.write({
    guards: [...feedback.writable(key), rejected(key), closed(key), ...behalf.guards(somebody)],
    statements: [...behalf.made(somebody, { unseen: false }), voted(given), ...statements],
    answer: standing(given),
  })
  return rows[0]
}

const voter = record('vote', {
  table: feedbackVotes,
  within: { parent: standingFeedback, by: feedbackVotes.feedbackId },
  key: {},
  id: feedbackVotes.userId,
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackVotes.userId}
    AND ${users.subscriptionId} = ${feedbackVotes.subscriptionId} AND ${users.deletedAt} IS NULL`,
  fields: {
    userId: feedbackVotes.userId,
    email: personal(computed<string>(sql`coalesce(${users.email}, '')`), 'email'),
    type: feedbackVotes.type,
    createdAt: moment(feedbackVotes.createdAt),
  },
})

export const listVoters = list(voter, ListVoters, { sorts: { createdAt: feedbackVotes.createdAt } }).page
