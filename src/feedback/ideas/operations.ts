import * as z from 'zod'
import { referenceTo } from '../../db/client/references'
import { declareCeiling, NEWEST_MATCHES_COST_REASON, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { slugify } from '../../text/slug'
import { hideUnreadableAuthor } from './author'
import { listFeedbackItems as list } from './queries/list'
import { getFeedbackItem as get } from './queries/record'
import { listSimilar } from './queries/similar'
import * as write from './queries/write'
import { readFeedbackBody } from './read'
import {
  CreateFeedbackItem,
  FeedbackItem,
  FeedbackParams,
  FeedbackSimilarQuery,
  ListFeedbackItems,
  ModifyFeedbackItem,
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
  ceiling: declareCeiling(11_000, NEWEST_MATCHES_COST_REASON),
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/similar',
  summary: 'List similar feedback items',
  description:
    'Other items with words of the title, best match first. A word in a title counts more than a word in a text, and a rare word more than a frequent word. Only the newest 10,000 matches are ranked.',
  weight: 'walk',
  params: FeedbackParams,
  query: FeedbackSimilarQuery,
  data: z.array(FeedbackItem),
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
    if (body.status_id) enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return { data: hideUnreadableAuthor(data, actor), version }
  },
})

export const removeFeedbackItem = operation({
  id: 'removeFeedbackItem',
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
