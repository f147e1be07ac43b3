import * as z from 'zod'
import { ExportQuery } from '../../../files/write'
import { listQuery } from '../../../http/pagination'
import { integer, moment, Timestamp } from '../../../http/schemas'
import { DecimalText, KpiParams } from '../schema'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

export const RecordParams = KpiParams.extend({
  recordId: integer({ min: 1 }).meta({ description: 'The id of the record.', example: 1 }),
})

export const InsertMode = z.object({
  mode: z
    .enum(['insert', 'upsert'], { error: 'Must be "insert" or "upsert"' })
    .default('insert')
    .meta({ description: '`upsert`: a record replaces all that the KPI has of its moment.' }),
})

export const Rows = z.array(z.looseObject({})).meta({
  id: 'KpiRecords',
  description:
    'The records: objects with `value` and `createdAt`, or bare numbers; or an object with them as `records`.',
  examples: [[{ value: '12.50', createdAt: '2026-01-31T09:00:00.000Z' }, { value: 13 }]],
})

export interface Range {
  from?: number | undefined
  to?: number | undefined
}

export const range = {
  from: moment().optional().meta({ description: 'The first moment, itself included.', example: '1970-01-01' }),
  to: moment().optional().meta({ description: 'The moment at which it ends, itself left out.', example: '9999-12-31' }),
}

export const inOrder = ({ from, to }: Range) => from === undefined || to === undefined || from <= to
export const NOT_IN_ORDER = { path: ['to'], error: 'Must not be before from' }

/** Internal query for pages of raw records. */
export const RawPage = listQuery(['-createdAt', 'createdAt']).extend(range)

export const ListRecords = RawPage.omit({ sort: true, fields: true }).extend({
  interval: z
    .enum(['raw', ...INTERVALS], { error: 'Must be "raw", "day", "week" or "month"' })
    .default('raw')
    .meta({ description: 'The records themselves, or one item for each day, week (from Monday) or month of UTC.' }),
})

export const ExportRecords = ExportQuery.extend(range)

export const RemoveRecordQuery = z.object({
  createdAt: moment()
    .optional()
    .meta({ description: 'Its moment, by which an index finds it. Without it the records of the KPI are walked.' }),
})

export const KpiRecord = z
  .object({ id: z.int(), value: DecimalText, createdAt: Timestamp })
  .meta({ id: 'KpiRecord', description: 'One record of a KPI.' })

export const KpiInterval = z
  .object({
    start: Timestamp.meta({ description: 'When the day, week or month begins.' }),
    value: DecimalText.meta({ description: 'Sum, average or last value of its records, as the KPI says.' }),
    count: z.int().meta({ description: 'How many records it has.' }),
    min: DecimalText,
    max: DecimalText,
  })
  .meta({ id: 'KpiInterval', description: 'What a KPI has of a day, week or month.' })
