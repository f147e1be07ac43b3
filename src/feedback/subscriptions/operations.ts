import { requireScope } from '../../http/auth'
import { operation } from '../../http/operation'
import { FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { Subscribe, Subscription } from './schema'

export const subscribeToFeedbackItem = operation({
  id: 'subscribeToFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/subscription',
  storesRecords: true,
  summary: 'Subscribe to a feedback item',
  description:
    'Subscribes the user of the key, or the person with the address `email`. A subscriber gets one mail each time the status changes. The author (unless anonymous), voters and people who comment publicly are subscribed without this call. `email` needs the scope `segments:write`. A person who has unsubscribed is a 409: only a key of the same person can subscribe again.',
  params: FeedbackParams,
  body: Subscribe,
  data: Subscription,
  message: 'Subscribed',
  async handle({ params, body, db, actor }) {
    if (body?.email !== undefined) requireScope(actor, 'segments:write')
    return { data: await queries.subscribePerson(db, params, body?.email) }
  },
})

export const unsubscribeFromFeedbackItem = operation({
  id: 'unsubscribeFromFeedbackItem',
  of: 'feedback',
  route: 'DELETE /api/feedback-items/{feedback_external_key}/subscription',
  summary: 'Unsubscribe from a feedback item',
  description:
    'Unsubscribes the user of the key for good: later votes and comments do not subscribe the user, only a new subscription does.',
  params: FeedbackParams,
  message: 'Unsubscribed',
  conditional: false,
  handle: ({ params, db }) => queries.unsubscribeCaller(db, params),
})
