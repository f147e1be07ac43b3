import { operation } from '../../http/operation'
import { FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { Subscription } from './schema'

export const subscribeToFeedbackItem = operation({
  id: 'subscribeToFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/subscription',
  summary: 'Subscribe to a feedback item',
  description:
    'The user of the key is mailed, once each time, when its status changes. So are its author, unless they are anonymous, and whoever votes or comments publicly on it, without asking for it.',
  params: FeedbackParams,
  data: Subscription,
  async handle({ params, db }) {
    return { data: await queries.subscribe(db, params), message: 'Subscribed' }
  },
})

export const unsubscribeFromFeedbackItem = operation({
  id: 'unsubscribeFromFeedbackItem',
  of: 'feedback',
  route: 'DELETE /api/feedback-items/{feedback_external_key}/subscription',
  summary: 'Unsubscribe from a feedback item',
  description: 'For good: neither votes nor comments of the user of the key subscribe again, only asking for it does.',
  params: FeedbackParams,
  message: 'Unsubscribed',
  conditional: false,
  handle: ({ params, db }) => queries.unsubscribe(db, params),
})
