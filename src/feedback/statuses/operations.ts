import * as z from 'zod'
import { operation } from '../../http/operation'
import * as queries from './queries'
import {
  CreateFeedbackStatus,
  FeedbackStatus,
  ListFeedbackStatuses,
  ModifyFeedbackStatus,
  RemoveFeedbackStatus,
  StatusParams,
} from './schema'

export const createFeedbackStatus = operation({
  id: 'createFeedbackStatus',
  of: 'feedback_status',
  route: 'POST /api/feedback-items/statuses',
  summary: 'Create a feedback status',
  description: 'A name with the slug of another status is a 409.',
  workspaceWide: true,
  body: CreateFeedbackStatus,
  data: FeedbackStatus,
  message: 'Status saved',
  location: '/api/feedback-items/statuses/{id}',
  handle: ({ body, db }) => queries.createFeedbackStatus(db, body),
})

export const listFeedbackStatuses = operation({
  id: 'listFeedbackStatuses',
  of: 'feedback_status',
  route: 'GET /api/feedback-items/statuses',
  summary: 'List feedback statuses',
  description:
    'Statuses by `order`. Every workspace begins with open, under review, planned, in progress, completed, declined and duplicate.',
  query: ListFeedbackStatuses,
  data: z.array(FeedbackStatus),
  handle: ({ query, db }) => queries.listFeedbackStatuses(db, query),
})

export const getFeedbackStatus = operation({
  id: 'getFeedbackStatus',
  of: 'feedback_status',
  route: 'GET /api/feedback-items/statuses/{statusId}',
  summary: 'Retrieve a feedback status',
  description: 'Feedback items show this id as `status_id`.',
  params: StatusParams,
  data: FeedbackStatus,
  handle: ({ params, db }) => queries.getFeedbackStatus(db, params),
})

export const modifyFeedbackStatus = operation({
  id: 'modifyFeedbackStatus',
  of: 'feedback_status',
  route: 'PUT /api/feedback-items/statuses/{statusId}',
  summary: 'Modify a feedback status',
  description: 'Changes the sent fields only; `null` clears a field. Items show a new name at once.',
  workspaceWide: true,
  params: StatusParams,
  body: ModifyFeedbackStatus,
  data: FeedbackStatus,
  message: 'Status saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyFeedbackStatus(db, params, body, ifMatch),
})

export const removeFeedbackStatus = operation({
  id: 'removeFeedbackStatus',
  of: 'feedback_status',
  route: 'DELETE /api/feedback-items/statuses/{statusId}',
  summary: 'Remove a feedback status',
  description:
    'A status with items is a 409, unless `moveTo` names another status for the items; the move sends no mail. You can restore the status for 30 days.',
  workspaceWide: true,
  conflicts: ['in_use'],
  params: StatusParams,
  query: RemoveFeedbackStatus,
  message: 'Status removed',
  handle: ({ params, query, db, ifMatch }) => queries.removeFeedbackStatus(db, params, query.moveTo, ifMatch),
})

export const restoreFeedbackStatus = operation({
  id: 'restoreFeedbackStatus',
  of: 'feedback_status',
  route: 'POST /api/feedback-items/statuses/{statusId}/restore',
  summary: 'Restore a removed feedback status',
  description: 'Moved items keep their new status. A name that another status uses by now is a 409.',
  workspaceWide: true,
  params: StatusParams,
  data: FeedbackStatus,
  message: 'Status restored',
  handle: ({ params, db }) => queries.restoreFeedbackStatus(db, params),
})
