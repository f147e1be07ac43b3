import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { html, integer, line, ProductParams, Timestamp } from '../../http/schemas'

export const StoryMapParams = ProductParams.extend({
  storyMapId: integer({ min: 1 }).meta({ description: 'Id of the story map.', example: 1 }),
})

export const PartTitle = line(200)

export const CreateStoryMap = z.object({ title: PartTitle, description: html().nullish() }).meta({
  id: 'CreateStoryMap',
  examples: [{ title: 'A guest buys', description: '<p>From the first look to the parcel.</p>' }],
})

export const ModifyStoryMap = z
  .object({ title: PartTitle.optional(), description: html().nullish() })
  .meta({ id: 'ModifyStoryMap', examples: [{ title: 'A guest buys something' }] })

export const ListStoryMaps = createRestorableQuery(['-createdAt', 'createdAt'])

export const StoryMap = z
  .object({
    id: z.int(),
    title: z.string(),
    description: z.string().nullable().meta({ description: 'HTML.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'StoryMap', description: 'A map of the user stories of a product.' })

const MapCard = z.object({
  externalKey: z.string(),
  summary: z.string(),
  progress: z.string(),
  swimlaneId: z.int().nullable(),
})

const MapStep = z.object({
  id: z.int(),
  title: z.string(),
  color: z.string().nullable(),
  cards: z.array(MapCard),
})

const MapActivity = z.object({
  id: z.int(),
  title: z.string(),
  color: z.string().nullable(),
  steps: z.array(MapStep),
})

const MapSwimlane = z.object({ id: z.int(), title: z.string(), versionKey: z.string().nullable() })

export const StoryMapDetail = StoryMap.extend({
  activities: z.array(MapActivity),
  swimlanes: z.array(MapSwimlane),
  unplaced: z.int().meta({ description: 'Number of user stories of the product without a card on the map.' }),
}).meta({ id: 'StoryMapDetail' })
