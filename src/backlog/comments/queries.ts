import { workItemComments } from '../../db/schema/work-items'
import { createCommentQueries } from '../../workspace/comments/statements'
import { workItem } from '../work-items/queries/any'
import { itemCommentFields } from './fields'

export const itemCommentQueries = createCommentQueries('work_item_comment', {
  table: workItemComments,
  parameter: 'itemCommentId',
  commented: workItem,
  commentedIdName: 'workItemId',
  fields: itemCommentFields,
})
