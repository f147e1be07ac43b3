import { declareCeiling, EACH_FOLLOWER_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { FeedbackParams } from '../../ideas/schema'
import { getStatusUpdateAudience as getAudience } from './queries'
import { StatusUpdateAudience } from './schema'

export const getStatusUpdateAudience = operation({
  id: 'getStatusUpdateAudience',
  ceiling: declareCeiling(46_000, EACH_FOLLOWER_COST_REASON),
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/status-updates/audience',
  summary: 'Count the recipients of a status update',
  description:
    'Says before you post a status update how many people get a mail about the status, who they are, and why other followers get no mail. `reply` names who gets a mail about a public comment. Nothing is sent. Until the mail leaves, people can still follow the item or leave.',
  params: FeedbackParams,
  data: StatusUpdateAudience,
  handle: async ({ params, db }) => ({ data: await getAudience(db, params), version: 1 }),
})
