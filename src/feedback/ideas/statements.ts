import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { changes } from '../../db/change'
import { guard } from '../../db/refuse'
import { feedbackItems, feedbackStatuses, feedbackSubscriptions } from '../../db/schema/feedback'
import { caller, inline, insertInto, type Statement, statement, type Values } from '../../db/statement'
import { feedback } from './queries/record'

export { type FeedbackKey, feedback, standingFeedback } from './queries/record'

export const searchable = feedback.tenantVisible

const HAS = {
  category_id: feedbackItems.categoryId,
  status_id: feedbackItems.statusId,
} as const

export const itemsWith = (field: keyof typeof HAS, value: SQL) => sql`EXISTS (SELECT 1 FROM ${feedbackItems}
  WHERE ${feedback.tenantVisible} AND ${HAS[field]} = ${value})`

/** Replaces the category or status of items; null clears the field. */
export function moveItems(field: keyof typeof HAS, from: SQL, to: SQL): (values: Values) => Statement<never>[] {
  const change = changes(feedback, sql`${feedback.tenantVisible} AND ${HAS[field]} = ${from}`, { [field]: to })
  // Removed and merged items change without an event, because a restored item must not name a removed record.
  const follow = statement<never, Values>(sql`UPDATE ${feedbackItems} SET ${sql.identifier(field)} = ${to}
    WHERE ${feedbackItems.subscriptionId} = ${caller.subscription} AND ${HAS[field]} = ${from}
      AND (${feedbackItems.deletedAt} IS NOT NULL OR ${feedbackItems.mergedInto} IS NOT NULL)`)
  return (values) => [...change(values), follow(values)]
}

/** Rejects votes and comments on rejected items; `which` selects the item. */
export const rejecting = (which: SQL) =>
  guard<Values>(
    sql`'conflict:This item is rejected. Set its visibility_level to approved first.'`,
    sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${which} AND ${feedbackItems.visibilityLevel} = 'rejected')`,
  )
export const rejected = rejecting(feedback.addressed)

const endsVoting = sql`EXISTS (SELECT 1 FROM ${feedbackStatuses} WHERE ${feedbackStatuses.id} = ${feedbackItems.statusId}
  AND ${feedbackStatuses.subscriptionId} = ${caller.subscription} AND ${feedbackStatuses.endsVoting} = 1)`
const whyClosed = sql`(SELECT CASE WHEN ${feedbackItems.isVotingOpen} = 0 THEN 'Voting on this item is closed: is_voting_open is false.'
    WHEN ${endsVoting} THEN 'Voting on this item has ended with the status that it has.'
    WHEN ${caller.now} < ${feedbackItems.votingStartTime} THEN 'Voting on this item has not begun: see voting_start_time.'
    WHEN ${caller.now} > ${feedbackItems.votingEndTime} THEN 'Voting on this item has ended: see voting_end_time.' END
  FROM ${feedbackItems} WHERE ${feedback.addressed})`

export const closed = guard<Values>(sql`'conflict:' || ${whyClosed}`, sql`${whyClosed} IS NOT NULL`)

/** Subscribes a user to status mails; an unsubscribed user stays unsubscribed. */
export const subscribes = (item: SQL, user: SQLWrapper, reason: 'vote' | 'comment') =>
  statement<never, Values>(
    insertInto(
      feedbackSubscriptions,
      {
        subscriptionId: caller.subscription,
        feedbackId: item,
        userId: user,
        reason: inline(reason),
        createdAt: caller.now,
      },
      sql`WHERE true ON CONFLICT DO NOTHING`,
    ),
  )
