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
  method: 'post',
  path: '/api/feedback-items/statuses',
  tag: 'Feedback',
  summary: 'Create a feedback status',
  description: 'A name that another status has is a 409.',
  scope: 'feedback:write',
  workspaceWide: true,
  status: 201,
  body: CreateFeedbackStatus,
  data: FeedbackStatus,
  message: 'Status saved',
  location: '/api/feedback-items/statuses/{id}',
  handle: ({ body, db }) => queries.createFeedbackStatus(db, body),
})

export const listFeedbackStatuses = operation({
  id: 'listFeedbackStatuses',
  method: 'get',
  path: '/api/feedback-items/statuses',
  tag: 'Feedback',
  summary: 'List feedback statuses',
  description:
    'In their order. Every workspace begins with open, under review, planned, in progress, completed, declined and duplicate.',
  scope: 'feedback:read',
  query: ListFeedbackStatuses,
  data: z.array(FeedbackStatus),
  handle: ({ query, db }) => queries.listFeedbackStatuses(db, query),
})

export const getFeedbackStatus = operation({
  id: 'getFeedbackStatus',
  method: 'get',
  path: '/api/feedback-items/statuses/{statusId}',
  tag: 'Feedback',
  summary: 'Retrieve a feedback status',
  description: 'By its id, which feedback items have as `status_id`.',
  scope: 'feedback:read',
  params: StatusParams,
  data: FeedbackStatus,
  errors: ['feedback_status_not_found'],
  handle: ({ params, db }) => queries.getFeedbackStatus(db, params),
})

export const modifyFeedbackStatus = operation({
  id: 'modifyFeedbackStatus',
  method: 'put',
  path: '/api/feedback-items/statuses/{statusId}',
  tag: 'Feedback',
  summary: 'Modify a feedback status',
  description: 'Changes the fields that are sent; `null` clears one. Its items show the new name at once.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: StatusParams,
  body: ModifyFeedbackStatus,
  data: FeedbackStatus,
  errors: ['feedback_status_not_found'],
  conditional: true,
  message: 'Status saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyFeedbackStatus(db, params, body, ifMatch),
})

export const removeFeedbackStatus = operation({
  id: 'removeFeedbackStatus',
  method: 'delete',
  path: '/api/feedback-items/statuses/{statusId}',
  tag: 'Feedback',
  summary: 'Remove a feedback status',
  description:
    'One that items have is a 409, unless `moveTo` names another, which they get; nobody is mailed about that. It can be restored for 30 days.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: StatusParams,
  query: RemoveFeedbackStatus,
  data: z.object({}),
  errors: ['feedback_status_not_found'],
  conditional: true,
  message: 'Status removed',
  handle: ({ params, query, db, ifMatch }) => queries.removeFeedbackStatus(db, params, query.moveTo, ifMatch),
})

export const restoreFeedbackStatus = operation({
  id: 'restoreFeedbackStatus',
  method: 'post',
  path: '/api/feedback-items/statuses/{statusId}/restore',
  tag: 'Feedback',
  summary: 'Restore a removed feedback status',
  description: 'Without items: those that have another stay with it. A name that is taken since is a 409.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: StatusParams,
  data: FeedbackStatus,
  errors: ['feedback_status_not_found'],
  message: 'Status restored',
  handle: ({ params, db }) => queries.restoreFeedbackStatus(db, params),
})
