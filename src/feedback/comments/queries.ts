import { sql } from 'drizzle-orm'
import { covered } from '../../db/access'
import { computed } from '../../db/field'
import { guard } from '../../db/refuse'
import { feedbackComments, feedbackItems, feedbackMergedComments } from '../../db/schema/feedback'
import { caller, param, type Values } from '../../db/statement'
import { answered, fieldsOf } from '../../workspace/comments/fields'
import { commentsOn } from '../../workspace/comments/statements'
import { feedback, rejected, rejecting, standingFeedback, subscribes } from '../ideas/statements'

const subscribe = subscribes(feedback.id, caller.user, 'comment')

const ofItem = answered(feedbackComments, 'commentId', feedbackComments.feedbackId)
const subscribeTo = subscribes(ofItem, caller.user, 'comment')
const ofRejected = rejecting(sql`${feedbackItems.id} = ${ofItem}`)

/** Unmerging returns the comment to the merged item: a change needs access to the product of the merged item too. */
const goesBackBeyondKey = guard<Values>(
  sql`'insufficient_scope:This comment came with a merged item of another product, which this API key does not cover, and goes back with it. Use a key that covers both.'`,
  sql`${caller.products} IS NOT NULL AND EXISTS (SELECT 1
    FROM ${feedbackMergedComments} CROSS JOIN ${feedbackItems} s ON s.id = ${feedbackMergedComments.feedbackId}
    WHERE ${feedbackMergedComments.subscriptionId} = ${caller.subscription}
      AND ${feedbackMergedComments.commentId} = ${param('commentId')} AND NOT ${covered(sql`s.product_id`)})`,
)

export const comments = commentsOn('comment', {
  table: feedbackComments,
  parameter: 'commentId',
  on: feedback,
  by: 'feedbackId',
  shown: standingFeedback,
  fields: {
    id: feedbackComments.id,
    feedbackKey: computed<string>(
      sql`(SELECT ${feedbackItems.externalKey} FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${feedbackComments.feedbackId})`,
    ),
    ...fieldsOf(feedbackComments),
    // Hides the parent after an unmerge has moved the parent comment to another item.
    parentId: computed<number | null>(sql`CASE WHEN ${feedbackComments.parentId} IS NOT NULL
      AND ${feedbackComments.feedbackId} = (SELECT p.feedback_id FROM ${feedbackComments} p WHERE p.id = ${feedbackComments.parentId})
      THEN ${feedbackComments.parentId} END`),
  },
  // Only public comments subscribe the author to status mails.
  added: (key, { isPrivate }) => ({ guards: [rejected(key)], statements: isPrivate ? [] : [subscribe(key)] }),
  replied: (key) => ({ guards: [ofRejected(key)], statements: [subscribeTo(key)] }),
  changed: (key) => [goesBackBeyondKey(key)],
})
