import * as z from 'zod'
import { externalKey, text } from '../../../http/schemas'
import { StoryMapParams } from '../schema'

export const CardParams = StoryMapParams.extend({
  map_card_external_key: externalKey('US', 'The user-story key, like US-1.'),
})

const CardKeySchema = text(30).min(1)

export const PlaceCard = z
  .object({
    stepId: z.int().positive().meta({ description: 'Id of the step for the card.' }),
    swimlaneId: z
      .int()
      .positive()
      .nullable()
      .optional()
      .meta({ description: 'Id of the swimlane for the card; null for none. Default: the present swimlane.' }),
    beforeKey: CardKeySchema.optional().meta({ description: 'Key of the next card in the step.' }),
    afterKey: CardKeySchema.optional().meta({ description: 'Key of the previous card in the step.' }),
  })
  .meta({ id: 'PlaceStoryMapCard', examples: [{ stepId: 1 }] })

export const Card = z
  .object({
    externalKey: z.string(),
    summary: z.string(),
    progress: z.string(),
    stepId: z.int(),
    swimlaneId: z.int().nullable(),
    beforeKey: z.string().nullable().meta({ description: 'Key of the next card in the step; null for the last card.' }),
    afterKey: z
      .string()
      .nullable()
      .meta({ description: 'Key of the previous card in the step; null for the first card.' }),
  })
  .meta({ id: 'StoryMapCard', description: 'A user story on a map.' })
