import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { makeListReader } from '../../../db/records/list'
import { record } from '../../../db/records/record'
import { sortDescending } from '../../../db/records/sorts'
import { assets, attachments } from '../../../db/schema/assets'
import { feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../../db/schema/feedback'
import { feedbackStatusUpdates } from '../../../db/schema/status-updates'
import { log, products, users } from '../../../db/schema/tenancy'
import {
  computedList,
  computedLongText,
  computedValue,
  type Field,
  flag,
  moment,
  momentJson,
} from '../../../db/sql/field'
import { equals, equalsAny, type Filter, unindexed } from '../../../db/sql/filter'
import { rankedSearchMatches, searchFilter, splitSearchWords, toFtsPhrase } from '../../../db/sql/search'
import { makeRowConverter, selectListOf } from '../../../db/sql/selection'
import { boundLimit, caller, inline, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { selectFinalItemId } from '../../../feedback/ideas/statements'
import { extractSnippet } from '../../../feedback/search/snippet'
import type { PortalIdeaSort } from '../schema'
import {
  displayName,
  isPublicIdea,
  isPublicItem,
  isPublicStatus,
  isPublicStatusName,
  isShownIdea,
  publicStatuses,
} from '../statements'

const MAX_PARTS = inline(50)
// Newest events searched for changes of the status.
const MAX_SEARCHED_EVENTS = inline(500)

const { subscriptionId, id } = feedbackItems
const isOfCaller = sql`subscription_id = ${subscriptionId} AND feedback_id = ${id} AND user_id = ${caller.user}`

/** The beginning of the text, without HTML. */
const excerptField: Field<string, string, never> = {
  sql: sql`substr(${feedbackItems.longDescription}, 1, 1000)`,
  show: (html) => extractSnippet(html, ''),
  json: () => sql`''`,
}

const truthField = (value: ReturnType<typeof sql>): Field<number, boolean, never> => ({
  sql: value,
  show: (stored) => stored === 1,
  json: () => sql`json(iif(${value}, 'true', 'false'))`,
})

const summaryFields = {
  key: feedbackItems.externalKey,
  slug: feedbackItems.slug,
  title: feedbackItems.title,
  excerpt: excerptField,
  type: feedbackItems.type,
  product: computedValue<string>(sql`(SELECT ${products.externalKey} FROM ${products}
    WHERE ${products.id} = ${feedbackItems.productId} AND ${products.subscriptionId} = ${subscriptionId})`),
  statusId: feedbackItems.statusId,
  categoryId: feedbackItems.categoryId,
  votes: feedbackItems.vote,
  comments: feedbackItems.comment,
  voted: truthField(sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${isOfCaller} AND type = 'up')`),
  pinned: flag(feedbackItems.isPinned),
  author: computedValue<string | null>(displayName),
  createdAt: moment(feedbackItems.createdAt),
}

const declaration = {
  table: feedbackItems,
  scope: { product: feedbackItems.productId },
  discriminator: sql`AND ${feedbackItems.mergedInto} IS NULL`,
  // An anonymous author is nobody's to see.
  joins: sql`LEFT JOIN ${users} ON ${users.id} = ${feedbackItems.userId} AND ${users.subscriptionId} = ${subscriptionId}
    AND ${users.deletedAt} IS NULL AND ${feedbackItems.isAnonymous} IS NOT 1`,
} as const

const summary = record('feedback', { ...declaration, key: {}, fields: summaryFields })

export interface PortalFile {
  id: number
  name: string
  type: string
  size: number
}
const files = sql`(SELECT json_group_array(json_object('id', a.id, 'name', a.name, 'type', a.mime, 'size', a.size)) FROM (
  SELECT ${assets.id}, ${assets.name}, ${assets.mime}, ${assets.size} FROM ${assets}
  WHERE ${assets.id} IN (SELECT value FROM json_each(${feedbackItems.coverPhotos}) UNION SELECT ${attachments.assetId}
      FROM ${attachments} WHERE ${attachments.subscriptionId} = ${subscriptionId} AND ${attachments.kind} = 'feedback'
        AND ${attachments.holderId} = ${id})
    AND +${assets.subscriptionId} = ${subscriptionId} AND ${assets.deletedAt} IS NULL ORDER BY ${assets.id} LIMIT ${MAX_PARTS}) a)`

export interface PortalUpdate {
  status: string
  message: string
  createdAt: string
}
const updates = sql`(SELECT json_group_array(json_object('status', status, 'message', coalesce(message, ''), 'createdAt', ${momentJson(sql`created_at`)})) FROM (
  SELECT ${feedbackStatusUpdates.status}, ${feedbackStatusUpdates.message}, ${feedbackStatusUpdates.createdAt} FROM ${feedbackStatusUpdates}
  WHERE ${feedbackStatusUpdates.subscriptionId} = ${subscriptionId} AND ${feedbackStatusUpdates.feedbackId} = ${id}
    AND ${isPublicStatusName(feedbackStatusUpdates.status)}
  ORDER BY ${feedbackStatusUpdates.createdAt} DESC, ${feedbackStatusUpdates.id} DESC LIMIT ${MAX_PARTS}))`

export interface PortalStatusChange {
  statusId: number | null
  status: string | null
  createdAt: string
}
const history = sql`(SELECT json_group_array(json_object('statusId', status_id, 'status', name, 'createdAt', ${momentJson(sql`created_at`)})) FROM (
  SELECT data ->> '$.status_id' AS status_id, data ->> '$.currentStatus' AS name, created_at FROM (
    SELECT type, data, created_at FROM ${log} WHERE ${log.subscriptionId} = ${subscriptionId}
      AND ${log.resourceKey} = ${feedbackItems.externalKey} ORDER BY ${log.place} DESC LIMIT ${MAX_SEARCHED_EVENTS})
  WHERE type = 'feedback.status_changed' AND ${isPublicStatus(sql`data ->> '$.status_id'`)} LIMIT ${MAX_PARTS}))`

const isPublicMerged = isPublicItem({
  ...{ visibilityLevel: sql`m.visibility_level`, productId: sql`m.product_id` },
  ...{ statusId: sql`m.status_id`, categoryId: sql`m.category_id` },
})
const merged = sql`(SELECT json_group_array(json_object('key', external_key, 'title', title)) FROM (
  SELECT m.external_key, m.title FROM ${feedbackItems} m WHERE m.subscription_id = ${subscriptionId} AND m.merged_into = ${id}
    AND m.deleted_at IS NULL AND ${isPublicMerged} ORDER BY m.id LIMIT ${MAX_PARTS}))`

const detailFields = {
  text: computedLongText(sql`${feedbackItems.longDescription}`),
  targetAudience: feedbackItems.targetAudience,
  valueProposition: feedbackItems.valueProposition,
  pending: truthField(sql`${feedbackItems.visibilityLevel} IS 'pending'`),
  rejected: truthField(sql`${feedbackItems.visibilityLevel} IS 'rejected'`),
  own: truthField(sql`(${caller.user} > 0 AND ${feedbackItems.userId} = ${caller.user})`),
  votingOpen:
    truthField(sql`(${feedbackItems.isVotingOpen} IS NOT 0 AND coalesce(${feedbackItems.votingStartTime} <= ${caller.now}, 1)
    AND coalesce(${feedbackItems.votingEndTime} >= ${caller.now}, 1) AND NOT EXISTS (SELECT 1 FROM feedback_statuses s
      WHERE s.id = ${feedbackItems.statusId} AND s.subscription_id = ${subscriptionId} AND s.ends_voting = 1))`),
  subscribed: truthField(sql`EXISTS (SELECT 1 FROM ${feedbackSubscriptions} WHERE ${isOfCaller} AND reason <> 'left')`),
  files: computedList<PortalFile>(files),
  updates: computedList<PortalUpdate>(updates),
  history: computedList<PortalStatusChange>(history),
  merged: computedList<{ key: string; title: string }>(merged),
}

const ideaKeyColumns = { feedback_external_key: feedbackItems.externalKey }

/** An idea that the caller may see in the portal. A merged idea leads to its target. */
export const shownIdea = record('feedback', {
  ...declaration,
  key: ideaKeyColumns,
  discriminator: sql`${declaration.discriminator} AND ${isShownIdea}`,
  keyCondition: sql`${id} = ${selectFinalItemId(sql`m.external_key = ${param('feedback_external_key')} AND m.deleted_at IS NULL`)}`,
  fields: summaryFields,
  detail: detailFields,
})

export interface PortalIdeaKey {
  feedback_external_key: string
}

/** The idea with the state of the caller. Costs one trip. */
export const getPortalIdea = async (db: Database, key: PortalIdeaKey) =>
  (await shownIdea.get(db, { feedback_external_key: key.feedback_external_key })).data

const ListIdeas = z.object({
  limit: z.number(),
  cursor: z.string().optional(),
  sort: z.array(z.enum(['top', 'new', 'trending'])),
  q: z.string().optional(),
  product: z.string().optional(),
  statuses: z.array(z.number()).optional(),
  category: z.number().optional(),
})

/** Served by an index in the orders by creation and by votes. */
const statusFilter: Filter<readonly number[]> = {
  ...(equalsAny(feedbackItems.statusId) as Filter<readonly number[]>),
  isUnindexed: (sort, _, given) => given.length > 1 || sort === feedbackItems.trending,
}
const productFilter: Filter<string> = unindexed({
  where: (name) => sql`${feedbackItems.productId} = (SELECT ${products.id} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.externalKey} = ${param(name)})`,
})

const board = makeListReader(summary, ListIdeas, {
  sorts: {
    top: sortDescending(feedbackItems.vote),
    new: sortDescending(feedbackItems.createdAt),
    trending: sortDescending(feedbackItems.trending),
  },
  filters: {
    q: searchFilter('feedback', feedbackItems.id),
    product: productFilter,
    statuses: statusFilter,
    category: unindexed(equals(feedbackItems.categoryId)),
  },
  shownIf: isPublicIdea,
})

export interface PortalIdeasQuery {
  sort: PortalIdeaSort
  limit: number
  cursor?: string | undefined
  q?: string | undefined
  /** External key. */
  product?: string | undefined
  /** Ids; ideas of any of the statuses. */
  statuses?: number[] | undefined
  category?: number | undefined
}

/** A page of the board: public ideas only. Costs one trip and looks at 10,000 ideas at most. */
export async function listPortalIdeas(db: Database, { sort, ...query }: PortalIdeasQuery) {
  const { data, next } = await board.page(db, { ...query, sort: [sort] })
  return { ideas: data, next: next?.cursor ?? null }
}

const selectSimilarIdeas = statement<Record<string, unknown>, Values>(sql`SELECT ${selectListOf(summary.items)}
  FROM ${rankedSearchMatches('feedback', sql`${param('words')}`)} matched
    CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = matched.id ${declaration.joins}
  WHERE ${summary.notDeleted} AND ${isPublicIdea} ${boundLimit('limit')}`)
const toSummary = makeRowConverter(summary.items)

// Shorter words are in most titles.
const MIN_WORD_CHARACTERS = 3

/** Public ideas with words of the text, best match first. */
export async function listSimilarPortalIdeas(db: Database, text: string, limit: number) {
  const words = splitSearchWords(text).filter((word) => word.length >= MIN_WORD_CHARACTERS || /[^\x00-\x7f]/.test(word))
  const query = words.map(toFtsPhrase).join(' OR ') || '""'
  const [rows] = await db.read(selectSimilarIdeas({ words: query, limit }))
  return rows.map((row) => toSummary(row) as ReturnType<typeof summary.toItem>)
}

const MAX_IDEAS_PER_LANE = inline(20)
const MAX_SEARCHED_PER_LANE = inline(200)

const isPublicInLane = isPublicItem({
  visibilityLevel: sql`visibility_level`,
  productId: sql`product_id`,
  statusId: sql`status_id`,
  categoryId: sql`category_id`,
})
const selectLanes = statement<Record<string, unknown>, Values>(sql`SELECT ${selectListOf(summary.items)}
  FROM ${publicStatuses} lanes CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} IN (SELECT id FROM (
      SELECT i.id, i.visibility_level, i.product_id, i.status_id, i.category_id FROM feedback_items i
      WHERE i.subscription_id = ${caller.subscription} AND i.status_id = lanes.id AND i.deleted_at IS NULL AND i.merged_into IS NULL
      ORDER BY i.vote DESC, i.id DESC LIMIT ${MAX_SEARCHED_PER_LANE})
      WHERE ${isPublicInLane} LIMIT ${MAX_IDEAS_PER_LANE})
    ${declaration.joins}
  ORDER BY lanes.position, lanes.id, ${feedbackItems.vote} DESC, ${feedbackItems.id} DESC`)

/** Public ideas with the most votes of each status, at most 20 each, among the 200 with the most votes. */
export async function listRoadmapIdeas<Row>(db: Database, further: Statement<Row>) {
  const [rows, others] = await db.read(selectLanes({}), further)
  const ideas = rows.map((row) => toSummary(row) as ReturnType<typeof summary.toItem>)
  return [Map.groupBy(ideas, ({ statusId }) => statusId), others] as const
}

const selectOwnIdeas = statement<Record<string, unknown>, Values>(sql`SELECT ${selectListOf(shownIdea.items)},
    ${feedbackItems.visibilityLevel} AS "level" FROM ${feedbackItems} ${declaration.joins}
  WHERE ${summary.notDeleted} AND ${caller.user} > 0 AND ${feedbackItems.userId} = ${caller.user} AND ${isShownIdea}
    AND ${feedbackItems.isAnonymous} IS NOT 1
  ORDER BY ${feedbackItems.createdAt} DESC, ${feedbackItems.id} DESC LIMIT ${MAX_PARTS}`)

const selectVotedIdeas = statement<Record<string, unknown>, Values>(sql`SELECT ${selectListOf(summary.items)} FROM (
    SELECT v.feedback_id AS id FROM ${feedbackVotes} v WHERE v.subscription_id = ${caller.subscription}
      AND v.user_id = ${caller.user} AND v.type = 'up' ORDER BY v.created_at DESC LIMIT ${MAX_PARTS}) own
    CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = own.id ${declaration.joins}
  WHERE ${summary.notDeleted} AND ${isPublicIdea}`)

const selectPerson = statement<{
  name: string | null
  role: string
}>(sql`SELECT ${displayName} AS "name", ${users.role} AS "role"
  FROM ${users} WHERE ${users.id} = ${caller.user} AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`)

/** The caller with the newest 50 ideas and votes. */
export async function getPortalPerson(db: Database) {
  const [[person], own, voted] = await db.read(selectPerson({}), selectOwnIdeas({}), selectVotedIdeas({}))
  const ideas = own.map(({ level, ...row }) => ({
    ...(toSummary(row) as ReturnType<typeof summary.toItem>),
    pending: level === 'pending',
    rejected: level === 'rejected',
  }))
  return {
    person: person ? { name: person.name, isTeam: person.role !== 'idm_member' } : null,
    ideas,
    votes: voted.map((row) => toSummary(row) as ReturnType<typeof summary.toItem>),
  }
}
