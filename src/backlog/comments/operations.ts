import * as z from 'zod'
import { operation } from '../../http/operation'
import { writesOf } from '../../workspace/comments/handlers'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from '../../workspace/comments/schema'
import { WorkItemParams } from '../items/schema'
import { comments } from './queries'
import { ItemComment, ItemCommentParams } from './schema'

const writes = writesOf(
  'backlog',
  comments,
  (id, { product_external_key }: { product_external_key: string }) =>
    `/api/initiatives/${product_external_key}/backlog/comments/${id}`,
)

export const addItemComment = operation({
  id: 'addItemComment',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/comments',
  tag: 'Backlog',
  summary: 'Comment on a work item',
  description: 'As the user of the key.',
  scope: 'backlog:write',
  status: 201,
  params: WorkItemParams,
  body: AddComment,
  data: ItemComment,
  errors: ['work_item_not_found'],
  handle: writes.add,
})

export const listItemComments = operation({
  id: 'listItemComments',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/comments',
  tag: 'Backlog',
  summary: 'List the comments on a work item',
  description:
    'The oldest first, replies among them. A removed one that something answers keeps its place, without its text. Private ones are shown to keys that read the workspace (`products:read`), and to those of whoever wrote them.',
  scope: 'backlog:read',
  params: WorkItemParams,
  query: ListComments,
  data: z.array(ItemComment),
  errors: ['work_item_not_found'],
  handle: ({ params, query, db }) => comments.list(db, query, params),
})

export const replyToItemComment = operation({
  id: 'replyToItemComment',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}/reply',
  tag: 'Backlog',
  summary: 'Reply to a comment on a work item',
  description: 'A reply to a private comment is private.',
  scope: 'backlog:write',
  status: 201,
  params: ItemCommentParams,
  body: ReplyToComment,
  data: ItemComment,
  errors: ['comment_not_found'],
  handle: writes.reply,
})

export const getItemComment = operation({
  id: 'getItemComment',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  tag: 'Backlog',
  summary: 'Retrieve a comment on a work item',
  description: 'Of whichever item of the product.',
  scope: 'backlog:read',
  params: ItemCommentParams,
  data: ItemComment,
  errors: ['comment_not_found'],
  handle: ({ params, db }) => comments.get(db, params),
})

export const modifyItemComment = operation({
  id: 'modifyItemComment',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  tag: 'Backlog',
  summary: 'Modify a comment on a work item',
  description: 'Changes the fields that are sent. Whether it is private stays.',
  scope: 'backlog:write',
  params: ItemCommentParams,
  body: ModifyComment,
  data: ItemComment,
  errors: ['comment_not_found'],
  conditional: true,
  handle: writes.modify,
})

export const removeItemComment = operation({
  id: 'removeItemComment',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  tag: 'Backlog',
  summary: 'Remove a comment on a work item',
  description: 'One that something answers keeps its place, without its text. It can be restored for 30 days.',
  scope: 'backlog:write',
  params: ItemCommentParams,
  data: z.object({}),
  errors: ['comment_not_found'],
  conditional: true,
  handle: writes.remove,
})

export const restoreItemComment = operation({
  id: 'restoreItemComment',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}/restore',
  tag: 'Backlog',
  summary: 'Restore a removed comment on a work item',
  description: 'With its text.',
  scope: 'backlog:write',
  params: ItemCommentParams,
  data: ItemComment,
  errors: ['comment_not_found'],
  handle: writes.restore,
})
