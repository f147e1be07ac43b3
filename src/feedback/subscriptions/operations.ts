import * as z from 'zod'
import { operation } from '../../http/operation'
import { FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { Subscription } from './schema'

export const subscribeToFeedbackItem = operation({
  id: 'subscribeToFeedbackItem',
  method: 'post',
  path: '/api/feedback-items/{feedback_external_key}/subscription',
  tag: 'Feedback',
  summary: 'Subscribe to a feedback item',
  description:
    'The user of the key is mailed, once each time, when its status changes. So are its author, unless they are anonymous, and whoever votes or comments publicly on it, without asking for it.',
  scope: 'feedback:write',
  params: FeedbackParams,
  data: Subscription,
  errors: ['feedback_item_not_found'],
  async handle({ params, db }) {
    return { data: await queries.subscribe(db, params), message: 'Subscribed' }
  },
})

export const unsubscribeFromFeedbackItem = operation({
  id: 'unsubscribeFromFeedbackItem',
  method: 'delete',
  path: '/api/feedback-items/{feedback_external_key}/subscription',
  tag: 'Feedback',
  summary: 'Unsubscribe from a feedback item',
  description: 'For good: neither votes nor comments of the user of the key subscribe again, only asking for it does.',
  scope: 'feedback:write',
  params: FeedbackParams,
  data: z.object({}),
  errors: ['feedback_item_not_found'],
  message: 'Unsubscribed',
  handle: ({ params, db }) => queries.unsubscribe(db, params),
})
