import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { countedKey, externalKey, html, line, moment, ProductParams, Timestamp, text } from '../../http/schemas'
import { weighs } from '../../http/weight'

// Equal to the limit for children of a work item.
const MAX_ITEMS = 1_000

export const STATUS = ['planned', 'in-progress', 'released', 'archived'] as const

export const SolutionVersionParams = ProductParams.extend({
  solution_version_external_key: externalKey('SV', 'The key of the version, like SV-1.'),
})

const Status = z
  .enum(['planned', 'in-progress'], {
    error: 'Must be "planned" or "in-progress": POST …/release and POST …/archive release and archive a version',
  })
  .meta({ description: '`planned` or `in-progress`: it is released and archived by operations of their own.' })

const ITEM_KEY = new RegExp(['EP', 'FE', 'US'].map((prefix) => countedKey(prefix).source).join('|'))

const items = z
  .array(text(30).regex(ITEM_KEY, 'Must be the external key of a work item, like EP-1, FE-1 or US-1'))
  .max(MAX_ITEMS)
  .meta({ description: 'External keys of epics, features and user stories of the product, each once, in order.' })

interface Dates {
  startDate?: number | null | undefined
  releaseDate?: number | null | undefined
}

/** Compares both dates; the write compares a single date with the stored date. */
const inOrder = ({ startDate, releaseDate }: Dates) =>
  startDate == null || releaseDate == null || startDate <= releaseDate

const NOT_IN_ORDER = { path: ['releaseDate'], error: 'Must not be before startDate' }

const common = {
  description: html().nullish(),
  startDate: moment().nullish(),
  releaseDate: moment().nullish(),
}

export const CreateSolutionVersion = z
  .object({ name: line(200), ...common, status: Status.optional(), items: items.optional() })
  .refine(inOrder, NOT_IN_ORDER)
  .meta({
    id: 'CreateSolutionVersion',
    examples: [{ name: 'Spring release', description: '<p>Faster checkout.</p>', releaseDate: '2027-04-01' }],
  })

export const ModifySolutionVersion = z
  .object({
    name: line(200).optional(),
    ...common,
    status: Status.optional(),
    items: items.optional().meta({ description: 'As of a create; they replace the present ones.' }),
  })
  .refine(inOrder, NOT_IN_ORDER)
  .meta({ id: 'ModifySolutionVersion', examples: [{ status: 'in-progress', releaseDate: '2027-04-15' }] })

export const DuplicateSolutionVersion = z
  .object({ name: line(200).meta({ description: 'Of the copy.' }) })
  .meta({ id: 'DuplicateSolutionVersion', examples: [{ name: 'Summer release' }] })

export const ReleaseSolutionVersion = z
  .object({
    force: z.boolean().optional().meta({ description: 'With `true` the version is released with its open items.' }),
  })
  .optional()
  .meta({ id: 'ReleaseSolutionVersion', examples: [{ force: true }] })

export const ListSolutionVersions = listQuery(['-createdAt', 'createdAt', 'releaseDate', '-releaseDate']).extend({
  status: weighs(
    'walk',
    z.enum(STATUS).optional().meta({
      description:
        'Only these. Walks 10,000 versions a page, which may hold fewer than were asked for, or none, and have a next.',
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
    status: z.string().meta({ description: '`planned`, `in-progress`, `released` or `archived`.' }),
    startDate: Timestamp.nullable(),
    releaseDate: Timestamp.nullable().meta({ description: 'When it is to be released.' }),
    releasedAt: Timestamp.nullable().meta({ description: 'When it was released.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SolutionVersion', description: 'A version of a product.' })

export const SolutionVersionDetail = SolutionVersion.extend({
  items: z.array(z.string()).meta({ description: 'External keys of its work items.' }),
  progress: z.int().meta({
    description:
      'In percent: of its items, or of what lies lowest below them, weighted by points; unweighted where none has any. What is done counts 100, another its `progressPercentage`.',
  }),
  points: z
    .object({ total: z.number(), done: z.number() })
    .meta({ description: 'Story points of the same; `done` are those of what is done.' }),
}).meta({ id: 'SolutionVersionDetail' })
