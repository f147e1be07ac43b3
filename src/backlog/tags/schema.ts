import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, line, ProductParams, Timestamp, text } from '../../http/schemas'

export const TagParams = ProductParams.extend({
  tagId: integer({ min: 1 }).meta({ description: 'Id of the tag.', example: 1 }),
})

const name = line(100).meta({ description: 'Its slug is made from it, and is unique among the tags of the product.' })

export const CreateTag = z
  .object({ name, color: text(50).optional() })
  .meta({ id: 'CreateTag', examples: [{ name: 'Mobile', color: '#2f80ed' }] })

export const ModifyTag = z
  .object({ name: name.optional(), color: text(50).nullable().optional() })
  .meta({ id: 'ModifyTag', examples: [{ color: '#27ae60' }] })

export const MergeTag = z
  .object({ into: z.int().positive().meta({ description: 'Id of the tag that stays, of the same product.' }) })
  .meta({ id: 'MergeTag', examples: [{ into: 2 }] })

export const ListTags = listQuery(['name', '-name'])

export const Tag = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    color: z.string().nullable(),
    usageCount: z.int().meta({ description: 'Ideas that carry it, and work items that name it in their `tags`.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Tag', description: 'A tag of a product.' })
