import * as z from 'zod'
import { MAX_PAGE_RECORDS, MAX_WHOLE_LIST_RECORDS } from '../db/records/page'
import { integer, moment, text } from './schemas'
import { declareWeight, RATE_LIMIT_WEIGHTS } from './weight'

type SortNames = readonly [string, ...string[]]

// A page of several keys has a text of SQL for each order in use.
const MAX_SORT_KEYS = 3

const fieldOfSort = (name: string) => name.replace(/^-/, '')

const SEVERAL_SORTS_NOTE = `Up to ${MAX_SORT_KEYS} keys are separated by commas (\`-score,createdAt\`). A page of several keys takes ${RATE_LIMIT_WEIGHTS.walk} units and looks at 10,000 records: the page can be short or empty and still have a next page.`

/** The first sort is the default. */
export function sortParameter<const S extends SortNames>(
  sorts: S,
  description: string,
): z.ZodDefault<z.ZodType<S[number][], string>> {
  const hasSeveral = new Set(sorts.map(fieldOfSort)).size > 1
  const names: z.ZodType<S[number][], string> = z.preprocess(
    (sent) => (typeof sent === 'string' ? sent.split(',').map((name) => name.trim()) : sent),
    z
      .array(z.enum(sorts))
      .min(1)
      .max(hasSeveral ? MAX_SORT_KEYS : 1)
      .refine((names) => new Set(names.map(fieldOfSort)).size === names.length, 'Must name each field once'),
  )
  const parameter = names
    .default([sorts[0]])
    .meta({ description: hasSeveral ? `${description} ${SEVERAL_SORTS_NOTE}` : description })
  return hasSeveral ? declareWeight('walk', parameter, (sent) => sent.includes(',')) : parameter
}

function createListShape<const S extends SortNames>(sorts: S, limit = 50) {
  return {
    limit: integer({ min: 1, max: MAX_PAGE_RECORDS }).default(limit).meta({ description: 'Records per page.' }),
    cursor: text(500).optional().meta({ description: 'Start of the page, from the `next` link.' }),
    sort: sortParameter(
      sorts,
      sorts.includes('updatedAt')
        ? 'Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page.'
        : 'Sort order; `-` means descending.',
    ),
    fields: text(1000)
      .optional()
      .meta({ description: 'Comma-separated names of the fields to return. Default: all fields.' }),
    count: countParameter(),
  }
}

/** The first sort is the default. */
export const createListQuery = <const S extends SortNames>(sorts: S, { limit = 50 } = {}) =>
  z.object(createListShape(sorts, limit))

export const countParameter = () =>
  declareWeight(
    'walk',
    z.enum(['true', 'false'], { error: 'Must be "true" or "false"' }).optional().meta({
      description:
        'With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again.',
    }),
  )

const SCANS_NOTE = 'a page can be short or empty and still have a next page.'

/** For a list of links, which has no order by the change of the linked records. */
export const updatedSinceParameter = () => ({
  updatedSince: moment()
    .optional()
    .meta({
      description: `Only records changed at or after this time. Looks at 10,000 records per page: ${SCANS_NOTE}`,
      example: '2026-01-31T09:00:00.000Z',
    }),
})

/** Query of a list of records with `updatedAt`. The first sort is the default. */
export const createChangesQuery = <const S extends SortNames>(sorts: S) => z.object(createChangesShape(sorts))

const createChangesShape = <const S extends SortNames>(sorts: S) => ({
  ...createListShape<readonly [...S, 'updatedAt', '-updatedAt']>([...sorts, 'updatedAt', '-updatedAt']),
  updatedSince: moment()
    .optional()
    .meta({
      description: `Only records changed at or after this time. An index serves the filter if you sort by \`updatedAt\`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: ${SCANS_NOTE}`,
      example: '2026-01-31T09:00:00.000Z',
    }),
})

/** For a list of records that can be restored. */
export const removedParameter = () => ({
  removed: z.enum(['exclude', 'include', 'only'], { error: 'Must be "exclude", "include" or "only"' }).optional().meta({
    description:
      'Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products.',
  }),
})

/** Query of a list of records with `updatedAt` that can be restored. */
export const createRestorableQuery = <const S extends SortNames>(sorts: S) =>
  z.object({ ...createChangesShape(sorts), ...removedParameter() })

/** Query of a list documented without parameters: without `limit` the response has all records, up to `MAX_WHOLE_LIST_RECORDS`. */
export function createWholeListQuery<const S extends SortNames>(sorts: S) {
  return z.object({
    ...createListShape(sorts),
    limit: integer({ min: 1, max: MAX_PAGE_RECORDS })
      .optional()
      .meta({
        description: `Records per page. Without a limit the page has up to ${MAX_WHOLE_LIST_RECORDS.toLocaleString('en-US')} records or 4 MB; follow the \`next\` link for more.`,
      }),
  })
}
