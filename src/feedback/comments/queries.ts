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

/** A comment that came with a merged item goes back with it: what becomes of it concerns that item's product too. */
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
    // What was answered may have gone elsewhere with an item that is merged no more.
    parentId: computed<number | null>(sql`CASE WHEN ${feedbackComments.parentId} IS NOT NULL
      AND ${feedbackComments.feedbackId} = (SELECT p.feedback_id FROM ${feedbackComments} p WHERE p.id = ${feedbackComments.parentId})
      THEN ${feedbackComments.parentId} END`),
  },
  // Of what is private, the item tells nobody.
  added: (key, { isPrivate }) => ({ guards: [rejected(key)], statements: isPrivate ? [] : [subscribe(key)] }),
  replied: (key) => ({ guards: [ofRejected(key)], statements: [subscribeTo(key)] }),
  changed: (key) => [goesBackBeyondKey(key)],
})
