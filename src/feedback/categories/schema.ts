import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { integer, line, Timestamp, text } from '../../http/schemas'

const MAX_DESCRIPTION_CHARACTERS = 1_000

export const CategoryParams = z.object({
  categoryId: integer({ min: 1 }).meta({ description: 'Id of the category.', example: 1 }),
})

const CategoryName = line(100).meta({
  description: 'The slug is made from the name. No two categories of the workspace have the same slug.',
})

export const CreateFeedbackCategory = z
  .object({ name: CategoryName, description: text(MAX_DESCRIPTION_CHARACTERS).optional() })
  .meta({
    id: 'CreateFeedbackCategory',
    examples: [{ name: 'Usability', description: 'How it feels to work with it.' }],
  })

export const ModifyFeedbackCategory = z
  .object({ name: CategoryName.optional(), description: text(MAX_DESCRIPTION_CHARACTERS).nullable().optional() })
  .meta({ id: 'ModifyFeedbackCategory', examples: [{ description: 'What is in the way of work.' }] })

export const RemoveFeedbackCategory = z.object({
  moveTo: integer({ min: 1 }).optional().meta({ description: 'Id of another category for the items.' }),
})

export const MergeFeedbackCategory = z
  .object({ into: z.int().positive().meta({ description: 'Id of the category that stays.' }) })
  .meta({ id: 'MergeFeedbackCategory', examples: [{ into: 2 }] })

export const ListFeedbackCategories = createRestorableQuery(['name', '-name'])

export const FeedbackCategory = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    slug: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'FeedbackCategory', description: 'A category of feedback items in the workspace.' })
