import * as z from 'zod'
import { createAttributesSchema, ShownAttributes } from '../../http/attributes'
import {
  datesInOrder,
  html,
  line,
  moment,
  numberedKeyPattern,
  storedValue,
  Timestamp,
  text,
  webAddress,
} from '../../http/schemas'
import { toHundredths } from '../../text/decimals'
import { File } from '../../workspace/assets/schema'
import { createTagsSchema } from './tags'

export const PROGRESS_VALUES = ['to-do', 'in-progress', 'done'] as const

const MAX_KEYS_PER_LIST = 1_000
// Maximum entries of a list like links: 200 entries of 2,048 characters leave most of the 2 MB of a row.
const MAX_LIST_ENTRIES = 200

const createNumericText = () => text(30).regex(/^(?:-?\d+(?:\.\d+)?)?$/, 'Must be a number as text, like "12.5"')
const createEstimateText = () =>
  text(30).regex(/^(?:\d+(?:\.\d+)?)?$/, 'Must be a number as text that is not below 0, like "12.5"')

export const PersonaLink = z.object({ personaValue: text(500), personaId: z.int().positive() })

const createExternalKeys = (prefix: string) =>
  z.array(text(30).regex(numberedKeyPattern(prefix), `Must be an external key like ${prefix}-1`)).max(MAX_KEYS_PER_LIST)

const createOptionalId = () => z.int().min(0)

const makeClearable = <T extends z.ZodType<string>>(schema: T) =>
  schema
    .nullable()
    .transform((value) => value ?? '')
    .optional()

const WebAddressEntry = z.object({ url: webAddress() })

/** Fields of all types; `null` clears a field. */
const commonFields = {
  color: makeClearable(text(50)),
  description: makeClearable(html()),
  businessGoal: makeClearable(text(10_000)),
  teamId: z.int().positive().nullish().meta({ description: 'Id of a team; null for none.' }),
  userId: z.array(z.int().positive()).max(MAX_KEYS_PER_LIST).optional().meta({ description: 'Ids of users.' }),
  startDate: moment().nullish(),
  endDate: moment().nullish(),
  tags: createTagsSchema().optional(),
  urls: z.array(WebAddressEntry).max(MAX_LIST_ENTRIES).optional(),
  attributes: createAttributesSchema().optional(),
  jiraId: makeClearable(text(100)),
  jiraKey: makeClearable(text(100)),
  externalProgress: makeClearable(text(100)),
}

const planFields = {
  estimate: makeClearable(createEstimateText()),
  businessValue: makeClearable(createNumericText()),
  score: z
    .number()
    .min(-1e12)
    .max(1e12)
    .meta({ description: 'Score, rounded to two decimal places.' })
    .transform((value) => toHundredths(value) ?? 0)
    .optional(),
}

const linkFields = {
  kpis: createExternalKeys('KPI')
    .optional()
    .meta({ description: 'External keys of KPIs, which replace the present links.' }),
  files: z
    .array(z.object({ file: z.object({ id: z.int().positive() }) }))
    .max(MAX_LIST_ENTRIES)
    .optional()
    .meta({ description: 'Uploaded files by `file.id`, which replace the present files.' }),
}

const newItemFields = {
  summary: line(500).meta({ description: 'Title of the item.' }),
  progress: z.enum(PROGRESS_VALUES).optional(),
  persona: z.array(PersonaLink).max(MAX_LIST_ENTRIES).optional(),
  ...linkFields,
}

const modifiedItemFields = {
  summary: line(500).optional().meta({ description: 'Title of the item.' }),
  progress: text(100).min(1).optional(),
  backlog: z.boolean().optional(),
  ...linkFields,
}

export const startsBeforeEnd = datesInOrder('startDate', 'endDate')

export const CreateEpic = z
  .object({
    ...newItemFields,
    ...commonFields,
    ...planFields,
    userStories: createExternalKeys('US')
      .optional()
      .meta({ description: 'Keys of user stories that become children.' }),
    features: createExternalKeys('FE').optional().meta({ description: 'Keys of features that become children.' }),
  })
  .refine(...startsBeforeEnd)
  .meta({
    id: 'CreateEpic',
    examples: [{ summary: 'Checkout', progress: 'to-do', tags: '["mobile"]', estimate: '8', score: 12.5 }],
  })

const modifiedPlanFields = {
  ...modifiedItemFields,
  persona: z.array(PersonaLink.partial()).max(MAX_LIST_ENTRIES).optional(),
  ...commonFields,
  ...planFields,
  userStories: createExternalKeys('US').optional().meta({ description: 'Keys of user stories that become children.' }),
}

export const ModifyEpic = z
  .object({
    ...modifiedPlanFields,
    features: createExternalKeys('FE').optional().meta({ description: 'Keys of features that become children.' }),
  })
  .refine(...startsBeforeEnd)
  .meta({ id: 'ModifyEpic', examples: [{ progress: 'in-progress', businessValue: '13' }] })

export const CreateFeature = z
  .object({
    ...newItemFields,
    ...commonFields,
    ...planFields,
    userStories: createExternalKeys('US')
      .optional()
      .meta({ description: 'Keys of user stories that become children.' }),
    epicId: createOptionalId().nullish().meta({ description: 'Id of the parent epic; 0 or null for none.' }),
  })
  .refine(...startsBeforeEnd)
  .meta({ id: 'CreateFeature', examples: [{ summary: 'Pay by card', estimate: '5', businessValue: '8' }] })

export const ModifyFeature = z
  .object({
    ...modifiedPlanFields,
    epicId: createOptionalId()
      .nullish()
      .meta({ description: 'Id of the parent epic; 0 or null detaches. The stories follow.' }),
  })
  .refine(...startsBeforeEnd)
  .meta({ id: 'ModifyFeature', examples: [{ progress: 'in-progress', estimate: '3' }] })

const storyFields = {
  epicId: createOptionalId().nullish().meta({ description: 'Id of the epic; 0 detaches.' }),
  featureId: createOptionalId()
    .nullish()
    .meta({ description: 'Id of the feature; 0 detaches. A story has the epic of its feature.' }),
  storyPoint: makeClearable(text(500)).meta({
    description:
      'Any text. A number like `3` or `0.5`, up to 1,000,000, counts as points; other texts count as no points.',
  }),
  remainingTime: makeClearable(text(500)).meta({ description: 'Any text.' }),
  type: text(50).optional().meta({ description: 'Always `userstory`; other values have no effect.' }),
  progressPercentage: z.int().min(0).max(100).optional(),
  firstChild: text(50).optional(),
}

export const CreateUserStory = z
  .object({ ...newItemFields, ...commonFields, ...storyFields })
  .refine(...startsBeforeEnd)
  .meta({ id: 'CreateUserStory', examples: [{ summary: 'As a buyer I pay by card', storyPoint: '3' }] })

export const ModifyUserStory = z
  .object({
    ...modifiedItemFields,
    persona: z.array(PersonaLink).max(MAX_LIST_ENTRIES).optional(),
    ...commonFields,
    ...storyFields,
  })
  .refine(...startsBeforeEnd)
  .meta({ id: 'ModifyUserStory', examples: [{ progress: 'done', storyPoint: '5', progressPercentage: 100 }] })

// Replies check only types, because stored values were validated on input.
const StoredPersona = z.object({ personaValue: z.string(), personaId: z.int() })
const StoredUrl = z.object({ url: z.string() })

export const WorkItemResult = z
  .object({
    summary: z.string(),
    epicId: z.int().meta({ description: 'Id of the epic or parent epic; 0 for none.' }),
    featureId: z.int().meta({ description: 'Id of the feature or parent feature; 0 for none.' }),
    type: storedValue(['epic', 'impact_map', 'userstory']).meta({ description: '`impact_map` means a feature.' }),
    cardId: z.int().meta({ description: 'Id of the story; 0 for epics and features.' }),
    externalKey: z.string(),
  })
  .meta({ id: 'WorkItemResult' })

export const FeatureMetaData = z
  .object({
    persona: z.array(StoredPersona),
    urls: z.array(StoredUrl),
    id: z.int(),
    summary: z.string(),
    userId: z.string().meta({ description: 'Serialized array of user ids.' }),
    backlog: z.boolean(),
    description: z.string(),
    successCriteria: z.null(),
    nonFunctionalRequirements: z.null(),
    initiativeId: z.string(),
    teamId: z.int(),
    externalKey: z.string(),
    status: z.string(),
    detail: z.null(),
    color: z.string(),
    order: z.null(),
    score: z.string().meta({ description: 'Decimal text with two places.' }),
    startDate: z.string(),
    endDate: z.string(),
    epicId: z.int(),
    estimate: z.string(),
    progress: z.string(),
    externalProgress: z.string(),
    businessValue: z.string(),
    tags: z.string(),
    timeBoxPlanningId: z.int(),
    subTimeBoxPlanningId: z.int(),
    swimlaneId: z.int(),
    roadmapId: z.int(),
    storyMapId: z.int(),
    businessObjectiveId: z.int(),
    businessGoal: z.string(),
    jiraId: z.string(),
    jiraKey: z.string(),
    jiraSelf: z.null(),
    jiraParentId: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'FeatureMetaData' })

export const FeatureResult = WorkItemResult.extend({ metaData: FeatureMetaData }).meta({ id: 'FeatureResult' })

export const WorkItem = z
  .object({
    id: z.int(),
    externalKey: z.string(),
    type: z.enum(['epic', 'feature', 'userstory']),
    initiativeId: z.int(),
    epicId: z.int().meta({ description: 'Id of the epic; 0 for none.' }),
    featureId: z.int().meta({ description: 'Id of the feature; 0 for none.' }),
    status: z.string(),
    summary: z.string(),
    color: z.string(),
    progress: z.string(),
    progressPercentage: z.int(),
    firstChild: z.string(),
    backlog: z.boolean(),
    description: z.string(),
    businessGoal: z.string(),
    persona: z.array(StoredPersona.partial()),
    teamId: z.int().nullable(),
    userId: z.array(z.int()),
    startDate: Timestamp.nullable(),
    endDate: Timestamp.nullable(),
    tags: z.string().meta({ description: 'A serialized JSON array.' }),
    urls: z.array(StoredUrl),
    attributes: ShownAttributes,
    jiraId: z.string(),
    jiraKey: z.string(),
    externalProgress: z.string(),
    estimate: z.string(),
    businessValue: z.string(),
    storyPoint: z.string(),
    remainingTime: z.string(),
    score: z.number(),
    scoring: z
      .object({
        model: z.string(),
        inputs: z.record(z.string(), z.number()),
        weights: z.record(z.string(), z.number()).optional(),
      })
      .nullable()
      .meta({ description: 'Model and inputs of the last scoring; null without a scoring.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WorkItem' })

export const WorkItemDetail = WorkItem.extend({
  features: z.array(z.string()),
  userStories: z.array(z.string()),
  ideas: z
    .array(z.string())
    .meta({ description: 'Keys of the feedback items that were promoted or linked to the item.' }),
  kpis: z.array(z.string()),
  files: z.array(z.object({ file: File })),
}).meta({ id: 'WorkItemDetail' })
