import * as z from 'zod'
import { ExternalId, ExternalSource } from '../../http/external-id'
import { ProductParams } from '../../http/schemas'
import { CreateEpic, CreateFeature, CreateUserStory, startsBeforeEnd } from '../work-items/schema'

export const JIRA_SOURCE = 'jira'

export const ForeignKeyParams = ProductParams.extend({
  source: ExternalSource.meta({
    description: 'Name of the other system. For `jira` the id is the `jiraId`.',
    example: 'linear',
  }),
  external_id: ExternalId.meta({ description: 'Id of the item in the other system.', example: 'LIN-42' }),
})

const { type: _, ...storyShape } = CreateUserStory.shape

export const UpsertWorkItem = z
  .object({
    type: z
      .enum(['epic', 'feature', 'userstory'], { error: 'Must be "epic", "feature" or "userstory"' })
      .meta({ description: 'Type of the item. Fields of other types are ignored.' }),
    ...storyShape,
    ...CreateEpic.shape,
    ...CreateFeature.shape,
  })
  .refine(...startsBeforeEnd)
  .meta({ id: 'UpsertWorkItem', examples: [{ type: 'epic', summary: 'Checkout', externalProgress: 'In review' }] })

export const UpsertWorkItemQuery = z.object({
  attributes: z.enum(['replace', 'merge']).meta({ id: 'AttributesMode' }).default('replace').meta({
    description: '`merge` keeps the attributes of the item that you do not send.',
  }),
  tags: z.enum(['replace', 'add']).default('replace').meta({
    description: '`add` keeps the tags of the item that you do not send.',
  }),
})
