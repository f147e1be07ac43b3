import { sql } from 'drizzle-orm'
import { guard } from '../../db/client/refuse'
import { feedbackComments, feedbackItems, feedbackMergedComments } from '../../db/schema/feedback'
import { coversProduct } from '../../db/sql/access'
import { caller, param, type Values } from '../../db/sql/statement'
import { valueOfComment } from '../../workspace/comments/fields'
import { createCommentQueries } from '../../workspace/comments/statements'
import {
  createRejectedItemGuard,
  createSubscribeStatement,
  feedback,
  itemRejected,
  standingFeedback,
} from '../ideas/statements'
import { commentFields } from './fields'

const subscribeCommenter = createSubscribeStatement(feedback.id, caller.user, 'comment')

const commentedItemId = valueOfComment(feedbackComments, 'commentId', feedbackComments.feedbackId)
const subscribeReplier = createSubscribeStatement(commentedItemId, caller.user, 'comment')
const commentedItemRejected = createRejectedItemGuard(sql`${feedbackItems.id} = ${commentedItemId}`)

/** Unmerging returns the comment to the merged item, so a change needs access to the product of that item too. */
const keyExcludesMergedItem = guard<Values>(
  'insufficient_scope:This comment belongs to a merged item of another product, and returns to that item. This API key does not cover the other product. Use a key that covers both products.',
  sql`${caller.products} IS NOT NULL AND EXISTS (SELECT 1
    FROM ${feedbackMergedComments} CROSS JOIN ${feedbackItems} s ON s.id = ${feedbackMergedComments.feedbackId}
    WHERE ${feedbackMergedComments.subscriptionId} = ${caller.subscription}
      AND ${feedbackMergedComments.commentId} = ${param('commentId')} AND NOT ${coversProduct(sql`s.product_id`)})`,
)

export const commentQueries = createCommentQueries('comment', {
  table: feedbackComments,
  parameter: 'commentId',
  commented: feedback,
  commentedIdName: 'feedbackId',
  listParent: standingFeedback,
  fields: commentFields,
  // Only public comments subscribe the author to status mails.
  onAdd: (key, { isPrivate }) => ({
    guards: [itemRejected(key)],
    statements: isPrivate ? [] : [subscribeCommenter(key)],
  }),
  onReply: (key) => ({ guards: [commentedItemRejected(key)], statements: [subscribeReplier(key)] }),
  changeGuards: (key) => [keyExcludesMergedItem(key)],
})
