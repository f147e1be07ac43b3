import { requireScope } from '../../http/auth'
import { operation } from '../../http/operation'
import { FeedbackItem, FeedbackParams } from '../ideas/schema'
import { withAuthor } from '../ideas/shown'
import * as queries from './queries'
import { PromoteFeedbackItem } from './schema'

export const promoteFeedbackItem = operation({
  id: 'promoteFeedbackItem',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/promote',
  summary: 'Promote a feedback item to the backlog',
  description:
    'Makes an epic, a feature or a user story of its product, with its title, description and tags; each shows the other. The item gets the first status that names the progress `to-do`, and from then on the one that names what the progress of its work item becomes, however that is changed. One that is promoted already is a 409. The key needs `backlog:write` too.',
  params: FeedbackParams,
  body: PromoteFeedbackItem,
  data: FeedbackItem,
  async handle({ params, body, db, actor, wake }) {
    requireScope(actor, 'backlog:write')
    const { data, version } = await queries.promoteFeedbackItem(db, params, body.type)
    wake({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return {
      data: withAuthor(data, actor),
      version,
      message: `Feedback item promoted to ${data.work_item_external_id}`,
    }
  },
})
