import * as z from 'zod'
import { declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { createCommentHandlers } from '../../workspace/comments/handlers'
import { AddComment, ListComments, ModifyComment, ReplyToComment, UpsertComment } from '../../workspace/comments/schema'
import { FeedbackParams } from '../ideas/schema'
import { commentQueries, listAllComments as readAllComments } from './queries'
import { CommentParams, ExternalFeedbackCommentParams, FeedbackComment, ListAllComments } from './schema'

const commentHandlers = createCommentHandlers('feedback', commentQueries)

export const addComment = operation({
  id: 'addComment',
  of: 'feedback',
  route: 'POST /api/feedback-items/{feedback_external_key}/comments',
  summary: 'Comment on a feedback item',
  description:
    'The author is the user of the key. A public comment is shown and counted with the item, and subscribes the author to mail about status changes, unless the author has unsubscribed. A comment on a rejected item is a 409.',
  location: '/api/feedback-items/comments/{id}',
  params: FeedbackParams,
  body: AddComment,
  data: FeedbackComment,
  handle: commentHandlers.add,
})

export const listComments = operation({
  id: 'listComments',
  of: 'feedback',
  route: 'GET /api/feedback-items/{feedback_external_key}/comments',
  summary: 'List the comments on a feedback item',
  description:
    'Comments and replies in one list, oldest first. A removed comment with replies keeps its place, without its text. Private comments are shown to keys with the scope `products:read`, and to keys of their author.',
  params: FeedbackParams,
  query: ListComments,
  data: z.array(FeedbackComment),
  handle: ({ params, query, db }) => commentQueries.list(db, query, params),
})

export const listAllComments = operation({
  id: 'listAllComments',
  ceiling: declareCeiling(41_000, PAGE_RECORDS_COST_REASON),
  of: 'comment',
  route: 'GET /api/v2/comments',
  summary: 'List the comments on all feedback items',
  description:
    'Comments and replies on the items of all products, newest first, for mirrors and reports. The comments are shown as in the list of an item: a removed comment with replies keeps its place, without its text, and private comments are shown to keys with the scope `products:read`, and to keys of their author. Comments of removed items are not listed. A key that is limited to products sees the comments of its products; each page looks at 10,000 comments and can be short or empty and still have a next page. A merge moves the comments to the other item, and leaves `updatedAt`.',
  query: ListAllComments,
  data: z.array(FeedbackComment),
  handle: ({ query, db }) => readAllComments(db, query),
})

export const replyToComment = operation({
  id: 'replyToComment',
  of: 'comment',
  route: 'POST /api/feedback-items/comments/{commentId}/reply',
  summary: 'Reply to a comment',
  description: 'A reply to a private comment is private. A private reply mails mentioned colleagues only.',
  location: '/api/feedback-items/comments/{id}',
  params: CommentParams,
  body: ReplyToComment,
  data: FeedbackComment,
  handle: commentHandlers.reply,
})

export const getComment = operation({
  id: 'getComment',
  of: 'comment',
  route: 'GET /api/feedback-items/comments/{commentId}',
  summary: 'Retrieve a comment',
  description: 'A comment on any feedback item.',
  params: CommentParams,
  data: FeedbackComment,
  handle: ({ params, db }) => commentQueries.get(db, params),
})

export const modifyComment = operation({
  id: 'modifyComment',
  of: 'comment',
  route: 'PUT /api/feedback-items/comments/{commentId}',
  summary: 'Modify a comment',
  description:
    'Changes the sent fields only. A comment that becomes private leaves the counts, feeds and pages with the replies below it. Making a comment of somebody else private needs `products:read`. To modify, remove or restore a comment of a merged item of another product, use a key that covers both products.',
  params: CommentParams,
  body: ModifyComment,
  data: FeedbackComment,
  handle: commentHandlers.modify,
})

export const removeComment = operation({
  id: 'removeComment',
  of: 'comment',
  route: 'DELETE /api/feedback-items/comments/{commentId}',
  summary: 'Remove a comment',
  description: 'A comment with replies keeps its place, without its text. You can restore the comment for 30 days.',
  params: CommentParams,
  handle: commentHandlers.remove,
})

export const restoreComment = operation({
  id: 'restoreComment',
  of: 'comment',
  route: 'POST /api/feedback-items/comments/{commentId}/restore',
  summary: 'Restore a removed comment',
  description: 'Restores the comment with its text.',
  params: CommentParams,
  data: FeedbackComment,
  handle: commentHandlers.restore,
})

export const upsertComment = operation({
  id: 'upsertComment',
  of: 'comment',
  route: 'PUT /api/feedback-items/{feedback_external_key}/comments/external/{source}/{externalId}',
  summary: 'Create or modify a comment by its id in another system',
  description:
    'The first request creates the comment (201), and subscribes the author of a public comment as a new comment does; later requests change `text` and `isPrivate` (200), but not the author, the time or the parent. Only one of several concurrent requests creates the comment. The id is unique among the comments of the item and the source. A removed comment is a 409.',
  status: 201,
  alternativeStatus: 200,
  location: '/api/feedback-items/comments/{id}',
  params: ExternalFeedbackCommentParams,
  body: UpsertComment,
  errors: ['feedback_item_not_found'],
  data: FeedbackComment,
  conditional: false,
  message: 'Comment saved',
  handle: commentHandlers.upsert,
})
