import * as z from 'zod'
import { integer, numberedKeyPattern, text } from '../../../http/schemas'
import { PartTitle, StoryMapParams } from '../schema'

const createIdParam = (of: string) => integer({ min: 1 }).meta({ description: `Id of the ${of}.`, example: 1 })

export const ActivityParams = StoryMapParams.extend({ activityId: createIdParam('activity') })
export const StepParams = StoryMapParams.extend({ stepId: createIdParam('step') })
export const SwimlaneParams = StoryMapParams.extend({ swimlaneId: createIdParam('swimlane') })

const createPartIdSchema = () => z.int().positive()

const placeFields = {
  beforeId: createPartIdSchema().optional().meta({ description: 'Id of the next neighbor. Default: at the end.' }),
  afterId: createPartIdSchema().optional().meta({ description: 'Id of the previous neighbor.' }),
}
const modifiedPlaceFields = {
  ...placeFields,
  beforeId: createPartIdSchema()
    .optional()
    .meta({ description: 'Id of the next neighbor. Default: the present place.' }),
}

const colorField = { color: text(50).optional() }
const clearableColorField = { color: text(50).nullable().optional() }
const VersionKey = text(30).regex(numberedKeyPattern('SV'), 'Must be the key of a solution version, like SV-1')

export const CreateActivity = z
  .object({ title: PartTitle, ...colorField, ...placeFields })
  .meta({ id: 'CreateStoryMapActivity', examples: [{ title: 'Pay', color: '#2f80ed' }] })

export const ModifyActivity = z
  .object({ title: PartTitle.optional(), ...clearableColorField, ...modifiedPlaceFields })
  .meta({ id: 'ModifyStoryMapActivity', examples: [{ title: 'Pay and get a receipt' }] })

export const CreateStep = z
  .object({
    activityId: createPartIdSchema().meta({ description: 'Id of the activity of the step.' }),
    title: PartTitle,
    ...colorField,
    ...placeFields,
  })
  .meta({ id: 'CreateStoryMapStep', examples: [{ activityId: 1, title: 'Choose a card' }] })

export const ModifyStep = z
  .object({
    activityId: createPartIdSchema()
      .optional()
      .meta({ description: 'Id of another activity. The step moves to its end if no place is named.' }),
    title: PartTitle.optional(),
    ...clearableColorField,
    ...modifiedPlaceFields,
  })
  .meta({ id: 'ModifyStoryMapStep', examples: [{ title: 'Choose a saved card' }] })

export const CreateSwimlane = z
  .object({
    title: PartTitle,
    versionKey: VersionKey.optional().meta({ description: 'Key of the solution version of the swimlane.' }),
    ...placeFields,
  })
  .meta({ id: 'CreateStoryMapSwimlane', examples: [{ title: 'First release' }] })

export const ModifySwimlane = z
  .object({
    title: PartTitle.optional(),
    versionKey: VersionKey.nullable().optional().meta({ description: 'Key of a solution version; null for none.' }),
    ...modifiedPlaceFields,
  })
  .meta({ id: 'ModifyStoryMapSwimlane', examples: [{ title: 'Second release' }] })

const createMoveToQuery = (what: string) =>
  z.object({ moveTo: integer({ min: 1 }).optional().meta({ description: what }) })

export const RemoveActivity = createMoveToQuery('Id of another activity of the map, for the steps.')
export const RemoveStep = createMoveToQuery('Id of another step of the map, for the cards.')
export const RemoveSwimlane = createMoveToQuery('Id of another swimlane of the map, for the cards.')

const neighborFields = {
  beforeId: z.int().nullable().meta({ description: 'Id of the next neighbor; null for the last.' }),
  afterId: z.int().nullable().meta({ description: 'Id of the previous neighbor; null for the first.' }),
}

const partFields = { id: z.int(), storyMapId: z.int() }

export const Activity = z
  .object({ ...partFields, title: z.string(), color: z.string().nullable(), ...neighborFields })
  .meta({ id: 'StoryMapActivity' })

export const Step = z
  .object({
    ...partFields,
    activityId: z.int(),
    title: z.string(),
    color: z.string().nullable(),
    ...neighborFields,
  })
  .meta({ id: 'StoryMapStep' })

export const Swimlane = z
  .object({ ...partFields, title: z.string(), versionKey: z.string().nullable(), ...neighborFields })
  .meta({ id: 'StoryMapSwimlane' })
