import { type SQL, sql } from 'drizzle-orm'
import { feedbackComments, feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../../db/schema/feedback'
import { segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { apiKeys, teamMembers, users } from '../../../db/schema/tenancy'
import { workItemComments, workItems } from '../../../db/schema/work-items'
import { isUsableKey } from '../../../db/sql/access'
import { caller, inline } from '../../../db/sql/statement'

type IdeaTable = typeof feedbackVotes | typeof feedbackSubscriptions | typeof feedbackComments
/** Rows of the person on ideas that are not removed, by an index that the condition names. */
const personHasRows = (table: IdeaTable, isListed: SQL = sql`true`) => sql`EXISTS (SELECT 1 FROM ${table}
  CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = ${table.feedbackId}
    AND +${feedbackItems.subscriptionId} = ${caller.subscription} AND ${feedbackItems.deletedAt} IS NULL
  WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.userId} = ${users.id} AND ${isListed})`
const commentIsListed = (isPrivate: 0 | 1) =>
  sql`${feedbackComments.isPrivate} = ${inline(isPrivate)} AND ${feedbackComments.deletedAt} IS NULL`

// No response names the author of an anonymous idea, and an undo does not reveal the author.
const personHasIdea = sql`EXISTS (SELECT 1 FROM ${feedbackItems} WHERE ${feedbackItems.subscriptionId} = ${caller.subscription}
  AND ${feedbackItems.userId} = ${users.id} AND ${feedbackItems.deletedAt} IS NULL AND ${feedbackItems.isAnonymous} IS NOT 1)`

const personHasItemComment = sql`EXISTS (SELECT 1 FROM ${workItemComments}
  CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemComments.workItemId}
    AND +${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
  WHERE ${workItemComments.subscriptionId} = ${caller.subscription} AND ${workItemComments.userId} = ${users.id}
    AND ${workItemComments.deletedAt} IS NULL)`

const selectAssigneeIds = sql`(SELECT a.value FROM ${workItems} CROSS JOIN json_each(${workItems.userIds}) a
  WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.userIds} <> '[]' AND ${workItems.deletedAt} IS NULL)`

export const personIsInUse = sql`(${users.id} IN (SELECT ${apiKeys.userId} FROM ${apiKeys} WHERE ${isUsableKey})
  OR EXISTS (SELECT 1 FROM ${segmentMembers} CROSS JOIN ${segments} ON ${segments.id} = ${segmentMembers.segmentId}
      AND +${segments.subscriptionId} = ${caller.subscription} AND ${segments.deletedAt} IS NULL
    WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.userId} = ${users.id})
  OR EXISTS (SELECT 1 FROM ${teamMembers} WHERE ${teamMembers.subscriptionId} = ${caller.subscription}
    AND ${teamMembers.userId} = ${users.id})
  OR ${personHasIdea} OR ${personHasRows(feedbackVotes)}
  OR ${personHasRows(feedbackComments, commentIsListed(0))} OR ${personHasRows(feedbackComments, commentIsListed(1))}
  OR ${personHasRows(feedbackSubscriptions, sql`${feedbackSubscriptions.reason} = 'asked'`)}
  OR ${personHasItemComment} OR ${users.id} IN ${selectAssigneeIds})`
