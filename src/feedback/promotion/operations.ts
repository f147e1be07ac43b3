import { requireScope } from '../../http/auth'
import { operation } from '../../http/operation'
import { hideUnreadableAuthor } from '../ideas/author'
import { FeedbackItem, FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { PromoteFeedbackItem } from './schema'

export const promoteFeedbackItem = operation({
  id: 'promoteFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/promote',
  storesRecords: true,
  summary: 'Promote a feedback item to the backlog',
  description:
    'Creates an epic, a feature or a user story in the product of the item, with the title, description and tags of the item. The item and the work item show each other. The item gets the first status with the `progress` `to-do`; each change of the progress of the work item sets the first status with this progress. An item that is already promoted is a 409. The key also needs `backlog:write`.',
  params: FeedbackParams,
  body: PromoteFeedbackItem,
  data: FeedbackItem,
  async handle({ params, body, db, actor, enqueue }) {
    requireScope(actor, 'backlog:write')
    const { data, version } = await queries.promoteFeedbackItem(db, params, body.type)
    enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return {
      data: hideUnreadableAuthor(data, actor),
      version,
      message: `Feedback item promoted to ${data.work_item_external_id}`,
    }
  },
})
