import * as z from 'zod'
import { operation } from '../../http/operation'
import { hideAuthorUnlessPermitted } from '../../workspace/comments/author'
import { FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { CreateStatusUpdate, ListStatusUpdates, StatusUpdate } from './schema'

export const createStatusUpdate = operation({
  id: 'createStatusUpdate',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/status-updates',
  storesRecords: true,
  summary: 'Post a status update on a feedback item',
  description:
    'Sets the status of the item, and mails the people who follow the item: author, voters for the item, commenters and subscribers, but not you. `notify` is `later` (default), `now`, or `none`, which mails nobody. An update with the present status of the item leaves the status. A merged item is a 409.',
  status: 201,
  params: FeedbackParams,
  body: CreateStatusUpdate,
  data: StatusUpdate,
  message: 'Status update saved',
  async handle({ params, body, db, actor, enqueue }) {
    const { data } = await queries.createStatusUpdate(db, params, body)
    if (body.notify !== 'none') enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return { data: hideAuthorUnlessPermitted(data, actor, 'feedback') }
  },
})

export const listStatusUpdates = operation({
  id: 'listStatusUpdates',
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/status-updates',
  summary: 'List the status updates on a feedback item',
  description:
    'Status updates, newest first. Changes of the status by a modify or by a work item are no status updates.',
  params: FeedbackParams,
  query: ListStatusUpdates,
  data: z.array(StatusUpdate),
  handle: ({ params, query, db }) => queries.listStatusUpdates(db, query, params),
})
