import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { changelogFollowers } from '../../../db/schema/changelog'
import { feedbackComments, feedbackItems, feedbackVotes } from '../../../db/schema/feedback'
import { mailPreferences } from '../../../db/schema/notices'
import { emailRecipients, emails, segmentConfirmations, suppressions } from '../../../db/schema/segments-and-mail'
import { feedbackStatusUpdates } from '../../../db/schema/status-updates'
import { log, users } from '../../../db/schema/tenancy'
import { workItemComments, workItems } from '../../../db/schema/work-items'
import { computedValue, flag, json, moment } from '../../../db/sql/field'
import { caller, param } from '../../../db/sql/statement'
import { type CommentTable, commentIsShownToCaller } from '../../../workspace/comments/fields'
import { joinEventPerson } from '../../../workspace/events/statements'
import { createPersonWalk } from './walk'

const memberId = param('memberId')
const addressOfMember = sql`(SELECT m.email FROM ${users} m
  WHERE m.subscription_id = ${caller.subscription} AND m.id = ${memberId} AND m.deleted_at IS NULL)`

const joinIdea = (id: SQLiteColumn) =>
  sql`CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = ${id} AND ${feedbackItems.subscriptionId} = ${caller.subscription}`
const joinWorkItem = sql`CROSS JOIN ${workItems} ON ${workItems.id} = ${workItemComments.workItemId}
  AND ${workItems.subscriptionId} = ${caller.subscription}`

const commentFields = (table: CommentTable) => ({
  id: table.id,
  parentId: table.parentId,
  text: table.text,
  isPrivate: flag(table.isPrivate),
  createdAt: moment(table.createdAt),
  updatedAt: moment(table.updatedAt),
})
const commentIsOfPerson = (table: CommentTable) =>
  sql`${table.userId} = ${memberId} AND ${table.deletedAt} IS NULL AND ${commentIsShownToCaller(table)}`

export const listVotes = createPersonWalk({
  table: feedbackVotes,
  key: [feedbackVotes.createdAt, feedbackVotes.feedbackId],
  index: 'feedback_votes_user',
  within: sql`${feedbackVotes.userId} = ${memberId}`,
  joins: joinIdea(feedbackVotes.feedbackId),
  fields: { idea: feedbackItems.externalKey, type: feedbackVotes.type, createdAt: moment(feedbackVotes.createdAt) },
})

/** Without anonymous ideas, because no response shows the author of an anonymous idea. */
export const listIdeas = createPersonWalk({
  table: feedbackItems,
  key: [feedbackItems.createdAt, feedbackItems.id],
  index: 'feedback_items_author',
  within: sql`${feedbackItems.userId} = ${memberId} AND ${feedbackItems.deletedAt} IS NULL AND ${feedbackItems.isAnonymous} IS NOT 1`,
  fields: {
    external_key: feedbackItems.externalKey,
    type: feedbackItems.type,
    title: feedbackItems.title,
    target_audience: feedbackItems.targetAudience,
    value_proposition: feedbackItems.valueProposition,
    long_description: feedbackItems.longDescription,
    attributes: json<Record<string, unknown>>(feedbackItems.attributes),
    source: feedbackItems.source,
    external_id: feedbackItems.externalId,
    created_at: moment(feedbackItems.createdAt),
    updated_at: moment(feedbackItems.updatedAt),
  },
  bytes: sql`octet_length(${feedbackItems.targetAudience}) + octet_length(${feedbackItems.valueProposition})
    + octet_length(${feedbackItems.longDescription}) + octet_length(${feedbackItems.attributes})`,
})

export const listIdeaComments = createPersonWalk({
  table: feedbackComments,
  key: [feedbackComments.feedbackId, feedbackComments.createdAt, feedbackComments.id],
  index: 'feedback_comments_thread',
  within: sql`(${feedbackComments.deletedAt} IS NULL OR ${feedbackComments.tombstone} > 0)`,
  isOfPerson: commentIsOfPerson(feedbackComments),
  joins: joinIdea(feedbackComments.feedbackId),
  fields: { idea: feedbackItems.externalKey, ...commentFields(feedbackComments) },
  bytes: sql`octet_length(${feedbackComments.text})`,
})

export const listItemComments = createPersonWalk({
  table: workItemComments,
  key: [workItemComments.workItemId, workItemComments.createdAt, workItemComments.id],
  index: 'work_item_comments_thread',
  within: sql`(${workItemComments.deletedAt} IS NULL OR ${workItemComments.tombstone} > 0)`,
  isOfPerson: commentIsOfPerson(workItemComments),
  joins: joinWorkItem,
  fields: { workItem: workItems.externalKey, ...commentFields(workItemComments) },
  bytes: sql`octet_length(${workItemComments.text})`,
})

export const listStatusUpdates = createPersonWalk({
  table: feedbackStatusUpdates,
  key: [feedbackStatusUpdates.feedbackId, feedbackStatusUpdates.createdAt, feedbackStatusUpdates.id],
  index: 'feedback_status_updates_created',
  isOfPerson: sql`${feedbackStatusUpdates.userId} = ${memberId}`,
  joins: joinIdea(feedbackStatusUpdates.feedbackId),
  fields: {
    idea: feedbackItems.externalKey,
    status: feedbackStatusUpdates.status,
    message: feedbackStatusUpdates.message,
    createdAt: moment(feedbackStatusUpdates.createdAt),
  },
})

export const listMailPreferences = createPersonWalk({
  table: mailPreferences,
  key: [mailPreferences.userId],
  within: sql`${mailPreferences.userId} = ${memberId}`,
  fields: { digest: mailPreferences.digest, stoppedKinds: json<string[]>(mailPreferences.stoppedKinds) },
})

export const listChangelogSubscription = createPersonWalk({
  table: changelogFollowers,
  key: [changelogFollowers.userId],
  within: sql`${changelogFollowers.userId} = ${memberId}`,
  fields: { followedAt: moment(changelogFollowers.createdAt), leftAt: moment(changelogFollowers.leftAt) },
})

export const listSegmentConfirmations = createPersonWalk({
  table: segmentConfirmations,
  key: [segmentConfirmations.segmentId],
  index: 'segment_confirmations_user',
  within: sql`${segmentConfirmations.userId} = ${memberId}`,
  fields: {
    segmentId: segmentConfirmations.segmentId,
    status: segmentConfirmations.status,
    askedAt: moment(segmentConfirmations.askedAt),
    confirmedAt: moment(segmentConfirmations.confirmedAt),
  },
})

export const listAssignedItems = createPersonWalk({
  table: workItems,
  key: [workItems.userIds, workItems.id],
  index: 'work_items_assigned',
  within: sql`${workItems.userIds} <> '[]' AND ${workItems.deletedAt} IS NULL`,
  isOfPerson: sql`EXISTS (SELECT 1 FROM json_each(${workItems.userIds}) WHERE value = ${memberId})`,
  fields: { externalKey: workItems.externalKey, type: workItems.type, summary: workItems.summary },
})

export const listMails = createPersonWalk({
  table: emailRecipients,
  key: [emailRecipients.emailId, emailRecipients.position],
  isOfPerson: sql`(${emailRecipients.userId} = ${memberId}
    OR ${emailRecipients.userId} = 0 AND ${emailRecipients.email} = ${addressOfMember})`,
  joins: sql`CROSS JOIN ${emails} ON ${emails.id} = ${emailRecipients.emailId} AND ${emails.subscriptionId} = ${caller.subscription}`,
  fields: {
    emailId: emailRecipients.emailId,
    kind: emails.kind,
    subject: emails.subject,
    status: emailRecipients.status,
    reason: emailRecipients.reason,
    createdAt: moment(emails.createdAt),
    updatedAt: moment(emailRecipients.updatedAt),
  },
})

export const listSuppressions = createPersonWalk({
  table: suppressions,
  key: [suppressions.segmentId],
  index: 'suppressions_address',
  within: sql`${suppressions.email} = ${addressOfMember}`,
  fields: {
    segmentId: computedValue<number | null>(sql`nullif(${suppressions.segmentId}, 0)`),
    reason: suppressions.reason,
    createdAt: moment(suppressions.createdAt),
  },
})

/** Events of the log. The archive has no attributes and no names of people. */
export const listMemberEvents = createPersonWalk({
  table: log,
  key: [log.place],
  index: 'log_resource',
  within: sql`${log.resourceKey} = CAST(CAST(${memberId} AS INTEGER) AS TEXT)
    AND (${log.type} GLOB 'member.*' OR ${log.type} GLOB 'user.*')`,
  joins: joinEventPerson,
  fields: {
    id: log.id,
    type: log.type,
    data: log.data,
    previous: log.previous,
    createdAt: moment(log.createdAt),
    firstName: computedValue<string>(sql`coalesce(${users.firstName}, '')`),
    lastName: computedValue<string>(sql`coalesce(${users.lastName}, '')`),
    email: computedValue<string>(sql`coalesce(${users.email}, '')`),
  },
  bytes: sql`octet_length(${log.data}) + coalesce(octet_length(${log.previous}), 0)`,
})
