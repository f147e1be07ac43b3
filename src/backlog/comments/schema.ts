import * as z from 'zod'
import { ProductParams } from '../../http/schemas'
import { commentId, commentMembers } from '../../workspace/comments/schema'

export const ItemCommentParams = ProductParams.extend({ itemCommentId: commentId() })

export const ItemComment = z
  .object({ id: z.int(), workItemKey: z.string().meta({ examples: ['EP-1'] }), ...commentMembers })
  .meta({ id: 'ItemComment', description: 'A comment on a work item.' })
