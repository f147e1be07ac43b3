import { sql } from 'drizzle-orm'
import { workItemComments, workItems } from '../../db/schema/work-items'
import { computedValue } from '../../db/sql/field'
import { commentFieldsOf } from '../../workspace/comments/fields'
import { createCommentQueries } from '../../workspace/comments/statements'
import { workItem } from '../work-items/queries/any'

export const itemCommentQueries = createCommentQueries('work_item_comment', {
  table: workItemComments,
  parameter: 'itemCommentId',
  commented: workItem,
  commentedIdName: 'workItemId',
  fields: {
    id: workItemComments.id,
    workItemKey: computedValue<string>(
      sql`(SELECT w.external_key FROM ${workItems} w WHERE w.id = ${workItemComments.workItemId})`,
    ),
    ...commentFieldsOf(workItemComments),
  },
})
