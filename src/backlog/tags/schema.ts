import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { integer, line, ProductParams, Timestamp, text } from '../../http/schemas'

export const TagParams = ProductParams.extend({
  tagId: integer({ min: 1 }).meta({ description: 'Id of the tag.', example: 1 }),
})

const TagName = line(100).meta({
  description: 'Name of the tag. The slug is made from the name, and is unique in the product.',
})

export const CreateTag = z
  .object({ name: TagName, color: text(50).optional() })
  .meta({ id: 'CreateTag', examples: [{ name: 'Mobile', color: '#2f80ed' }] })

export const ModifyTag = z
  .object({ name: TagName.optional(), color: text(50).nullable().optional() })
  .meta({ id: 'ModifyTag', examples: [{ color: '#27ae60' }] })

export const MergeTag = z
  .object({ into: z.int().positive().meta({ description: 'Id of another tag of the product, which stays.' }) })
  .meta({ id: 'MergeTag', examples: [{ into: 2 }] })

export const ListTags = createRestorableQuery(['name', '-name'])

export const Tag = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    color: z.string().nullable(),
    usageCount: z.int().meta({ description: 'Number of ideas with the tag and of work items with the tag in `tags`.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Tag', description: 'A tag of a product.' })
