import { requireScope } from '../../http/auth'
import { declareCeiling, WHOLE_EVENT_COST_REASON } from '../../http/ceiling'
import { type HandlerInput, operation } from '../../http/operation'
import { hideUnreadableAuthor } from '../ideas/author'
import { FeedbackItem, FeedbackParams } from '../ideas/schema'
import type { FeedbackKey } from '../ideas/statements'
import * as queries from './queries'
import { LinkFeedbackItem, PromoteFeedbackItem } from './schema'

const SAME_PROGRESS_TEXT = 'each change of the progress of the work item sets the first status with this progress'

async function linkTo(workItem: { path: string; key: string }, { params, db, actor, enqueue }: ItemInput) {
  const { data, version } = await queries.linkFeedbackItem(db, params, workItem)
  enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
  const message = `Feedback item linked to ${data.work_item_external_id}`
  return { data: hideUnreadableAuthor(data, actor), version, message }
}

type ItemInput = Pick<HandlerInput<FeedbackKey, never, never>, 'params' | 'db' | 'actor' | 'enqueue'>

export const promoteFeedbackItem = operation({
  id: 'promoteFeedbackItem',
  ceiling: declareCeiling(110_000, WHOLE_EVENT_COST_REASON),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/promote',
  storesRecords: true,
  summary: 'Promote a feedback item to the backlog',
  description: `Creates an epic, a feature or a user story in the product of the item, with the title, description and tags of the item; with \`into\`, links an existing work item instead, as \`POST …/link\` does. The item and the work item show each other. The item gets the first status with the \`progress\` of the work item (\`to-do\` of a new one); ${SAME_PROGRESS_TEXT}. An item with another work item is a 409. The key also needs \`backlog:write\`.`,
  params: FeedbackParams,
  body: PromoteFeedbackItem,
  data: FeedbackItem,
  async handle(input) {
    const { params, body, db, actor, enqueue } = input
    requireScope(actor, 'backlog:write')
    if (body.type === undefined) return linkTo({ path: '/into', key: body.into ?? '' }, input)
    const { data, version } = await queries.promoteFeedbackItem(db, params, body.type)
    enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return {
      data: hideUnreadableAuthor(data, actor),
      version,
      message: `Feedback item promoted to ${data.work_item_external_id}`,
    }
  },
})

export const linkFeedbackItem = operation({
  id: 'linkFeedbackItem',
  ceiling: declareCeiling(110_000, WHOLE_EVENT_COST_REASON),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/link',
  summary: 'Link a feedback item to an existing work item',
  description: `Links a work item of the same product, which can have ${queries.MAX_IDEAS_PER_ITEM} feedback items. Both show each other. The item gets the first status with the \`progress\` of the work item, if the workspace has such a status; ${SAME_PROGRESS_TEXT}. The same work item again changes nothing. An item with another work item is a 409 that names it. Both records get an event \`updated\`. The key also needs \`backlog:write\`.`,
  params: FeedbackParams,
  body: LinkFeedbackItem,
  data: FeedbackItem,
  async handle(input) {
    requireScope(input.actor, 'backlog:write')
    return linkTo({ path: '/workItem', key: input.body.workItem }, input)
  },
})

export const unlinkFeedbackItem = operation({
  id: 'unlinkFeedbackItem',
  ceiling: declareCeiling(110_000, WHOLE_EVENT_COST_REASON),
  of: 'feedback',
  route: 'DELETE /api/feedback-items/{feedback_external_key}/link',
  summary: 'Unlink a feedback item from its work item',
  description:
    'Ends the link to the work item, also after a promotion. The work item stays, and the item keeps its status. An item without a work item stays as it is. Both records get an event `updated`. The key also needs `backlog:write`.',
  params: FeedbackParams,
  data: FeedbackItem,
  message: 'Feedback item unlinked',
  async handle({ params, db, actor, ifMatch }) {
    requireScope(actor, 'backlog:write')
    const { data } = await queries.unlinkFeedbackItem(db, params, ifMatch)
    return { data: hideUnreadableAuthor(data, actor) }
  },
})
