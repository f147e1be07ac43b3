import * as z from 'zod'
import { ProductParams, text } from '../../http/schemas'
import { CreateEpic, CreateFeature, CreateUserStory, inOrder, NOT_IN_ORDER } from '../work-items/schema'

/** An id in this system is stored as `jiraId`. */
export const JIRA = 'jira'

export const ForeignParams = ProductParams.extend({
  source: text(50)
    .regex(/^[a-z0-9][a-z0-9_.-]*$/, 'Must be the name of another system in small letters, like "jira" or "linear"')
    .meta({ description: 'The other system; of `jira` the id is the `jiraId`.', example: 'linear' }),
  external_id: text(200).min(1).meta({ description: 'What it calls the item.', example: 'LIN-42' }),
})

const { type: _, ...card } = CreateUserStory.shape

export const UpsertWorkItem = z
  .object({
    type: z
      .enum(['epic', 'feature', 'userstory'], { error: 'Must be "epic", "feature" or "userstory"' })
      .meta({ description: 'What is no field of the type is ignored.' }),
    ...card,
    ...CreateEpic.shape,
    ...CreateFeature.shape,
  })
  .refine(inOrder, NOT_IN_ORDER)
  .meta({ id: 'UpsertWorkItem', examples: [{ type: 'epic', summary: 'Checkout', externalProgress: 'In review' }] })
