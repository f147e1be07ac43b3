import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { guard } from '../../db/client/refuse'
import { updateWhere } from '../../db/records/change'
import { feedbackItems, feedbackStatuses, feedbackSubscriptions } from '../../db/schema/feedback'
import { type Filter, namesRecord } from '../../db/sql/filter'
import { caller, inline, insertInto, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { feedback } from './queries/record'

export {
  contentOfMergedIdea,
  currentTagsJson,
  type FeedbackKey,
  feedback,
  feedbackOrTarget as standingFeedback,
  initialVisibility,
  selectFinalItemId,
  tagsJson,
} from './queries/record'
export { createTagStatements, fromNamedTags, type TagName } from './queries/tags'

export const itemIsSearchable = feedback.tenantNotDeleted

/** True for an item that the lists of items show to the key. */
export const itemIsShown = (id: SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${id} AND ${feedback.notDeleted})`

/** For records of an item with an index that begins with the workspace and the item. */
export const itemOfKeyFilter = (id: SQLWrapper): Filter<string> =>
  namesRecord('feedbackItem', {
    where: (name) => sql`${id} = (SELECT i.id FROM ${feedbackItems} i
      WHERE i.subscription_id = ${caller.subscription} AND i.external_key = ${param(name)})`,
  })

const LINK_COLUMNS = {
  category_id: feedbackItems.categoryId,
  status_id: feedbackItems.statusId,
} as const

export const itemsHaveLink = (
  field: keyof typeof LINK_COLUMNS,
  value: SQL,
) => sql`EXISTS (SELECT 1 FROM ${feedbackItems}
  WHERE ${feedback.tenantNotDeleted} AND ${LINK_COLUMNS[field]} = ${value})`

export function createItemMove(
  field: keyof typeof LINK_COLUMNS,
  from: SQL,
  to: SQL,
): (values: Values) => Statement<never>[] {
  const change = updateWhere(feedback, sql`${feedback.tenantNotDeleted} AND ${LINK_COLUMNS[field]} = ${from}`, {
    [field]: to,
  })
  // Removed and merged items change without an event, because a restored item must not name a removed record.
  const moveHiddenItems = statement<never, Values>(sql`UPDATE ${feedbackItems} SET ${sql.identifier(field)} = ${to}
    WHERE ${feedbackItems.subscriptionId} = ${caller.subscription} AND ${LINK_COLUMNS[field]} = ${from}
      AND (${feedbackItems.deletedAt} IS NOT NULL OR ${feedbackItems.mergedInto} IS NOT NULL)`)
  return (values) => [...change(values), moveHiddenItems(values)]
}

export const createRejectedItemGuard = (which: SQL) =>
  guard<Values>(
    'conflict:This item is rejected. Set its visibility_level to approved first.',
    sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${which} AND ${feedbackItems.visibilityLevel} = 'rejected')`,
  )
export const itemRejected = createRejectedItemGuard(feedback.byKey)

const statusEndsVoting = sql`EXISTS (SELECT 1 FROM ${feedbackStatuses} WHERE ${feedbackStatuses.id} = ${feedbackItems.statusId}
  AND ${feedbackStatuses.subscriptionId} = ${caller.subscription} AND ${feedbackStatuses.endsVoting} = 1)`
const votingClosedReason = sql`(SELECT CASE WHEN ${feedbackItems.isVotingOpen} = 0 THEN 'Voting on this item is closed: is_voting_open is false.'
    WHEN ${statusEndsVoting} THEN 'Voting on this item has ended with its status.'
    WHEN ${caller.now} < ${feedbackItems.votingStartTime} THEN 'Voting on this item has not started: see voting_start_time.'
    WHEN ${caller.now} > ${feedbackItems.votingEndTime} THEN 'Voting on this item has ended: see voting_end_time.' END
  FROM ${feedbackItems} WHERE ${feedback.byKey})`

export const votingClosed = guard<Values>(
  sql`'conflict:' || ${votingClosedReason}`,
  sql`${votingClosedReason} IS NOT NULL`,
)

/** The person left an idea that was merged into this idea. */
export const isCopiedLeaving = sql`${feedbackSubscriptions.reason} = 'left' AND ${feedbackSubscriptions.mergedFrom} IS NOT NULL`

/** A person who takes part follows the idea, but a person who left the idea stays away. */
export const createSubscribeStatement = (
  item: SQL,
  user: SQLWrapper,
  reason: 'vote' | 'comment',
  condition: SQL = sql`true`,
) =>
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
      sql`WHERE ${condition} ON CONFLICT DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, merged_from = NULL
        WHERE ${isCopiedLeaving}`,
    ),
  )
