import * as z from 'zod'
import { type Cell, fileOf, MEDIA_TYPES } from '../../../files/write'
import { ALL_RECORDS, RECORDS_OF_KPI, RECORDS_OF_PAGE, WHOLE_EVENT, walk } from '../../../http/ceiling'
import { begun, download } from '../../../http/download'
import { operation } from '../../../http/operation'
import { invalid } from '../../../text/errors'
import { KpiParams, KpiWithRecords } from '../schema'
import type { Records } from './collect'
import { insertKpiRecords as insertRecords, upsertKpiRecords } from './queries/insert'
import { listIntervals, rawRecords } from './queries/read'
import { removeKpiRecord as removeRecord } from './queries/remove'
import { HELD_BY_RECORDS, readRecords } from './read'
import {
  ExportRecords,
  InsertMode,
  inOrder,
  KpiInterval,
  KpiRecord,
  ListRecords,
  NOT_IN_ORDER,
  RecordParams,
  RemoveRecordQuery,
  Rows,
} from './schema'

export const insertKpiRecords = operation({
  id: 'insertKpiRecords',
  ceiling: walk(53_000, WHOLE_EVENT),
  of: 'kpi',
  route: 'POST /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/insert-kpi-records',
  summary: 'Insert KPI records from a CSV, JSON or NDJSON file, or as JSON',
  description: `The file is CSV, JSON or NDJSON, at most 200,000 rows of up to 256 KiB, or 25 MiB; what it holds decides, then its type, then its name.

CSV has a header; columns are matched without regard to case, spaces or underscores: \`value\` (also \`metric\`, \`amount\`)
and \`createdAt\` (also \`date\`, \`timestamp\`, \`recordedAt\`, \`entryDate\`; now when empty). A file without such a name for
the value may have one column of numbers, which is the value; likewise one column of dates is the date. Other columns are
ignored. The delimiter is \`,\`, \`;\` or a tab. JSON is an array of objects with the same names, of bare numbers, or an
object with such an array as \`records\`. NDJSON has one such object or number a line.

A value is a decimal number, kept to two places, rounded half away from zero. A date is an ISO 8601 date or timestamp
(UTC without a zone), or a Unix time of ten digits (seconds) or of twelve or thirteen (milliseconds). \`31/12/2026\`,
\`12-31-2026\`, \`31.12.2026\` (the day first) and \`2026/12/31\` are dates, too, also with a time. \`01/12/2026\` reads two ways: the
other rows of the file decide, as \`31/12/2026\` has the day first and \`12/31/2026\` the month. Where no row decides, or rows
contradict each other, such rows are invalid: write \`2026-12-01\`.

Records are only inserted, never replaced, unless \`mode\` says \`upsert\`: then a record replaces all of its moment. Invalid
rows are left out, and the message counts and names them; when no row is valid, nothing is inserted and the answer is a 400.
The JSON may be sent as the body, too.`,
  weight: 'bulk',
  status: 201,
  params: KpiParams,
  query: InsertMode,
  upload: {
    part: 'metrics',
    description: 'A CSV, JSON or NDJSON file with the records.',
    holds: HELD_BY_RECORDS,
    digests: false,
    json: Rows,
    receive: readRecords,
  },
  data: KpiWithRecords,
  async handle({ params, query: { mode }, body, db }) {
    const records = body.file
    if ('problem' in records) throw invalid('/metrics', records.problem, 'invalid_file')
    if (!records.valid.values.length) throw invalid('/metrics', nothingValid(records), 'no_valid_records')
    const save = mode === 'upsert' ? upsertKpiRecords : insertRecords
    const { data } = await save(db, params, records)
    return { data, message: outcome(records, mode === 'upsert' ? 'saved' : 'inserted') }
  },
})

export const listKpiRecords = operation({
  id: 'listKpiRecords',
  ceiling: walk(27_000, RECORDS_OF_PAGE),
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/records',
  summary: 'List the records of a KPI',
  description:
    'The newest first; by `interval` what each day, week or month has, the oldest first, of those that have any. `from` is included, `to` is not: a midnight of UTC costs least, as another moment has the records of its day counted.',
  params: KpiParams,
  query: ListRecords.refine(inOrder, NOT_IN_ORDER),
  data: z.array(z.union([KpiRecord, KpiInterval])),
  handle({ params, query: { interval, ...asked }, db }) {
    if (interval !== 'raw') return listIntervals(db, params, { ...asked, interval })
    return rawRecords.page(db, { ...asked, sort: '-createdAt' }, params)
  },
})

export const exportKpiRecords = operation({
  id: 'exportKpiRecords',
  ceiling: walk(27_000, ALL_RECORDS, 1_100_000),
  of: 'kpi',
  route: 'GET /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/records/export',
  summary: 'Export the records of a KPI',
  description:
    'The oldest first, as a download that is made while it is read: one that ends early was interrupted. The file can be inserted again.',
  params: KpiParams,
  query: ExportRecords.refine(inOrder, NOT_IN_ORDER),
  streams: Object.values(MEDIA_TYPES),
  async handle({ params, query: { format, ...range }, db }) {
    const pages = await begun(rawRecords.pages(db, { ...range, sort: 'createdAt' }, params, RECORDS_PER_PAGE))
    const name = `${params.kpi_external_key}-records.${format}`
    return download({ type: MEDIA_TYPES[format], name, pieces: fileOf(format, pages, COLUMNS) })
  },
})

// Records are small: 1,000 pages, the limit of statements in an invocation, are ten million records.
const RECORDS_PER_PAGE = 10_000

const COLUMNS = {
  header: ['id', 'value', 'createdAt'],
  cells: ({ id, value, createdAt }: z.output<typeof KpiRecord>): Cell[] => [id, value, createdAt],
}

export const removeKpiRecord = operation({
  id: 'removeKpiRecord',
  ceiling: walk(200_000, RECORDS_OF_KPI),
  of: 'kpi_record',
  route: 'DELETE /api/initiatives/{product_external_key}/kpi/{kpi_external_key}/records/{recordId}',
  summary: 'Remove a record of a KPI',
  description: 'For good. With `createdAt`, its moment, it is found at once.',
  params: RecordParams,
  query: RemoveRecordQuery,
  errors: ['kpi_not_found', 'kpi_record_not_found'],
  message: 'Record removed',
  conditional: false,
  handle: ({ params, query, db }) => removeRecord(db, params, query.createdAt),
})

function named({ rejected }: Records): string {
  const more = rejected.count - rejected.reasons.length
  return `(${rejected.reasons.join('; ')}${more > 0 ? `; and ${more} more` : ''})`
}

function nothingValid(records: Records): string {
  if (!records.total) return 'The file has no records. Add a row with a value.'
  const rows = records.total === 1 ? 'The only record' : `All ${records.total} records`
  return `${rows} of the file cannot be inserted ${named(records)}. Correct the values and send it again.`
}

function outcome(records: Records, done: 'inserted' | 'saved'): string {
  const { total, rejected, valid } = records
  if (!rejected.count) return `${valid.values.length} ${total === 1 ? 'record was' : 'records were'} ${done}`
  return `${rejected.count} of ${total} records were not ${done} ${named(records)}`
}
