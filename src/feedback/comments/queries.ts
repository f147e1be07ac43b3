import { sql } from 'drizzle-orm'
import { guard } from '../../db/client/refuse'
import { feedbackComments, feedbackItems, feedbackMergedComments } from '../../db/schema/feedback'
import { coversProduct } from '../../db/sql/access'
import { computedValue } from '../../db/sql/field'
import { caller, param, type Values } from '../../db/sql/statement'
import { commentFieldsOf, valueOfComment } from '../../workspace/comments/fields'
import { createCommentQueries } from '../../workspace/comments/statements'
import {
  createRejectedItemGuard,
  createSubscribeStatement,
  feedback,
  itemRejected,
  standingFeedback,
} from '../ideas/statements'

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
  fields: {
    id: feedbackComments.id,
    feedbackKey: computedValue<string>(
      sql`(SELECT ${feedbackItems.externalKey} FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${feedbackComments.feedbackId})`,
    ),
    ...commentFieldsOf(feedbackComments),
    // Hides the parent after an unmerge has moved the parent comment to another item.
    parentId: computedValue<number | null>(sql`CASE WHEN ${feedbackComments.parentId} IS NOT NULL
      AND ${feedbackComments.feedbackId} = (SELECT p.feedback_id FROM ${feedbackComments} p WHERE p.id = ${feedbackComments.parentId})
      THEN ${feedbackComments.parentId} END`),
  },
  // Only public comments subscribe the author to status mails.
  onAdd: (key, { isPrivate }) => ({
    guards: [itemRejected(key)],
    statements: isPrivate ? [] : [subscribeCommenter(key)],
  }),
  onReply: (key) => ({ guards: [commentedItemRejected(key)], statements: [subscribeReplier(key)] }),
  changeGuards: (key) => [keyExcludesMergedItem(key)],
})
