import * as z from 'zod'
import { ProductParams } from '../../http/schemas'
import { commentSchemaMembers, createCommentIdSchema } from '../../workspace/comments/schema'

export const ItemCommentParams = ProductParams.extend({ itemCommentId: createCommentIdSchema() })

export const ItemComment = z
  .object({ id: z.int(), workItemKey: z.string().meta({ examples: ['EP-1'] }), ...commentSchemaMembers })
  .meta({ id: 'ItemComment', description: 'A comment on a work item.' })
