import { workItemComments } from '../../db/schema/work-items'
import { createCommentUpsert } from '../../workspace/comments/external/statements'
import { createCommentQueries } from '../../workspace/comments/statements'
import { workItem } from '../work-items/queries/any'
import { itemCommentFields } from './fields'

const options = {
  table: workItemComments,
  commented: workItem,
  commentedIdName: 'workItemId',
  fields: itemCommentFields,
} as const

export const itemCommentQueries = {
  ...createCommentQueries('work_item_comment', {
    ...options,
    parameter: 'itemCommentId',
    noticeIdName: 'itemCommentId',
  }),
  upsert: createCommentUpsert('work_item_comment', options),
}
