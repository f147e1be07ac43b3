import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import {
  datesInOrder,
  externalKey,
  html,
  line,
  moment,
  numberedKeyPattern,
  ProductParams,
  severalOf,
  storedValue,
  Timestamp,
  text,
} from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { Notify } from '../../people/notices/schema'

const MAX_ITEMS_PER_VERSION = 1_000

export const VERSION_STATUSES = ['planned', 'in-progress', 'released', 'archived'] as const

export const SolutionVersionParams = ProductParams.extend({
  solution_version_external_key: externalKey('SV', 'The key of the version, like SV-1.'),
})

const WritableStatus = z
  .enum(['planned', 'in-progress'], {
    error: 'Must be "planned" or "in-progress". Release or archive a version with POST …/release or POST …/archive',
  })
  .meta({ description: '`planned` or `in-progress`. Separate operations release and archive a version.' })

const ITEM_KEY_PATTERN = new RegExp(['EP', 'FE', 'US'].map((prefix) => numberedKeyPattern(prefix).source).join('|'))

const VersionItemKeys = z
  .array(text(30).regex(ITEM_KEY_PATTERN, 'Must be the external key of a work item, like EP-1, FE-1 or US-1'))
  .max(MAX_ITEMS_PER_VERSION)
  .meta({ description: 'External keys of epics, features and user stories of the product, each once, in order.' })

const startsBeforeRelease = datesInOrder('startDate', 'releaseDate')

const commonFields = {
  description: html().nullish(),
  startDate: moment().nullish(),
  releaseDate: moment().nullish(),
}

export const CreateSolutionVersion = z
  .object({ name: line(200), ...commonFields, status: WritableStatus.optional(), items: VersionItemKeys.optional() })
  .refine(...startsBeforeRelease)
  .meta({
    id: 'CreateSolutionVersion',
    examples: [{ name: 'Spring release', description: '<p>Faster checkout.</p>', releaseDate: '2027-04-01' }],
  })

export const ModifySolutionVersion = z
  .object({
    name: line(200).optional(),
    ...commonFields,
    status: WritableStatus.optional(),
    items: VersionItemKeys.optional().meta({ description: 'External keys, which replace the present items.' }),
  })
  .refine(...startsBeforeRelease)
  .meta({ id: 'ModifySolutionVersion', examples: [{ status: 'in-progress', releaseDate: '2027-04-15' }] })

export const DuplicateSolutionVersion = z
  .object({ name: line(200).meta({ description: 'Name of the copy.' }) })
  .meta({ id: 'DuplicateSolutionVersion', examples: [{ name: 'Summer release' }] })

export const ReleaseSolutionVersion = z
  .object({
    force: z.boolean().optional().meta({ description: '`true` releases the version with its open items.' }),
    notify: Notify.optional().meta({
      description: 'When the voters get a mail: `later` (default), `now`, or `none`, which mails nobody.',
    }),
    draftChangelog: z.boolean().optional().meta({
      description:
        '`true` drafts a changelog entry with the name of the version and a list of its ideas and items, 200 of each. Needs the scope `feedback:write`.',
    }),
  })
  .optional()
  .meta({ id: 'ReleaseSolutionVersion', examples: [{ force: true }] })

export const ListSolutionVersions = createRestorableQuery([
  '-createdAt',
  'createdAt',
  'releaseDate',
  '-releaseDate',
]).extend({
  status: declareWeight(
    'walk',
    severalOf(z.enum(VERSION_STATUSES)).optional().meta({
      description:
        'Only versions of this status, or of any of several separated by commas. Looks at 10,000 versions per page: a page can be short or empty and still have a next page.',
    }),
  ),
})

export const SolutionVersion = z
  .object({
    id: z.int(),
    externalKey: z.string(),
    initiativeId: z.int(),
    name: z.string(),
    description: z.string().nullable().meta({ description: 'HTML.' }),
    status: storedValue(VERSION_STATUSES),
    startDate: Timestamp.nullable(),
    releaseDate: Timestamp.nullable().meta({ description: 'Planned time of the release.' }),
    releasedAt: Timestamp.nullable().meta({ description: 'Time of the release.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SolutionVersion', description: 'A version of a product.' })

export const VersionItem = z.object({
  externalKey: z.string(),
  type: storedValue(['epic', 'feature', 'userstory']),
  summary: z.string(),
  progress: z.string(),
  points: z.number().meta({
    description: 'Points of a story; of an epic or a feature the points below, or the estimate if no item is below.',
  }),
})

export const SolutionVersionDetail = SolutionVersion.extend({
  items: z.array(z.string()).meta({ description: 'External keys of the work items.' }),
  progress: z.int().meta({
    description:
      'Mean percentage of the lowest items in or below the version, weighted by points if any item has points. An item that is done counts 100, any other item its `progressPercentage`.',
  }),
  points: z
    .object({ total: z.number(), done: z.number() })
    .meta({ description: 'Points of the same items; `done` counts the items that are done.' }),
  itemDetails: z.array(VersionItem).optional().meta({
    description:
      'The items in the order of `items`, with their titles. Only when you retrieve a version with `include=itemDetails`.',
  }),
}).meta({ id: 'SolutionVersionDetail' })

export const RetrieveSolutionVersion = z.object({
  include: z.enum(['itemDetails']).optional().meta({
    description: '`itemDetails` adds the title, type, progress and points of each item.',
  }),
})
