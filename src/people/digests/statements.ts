import { type SQL, sql } from 'drizzle-orm'
import { feedbackComments, feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../db/schema/feedback'
import { users } from '../../db/schema/tenancy'
import { caller, inline } from '../../db/sql/statement'
import { joinPreferences } from '../preferences/statements'

type FollowerTable = typeof feedbackSubscriptions | typeof feedbackVotes | typeof feedbackComments

interface FollowerSlice {
  /** Id of the idea. */
  idea: SQL
  /** The slice begins after this user id. */
  after: SQL
  limit: SQL
}

/** Rows that make a person a possible follower. Voters and commenters of imports before release 0.3 have no subscription. */
const selectEachTable = (part: (table: FollowerTable, isFollower: SQL) => SQL) => sql`
    SELECT * FROM (SELECT ${part(feedbackSubscriptions, sql`true`)})
    UNION SELECT * FROM (SELECT ${part(feedbackVotes, sql`${feedbackVotes.type} = 'up'`)})
    UNION SELECT * FROM (SELECT DISTINCT ${part(
      feedbackComments,
      sql`${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL`,
    )})`

/** Ids of people who may follow an idea, in their order. */
export const selectPossibleFollowers = ({ idea, after, limit }: FollowerSlice): SQL => sql`SELECT user_id FROM (
    ${selectEachTable(
      (table, isFollower) => sql`${table.userId} FROM ${table}
      WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.feedbackId} = ${idea} AND ${isFollower}
        AND ${table.userId} > ${after} ORDER BY ${table.userId} LIMIT ${limit}`,
    )})
  ORDER BY user_id LIMIT ${limit}`

/** Pairs of an idea of the table `ideas` and of a person who may follow it. */
export const selectFollowersOfIdeas = (limit: SQL): SQL => sql`SELECT feedback_id, user_id FROM (
    ${selectEachTable(
      (table, isFollower) => sql`${table.feedbackId}, ${table.userId} FROM ideas CROSS JOIN ${table}
      WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.feedbackId} = ideas.id AND ${isFollower} LIMIT ${limit}`,
    )}) LIMIT ${limit}`

/** Ideas of the items of `below`, whose followers get a mail about the release. */
export const fromReleasedIdeas = sql`FROM ${feedbackItems} i WHERE i.subscription_id = ${caller.subscription}
  AND i.work_item_id IN (SELECT id FROM below) AND i.deleted_at IS NULL AND i.merged_into IS NULL`
/** Their ids after an id, in their order. */
export const selectReleasedIdeas = (after: SQL, limit: SQL): SQL =>
  sql`SELECT i.id ${fromReleasedIdeas} AND +i.id > ${after} ORDER BY i.id LIMIT ${limit}`

const ofPersonBefore = (alias: string, column = 'user_id') =>
  sql.raw(`${alias}.feedback_id = n.feedback_id AND ${alias}.${column} = u.id AND ${alias}.created_at <= n.created_at`)
const hasPublicComment = sql`EXISTS (SELECT 1 FROM ${feedbackComments} c WHERE c.subscription_id = ${caller.subscription}
  AND c.user_id = u.id AND c.is_private = 0 AND c.deleted_at IS NULL AND ${ofPersonBefore('c')})`
const hasVote = (type: 'up' | 'down') => sql`EXISTS (SELECT 1 FROM ${feedbackVotes} v
  WHERE v.subscription_id = ${caller.subscription} AND v.type = ${inline(type)} AND ${ofPersonBefore('v')})`
/** A mailing shows its recipients, so an anonymous author gets no mail as the author. */
const isSubscriber = sql`(s.user_id IS NOT NULL AND s.created_at <= n.created_at
  AND NOT (i.is_anonymous IS 1 AND s.user_id = i.user_id) AND NOT (s.reason = 'vote' AND ${hasVote('down')}))`
/** Whether the person `u` follows the idea of the notice `n`. */
const follows = sql`(s.reason IS NOT 'left' AND (${isSubscriber} OR ${hasVote('up')} OR ${hasPublicComment}))`

/** The member `u` with the id, and the preferences. */
export const joinUser = (
  id: SQL,
) => sql`CROSS JOIN ${users} u ON u.id = ${id} AND +u.subscription_id = ${caller.subscription}
  AND u.deleted_at IS NULL ${joinPreferences(sql`u.id`)}`

/**
 * The people `u` who follow the idea of the notice `n` and meet the condition. `pairs` names each notice with a possible
 * follower, whose id is `user`.
 */
export const fromFollowersOf = (pairs: SQL, user: SQL, condition: SQL) => sql`FROM ${pairs}
    CROSS JOIN ${feedbackItems} i ON i.id = n.feedback_id AND +i.subscription_id = ${caller.subscription} ${joinUser(user)}
    LEFT JOIN ${feedbackSubscriptions} s ON s.subscription_id = ${caller.subscription} AND s.feedback_id = n.feedback_id AND s.user_id = u.id
  WHERE ${condition} AND ${follows}`
