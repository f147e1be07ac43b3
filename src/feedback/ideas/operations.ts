import * as z from 'zod'
import type { Reference } from '../../db/references'
import { operation } from '../../http/operation'
import { sanitize } from '../../text/html'
import { iso } from '../../text/moments'
import { slugify } from '../../text/slug'
import * as queries from './queries'
import { CreateFeedbackItem, FeedbackItem, FeedbackParams, FeedbackQuery } from './schema'

function toFeedbackItem(row: queries.FeedbackRow): z.input<typeof FeedbackItem> {
  const anonymous = row.isAnonymous === 1
  return {
    id: row.id,
    type: row.type,
    slug: row.slug,
    external_key: row.externalKey,
    title: row.title,
    target_audience: row.targetAudience,
    value_proposition: row.valueProposition,
    category_id: row.categoryId ?? 0,
    short_description: null,
    long_description: row.longDescription,
    video_url: null,
    icon_url: null,
    cover_photo_url: row.coverPhotoUrl,
    visibility_level: null,
    is_voting_open: null,
    voting_start_time: null,
    voting_end_time: null,
    product_id: row.productId,
    is_pinned: null,
    is_anonymous: anonymous || null,
    status_id: null,
    user_id: anonymous ? 0 : row.userId,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    vote: row.vote,
    comment: row.comment,
    haveIVoted: row.haveIVoted,
    work_item_internal_id: null,
    work_item_external_id: null,
    work_item_type: 'active',
    currentStatus: null,
    category: {
      id: row.categoryId ?? 0,
      name: row.categoryName ?? '',
      description: row.categoryDescription,
      slug: row.categorySlug ?? '',
    },
    votes: JSON.parse(row.votes),
    comments: JSON.parse(row.comments),
    user: {
      firstName: anonymous ? '' : (row.firstName ?? ''),
      lastName: anonymous ? '' : (row.lastName ?? ''),
      email: anonymous ? '' : (row.email ?? ''),
    },
    tags: JSON.parse(row.tags),
    collections: [],
  }
}

export const createFeedbackItem = operation({
  id: 'createFeedbackItem',
  method: 'post',
  path: '/api/feedback-items',
  tag: 'Feedback',
  summary: 'Create a feedback item',
  description:
    'Its author is the user of the key, or `user`, who becomes an idea-manager member when nobody has that address. New tag names become product tags.',
  scope: 'feedback:write',
  status: 201,
  body: CreateFeedbackItem,
  data: FeedbackItem,
  async handle({ body, db }) {
    const references: Reference[] = [{ kind: 'product', path: '/product', value: body.product }]
    if (body.category_id !== undefined) {
      references.push({ kind: 'category', path: '/category_id', value: body.category_id })
    }
    const tags = new Map((body.tags ?? []).map((name) => [slugify(name), name]))
    const row = await queries.createFeedbackItem(db, {
      item: {
        product: body.product,
        type: body.type,
        slug: slugify(body.title),
        title: body.title,
        targetAudience: body.target_audience ?? '',
        valueProposition: body.value_proposition ?? '',
        longDescription: await sanitize(body.long_description ?? '', '/long_description'),
        categoryId: body.category_id ?? null,
        isAnonymous: body.is_anonymous ? 1 : null,
        author: body.user?.email ?? null,
      },
      member: body.user && { email: body.user.email, name: body.user.name ?? '' },
      tags: Array.from(tags, ([slug, name]) => [name, slug]),
      references,
    })
    return {
      data: toFeedbackItem(row),
      message: 'Feedback item saved',
      location: `/api/feedback-items/${row.externalKey}`,
    }
  },
})

export const listFeedbackItems = operation({
  id: 'listFeedbackItems',
  method: 'get',
  path: '/api/feedback-items',
  tag: 'Feedback',
  summary: 'Retrieve feedback items',
  description: 'The newest first. `slug` picks one; the answer is an array all the same.',
  scope: 'feedback:read',
  query: FeedbackQuery,
  data: z.array(FeedbackItem),
  async handle({ query, db, actor }) {
    if (query.slug !== undefined) {
      const row = await queries.findFeedbackItem(db, query.slug)
      return { data: row ? [toFeedbackItem(row)] : [] }
    }
    const { rows, next } = await queries.listFeedbackItems(db, query, actor.products !== null)
    return { data: rows.map(toFeedbackItem), next }
  },
})

export const getFeedbackItem = operation({
  id: 'getFeedbackItem',
  method: 'get',
  path: '/api/feedback-items/{feedback_external_key}',
  tag: 'Feedback',
  summary: 'Retrieve a feedback item by its key',
  description: 'With its category, author and tags, and the newest of its votes and public comments.',
  scope: 'feedback:read',
  params: FeedbackParams,
  data: FeedbackItem,
  errors: ['feedback_item_not_found'],
  async handle({ params, db }) {
    const row = await queries.getFeedbackItem(db, params.feedback_external_key)
    return { data: toFeedbackItem(row), version: row.version }
  },
})
