import * as z from 'zod'
import { referenceTo } from '../../db/sql/references'
import {
  CONTENT_COUNT_COST_REASON,
  declareCeiling,
  NEWEST_MATCHES_COST_REASON,
  PAGE_RECORDS_COST_REASON,
} from '../../http/ceiling'
import { ExternalIdParams } from '../../http/external-id'
import { operation } from '../../http/operation'
import { slugify } from '../../text/slug'
import { hideUnreadableAuthor } from './author'
import { FeedbackSimilarQuery, ListFeedbackItems } from './list'
import { listFeedbackItems as list } from './queries/list'
import { getFeedbackItem as get } from './queries/record'
import { listSimilar } from './queries/similar'
import { upsertFeedbackItem as upsert } from './queries/upsert'
import * as write from './queries/write'
import { readFeedbackBody } from './read'
import {
  CreateFeedbackItem,
  FeedbackItem,
  FeedbackParams,
  ModifyFeedbackItem,
  SimilarFeedbackItem,
  UpsertFeedbackItem,
  UpsertFeedbackQuery,
} from './schema'

export const createFeedbackItem = operation({
  id: 'createFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items',
  summary: 'Create a feedback item',
  description:
    'The author is the user of the key, or `user`. An unknown address in `user` becomes an idea-manager member; a key that is limited to products cannot create members (403). The address of a removed user is a 409. A key without any of the scopes `feedback:read`, `segments:read` and `products:read` gets back only the `user` that it sent. New tag names become product tags. The slug is made from the title; a number is added if the slug is taken, and always for a key that is limited to products. A member that an anonymous item creates gets the creation time of the newest existing member, so that the time does not reveal the author.',
  location: '/api/feedback-items/{external_key}',
  body: CreateFeedbackItem,
  data: FeedbackItem,
  message: 'Feedback item saved',
  async handle({ body, db, actor }) {
    const { tags = [], references, ...item } = await readFeedbackBody(body)
    const { data } = await write.createFeedbackItem(db, {
      ...item,
      slug: slugify(body.title),
      tags,
      references: [...referenceTo('product', '/product', body.product), ...references],
    })
    return { data: hideUnreadableAuthor(data, actor, body.user) }
  },
})

export const listFeedbackItems = operation({
  id: 'listFeedbackItems',
  ceiling: declareCeiling(61_000, PAGE_RECORDS_COST_REASON),
  of: 'feedback',
  route: 'GET /api/feedback-items',
  summary: 'Retrieve feedback items',
  description: 'Feedback items, newest first. With `slug` the response is still an array.',
  query: ListFeedbackItems,
  data: z.array(FeedbackItem),
  handle: ({ query, db }) => list(db, query),
})

export const getFeedbackItem = operation({
  id: 'getFeedbackItem',
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}',
  summary: 'Retrieve a feedback item by its key',
  description: 'The item with its category, author and tags, and with its newest votes and public comments.',
  params: FeedbackParams,
  data: FeedbackItem,
  handle: ({ params, db }) => get(db, params),
})

export const listSimilarFeedbackItems = operation({
  id: 'listSimilarFeedbackItems',
  ceiling: declareCeiling(61_000, NEWEST_MATCHES_COST_REASON),
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/similar',
  summary: 'List similar feedback items',
  description:
    'Other items with words of the title, best match first. A word in a title counts more than a word in a text, and a rare word more than a frequent word. Only the newest 10,000 matches are ranked.',
  weight: 'walk',
  params: FeedbackParams,
  query: FeedbackSimilarQuery,
  data: z.array(SimilarFeedbackItem),
  async handle({ params, query, db }) {
    return { data: await listSimilar(db, params, query.limit) }
  },
})

export const modifyFeedbackItem = operation({
  id: 'modifyFeedbackItem',
  of: 'feedback',
  route: 'PUT /api/feedback-items/{feedback_external_key}',
  summary: 'Modify a feedback item',
  description:
    'Changes the sent fields only; a `category_id` of `null` clears the category. The slug stays, unless you send another slug; former slugs still find the item. New tag names become product tags. A new status sends a mail to the author, voters, commenters and subscribers of the item.',
  params: FeedbackParams,
  body: ModifyFeedbackItem,
  data: FeedbackItem,
  message: 'Feedback item saved',
  async handle({ params, body, db, actor, ifMatch, enqueue }) {
    const { data, version } = await write.modifyFeedbackItem(db, params, await readFeedbackBody(body), ifMatch)
    if (body.status_id && body.notify !== 'none')
      enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return { data: hideUnreadableAuthor(data, actor), version }
  },
})

export const upsertFeedbackItem = operation({
  id: 'upsertFeedbackItem',
  of: 'feedback',
  route: 'PUT /api/feedback-items/external/{source}/{externalId}',
  summary: 'Create or modify a feedback item by its id in another system',
  description:
    'The first request creates the item in the product (201); later requests change the fields that you send (200), but not the author. Only one of several concurrent requests creates the item. A removed item does not change; the request creates a new item. A merged item is a 409. A new status sends a mail, as in a modify.',
  productInQuery: true,
  status: 201,
  alternativeStatus: 200,
  params: ExternalIdParams,
  query: UpsertFeedbackQuery,
  body: UpsertFeedbackItem,
  errors: [],
  data: FeedbackItem,
  conditional: false,
  message: 'Feedback item saved',
  async handle({ params, query, body, db, actor, enqueue }) {
    const read = await readFeedbackBody(body)
    const change = { ...read, slug: slugify(body.title), addsTags: query.tags === 'add' }
    const { data, version, isNew } = await upsert(db, params, change)
    if (body.status_id && body.notify !== 'none' && !isNew)
      enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    const reply = { data: hideUnreadableAuthor(data, actor, isNew ? body.user : undefined), version }
    return isNew
      ? { ...reply, location: `/api/feedback-items/${data.external_key}` }
      : { ...reply, status: 200 as const }
  },
})

export const removeFeedbackItem = operation({
  id: 'removeFeedbackItem',
  ceiling: declareCeiling(11_000, CONTENT_COUNT_COST_REASON),
  of: 'feedback',
  route: 'DELETE /api/feedback-items/{feedback_external_key}',
  summary: 'Remove a feedback item',
  description:
    'Removes the item with its votes and comments. You can restore the item for 30 days; its slug stays reserved.',
  params: FeedbackParams,
  message: 'Feedback item removed',
  handle: ({ params, db, ifMatch }) => write.removeFeedbackItem(db, params, ifMatch),
})

export const restoreFeedbackItem = operation({
  id: 'restoreFeedbackItem',
  ceiling: declareCeiling(11_000, CONTENT_COUNT_COST_REASON),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/restore',
  summary: 'Restore a removed feedback item',
  description: 'Restores the item with its votes and comments. An item of a removed product is a 409.',
  params: FeedbackParams,
  data: FeedbackItem,
  message: 'Feedback item restored',
  async handle({ params, db, actor }) {
    const { data, version } = await write.restoreFeedbackItem(db, params)
    return { data: hideUnreadableAuthor(data, actor), version }
  },
})
