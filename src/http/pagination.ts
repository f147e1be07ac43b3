import * as z from 'zod'
import { MAX_PAGE } from '../db/page'
import { integer, text } from './schemas'

/** The query of every list: `limit`, `cursor`, `sort`, `fields`. The first sort is the default. */
export function listQuery<const S extends readonly [string, ...string[]]>(sorts: S, { limit = 50 } = {}) {
  return z.object({
    limit: integer({ min: 1, max: MAX_PAGE }).default(limit).meta({ description: 'Records per page.' }),
    cursor: text(500).optional().meta({ description: 'Where the page begins: from the `next` link.' }),
    sort: z
      .enum(sorts)
      .default(sorts[0] as never)
      .meta({ description: 'The order; `-` is descending.' }),
    fields: text(1000)
      .optional()
      .meta({ description: 'Comma-separated names of the fields to return. All without it.' }),
  })
}
