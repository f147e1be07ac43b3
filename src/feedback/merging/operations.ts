import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { hideUnreadableAuthor } from '../ideas/author'
import { FeedbackItem, FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { MergedFeedbackItem, MergedItemsQuery, MergeFeedbackItem } from './schema'

export const listMergedFeedbackItems = operation({
  id: 'listMergedFeedbackItems',
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/merged',
  summary: 'List the items merged into a feedback item',
  description:
    'The items whose target is this item, in the order of their creation. An unmerge of an item of the list brings the item back.',
  params: FeedbackParams,
  query: MergedItemsQuery,
  data: z.array(MergedFeedbackItem),
  async handle({ params, query, db }) {
    return { data: await queries.listMergedItems(db, params, query.limit) }
  },
})

export const mergeFeedbackItem = operation({
  id: 'mergeFeedbackItem',
  ceiling: declareCeiling(400_000, EACH_LINK_COST_REASON),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/merge',
  summary: 'Merge a feedback item into another',
  description:
    'Returns the target, the item `into`. The target gets all comments, and the votes and subscribers that the target does not have yet. The merged item leaves all lists, and its key and slug lead to the target; a write to a merged item is a 409. A merged item cannot be a target. Both items get an event in the log.',
  params: FeedbackParams,
  body: MergeFeedbackItem,
  data: FeedbackItem,
  message: 'Feedback items merged',
  async handle({ params, body, db, actor }) {
    const { data, version } = await queries.mergeFeedbackItem(db, params, body.into)
    return { data: hideUnreadableAuthor(data, actor), version }
  },
})

export const unmergeFeedbackItem = operation({
  id: 'unmergeFeedbackItem',
  ceiling: declareCeiling(110_000, EACH_LINK_COST_REASON),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/unmerge',
  summary: 'Unmerge a feedback item',
  description:
    'The item gets its votes, comments and subscribers back. New votes and comments on the target stay on the target. An item that is not merged is a 409. An item whose target is merged itself is a 409, too: unmerge the target first.',
  params: FeedbackParams,
  data: FeedbackItem,
  message: 'Feedback item unmerged',
  async handle({ params, db, actor }) {
    const { data, version } = await queries.unmergeFeedbackItem(db, params)
    return { data: hideUnreadableAuthor(data, actor), version }
  },
})
