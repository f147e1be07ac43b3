import { EACH_LINK, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { FeedbackItem, FeedbackParams } from '../ideas/schema'
import { withAuthor } from '../ideas/shown'
import * as queries from './queries'
import { MergeFeedbackItem } from './schema'

export const mergeFeedbackItem = operation({
  id: 'mergeFeedbackItem',
  ceiling: walk(210_000, EACH_LINK),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/merge',
  summary: 'Merge a feedback item into another',
  description:
    'The other one, which is answered, has its comments from then on, and the votes and subscribers that it does not have yet. The merged item leaves the lists, and its key and slug lead to the other; a write to it is a 409. One that is merged itself cannot be merged into. The log tells it of both.',
  params: FeedbackParams,
  body: MergeFeedbackItem,
  data: FeedbackItem,
  message: 'Feedback items merged',
  async handle({ params, body, db, actor }) {
    const { data, version } = await queries.mergeFeedbackItem(db, params, body.into)
    return { data: withAuthor(data, actor), version }
  },
})

export const unmergeFeedbackItem = operation({
  id: 'unmergeFeedbackItem',
  ceiling: walk(110_000, EACH_LINK),
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/unmerge',
  summary: 'Take back a merge',
  description:
    'The item has its votes, comments and subscribers again, as they were; what was voted and said on the other one since stays there. One that is not merged is a 409, and so is one whose target is merged further: that is unmerged first.',
  params: FeedbackParams,
  data: FeedbackItem,
  message: 'Feedback item unmerged',
  async handle({ params, db, actor }) {
    const { data, version } = await queries.unmergeFeedbackItem(db, params)
    return { data: withAuthor(data, actor), version }
  },
})
