import * as z from 'zod'
import { ExportQuery } from '../../../files/write'
import { createListQuery } from '../../../http/pagination'
import { datesInOrder, integer, moment, Timestamp } from '../../../http/schemas'
import { DecimalText, KpiParams, KpiWithRecords } from '../schema'

export const RECORD_INTERVALS = ['day', 'week', 'month'] as const
export type RecordInterval = (typeof RECORD_INTERVALS)[number]

export const RecordParams = KpiParams.extend({
  recordId: integer({ min: 1 }).meta({ description: 'The id of the record.', example: 1 }),
})

export const INSERT_MODES = ['insert', 'upsert'] as const

export const InsertQuery = z.object({
  dryRun: z.enum(['false', 'true']).default('false').meta({
    description: '`true`: dry run. Nothing is stored, and the response (200) shows the result of the insert.',
  }),
  mode: z
    .enum(INSERT_MODES, { error: 'Must be "insert" or "upsert"' })
    .default('insert')
    .meta({ description: '`upsert`: a record replaces all records of the KPI with the same `createdAt`.' }),
  include: z.enum(['inserted']).optional().meta({ description: '`inserted` adds the ids of the new records.' }),
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
  through: integer({ min: 1 })
    .optional()
    .meta({ description: 'The id of the last record, to remove several records.' }),
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

export const DryRunOfInsert = z.object({
  total: z.int().meta({ description: 'Rows of the file.' }),
  valid: z.int().meta({ description: 'Rows with a valid record.' }),
  rejectedCount: z.int().meta({ description: 'Invalid rows.' }),
  added: z.int().meta({
    description:
      'Records to insert. With `mode=upsert`, records that are stored already do not count, and records of the same time count once.',
  }),
  replaced: z.int().meta({ description: 'Stored records to replace. 0 without `mode=upsert`.' }),
  records: z.array(KpiRecord.omit({ id: true })).meta({ description: 'The first 10 valid records of the file.' }),
  rejected: z
    .array(z.object({ row: z.int(), reason: z.string() }))
    .meta({ description: 'The first 100 invalid rows, counted from 1 without the header and empty lines.' }),
  former: z.array(KpiRecord).meta({ description: 'The first 1,000 records to replace.' }),
})

export const KpiWithInsertedRecords = KpiWithRecords.extend({
  dryRun: DryRunOfInsert.optional().meta({ description: 'Present with `dryRun=true`.' }),
  inserted: z.object({ firstId: z.int(), lastId: z.int() }).nullable().optional().meta({
    description:
      'Ids of the new records, with `include=inserted`. Null if all records were stored already. Absent in a dry run.',
  }),
}).meta({ id: 'KpiWithInsertedRecords' })
