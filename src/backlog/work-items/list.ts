import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { integer, moment, text } from '../../http/schemas'
import { weighs } from '../../http/weight'

/** Filters for items; `walks` and `since` describe the cost without an index. */
export const itemFilters = (walks: string, since = walks) => ({
  q: weighs(
    'walk',
    text(500).optional().meta({
      description:
        'Items of whose summary, description, tags or keys a word begins with each of these. Walks the newest 10,000 that match.',
    }),
  ),
  jiraKey: text(100).optional().meta({ description: 'Only items with this key in Jira. Walks those that have it.' }),
  featureId: integer({ min: 0 })
    .optional()
    .meta({ description: 'Only items of the feature with this id; 0: of none. Walks the items of the feature.' }),
  epicId: integer({ min: 0 })
    .optional()
    .meta({ description: 'Only items of the epic with this id; 0: of none. Walks the items of the epic.' }),
  progress: weighs(
    'walk',
    text(100)
      .optional()
      .meta({ description: `Only items of this progress. ${walks}` }),
  ),
  externalProgress: weighs(
    'walk',
    text(100)
      .optional()
      .meta({ description: `Only items of this progress elsewhere. ${walks}` }),
  ),
  teamId: weighs(
    'walk',
    integer({ min: 1 })
      .optional()
      .meta({ description: `Only items of the team with this id. ${walks}` }),
  ),
  userId: weighs(
    'walk',
    integer({ min: 1 })
      .optional()
      .meta({ description: `Only items of the user with this id. ${walks}` }),
  ),
  personaId: weighs(
    'walk',
    integer({ min: 1 })
      .optional()
      .meta({ description: `Only items for the persona with this id. ${walks}` }),
  ),
  tag: weighs(
    'walk',
    text(200)
      .optional()
      .meta({ description: `Only items with this tag, or one as good as the same. ${walks}` }),
  ),
  backlog: weighs(
    'walk',
    z
      .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
      .optional()
      .meta({ description: `Only items that are in the backlog, or not. ${walks}` }),
  ),
  updatedSince: moment()
    .optional()
    .meta({
      description: `Only items that have changed at this moment or since. ${since}`,
      example: '2026-01-31T09:00:00.000Z',
    }),
})

export const ListWorkItems = listQuery([
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
]).extend(
  itemFilters(
    'Walks 10,000 items a page, which may hold fewer than were asked for, or none, and have a next.',
    'By `updatedAt` an index serves it; by another order it walks 10,000 items a page, which may hold fewer than were asked for, or none, and have a next.',
  ),
)

export const RemoveParent = z.object({
  cascade: z
    .enum(['true', 'false'], { error: 'Must be "true" or "false"' })
    .default('false')
    .meta({ description: 'With `true` what hangs below is removed too; it is detached otherwise.' }),
})
