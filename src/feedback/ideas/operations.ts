import * as z from 'zod'
import { NEWEST_MATCHES, RECORDS_OF_PAGE, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { slugify } from '../../text/slug'
import { listFeedbackItems as list } from './queries/list'
import { getFeedbackItem as get } from './queries/record'
import { listSimilar } from './queries/similar'
import * as write from './queries/write'
import { readItem } from './read'
import {
  CreateFeedbackItem,
  FeedbackItem,
  FeedbackParams,
  FeedbackSimilarQuery,
  ListFeedbackItems,
  ModifyFeedbackItem,
} from './schema'
import { withAuthor } from './shown'

export const createFeedbackItem = operation({
  id: 'createFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items',
  summary: 'Create a feedback item',
  description:
    'Its author is the user of the key, or `user`, who becomes an idea-manager member when nobody has that address: a key that is limited to products makes nobody one, which is a 403. Somebody who was removed is a 409. A key that reads neither feedback nor people (`feedback:read`, `segments:read`, `products:read`) is answered what it sent as `user`, not what is known. New tag names become product tags. The slug is made from the title; where that is taken, and for a key that is limited to products always, a number is added. A member whom an anonymous item makes has the moments of the newest one before.',
  status: 201,
  body: CreateFeedbackItem,
  data: FeedbackItem,
  message: 'Feedback item saved',
  async handle({ body, db, actor }) {
    const { tags = [], references, ...item } = await readItem(body)
    const { data } = await write.createFeedbackItem(db, {
      ...item,
      slug: slugify(body.title),
      tags,
      references: [{ kind: 'product', path: '/product', value: body.product }, ...references],
    })
    const location = `/api/feedback-items/${data.external_key}`
    return { data: withAuthor(data, actor, body.user), location }
  },
})

export const listFeedbackItems = operation({
  id: 'listFeedbackItems',
  ceiling: walk(61_000, RECORDS_OF_PAGE),
  of: 'feedback',
  route: 'GET /api/feedback-items',
  summary: 'Retrieve feedback items',
  description: 'The newest first. `slug` picks one; the answer is an array all the same.',
  query: ListFeedbackItems,
  data: z.array(FeedbackItem),
  handle: ({ query, db }) => list(db, query),
})

export const getFeedbackItem = operation({
  id: 'getFeedbackItem',
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}',
  summary: 'Retrieve a feedback item by its key',
  description: 'With its category, author and tags, and the newest of its votes and public comments.',
  params: FeedbackParams,
  data: FeedbackItem,
  handle: ({ params, db }) => get(db, params),
})

export const listSimilarFeedbackItems = operation({
  id: 'listSimilarFeedbackItems',
  ceiling: walk(11_000, NEWEST_MATCHES),
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/similar',
  summary: 'List similar feedback items',
  description:
    'Other items that have words of its title, the best first: a word of a title says more than one of a text, and a rare one more than one that many have. Of the newest 10,000 that have one.',
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
    'Changes the fields that are sent; `null` takes it out of its category. The slug stays, unless another is sent; the former ones still find it. New tag names become product tags. With another status, whoever has written the item, voted or commented on it, or subscribed to it is mailed.',
  params: FeedbackParams,
  body: ModifyFeedbackItem,
  data: FeedbackItem,
  message: 'Feedback item saved',
  async handle({ params, body, db, actor, ifMatch, wake }) {
    const { data, version } = await write.modifyFeedbackItem(db, params, await readItem(body), ifMatch)
    if (body.status_id) wake({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return { data: withAuthor(data, actor), version }
  },
})

export const removeFeedbackItem = operation({
  id: 'removeFeedbackItem',
  of: 'feedback',
  route: 'DELETE /api/feedback-items/{feedback_external_key}',
  summary: 'Remove a feedback item',
  description: 'With its votes and comments. It can be restored for 30 days; its slug stays its own.',
  params: FeedbackParams,
  message: 'Feedback item removed',
  handle: ({ params, db, ifMatch }) => write.removeFeedbackItem(db, params, ifMatch),
})

export const restoreFeedbackItem = operation({
  id: 'restoreFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/restore',
  summary: 'Restore a removed feedback item',
  description: 'With the votes and comments that it had. One whose product is removed is a 409.',
  params: FeedbackParams,
  data: FeedbackItem,
  message: 'Feedback item restored',
  async handle({ params, db, actor }) {
    const { data, version } = await write.restoreFeedbackItem(db, params)
    return { data: withAuthor(data, actor), version }
  },
})
