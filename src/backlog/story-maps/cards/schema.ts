import * as z from 'zod'
import { externalKey, text } from '../../../http/schemas'
import { StoryMapParams } from '../schema'

export const CardParams = StoryMapParams.extend({
  map_card_external_key: externalKey('US', 'The user-story key, like US-1.'),
})

const cardKey = text(30).min(1)

export const PlaceCard = z
  .object({
    stepId: z.int().positive().meta({ description: 'Id of the step that it comes to.' }),
    swimlaneId: z
      .int()
      .positive()
      .nullable()
      .optional()
      .meta({ description: 'Id of the swimlane that it comes to; null for none. It stays in its own without it.' }),
    beforeKey: cardKey.optional().meta({ description: 'Key of the card of the step that it comes before.' }),
    afterKey: cardKey.optional().meta({ description: 'Key of the card of the step that it comes after.' }),
  })
  .meta({ id: 'PlaceStoryMapCard', examples: [{ stepId: 1 }] })

export const Card = z
  .object({
    externalKey: z.string(),
    summary: z.string(),
    progress: z.string(),
    stepId: z.int(),
    swimlaneId: z.int().nullable(),
    beforeKey: z.string().nullable().meta({ description: 'Key of the card that it stands before; null for the last.' }),
    afterKey: z.string().nullable().meta({ description: 'Key of the card that it stands after; null for the first.' }),
  })
  .meta({ id: 'StoryMapCard', description: 'A user story on a map.' })
