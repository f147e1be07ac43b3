import * as z from 'zod'
import { operation } from '../../http/operation'
import { createCommentHandlers } from '../../workspace/comments/handlers'
import { AddComment, ListComments, ModifyComment, ReplyToComment, UpsertComment } from '../../workspace/comments/schema'
import { WorkItemParams } from '../items/schema'
import { itemCommentQueries } from './queries'
import { ExternalItemCommentParams, ItemComment, ItemCommentParams } from './schema'

const itemCommentHandlers = createCommentHandlers('backlog', itemCommentQueries)

export const addItemComment = operation({
  id: 'addItemComment',
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/{item_external_key}/comments',
  summary: 'Comment on a work item',
  description: 'The author is the user of the key.',
  location: '/api/initiatives/{product_external_key}/backlog/comments/{id}',
  params: WorkItemParams,
  body: AddComment,
  data: ItemComment,
  handle: itemCommentHandlers.add,
})

export const listItemComments = operation({
  id: 'listItemComments',
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/{item_external_key}/comments',
  summary: 'List the comments on a work item',
  description:
    'Comments and replies, the oldest first. A removed comment with replies keeps its place, without its text. Private comments are visible to keys that read the workspace (`products:read`) and to keys of their authors.',
  params: WorkItemParams,
  query: ListComments,
  data: z.array(ItemComment),
  handle: ({ params, query, db }) => itemCommentQueries.list(db, query, params),
})

export const replyToItemComment = operation({
  id: 'replyToItemComment',
  of: 'work_item_comment',
  route: 'POST /api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}/reply',
  summary: 'Reply to a comment on a work item',
  description: 'A reply to a private comment is private.',
  location: '/api/initiatives/{product_external_key}/backlog/comments/{id}',
  params: ItemCommentParams,
  body: ReplyToComment,
  data: ItemComment,
  handle: itemCommentHandlers.reply,
})

export const getItemComment = operation({
  id: 'getItemComment',
  of: 'work_item_comment',
  route: 'GET /api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  summary: 'Retrieve a comment on a work item',
  description: 'The comment can be on any item of the product.',
  params: ItemCommentParams,
  data: ItemComment,
  handle: ({ params, db }) => itemCommentQueries.get(db, params),
})

export const modifyItemComment = operation({
  id: 'modifyItemComment',
  of: 'work_item_comment',
  route: 'PUT /api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  summary: 'Modify a comment on a work item',
  description:
    'Changes the fields that you send. With a comment that becomes private, the replies below it become private. Making a comment of somebody else private needs `products:read`.',
  params: ItemCommentParams,
  body: ModifyComment,
  data: ItemComment,
  handle: itemCommentHandlers.modify,
})

export const removeItemComment = operation({
  id: 'removeItemComment',
  of: 'work_item_comment',
  route: 'DELETE /api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  summary: 'Remove a comment on a work item',
  description: 'A comment with replies keeps its place, without its text. You can restore the comment for 30 days.',
  params: ItemCommentParams,
  handle: itemCommentHandlers.remove,
})

export const restoreItemComment = operation({
  id: 'restoreItemComment',
  of: 'work_item_comment',
  route: 'POST /api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}/restore',
  summary: 'Restore a removed comment on a work item',
  description: 'Restores the text too.',
  params: ItemCommentParams,
  data: ItemComment,
  handle: itemCommentHandlers.restore,
})

export const upsertItemComment = operation({
  id: 'upsertItemComment',
  of: 'work_item_comment',
  route:
    'PUT /api/initiatives/{product_external_key}/backlog/{item_external_key}/comments/external/{source}/{externalId}',
  summary: 'Create or modify a comment on a work item by its id in another system',
  description:
    'The first request creates the comment (201); later requests change `text` and `isPrivate` (200), but not the author, the time or the parent. Only one of several concurrent requests creates the comment. The id is unique among the comments of the item and the source. A removed comment is a 409.',
  status: 201,
  alternativeStatus: 200,
  location: '/api/initiatives/{product_external_key}/backlog/comments/{id}',
  params: ExternalItemCommentParams,
  body: UpsertComment,
  errors: ['work_item_not_found'],
  data: ItemComment,
  conditional: false,
  message: 'Comment saved',
  handle: itemCommentHandlers.upsert,
})
