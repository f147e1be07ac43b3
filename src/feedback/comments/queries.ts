import { sql } from 'drizzle-orm'
import { computed } from '../../db/field'
import { feedbackComments, feedbackItems } from '../../db/schema/feedback'
import { caller } from '../../db/statement'
import { answered, fieldsOf } from '../../workspace/comments/fields'
import { commentsOn } from '../../workspace/comments/statements'
import { feedback, rejected, rejecting, standingFeedback, subscribes } from '../ideas/statements'

const subscribe = subscribes(feedback.id, caller.user, 'comment')

const ofItem = answered(feedbackComments, 'commentId', feedbackComments.feedbackId)
const subscribeTo = subscribes(ofItem, caller.user, 'comment')
const ofRejected = rejecting(sql`${feedbackItems.id} = ${ofItem}`)

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
})
