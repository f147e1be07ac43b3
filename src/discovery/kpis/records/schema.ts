import * as z from 'zod'
import { ExportQuery } from '../../../files/write'
import { createListQuery } from '../../../http/pagination'
import { datesInOrder, integer, moment, Timestamp } from '../../../http/schemas'
import { DecimalText, KpiParams } from '../schema'

export const RECORD_INTERVALS = ['day', 'week', 'month'] as const
export type RecordInterval = (typeof RECORD_INTERVALS)[number]

export const RecordParams = KpiParams.extend({
  recordId: integer({ min: 1 }).meta({ description: 'The id of the record.', example: 1 }),
})

export const InsertModeQuery = z.object({
  mode: z
    .enum(['insert', 'upsert'], { error: 'Must be "insert" or "upsert"' })
    .default('insert')
    .meta({ description: '`upsert`: a record replaces all records of the KPI with the same `createdAt`.' }),
})

export const KpiRecordRows = z.array(z.looseObject({})).meta({
  id: 'KpiRecords',
  description:
    'Array of records: objects with `value` and `createdAt`, or numbers. An object with the array as `records` works too.',
  examples: [[{ value: '12.50', createdAt: '2026-01-31T09:00:00.000Z' }, { value: 13 }]],
})

export interface TimeRange {
  from?: number | undefined
  to?: number | undefined
}

export const timeRangeFields = {
  from: moment().optional().meta({ description: 'Start of the range, inclusive.', example: '1970-01-01' }),
  to: moment().optional().meta({ description: 'End of the range, exclusive.', example: '9999-12-31' }),
}

export const startsBeforeEnd = datesInOrder('from', 'to', '`from`')

export const RawRecordsQuery = createListQuery(['-createdAt', 'createdAt']).extend(timeRangeFields)

export const ListRecords = RawRecordsQuery.omit({ sort: true, fields: true }).extend({
  interval: z
    .enum(['raw', ...RECORD_INTERVALS], { error: 'Must be "raw", "day", "week" or "month"' })
    .default('raw')
    .meta({ description: 'Single records, or one item for each day, week (from Monday) or month in UTC.' }),
})

export const ExportRecords = ExportQuery.extend(timeRangeFields)

export const RemoveRecordQuery = z.object({
  createdAt: moment().optional().meta({
    description: 'Time of the record. Without a time, the operation looks at all records of the KPI.',
  }),
})

export const KpiRecord = z
  .object({ id: z.int(), value: DecimalText, createdAt: Timestamp })
  .meta({ id: 'KpiRecord', description: 'Record of a KPI.' })

export const KpiInterval = z
  .object({
    start: Timestamp.meta({ description: 'Start of the day, week or month.' }),
    value: DecimalText.meta({ description: 'Sum, average or last value of the records, by `aggregate` of the KPI.' }),
    count: z.int().meta({ description: 'Number of records.' }),
    min: DecimalText,
    max: DecimalText,
  })
  .meta({ id: 'KpiInterval', description: 'Records of a KPI in a day, week or month.' })
