import * as z from 'zod'
import { MAX_PAGE_RECORDS, MAX_WHOLE_LIST_RECORDS } from '../db/records/page'
import { integer, text } from './schemas'
import { declareWeight } from './weight'

/** The first sort is the default. */
export function createListQuery<const S extends readonly [string, ...string[]]>(sorts: S, { limit = 50 } = {}) {
  return z.object({
    limit: integer({ min: 1, max: MAX_PAGE_RECORDS }).default(limit).meta({ description: 'Records per page.' }),
    cursor: text(500).optional().meta({ description: 'Start of the page, from the `next` link.' }),
    sort: z
      .enum(sorts)
      .default(sorts[0] as never)
      .meta({ description: 'Sort order; `-` means descending.' }),
    fields: text(1000)
      .optional()
      .meta({ description: 'Comma-separated names of the fields to return. Default: all fields.' }),
    count: countParameter(),
  })
}

export const countParameter = () =>
  declareWeight(
    'walk',
    z.enum(['true', 'false'], { error: 'Must be "true" or "false"' }).optional().meta({
      description:
        'With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again.',
    }),
  )

/** Query of a list documented without parameters: without `limit` the response has all records, up to `MAX_WHOLE_LIST_RECORDS`. */
export function createWholeListQuery<const S extends readonly [string, ...string[]]>(sorts: S) {
  return createListQuery(sorts).extend({
    limit: integer({ min: 1, max: MAX_PAGE_RECORDS })
      .optional()
      .meta({
        description: `Records per page. Without a limit the page has up to ${MAX_WHOLE_LIST_RECORDS.toLocaleString('en-US')} records or 4 MB; follow the \`next\` link for more.`,
      }),
  })
}
