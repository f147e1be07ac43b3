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
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/comments',
  summary: 'Comment on a feedback item',
  description:
    'As the user of the key. Public ones are shown and counted with the item; whoever writes one is mailed when its status changes, until they leave. On a rejected item it is a 409.',
  status: 201,
  params: FeedbackParams,
  body: AddComment,
  data: FeedbackComment,
  handle: writes.add,
})

export const listComments = operation({
  id: 'listComments',
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/comments',
  summary: 'List the comments on a feedback item',
  description:
    'The oldest first, replies among them. A removed one that something answers keeps its place, without its text. Private ones are shown to keys that read the workspace (`products:read`), and to those of whoever wrote them.',
  params: FeedbackParams,
  query: ListComments,
  data: z.array(FeedbackComment),
  handle: ({ params, query, db }) => comments.list(db, query, params),
})

export const replyToComment = operation({
  id: 'replyToComment',
  of: 'comment',
  route: 'POST /api/feedback-items/comments/{commentId}/reply',
  summary: 'Reply to a comment',
  description: 'A reply to a private comment is private.',
  status: 201,
  params: CommentParams,
  body: ReplyToComment,
  data: FeedbackComment,
  handle: writes.reply,
})

export const getComment = operation({
  id: 'getComment',
  of: 'comment',
  route: 'GET /api/feedback-items/comments/{commentId}',
  summary: 'Retrieve a comment',
  description: 'Of whichever item.',
  params: CommentParams,
  data: FeedbackComment,
  handle: ({ params, db }) => comments.get(db, params),
})

export const modifyComment = operation({
  id: 'modifyComment',
  of: 'comment',
  route: 'PUT /api/feedback-items/comments/{commentId}',
  summary: 'Modify a comment',
  description:
    'Changes the fields that are sent. Whether it is private stays. A comment that came with a merged item of another product is for keys that cover both: to modify, to remove and to restore.',
  params: CommentParams,
  body: ModifyComment,
  data: FeedbackComment,
  handle: writes.modify,
})

export const removeComment = operation({
  id: 'removeComment',
  of: 'comment',
  route: 'DELETE /api/feedback-items/comments/{commentId}',
  summary: 'Remove a comment',
  description: 'One that something answers keeps its place, without its text. It can be restored for 30 days.',
  params: CommentParams,
  handle: writes.remove,
})

export const restoreComment = operation({
  id: 'restoreComment',
  of: 'comment',
  route: 'POST /api/feedback-items/comments/{commentId}/restore',
  summary: 'Restore a removed comment',
  description: 'With its text.',
  params: CommentParams,
  data: FeedbackComment,
  handle: writes.restore,
})
