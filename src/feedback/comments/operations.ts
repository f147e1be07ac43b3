import * as z from 'zod'
import { operation } from '../../http/operation'
import { writesOf } from '../../workspace/comments/handlers'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from '../../workspace/comments/schema'
import { FeedbackParams } from '../ideas/schema'
import { comments } from './queries'
import { CommentParams, FeedbackComment } from './schema'

const writes = writesOf('feedback', comments, (id) => `/api/feedback-items/comments/${id}`)

export const addComment = operation({
  id: 'addComment',
  method: 'post',
  path: '/api/feedback-items/{feedback_external_key}/comments',
  tag: 'Feedback',
  summary: 'Comment on a feedback item',
  description:
    'As the user of the key. Public ones are shown and counted with the item; whoever writes one is mailed when its status changes, until they leave. On a rejected item it is a 409.',
  scope: 'feedback:write',
  status: 201,
  params: FeedbackParams,
  body: AddComment,
  data: FeedbackComment,
  errors: ['feedback_item_not_found'],
  handle: writes.add,
})

export const listComments = operation({
  id: 'listComments',
  method: 'get',
  path: '/api/feedback-items/{feedback_external_key}/comments',
  tag: 'Feedback',
  summary: 'List the comments on a feedback item',
  description:
    'The oldest first, replies among them. A removed one that something answers keeps its place, without its text. Private ones are shown to keys that read the workspace (`products:read`), and to those of whoever wrote them.',
  scope: 'feedback:read',
  params: FeedbackParams,
  query: ListComments,
  data: z.array(FeedbackComment),
  errors: ['feedback_item_not_found'],
  handle: ({ params, query, db }) => comments.list(db, query, params),
})

export const replyToComment = operation({
  id: 'replyToComment',
  method: 'post',
  path: '/api/feedback-items/comments/{commentId}/reply',
  tag: 'Feedback',
  summary: 'Reply to a comment',
  description: 'A reply to a private comment is private.',
  scope: 'feedback:write',
  status: 201,
  params: CommentParams,
  body: ReplyToComment,
  data: FeedbackComment,
  errors: ['comment_not_found'],
  handle: writes.reply,
})

export const getComment = operation({
  id: 'getComment',
  method: 'get',
  path: '/api/feedback-items/comments/{commentId}',
  tag: 'Feedback',
  summary: 'Retrieve a comment',
  description: 'Of whichever item.',
  scope: 'feedback:read',
  params: CommentParams,
  data: FeedbackComment,
  errors: ['comment_not_found'],
  handle: ({ params, db }) => comments.get(db, params),
})

export const modifyComment = operation({
  id: 'modifyComment',
  method: 'put',
  path: '/api/feedback-items/comments/{commentId}',
  tag: 'Feedback',
  summary: 'Modify a comment',
  description: 'Changes the fields that are sent. Whether it is private stays.',
  scope: 'feedback:write',
  params: CommentParams,
  body: ModifyComment,
  data: FeedbackComment,
  errors: ['comment_not_found'],
  conditional: true,
  handle: writes.modify,
})

export const removeComment = operation({
  id: 'removeComment',
  method: 'delete',
  path: '/api/feedback-items/comments/{commentId}',
  tag: 'Feedback',
  summary: 'Remove a comment',
  description: 'One that something answers keeps its place, without its text. It can be restored for 30 days.',
  scope: 'feedback:write',
  params: CommentParams,
  data: z.object({}),
  errors: ['comment_not_found'],
  conditional: true,
  handle: writes.remove,
})

export const restoreComment = operation({
  id: 'restoreComment',
  method: 'post',
  path: '/api/feedback-items/comments/{commentId}/restore',
  tag: 'Feedback',
  summary: 'Restore a removed comment',
  description: 'With its text.',
  scope: 'feedback:write',
  params: CommentParams,
  data: FeedbackComment,
  errors: ['comment_not_found'],
  handle: writes.restore,
})
