import * as z from 'zod'
import { attributesParameter } from '../../http/attributes'
import { createListQuery, removedParameter } from '../../http/pagination'
import { integer, moment, severalTexts, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'

/** Filters for items; `walks` and `since` describe the cost without an index. */
export const createItemFilters = (walks: string, since = walks) => ({
  q: declareWeight(
    'walk',
    text(500).optional().meta({
      description:
        'Words, or their beginnings, in summary, description, tags or keys. An item must match each word. An item whose id in another system is the whole text is found too. Looks at the newest 10,000 matches.',
    }),
  ),
  jiraKey: text(100)
    .optional()
    .meta({ description: 'Only items with this key in Jira. Looks at the items with this key.' }),
  featureId: integer({ min: 0 }).optional().meta({
    description: 'Only items of the feature with this id; 0 for no feature. Looks at the items of the feature.',
  }),
  epicId: integer({ min: 0 })
    .optional()
    .meta({ description: 'Only items of the epic with this id; 0 for no epic. Looks at the items of the epic.' }),
  progress: declareWeight(
    'walk',
    severalTexts(100)
      .optional()
      .meta({
        description: `Only items of this progress, or of any of several separated by commas: \`to-do\`, \`in-progress\`, \`done\`, or another progress that items have. A progress that has commas itself is found too. ${walks}`,
        example: ['in-progress', 'done'],
      }),
  ),
  externalProgress: declareWeight(
    'walk',
    text(100)
      .optional()
      .meta({ description: `Only items with this progress in the other system. ${walks}` }),
  ),
  teamId: declareWeight(
    'walk',
    integer({ min: 1 })
      .optional()
      .meta({ description: `Only items of the team with this id. ${walks}` }),
  ),
  userId: declareWeight(
    'walk',
    integer({ min: 1 })
      .optional()
      .meta({ description: `Only items of the user with this id. ${walks}` }),
  ),
  personaId: declareWeight(
    'walk',
    integer({ min: 1 })
      .optional()
      .meta({ description: `Only items for the persona with this id. ${walks}` }),
  ),
  tag: declareWeight(
    'walk',
    text(200)
      .optional()
      .meta({ description: `Only items with this tag, compared by slug. ${walks}` }),
  ),
  backlog: declareWeight(
    'walk',
    z
      .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
      .optional()
      .meta({ description: `Only items in the backlog, or only other items. ${walks}` }),
  ),
  attributes: attributesParameter(),
  updatedSince: moment()
    .optional()
    .meta({
      description: `Only items changed at or after this time. ${since}`,
      example: '2026-01-31T09:00:00.000Z',
    }),
})

export const ListWorkItems = createListQuery([
  '-createdAt',
  'createdAt',
  'order',
  '-order',
  'updatedAt',
  '-updatedAt',
  'score',
  '-score',
  'businessValue',
  '-businessValue',
  'startDate',
  '-startDate',
  'endDate',
  '-endDate',
])
  .extend(removedParameter())
  .extend(
    createItemFilters(
      'Looks at 10,000 items per page: a page can be short or empty and still have a next page.',
      'An index serves the filter if you sort by `updatedAt`. In any other order the filter looks at 10,000 items per page: a page can be short or empty and still have a next page.',
    ),
  )

export const RemoveParent = z.object({
  cascade: z
    .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
    .default('false')
    .meta({ description: '`true` removes the items below too; `false` detaches the items.' }),
})
