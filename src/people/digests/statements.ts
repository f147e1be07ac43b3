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

/** Ids of people who may follow an idea, in their order. Voters and commenters of imports before release 0.3 have no subscription. */
export function selectPossibleFollowers({ idea, after, limit }: FollowerSlice): SQL {
  const isOfIdea = (table: FollowerTable) =>
    sql`${table.subscriptionId} = ${caller.subscription} AND ${table.feedbackId} = ${idea}`
  const endOfSlice = (table: FollowerTable) =>
    sql`AND ${table.userId} > ${after} ORDER BY ${table.userId} LIMIT ${limit}`
  return sql`SELECT user_id FROM (
    SELECT * FROM (SELECT ${feedbackSubscriptions.userId} FROM ${feedbackSubscriptions} WHERE ${isOfIdea(feedbackSubscriptions)}
      ${endOfSlice(feedbackSubscriptions)})
    UNION SELECT * FROM (SELECT ${feedbackVotes.userId} FROM ${feedbackVotes} WHERE ${isOfIdea(feedbackVotes)}
      AND ${feedbackVotes.type} = 'up' ${endOfSlice(feedbackVotes)})
    UNION SELECT * FROM (SELECT DISTINCT ${feedbackComments.userId} FROM ${feedbackComments} WHERE ${isOfIdea(feedbackComments)}
      AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL ${endOfSlice(feedbackComments)}))
  ORDER BY user_id LIMIT ${limit}`
}

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

/** The people `u` of `slice` who follow the idea of the notice `n` and meet the condition. */
export const fromFollowersOf = (notice: SQL, condition: SQL) => sql`FROM ${notice} CROSS JOIN slice
    CROSS JOIN ${feedbackItems} i ON i.id = n.feedback_id AND +i.subscription_id = ${caller.subscription} ${joinUser(sql`slice.user_id`)}
    LEFT JOIN ${feedbackSubscriptions} s ON s.subscription_id = ${caller.subscription} AND s.feedback_id = n.feedback_id AND s.user_id = u.id
  WHERE ${condition} AND ${follows}`
