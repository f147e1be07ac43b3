import * as z from 'zod'
import { operation } from '../../http/operation'
import * as queries from './queries'
import {
  CategoryParams,
  CreateFeedbackCategory,
  FeedbackCategory,
  ListFeedbackCategories,
  MergeFeedbackCategory,
  ModifyFeedbackCategory,
  RemoveFeedbackCategory,
} from './schema'

export const createFeedbackCategory = operation({
  id: 'createFeedbackCategory',
  method: 'post',
  path: '/api/feedback-items/categories',
  tag: 'Feedback',
  summary: 'Create a feedback category',
  description: 'A name whose slug another category has is a 409.',
  scope: 'feedback:write',
  workspaceWide: true,
  status: 201,
  body: CreateFeedbackCategory,
  data: FeedbackCategory,
  message: 'Category saved',
  location: '/api/feedback-items/categories/{id}',
  handle: ({ body, db }) => queries.createFeedbackCategory(db, body),
})

export const listFeedbackCategories = operation({
  id: 'listFeedbackCategories',
  method: 'get',
  path: '/api/feedback-items/categories',
  tag: 'Feedback',
  summary: 'List feedback categories',
  description: 'By name. They belong to the whole workspace.',
  scope: 'feedback:read',
  query: ListFeedbackCategories,
  data: z.array(FeedbackCategory),
  handle: ({ query, db }) => queries.listFeedbackCategories(db, query),
})

export const getFeedbackCategory = operation({
  id: 'getFeedbackCategory',
  method: 'get',
  path: '/api/feedback-items/categories/{categoryId}',
  tag: 'Feedback',
  summary: 'Retrieve a feedback category',
  description: 'By its id, which feedback items have as `category_id`.',
  scope: 'feedback:read',
  params: CategoryParams,
  data: FeedbackCategory,
  errors: ['category_not_found'],
  handle: ({ params, db }) => queries.getFeedbackCategory(db, params),
})

export const modifyFeedbackCategory = operation({
  id: 'modifyFeedbackCategory',
  method: 'put',
  path: '/api/feedback-items/categories/{categoryId}',
  tag: 'Feedback',
  summary: 'Modify a feedback category',
  description: 'Changes the fields that are sent; `null` clears one. A new name makes a new slug.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: CategoryParams,
  body: ModifyFeedbackCategory,
  data: FeedbackCategory,
  errors: ['category_not_found'],
  conditional: true,
  message: 'Category saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyFeedbackCategory(db, params, body, ifMatch),
})

export const removeFeedbackCategory = operation({
  id: 'removeFeedbackCategory',
  method: 'delete',
  path: '/api/feedback-items/categories/{categoryId}',
  tag: 'Feedback',
  summary: 'Remove a feedback category',
  description:
    'One that items are in is a 409, unless `moveTo` names another, which they move to. It can be restored for 30 days.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: CategoryParams,
  query: RemoveFeedbackCategory,
  data: z.object({}),
  errors: ['category_not_found'],
  conditional: true,
  message: 'Category removed',
  handle: ({ params, query, db, ifMatch }) => queries.removeFeedbackCategory(db, params, query.moveTo, ifMatch),
})

export const restoreFeedbackCategory = operation({
  id: 'restoreFeedbackCategory',
  method: 'post',
  path: '/api/feedback-items/categories/{categoryId}/restore',
  tag: 'Feedback',
  summary: 'Restore a removed feedback category',
  description: 'Without items: those that have moved stay. A slug that another category has taken since is a 409.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: CategoryParams,
  data: FeedbackCategory,
  errors: ['category_not_found'],
  message: 'Category restored',
  handle: ({ params, db }) => queries.restoreFeedbackCategory(db, params),
})

export const mergeFeedbackCategory = operation({
  id: 'mergeFeedbackCategory',
  method: 'post',
  path: '/api/feedback-items/categories/{categoryId}/merge',
  tag: 'Feedback',
  summary: 'Merge a feedback category into another',
  description: 'Its items move to the other one, which is answered; it is removed.',
  scope: 'feedback:write',
  workspaceWide: true,
  params: CategoryParams,
  body: MergeFeedbackCategory,
  data: FeedbackCategory,
  errors: ['category_not_found'],
  message: 'Categories merged',
  handle: ({ params, body, db }) => queries.mergeFeedbackCategory(db, params, body.into),
})
