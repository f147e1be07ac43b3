import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import { record } from '../../../db/records/record'
import { feedbackComments, feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../../db/schema/feedback'
import { feedbackTags, tags } from '../../../db/schema/tags'
import { products, users } from '../../../db/schema/tenancy'
import {
  computedList,
  computedLongList,
  computedValue,
  type Field,
  longJson,
  longText,
  moment,
  momentJson,
  type Shape,
  type ShownData,
} from '../../../db/sql/field'
import { caller, inline } from '../../../db/sql/statement'
import { createExportedCommentsField, exportedCommentsAreCut, joinLiveUser } from '../../../workspace/comments/fields'
import { feedbackFilters } from '../queries/filters'
import { statusFilter, visibilityFilter } from '../queries/list'
import { feedbackDeclaration, itemIsAnonymous } from '../queries/record'
import {
  type ExportedFollower,
  type ExportedVote,
  type ExportFilters,
  ExportPageQuery,
  type IncludedList,
} from './schema'

const { product, q, tag } = feedbackFilters

const rowIsOfItem = (table: typeof feedbackVotes | typeof feedbackTags | typeof feedbackSubscriptions) =>
  sql`${table.subscriptionId} = ${caller.subscription} AND ${table.feedbackId} = ${feedbackItems.id}`

const maxExportedVotes = inline(10_000)

const votesField =
  computedLongList<ExportedVote>(sql`CASE ${feedbackItems.vote} + ${feedbackItems.downVote} WHEN 0 THEN '[]' ELSE (
  SELECT json_group_array(json_object('email', email, 'type', type, 'createdAt', ${momentJson(sql`at`)})) FROM (
    SELECT u.email AS email, ${feedbackVotes.type} AS type, ${feedbackVotes.createdAt} AS at FROM ${feedbackVotes} ${joinLiveUser(sql`${feedbackVotes.userId}`)}
    WHERE ${rowIsOfItem(feedbackVotes)} AND u.id IS NOT NULL
    ORDER BY ${feedbackVotes.createdAt}, ${feedbackVotes.userId} LIMIT ${maxExportedVotes})) END`)

// A follower that is the anonymous author would reveal the author.
const followersField = computedLongList<ExportedFollower>(sql`(
  SELECT json_group_array(json_object('email', email, 'reason', reason)) FROM (
    SELECT u.email AS email, ${feedbackSubscriptions.reason} AS reason FROM ${feedbackSubscriptions} ${joinLiveUser(sql`${feedbackSubscriptions.userId}`)}
    WHERE ${rowIsOfItem(feedbackSubscriptions)} AND u.id IS NOT NULL
      AND NOT (${itemIsAnonymous} AND ${feedbackSubscriptions.userId} = ${feedbackItems.userId})
    ORDER BY ${feedbackSubscriptions.userId}))`)

const commentsField = createExportedCommentsField(
  feedbackComments,
  sql`${feedbackComments.feedbackId} = ${feedbackItems.id}`,
)

const votesAreCut = sql`${feedbackItems.vote} + ${feedbackItems.downVote} > ${maxExportedVotes}`
const commentsAreCut = exportedCommentsAreCut(
  feedbackComments,
  sql`${feedbackComments.feedbackId} = ${feedbackItems.id}`,
)
/** Names of the lists that do not have all entries. */
const incompleteField = (names: readonly IncludedList[]) =>
  computedList<IncludedList>(sql`(SELECT json_group_array(column1) FROM (VALUES
    ('votes', ${names.includes('votes') ? votesAreCut : sql`0`}),
    ('comments', ${names.includes('comments') ? commentsAreCut : sql`0`})) WHERE column2)`)

const isAnonymousField: Field<number | null, boolean, never> = {
  sql: sql`${feedbackItems.isAnonymous}`,
  show: (stored) => stored === 1,
  json: () => sql`json(iif(${itemIsAnonymous}, 'true', 'false'))`,
}
const createTextOrEmptyField = (value: SQL) => computedValue<string>(sql`coalesce(${value}, '')`)
const { category, ...declaredFields } = feedbackDeclaration.fields

/** Names and keys instead of ids, because ids mean nothing in another workspace. */
const exportedItemFields = {
  external_key: feedbackItems.externalKey,
  product: computedValue<string>(sql`(SELECT ${products.externalKey} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.id} = ${feedbackItems.productId})`),
  type: feedbackItems.type,
  title: feedbackItems.title,
  slug: feedbackItems.slug,
  category: category.name,
  status: declaredFields.currentStatus,
  tags: computedList<string>(sql`(SELECT json_group_array(name) FROM (SELECT ${tags.name} AS name FROM ${feedbackTags}
    CROSS JOIN ${tags} ON ${tags.id} = ${feedbackTags.tagId} AND ${tags.subscriptionId} = ${caller.subscription}
      AND ${tags.deletedAt} IS NULL WHERE ${rowIsOfItem(feedbackTags)} ORDER BY ${tags.id}))`),
  target_audience: longText(feedbackItems.targetAudience),
  value_proposition: longText(feedbackItems.valueProposition),
  long_description: longText(feedbackItems.longDescription),
  collections: declaredFields.collections,
  attributes: longJson<Record<string, unknown>>(feedbackItems.attributes),
  is_anonymous: isAnonymousField,
  author: createTextOrEmptyField(sql`${users.email}`),
  author_name: createTextOrEmptyField(sql`trim(${users.firstName} || ' ' || ${users.lastName})`),
  vote: feedbackItems.vote,
  comment: feedbackItems.comment,
  cover_photo_url: declaredFields.cover_photo_url,
  id: feedbackItems.id,
  created_at: moment(feedbackItems.createdAt),
  updated_at: moment(feedbackItems.updatedAt),
  source: feedbackItems.source,
  external_id: feedbackItems.externalId,
  visibility_level: declaredFields.visibility_level,
  is_pinned: declaredFields.is_pinned,
  is_voting_open: declaredFields.is_voting_open,
  voting_start_time: declaredFields.voting_start_time,
  voting_end_time: declaredFields.voting_end_time,
}

const OPTIONAL_FIELDS = { votes: votesField, comments: commentsField, followers: followersField }

export type ExportedItem = ShownData<typeof exportedItemFields> & Partial<ShownData<typeof OPTIONAL_FIELDS>>

function createPageReader(more: Shape) {
  const exported = record('feedback', { ...feedbackDeclaration, fields: { ...exportedItemFields, ...more } })
  return makeListReader(exported, ExportPageQuery, {
    sorts: { createdAt: feedbackItems.createdAt },
    filters: { product, q, tag, status: statusFilter, visibility_level: visibilityFilter },
  }).pages
}

const pageReadersByNames = new Map<string, ReturnType<typeof createPageReader>>()

export function exportItems(
  db: Database,
  filters: ExportFilters,
  included: readonly IncludedList[],
): AsyncGenerator<ExportedItem[]> {
  const names = (Object.keys(OPTIONAL_FIELDS) as IncludedList[]).filter((name) => included.includes(name))
  const pages =
    pageReadersByNames.get(names.join()) ??
    createPageReader({
      ...Object.fromEntries(names.map((name) => [name, OPTIONAL_FIELDS[name]])),
      ...(names.length && { incomplete: incompleteField(names) }),
    })
  pageReadersByNames.set(names.join(), pages)
  return pages(db, { ...filters, sort: ['createdAt'] }) as AsyncGenerator<ExportedItem[]>
}
