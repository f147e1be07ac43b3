import * as z from 'zod'
import { integer, storedValue, Timestamp, text } from '../../http/schemas'
import { WorkItemParams } from '../items/schema'

export const LINK_TYPES = ['blocks', 'relates', 'duplicates'] as const

export const LinkParams = WorkItemParams.extend({
  linkId: integer({ min: 1 }).meta({ description: 'Id of the link.', example: 1 }),
})

export const CreateLink = z
  .object({
    type: z.enum(LINK_TYPES),
    to: text(30).min(1).meta({ description: 'Key of the other item, in any product of the workspace.' }),
  })
  .meta({ id: 'CreateLink', examples: [{ type: 'blocks', to: 'EP-1' }] })

export const Link = z
  .object({
    id: z.int(),
    type: z.enum(LINK_TYPES),
    direction: z.enum(['to', 'from']).meta({
      description: '`to`: the item in the path blocks or duplicates the other item; `from`: the reverse.',
    }),
    item: z.object({
      id: z.int(),
      externalKey: z.string(),
      type: storedValue(['epic', 'feature', 'userstory']),
      summary: z.string(),
      progress: z.string(),
      product: z.string().meta({ description: 'External key of the product.' }),
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Link', description: 'A link between two items, as seen from one item.' })
