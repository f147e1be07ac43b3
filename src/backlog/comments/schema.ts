import * as z from 'zod'
import { ExternalIdParams } from '../../http/external-id'
import { ProductParams } from '../../http/schemas'
import { commentSchemaMembers, createCommentIdSchema } from '../../workspace/comments/schema'
import { WorkItemParams } from '../items/schema'

export const ItemCommentParams = ProductParams.extend({ itemCommentId: createCommentIdSchema() })

export const ExternalItemCommentParams = z.object({ ...WorkItemParams.shape, ...ExternalIdParams.shape })

export const ItemComment = z
  .object({
    id: z.int(),
    workItemId: z.int().meta({ description: 'Id of the item, which stays when the item gets another type.' }),
    workItemKey: z.string().meta({ examples: ['EP-1'] }),
    ...commentSchemaMembers,
  })
  .meta({ id: 'ItemComment', description: 'A comment on a work item.' })
