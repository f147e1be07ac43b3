import { sql } from 'drizzle-orm'
import { record } from '../../db/records/record'
import { feedbackComments, feedbackItems } from '../../db/schema/feedback'
import { computedValue } from '../../db/sql/field'
import { commentDeclarationOf, commentFieldsOf } from '../../workspace/comments/fields'
import { feedback } from '../ideas/statements'

export const commentFields = {
  id: feedbackComments.id,
  feedbackKey: computedValue<string>(
    sql`(SELECT ${feedbackItems.externalKey} FROM ${feedbackItems} WHERE ${feedbackItems.id} = ${feedbackComments.feedbackId})`,
  ),
  ...commentFieldsOf(feedbackComments),
  // Hides the parent after an unmerge has moved the parent comment to another item.
  parentId: computedValue<number | null>(sql`CASE WHEN ${feedbackComments.parentId} IS NOT NULL
      AND ${feedbackComments.feedbackId} = (SELECT p.feedback_id FROM ${feedbackComments} p WHERE p.id = ${feedbackComments.parentId})
      THEN ${feedbackComments.parentId} END`),
}

export const comment = record('comment', {
  ...commentDeclarationOf(feedbackComments),
  table: feedbackComments,
  scope: { below: feedback, by: feedbackComments.feedbackId },
  key: {},
  fields: commentFields,
})
