import * as z from 'zod'
import { countedKey, integer, text } from '../../../http/schemas'
import { StoryMapParams, title } from '../schema'

const id = (of: string) => integer({ min: 1 }).meta({ description: `Id of the ${of}.`, example: 1 })

export const ActivityParams = StoryMapParams.extend({ activityId: id('activity') })
export const StepParams = StoryMapParams.extend({ stepId: id('step') })
export const SwimlaneParams = StoryMapParams.extend({ swimlaneId: id('swimlane') })

const partId = () => z.int().positive()

const place = {
  beforeId: partId().optional().meta({ description: 'Id of the one that it comes before. At the end without it.' }),
  afterId: partId().optional().meta({ description: 'Id of the one that it comes after.' }),
}
const moved = {
  ...place,
  beforeId: partId().optional().meta({ description: 'Id of the one that it comes before. It stays without it.' }),
}

const color = { color: text(50).optional() }
const newColor = { color: text(50).nullable().optional() }
const versionKey = text(30).regex(countedKey('SV'), 'Must be the key of a solution version, like SV-1')

export const CreateActivity = z
  .object({ title, ...color, ...place })
  .meta({ id: 'CreateStoryMapActivity', examples: [{ title: 'Pay', color: '#2f80ed' }] })

export const ModifyActivity = z
  .object({ title: title.optional(), ...newColor, ...moved })
  .meta({ id: 'ModifyStoryMapActivity', examples: [{ title: 'Pay and get a receipt' }] })

export const CreateStep = z
  .object({
    activityId: partId().meta({ description: 'Id of the activity that it is below.' }),
    title,
    ...color,
    ...place,
  })
  .meta({ id: 'CreateStoryMapStep', examples: [{ activityId: 1, title: 'Choose a card' }] })

export const ModifyStep = z
  .object({
    activityId: partId()
      .optional()
      .meta({ description: 'Id of the activity that it moves to, to its end if no place is named.' }),
    title: title.optional(),
    ...newColor,
    ...moved,
  })
  .meta({ id: 'ModifyStoryMapStep', examples: [{ title: 'Choose a saved card' }] })

export const CreateSwimlane = z
  .object({
    title,
    versionKey: versionKey.optional().meta({ description: 'Key of the solution version that it is for.' }),
    ...place,
  })
  .meta({ id: 'CreateStoryMapSwimlane', examples: [{ title: 'First release' }] })

export const ModifySwimlane = z
  .object({
    title: title.optional(),
    versionKey: versionKey.nullable().optional().meta({ description: 'Key of a solution version; null for none.' }),
    ...moved,
  })
  .meta({ id: 'ModifyStoryMapSwimlane', examples: [{ title: 'Second release' }] })

const moveTo = (what: string) => z.object({ moveTo: integer({ min: 1 }).optional().meta({ description: what }) })

export const RemoveActivity = moveTo('Id of another activity of the map, which its steps move to.')
export const RemoveStep = moveTo('Id of another step of the map, which its cards move to.')
export const RemoveSwimlane = moveTo('Id of another swimlane of the map, which its cards move to.')

const neighbours = {
  beforeId: z.int().nullable().meta({ description: 'Id of the one that it stands before; null for the last.' }),
  afterId: z.int().nullable().meta({ description: 'Id of the one that it stands after; null for the first.' }),
}

export const Activity = z
  .object({ id: z.int(), title: z.string(), color: z.string().nullable(), ...neighbours })
  .meta({ id: 'StoryMapActivity' })

export const Step = z
  .object({ id: z.int(), activityId: z.int(), title: z.string(), color: z.string().nullable(), ...neighbours })
  .meta({ id: 'StoryMapStep' })

export const Swimlane = z
  .object({ id: z.int(), title: z.string(), versionKey: z.string().nullable(), ...neighbours })
  .meta({ id: 'StoryMapSwimlane' })
