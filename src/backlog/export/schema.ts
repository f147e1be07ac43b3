import * as z from 'zod'
import { FORMATS } from '../../files/write'
import { listQuery } from '../../http/pagination'

export const ExportBacklog = z.object({
  format: z
    .enum(FORMATS, { error: 'Must be "csv", "json" or "ndjson"' })
    .default('csv')
    .meta({ description: '`json` is one array, `ndjson` an item a line.' }),
})

/** How its pages are read. */
export const InOrder = listQuery(['order'])
