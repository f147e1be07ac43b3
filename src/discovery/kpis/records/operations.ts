import * as z from 'zod'
import { exportOperation } from '../../../export-operation'
import {
  ALL_RECORDS_COST_REASON,
  declareCeiling,
  KPI_RECORDS_COST_REASON,
  PAGE_RECORDS_COST_REASON,
  WHOLE_EVENT_COST_REASON,
} from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { invalidValueError } from '../../../text/errors'
import { KpiParams } from '../schema'
import type { FileRecords } from './collect'
import { checkKpiRecords } from './queries/dry-run'
import { insertKpiRecords as insertRecords, upsertKpiRecords } from './queries/insert'
import { listIntervals, rawRecordReader } from './queries/read'
import { removeKpiRecords, removeKpiRecord as removeRecord } from './queries/remove'
import { READER_MEMORY_BYTES, readRecordsFile } from './read'
import {
  ExportRecords,
  InsertQuery,
  KpiInterval,
  KpiRecord,
  KpiRecordRows,
  KpiWithInsertedRecords,
  ListRecords,
  RecordParams,
  RemoveRecordQuery,
  startsBeforeEnd,
} from './schema'

export const insertKpiRecords = operation({
  id: 'insertKpiRecords',
  ceiling: declareCeiling(53_000, WHOLE_EVENT_COST_REASON),
  of: 'kpi',
  route: 'POST /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/insert-kpi-records',
  summary: 'Insert KPI records from a CSV, JSON or NDJSON file, or as JSON',
  description: `The file is CSV, JSON or NDJSON, with at most 200,000 rows of up to 256 KiB, or 25 MiB. The content decides the format, then
the media type, then the file name.

CSV has a header. Column names match in any case, with or without spaces and underscores: \`value\` (also \`metric\`,
\`amount\`) and \`createdAt\` (also \`date\`, \`timestamp\`, \`recordedAt\`, \`entryDate\`; the current time if empty). If no column
has such a name, the only column of numbers is the value, and the only column of dates is the date. The service ignores
other columns. The delimiter is \`,\`, \`;\` or a tab. JSON is an array of objects with the same names, an array of numbers, or
an object with the array as \`records\`. NDJSON has one object or number per line.

A value is a decimal number, rounded half away from zero to two places. A date is an ISO 8601 date or timestamp (UTC
without a zone), or a Unix time of 10 digits (seconds) or of 12 or 13 digits (milliseconds). \`31/12/2026\`, \`12-31-2026\`,
\`31.12.2026\` (day first) and \`2026/12/31\` are dates too, with or without a time. \`01/12/2026\` is ambiguous, and other rows
decide: \`31/12/2026\` is day first, \`12/31/2026\` is month first. If no row decides, or rows contradict each other,
ambiguous rows are invalid. Write \`2026-12-01\`.

Records are inserted and never replaced, unless \`mode\` is \`upsert\`. The message counts and names invalid rows, which are left
out. If no row is valid, nothing is inserted and the response is a 400. \`dryRun=true\` stores nothing: the response (200) has
the first records and the invalid rows in \`dryRun\`. To undo an insert, send it with
\`include=inserted\`, and remove the records from \`inserted.firstId\` through \`inserted.lastId\`. You can also send the JSON as the body.`,
  weight: 'bulk',
  status: 201,
  alternativeStatus: 200,
  params: KpiParams,
  query: InsertQuery,
  upload: {
    part: 'metrics',
    description: 'CSV, JSON or NDJSON file with the records.',
    maxHeldBytes: READER_MEMORY_BYTES,
    needsDigest: false,
    json: KpiRecordRows,
    receive: readRecordsFile,
  },
  data: KpiWithInsertedRecords,
  async handle({ params, query: { mode, dryRun, include }, body, db }) {
    const records = body.file
    if ('problem' in records) throw invalidValueError('/metrics', records.problem, 'invalid_file')
    if (!records.valid.values.length)
      throw invalidValueError('/metrics', describeNoValidRecords(records), 'no_valid_records')
    const done = mode === 'upsert' ? 'saved' : 'inserted'
    if (dryRun === 'true') {
      const checked = await checkKpiRecords(db, params, records, mode)
      return { data: checked, message: describeDryRun(records), status: 200 }
    }
    const save = mode === 'upsert' ? upsertKpiRecords : insertRecords
    const { inserted, ...kpi } = await save(db, params, records)
    const data = include === 'inserted' ? { ...kpi, inserted } : kpi
    return { data, message: describeInsertOutcome(records, done) }
  },
})

const INTERVALS_NOT_COUNTED = 'Only single records are counted. Send `interval=raw`, or leave `count` out.'

export const listKpiRecords = operation({
  id: 'listKpiRecords',
  ceiling: declareCeiling(27_000, PAGE_RECORDS_COST_REASON),
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/records',
  summary: 'List the records of a KPI',
  description:
    'The newest records come first. With another `interval` than `raw`, each item is a day, week or month with records, oldest first; only single records can be counted. The range includes `from` and excludes `to`. A range from midnight to midnight (UTC) is fastest: at any other time the service also reads the records of that day.',
  params: KpiParams,
  query: ListRecords.refine(...startsBeforeEnd),
  data: z.array(z.union([KpiRecord, KpiInterval])),
  handle({ params, query: { interval, ...asked }, db }) {
    if (interval !== 'raw' && asked.count === 'true') throw invalidValueError('/query/count', INTERVALS_NOT_COUNTED)
    if (interval !== 'raw') return listIntervals(db, params, { ...asked, interval })
    return rawRecordReader.page(db, { ...asked, sort: ['-createdAt'] }, params)
  },
})

export const exportKpiRecords = exportOperation({
  id: 'exportKpiRecords',
  ceiling: declareCeiling(27_000, ALL_RECORDS_COST_REASON, 1_100_000),
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/records/export',
  summary: 'Export the records of a KPI',
  description: 'Downloads the records, oldest first. You can insert the file again.',
  params: KpiParams,
  query: ExportRecords.refine(...startsBeforeEnd),
  read: ({ params, query: { format: _, ...range }, db }) => ({
    name: `${params.kpi_external_key}-records`,
    columns: ['id', 'value', 'createdAt'],
    pages: rawRecordReader.pages(db, { ...range, sort: ['createdAt'] }, params, RECORDS_PER_EXPORT_PAGE),
  }),
})

// Records are small: 1,000 pages, the limit of statements in an invocation, are ten million records.
const RECORDS_PER_EXPORT_PAGE = 10_000

export const removeKpiRecord = operation({
  id: 'removeKpiRecord',
  ceiling: declareCeiling(200_000, KPI_RECORDS_COST_REASON),
  of: 'kpi_record',
  route: 'DELETE /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/records/{recordId}',
  summary: 'Remove a record of a KPI',
  description:
    'Deletes the record permanently. Send `createdAt` to find the record at once. `through` removes all records of the KPI from `recordId` through this id, like the records of one insert.',
  params: RecordParams,
  query: RemoveRecordQuery,
  errors: ['kpi_not_found', 'kpi_record_not_found'],
  message: 'Record removed',
  conditional: false,
  handle: ({ params, query: { createdAt, through }, db }) =>
    through === undefined ? removeRecord(db, params, createdAt) : removeKpiRecords(db, params, through),
})

const MAX_NAMED_REJECTIONS = 10

function describeRejectedRecords({ rejected: { count, rows } }: FileRecords): string {
  const named = rows.slice(0, MAX_NAMED_REJECTIONS).map(({ row, reason }) => `row ${row}: ${reason}`)
  const more = count - named.length
  return `(${named.join('; ')}${more > 0 ? `; and ${more} more` : ''})`
}

function describeNoValidRecords(records: FileRecords): string {
  if (!records.total) return 'The file has no records. Add a row with a value.'
  const rows = records.total === 1 ? 'The only record' : `All ${records.total} records`
  return `${rows} of the file cannot be inserted ${describeRejectedRecords(records)}. Correct the values and send the file again.`
}

function describeInsertOutcome(records: FileRecords, done: string): string {
  const { total, rejected, valid } = records
  if (!rejected.count) return `${valid.values.length} ${total === 1 ? 'record was' : 'records were'} ${done}`
  return `${rejected.count} of ${total} records were not ${done} ${describeRejectedRecords(records)}`
}

function describeDryRun(records: FileRecords): string {
  const count = records.valid.values.length
  const found = `Nothing is stored yet: ${count} ${count === 1 ? 'record is' : 'records are'} valid`
  return records.rejected.count
    ? `${found}, and ${records.rejected.count} of ${records.total} are not ${describeRejectedRecords(records)}`
    : found
}
