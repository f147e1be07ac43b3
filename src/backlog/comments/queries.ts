import { sql } from 'drizzle-orm'
import { computed } from '../../db/field'
import { workItemComments, workItems } from '../../db/schema/work-items'
import { fieldsOf } from '../../workspace/comments/fields'
import { commentsOn } from '../../workspace/comments/statements'
import { workItem } from '../work-items/queries/any'

export const comments = commentsOn('work_item_comment', {
  table: workItemComments,
  parameter: 'itemCommentId',
  on: workItem,
  by: 'workItemId',
  fields: {
    id: workItemComments.id,
    workItemKey: computed<string>(
      sql`(SELECT w.external_key FROM ${workItems} w WHERE w.id = ${workItemComments.workItemId})`,
    ),
    ...fieldsOf(workItemComments),
  },
})
