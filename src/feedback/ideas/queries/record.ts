import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { NESTED_ROW_BYTES } from '../../../db/records/page'
import { type Key, record } from '../../../db/records/record'
import {
  feedbackCategories,
  feedbackComments,
  feedbackItems,
  feedbackStatuses,
  feedbackVotes,
} from '../../../db/schema/feedback'
import { settings } from '../../../db/schema/settings'
import { feedbackStatusUpdates } from '../../../db/schema/status-updates'
import { feedbackTags, tags } from '../../../db/schema/tags'
import { users } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { coversProduct, productId } from '../../../db/sql/access'
import { countContent, type RecordContent } from '../../../db/sql/content'
import {
  computedList,
  computedValue,
  constantField,
  json,
  longJson,
  longText,
  moment,
  momentJson,
  nullableFlag,
  personalField,
  trueOrNull,
  withDefault,
} from '../../../db/sql/field'
import { caller, inline, param, type Values } from '../../../db/sql/statement'
import type { Attributes } from '../../../text/attributes'
import { type FeedbackItem, MAX_SHOWN_ROWS, MAX_SHOWN_STATUS_UPDATES } from '../schema'
import { coverPaths } from './covers'

const feedbackKeyColumns = { feedback_external_key: feedbackItems.externalKey }
export type FeedbackKey = Key<typeof feedbackKeyColumns>

const maxShownRows = inline(MAX_SHOWN_ROWS)
const itemColumns = { subscription: feedbackItems.subscriptionId, id: feedbackItems.id }

const callerHasVoted = sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${feedbackVotes.subscriptionId} = ${itemColumns.subscription}
  AND ${feedbackVotes.feedbackId} = ${itemColumns.id} AND ${feedbackVotes.userId} = ${caller.user})`

const newestVoters = sql`CASE WHEN ${feedbackItems.vote} > 0 THEN (SELECT json_group_array(voter) FROM (
  SELECT CAST(${feedbackVotes.userId} AS TEXT) AS voter FROM ${feedbackVotes}
  WHERE ${feedbackVotes.subscriptionId} = ${itemColumns.subscription} AND ${feedbackVotes.feedbackId} = ${itemColumns.id}
    AND ${feedbackVotes.type} = 'up'
  ORDER BY ${feedbackVotes.createdAt} DESC, ${feedbackVotes.userId} DESC LIMIT ${maxShownRows})) ELSE '[]' END`

// Maximum characters of all comments shown in an item, because a page holds 100 items.
const maxCommentCharacters = inline(40_000)

const maxCommentBytes = inline(160_000) // 4 bytes per character
const estimateNestedBytes = (count: SQLiteColumn) => sql`min(${count}, ${maxShownRows}) * ${inline(NESTED_ROW_BYTES)}`

const fromNewestComments = sql`FROM ${feedbackComments}
  WHERE ${feedbackComments.subscriptionId} = ${itemColumns.subscription} AND ${feedbackComments.feedbackId} = ${itemColumns.id}
    AND ${feedbackComments.isPrivate} = 0 AND ${feedbackComments.deletedAt} IS NULL
  ORDER BY ${feedbackComments.createdAt} DESC, ${feedbackComments.id} DESC LIMIT ${maxShownRows}`

const newestComments = sql`CASE WHEN ${feedbackItems.comment} = 0 THEN '[]'
  WHEN ${feedbackItems.commentBytes} <= ${maxCommentCharacters} THEN (SELECT json_group_array(said) FROM (SELECT ${feedbackComments.text} AS said ${fromNewestComments}))
  ELSE (SELECT json_group_array(said) FROM (
    SELECT said, sum(length(said)) OVER (ROWS UNBOUNDED PRECEDING) AS upto FROM (SELECT ${feedbackComments.text} AS said ${fromNewestComments}))
    WHERE upto <= ${maxCommentCharacters}) END`

const maxShownStatusUpdates = inline(MAX_SHOWN_STATUS_UPDATES)
// 2,000 characters of up to 4 bytes in the message.
const STATUS_UPDATE_BYTES = 9_000
type ShownStatusUpdate = z.output<typeof FeedbackItem>['status_updates'][number]
const newestStatusUpdates = sql`CASE WHEN ${feedbackItems.statusUpdateCount} = 0 THEN '[]' ELSE (
  SELECT json_group_array(json_object('id', id, 'status', status, 'message', message, 'created_at', ${momentJson(sql`created_at`)})) FROM (
    SELECT ${feedbackStatusUpdates.id}, ${feedbackStatusUpdates.status}, ${feedbackStatusUpdates.message}, ${feedbackStatusUpdates.createdAt}
    FROM ${feedbackStatusUpdates} WHERE ${feedbackStatusUpdates.subscriptionId} = ${itemColumns.subscription}
      AND ${feedbackStatusUpdates.feedbackId} = ${itemColumns.id}
    ORDER BY ${feedbackStatusUpdates.createdAt} DESC, ${feedbackStatusUpdates.id} DESC LIMIT ${maxShownStatusUpdates})) END`

export const tagsJson = (from: SQL) => sql`(SELECT json_group_array(json(tag)) FROM (
  SELECT json_object('id', ${tags.id}, 'key', ${tags.name}, 'slug', ${tags.slug}) AS tag ${from}))`

export const currentTagsJson = tagsJson(sql`FROM ${feedbackTags} JOIN ${tags} ON ${tags.id} = ${feedbackTags.tagId}
    AND ${tags.subscriptionId} = ${itemColumns.subscription} AND ${tags.deletedAt} IS NULL
  WHERE ${feedbackTags.subscriptionId} = ${itemColumns.subscription} AND ${feedbackTags.feedbackId} = ${itemColumns.id}
  ORDER BY ${feedbackTags.tagId}`)

export const itemTagIds = sql`SELECT ${feedbackTags.tagId} AS id FROM ${feedbackTags}
  WHERE ${feedbackTags.subscriptionId} = ${itemColumns.subscription} AND ${feedbackTags.feedbackId} = ${itemColumns.id}`

export const itemIsAnonymous = sql`${feedbackItems.isAnonymous} IS 1`

const createTextOrEmptyField = (value: SQL) => computedValue<string>(sql`coalesce(${value}, '')`)

/** Id of the item itself or of the final merge target; `which` selects the item by the alias `m`. */
export const selectFinalItemId = (which: SQL) => sql`(WITH RECURSIVE way (id, further) AS (
    SELECT m.id, m.merged_into FROM ${feedbackItems} m WHERE m.subscription_id = ${caller.subscription} AND ${which}
    UNION ALL SELECT n.id, n.merged_into FROM way CROSS JOIN ${feedbackItems} n
      ON n.id = way.further AND n.subscription_id = ${caller.subscription})
  SELECT id FROM way WHERE further IS NULL)`

const selectFinalItemIdOfKey = selectFinalItemId(
  sql`m.external_key = ${param('feedback_external_key')} AND m.deleted_at IS NULL`,
)

/** The merge target is named to keys with access to the target. */
const selectMergedReason = (target: SQL, where: SQL) =>
  sql`SELECT 'conflict:This item was merged into ' || i.external_key || '. Use that item, or unmerge this item first.'
    FROM ${feedbackItems} i WHERE i.id = ${target} AND ${where} AND i.deleted_at IS NULL AND ${coversProduct(sql`i.product_id`)}`

/** Comments move in a merge, with events of their own. */
export const contentOfMergedIdea = {
  vote: sql`${feedbackItems.vote} + ${feedbackItems.downVote}`,
  status_update: sql`${feedbackItems.statusUpdateCount}`,
} satisfies RecordContent

export const feedbackDeclaration = {
  table: feedbackItems,
  scope: { product: feedbackItems.productId },
  key: feedbackKeyColumns,
  discriminator: sql`AND ${feedbackItems.mergedInto} IS NULL`,
  // Rejects changes of a merged item.
  lockedReason: selectMergedReason(selectFinalItemIdOfKey, sql`i.external_key <> ${param('feedback_external_key')}`),
  // Leaves an anonymous author out of the join, because no field may reveal the author.
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackItems.userId}
      AND ${users.subscriptionId} = ${itemColumns.subscription} AND ${users.deletedAt} IS NULL AND NOT ${itemIsAnonymous}
    LEFT JOIN ${feedbackCategories} ON ${feedbackCategories.id} = ${feedbackItems.categoryId}
      AND ${feedbackCategories.subscriptionId} = ${itemColumns.subscription}
    LEFT JOIN ${feedbackStatuses} ON ${feedbackStatuses.id} = ${feedbackItems.statusId}
      AND ${feedbackStatuses.subscriptionId} = ${itemColumns.subscription}
    LEFT JOIN ${workItems} ON ${workItems.id} = ${feedbackItems.workItemId}
      AND ${workItems.subscriptionId} = ${itemColumns.subscription} AND ${workItems.deletedAt} IS NULL`,
  person: sql`CASE WHEN ${itemIsAnonymous} THEN NULL ELSE ${feedbackItems.userId} END`,
  // Hides every actor, not only the author: a missing name would identify the author.
  hidesActor: itemIsAnonymous,
  fields: {
    id: feedbackItems.id,
    type: feedbackItems.type,
    slug: feedbackItems.slug,
    external_key: feedbackItems.externalKey,
    title: feedbackItems.title,
    target_audience: longText(feedbackItems.targetAudience),
    value_proposition: longText(feedbackItems.valueProposition),
    category_id: withDefault(feedbackItems.categoryId, 0),
    short_description: constantField(null),
    long_description: longText(feedbackItems.longDescription),
    video_url: constantField(null),
    icon_url: constantField(null),
    attributes: longJson<Attributes>(feedbackItems.attributes),
    cover_photo_url: computedValue<string>(coverPaths),
    cover_photos: json<number[]>(feedbackItems.coverPhotos),
    visibility_level: feedbackItems.visibilityLevel,
    is_voting_open: nullableFlag(feedbackItems.isVotingOpen),
    voting_start_time: moment(feedbackItems.votingStartTime),
    voting_end_time: moment(feedbackItems.votingEndTime),
    product_id: feedbackItems.productId,
    is_pinned: trueOrNull(feedbackItems.isPinned),
    is_anonymous: trueOrNull(feedbackItems.isAnonymous),
    status_id: feedbackItems.statusId,
    user_id: computedValue<number>(sql`CASE WHEN ${itemIsAnonymous} THEN 0 ELSE ${feedbackItems.userId} END`),
    created_at: moment(feedbackItems.createdAt),
    updated_at: moment(feedbackItems.updatedAt),
    vote: feedbackItems.vote,
    comment: feedbackItems.comment,
    haveIVoted: computedValue<number>(callerHasVoted),
    work_item_internal_id: computedValue<number | null>(sql`${workItems.id}`),
    work_item_external_id: computedValue<string | null>(sql`${workItems.externalKey}`),
    work_item_type: computedValue<string>(sql`coalesce(${workItems.type}, 'active')`),
    currentStatus: computedValue<string | null>(sql`${feedbackStatuses.name}`),
    category: {
      id: withDefault(feedbackItems.categoryId, 0),
      name: createTextOrEmptyField(sql`${feedbackCategories.name}`),
      description: feedbackCategories.description,
      slug: createTextOrEmptyField(sql`${feedbackCategories.slug}`),
    },
    votes: { ...computedList<string>(newestVoters), weight: estimateNestedBytes(feedbackItems.vote) },
    comments: {
      ...computedList<string>(newestComments),
      weight: sql`${estimateNestedBytes(feedbackItems.comment)} + min(${feedbackItems.commentBytes}, ${maxCommentBytes})`,
    },
    user: {
      firstName: personalField(createTextOrEmptyField(sql`${users.firstName}`), 'firstName'),
      lastName: personalField(createTextOrEmptyField(sql`${users.lastName}`), 'lastName'),
      email: personalField(createTextOrEmptyField(sql`${users.email}`), 'email'),
    },
    tags: computedList<{ id: number; key: string; slug: string }>(currentTagsJson),
    collections: json<string[]>(feedbackItems.collections),
    status_updates: {
      ...computedList<ShownStatusUpdate>(newestStatusUpdates),
      weight: sql`min(${feedbackItems.statusUpdateCount}, ${maxShownStatusUpdates}) * ${inline(STATUS_UPDATE_BYTES)}`,
    },
    source: feedbackItems.source,
    external_id: feedbackItems.externalId,
  },
  content: {
    ...contentOfMergedIdea,
    comment: countContent(sql`FROM ${feedbackComments} c WHERE c.subscription_id = ${itemColumns.subscription}
      AND c.feedback_id = ${itemColumns.id} AND c.deleted_at IS NULL`),
  },
}
export const feedback = record('feedback', feedbackDeclaration)

export const feedbackOrTarget = record('feedback', {
  ...feedbackDeclaration,
  keyCondition: sql`${feedbackItems.id} = ${selectFinalItemIdOfKey}`,
})

/** A merged item keeps its id from other items. */
export const holdsExternalId = (product: SQL) => sql`${feedbackItems.subscriptionId} = ${caller.subscription}
  AND ${feedbackItems.productId} = ${product} AND ${feedbackItems.deletedAt} IS NULL`
const hasExternalId = (item: SQL) => sql`${item}.product_id = ${productId}
  AND ${item}.source = ${param('source')} AND ${item}.external_id = ${param('externalId')}`
const { lockedReason: _, ...unlockedDeclaration } = feedbackDeclaration

export const feedbackByExternalId = record('feedback', {
  ...unlockedDeclaration,
  key: { source: feedbackItems.source, externalId: feedbackItems.externalId },
  keyCondition: hasExternalId(sql`${feedbackItems}`),
})

const itemIsMerged = sql`m.merged_into IS NOT NULL AND m.deleted_at IS NULL AND ${hasExternalId(sql`m`)}`
export const itemOfExternalIdMerged = guard<Values>(
  sql`coalesce((${selectMergedReason(selectFinalItemId(itemIsMerged), sql`true`)}),
    'conflict:The item with this id was merged into another item. Unmerge the item first.')`,
  sql`EXISTS (SELECT 1 FROM ${feedbackItems} m WHERE m.subscription_id = ${caller.subscription} AND ${itemIsMerged})`,
)

export async function getFeedbackItem(db: Database, key: FeedbackKey) {
  const [rows] = await db.read(feedback.select(key))
  if (rows.length) return feedback.toReply(rows)
  return feedbackOrTarget.get(db, key)
}

/** New items wait for approval if the workspace moderates feedback. */
export const initialVisibility = sql`CASE WHEN (SELECT ${settings.feedback} ->> '$.moderation' FROM ${settings}
  WHERE ${settings.subscriptionId} = ${caller.subscription}) THEN 'pending' END`
