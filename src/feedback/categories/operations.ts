import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../http/ceiling'
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
  of: 'feedback',
  route: 'POST /api/feedback-items/categories',
  summary: 'Create a feedback category',
  description: 'A name with the slug of another category is a 409.',
  workspaceWide: true,
  body: CreateFeedbackCategory,
  data: FeedbackCategory,
  message: 'Category saved',
  location: '/api/feedback-items/categories/{id}',
  handle: ({ body, db }) => queries.createFeedbackCategory(db, body),
})

export const listFeedbackCategories = operation({
  id: 'listFeedbackCategories',
  of: 'feedback',
  route: 'GET /api/feedback-items/categories',
  summary: 'List feedback categories',
  description: 'Categories of the whole workspace, in the order of their names.',
  query: ListFeedbackCategories,
  data: z.array(FeedbackCategory),
  handle: ({ query, db }) => queries.listFeedbackCategories(db, query),
})

export const getFeedbackCategory = operation({
  id: 'getFeedbackCategory',
  of: 'category',
  route: 'GET /api/feedback-items/categories/{categoryId}',
  summary: 'Retrieve a feedback category',
  description: 'Feedback items show this id as `category_id`.',
  params: CategoryParams,
  data: FeedbackCategory,
  handle: ({ params, db }) => queries.getFeedbackCategory(db, params),
})

export const modifyFeedbackCategory = operation({
  id: 'modifyFeedbackCategory',
  of: 'category',
  route: 'PUT /api/feedback-items/categories/{categoryId}',
  summary: 'Modify a feedback category',
  description: 'Changes the sent fields only; `null` clears a field. A new name also changes the slug.',
  workspaceWide: true,
  params: CategoryParams,
  body: ModifyFeedbackCategory,
  data: FeedbackCategory,
  message: 'Category saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyFeedbackCategory(db, params, body, ifMatch),
})

export const removeFeedbackCategory = operation({
  id: 'removeFeedbackCategory',
  of: 'category',
  route: 'DELETE /api/feedback-items/categories/{categoryId}',
  summary: 'Remove a feedback category',
  description:
    'A category with items is a 409, unless `moveTo` names another category for the items. You can restore the category for 30 days.',
  workspaceWide: true,
  conflicts: ['in_use'],
  params: CategoryParams,
  query: RemoveFeedbackCategory,
  message: 'Category removed',
  handle: ({ params, query, db, ifMatch }) => queries.removeFeedbackCategory(db, params, query.moveTo, ifMatch),
})

export const restoreFeedbackCategory = operation({
  id: 'restoreFeedbackCategory',
  of: 'category',
  route: 'POST /api/feedback-items/categories/{categoryId}/restore',
  summary: 'Restore a removed feedback category',
  description: 'Moved items stay in their new category. A slug that another category uses by now is a 409.',
  workspaceWide: true,
  params: CategoryParams,
  data: FeedbackCategory,
  message: 'Category restored',
  handle: ({ params, db }) => queries.restoreFeedbackCategory(db, params),
})

export const mergeFeedbackCategory = operation({
  id: 'mergeFeedbackCategory',
  ceiling: declareCeiling(600_000, EACH_LINK_COST_REASON),
  of: 'category',
  route: 'POST /api/feedback-items/categories/{categoryId}/merge',
  summary: 'Merge a feedback category into another',
  description: 'Moves all items to the category `into`, removes this category, and returns the category `into`.',
  workspaceWide: true,
  params: CategoryParams,
  body: MergeFeedbackCategory,
  data: FeedbackCategory,
  message: 'Categories merged',
  handle: ({ params, body, db }) => queries.mergeFeedbackCategory(db, params, body.into),
})
