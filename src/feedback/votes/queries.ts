import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { ANY_STORAGE_GUARD } from '../../db/client/storage'
import { makeListReader } from '../../db/records/list'
import { bindPerson, createBehalfStatements, idOfPersonOrCaller } from '../../db/records/members'
import { record } from '../../db/records/record'
import { feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import { eventSql } from '../../db/sql/events'
import { computedValue, moment, momentJson, personalField } from '../../db/sql/field'
import { returning } from '../../db/sql/returning'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { emitUnknownMember } from '../../people/members/statements'
import type { EventType } from '../../resources'
import {
  createSubscribeStatement,
  type FeedbackKey,
  feedback,
  itemRejected,
  standingFeedback,
  votingClosed,
} from '../ideas/statements'
import { type CastVote, ListVoters, type Vote } from './schema'
import { voteJson } from './statements'

const behalfOfVoter = createBehalfStatements('/email', { emitCreated: emitUnknownMember })
const voteIsOnItem = sql`${feedbackVotes.subscriptionId} = ${caller.subscription} AND ${feedbackVotes.feedbackId} = ${feedback.id}`
const currentVoteType = sql`coalesce((SELECT ${feedbackVotes.type} FROM ${feedbackVotes}
  WHERE ${voteIsOnItem} AND ${feedbackVotes.userId} = ${idOfPersonOrCaller}), 'none')`
const newVoteType = sql`${param('type')}`
const computeVoteCountChange = (which: 'up' | 'down') => {
  const is = inline(which)
  return sql`(${newVoteType} = ${is}) - (i.was = ${is})`
}

// Runs before the vote is stored, because the events compare the previous vote and compute the new counts. One statement
// emits the event of the vote and the event of the idea.
const emitVoted = statement<never, Values>(() =>
  eventSql({
    type: sql<EventType>`CASE WHEN e.n = 1 THEN 'feedback.voted' WHEN i.was = 'none' THEN 'vote.created'
      WHEN ${newVoteType} = 'none' THEN 'vote.deleted' ELSE 'vote.updated' END`,
    key: sql`i.external_key`,
    product: sql`i.product_id`,
    data: sql`CASE e.n WHEN 0 THEN ${voteJson({
      key: sql`i.external_key`,
      userId: sql`i.voter`,
      type: sql`iif(${newVoteType} = 'none', i.was, ${newVoteType})`,
      createdAt: sql`iif(${newVoteType} = 'none', i.since, ${caller.now})`,
    })}
      ELSE json_object('external_key', i.external_key, 'user_id', i.voter, 'type', ${newVoteType},
        'vote', i.vote + ${computeVoteCountChange('up')}, 'down_vote', i.down_vote + ${computeVoteCountChange('down')}) END`,
    previous: sql`CASE WHEN e.n = 1 THEN json_object('type', i.was)
      WHEN i.was <> 'none' AND ${newVoteType} <> 'none' THEN json_object('type', i.was, 'createdAt', ${momentJson(sql`i.since`)}) END`,
    from: sql`FROM (SELECT ${feedbackItems.externalKey}, ${feedbackItems.productId}, ${feedbackItems.vote},
        ${feedbackItems.downVote}, ${idOfPersonOrCaller} AS voter, ${currentVoteType} AS was,
        (SELECT ${feedbackVotes.createdAt} FROM ${feedbackVotes} WHERE ${voteIsOnItem} AND ${feedbackVotes.userId} = ${idOfPersonOrCaller}) AS since
      FROM ${feedbackItems} WHERE ${feedback.byKey}) i CROSS JOIN (SELECT 0 AS n UNION ALL SELECT 1) e WHERE i.was <> ${newVoteType}`,
    many: true,
  }),
)

// Voting again keeps a vote copied by a merge even after an unmerge.
const upsertVote = statement<never, Values>(
  insertInto(
    feedbackVotes,
    {
      subscriptionId: caller.subscription,
      feedbackId: feedback.id,
      userId: idOfPersonOrCaller,
      createdAt: caller.now,
      type: newVoteType,
    },
    sql`WHERE true ON CONFLICT DO UPDATE SET type = excluded.type, merged_from = NULL,
      created_at = iif(${feedbackVotes.type} = excluded.type, ${feedbackVotes.createdAt}, excluded.created_at)
      WHERE ${feedbackVotes.type} <> excluded.type OR ${feedbackVotes.mergedFrom} IS NOT NULL`,
  ),
)
const subscribeVoter = createSubscribeStatement(feedback.id, idOfPersonOrCaller, 'vote')
const deleteVote = statement<never, Values>(
  sql`DELETE FROM ${feedbackVotes} WHERE ${voteIsOnItem} AND ${feedbackVotes.userId} = ${idOfPersonOrCaller}`,
)
const unsubscribeVoter = statement<never, Values>(sql`DELETE FROM ${feedbackSubscriptions}
  WHERE ${feedbackSubscriptions.subscriptionId} = ${caller.subscription}
    AND ${feedbackSubscriptions.feedbackId} = ${feedback.id} AND ${feedbackSubscriptions.userId} = ${idOfPersonOrCaller}
    AND ${feedbackSubscriptions.reason} = 'vote'`)

const returningVote = returning<z.input<typeof Vote>, Values>(
  {
    externalKey: feedbackItems.externalKey,
    vote: feedbackItems.vote,
    downVote: feedbackItems.downVote,
    haveIVoted: sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${voteIsOnItem} AND ${feedbackVotes.userId} = ${caller.user})`,
    type: currentVoteType,
  },
  sql`FROM ${feedbackItems} WHERE ${feedback.byKey}`,
)

export async function castVote(db: Database, key: FeedbackKey, { type, email }: z.output<typeof CastVote>) {
  const somebody = email === undefined ? undefined : { email }
  const values = { ...key, ...bindPerson(somebody), type }
  const statements: Statement<never>[] =
    type === 'none' ? [deleteVote(values), unsubscribeVoter(values)] : [upsertVote(values), subscribeVoter(values)]
  const { rows } = await db.write({
    guards: [...feedback.writeGuards(key), itemRejected(key), votingClosed(key), ...behalfOfVoter.guards(somebody)],
    growth: type === 'none' ? undefined : ANY_STORAGE_GUARD,
    statements: [...behalfOfVoter.insertUnknown(somebody, { unseen: false }), emitVoted(values), ...statements],
    returning: returningVote(values),
  })
  return rows[0]
}

const voter = record('vote', {
  table: feedbackVotes,
  scope: { parent: standingFeedback, by: feedbackVotes.feedbackId },
  key: {},
  id: feedbackVotes.userId,
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackVotes.userId}
    AND ${users.subscriptionId} = ${feedbackVotes.subscriptionId} AND ${users.deletedAt} IS NULL`,
  fields: {
    userId: feedbackVotes.userId,
    email: personalField(computedValue<string>(sql`coalesce(${users.email}, '')`), 'email'),
    type: feedbackVotes.type,
    createdAt: moment(feedbackVotes.createdAt),
  },
})

export const listVoters = makeListReader(voter, ListVoters, { sorts: { createdAt: feedbackVotes.createdAt } }).page
