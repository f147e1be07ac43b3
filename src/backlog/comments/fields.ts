import { sql } from 'drizzle-orm'
import { record } from '../../db/records/record'
import { workItemComments, workItems } from '../../db/schema/work-items'
import { computedValue } from '../../db/sql/field'
import { commentDeclarationOf, commentFieldsOf } from '../../workspace/comments/fields'
import { workItem } from '../work-items/queries/any'

export const itemCommentFields = {
  id: workItemComments.id,
  workItemId: workItemComments.workItemId,
  workItemKey: computedValue<string>(
    sql`(SELECT w.external_key FROM ${workItems} w WHERE w.id = ${workItemComments.workItemId})`,
  ),
  ...commentFieldsOf(workItemComments),
}

export const itemComment = record('work_item_comment', {
  ...commentDeclarationOf(workItemComments),
  table: workItemComments,
  scope: { below: workItem, by: workItemComments.workItemId },
  key: {},
  fields: itemCommentFields,
})
