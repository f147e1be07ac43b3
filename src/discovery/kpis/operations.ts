import * as z from 'zod'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import { invalid } from '../../text/errors'
import type { Records } from './collect'
import * as queries from './queries'
import { HELD_BY_RECORDS, readRecords } from './records'
import { CreateKpi, Kpi, KpiListQuery, KpiParams, KpiQuery, KpiWithRecords, ModifyKpi } from './schema'

export const createKpi = operation({
  id: 'createKpi',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/kpi',
  tag: 'KPIs',
  summary: 'Create a KPI',
  description: 'Its key is the next `KPI-<number>`. Records are inserted from a file afterwards.',
  scope: 'kpis:write',
  status: 201,
  params: ProductParams,
  body: CreateKpi,
  data: Kpi,
  async handle({ params, body, db }) {
    const { data } = await queries.createKpi(db, body)
    const location = `/api/initiatives/${params.product_external_key}/kpi/${data.externalKey}`
    return { data, message: 'KPI saved', location }
  },
})

export const listKpis = operation({
  id: 'listKpis',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/kpis',
  tag: 'KPIs',
  summary: 'List KPIs not linked to a backlog work item',
  description: 'Ordered by `order`, the highest first. `linked` widens the list.',
  scope: 'kpis:read',
  params: ProductParams,
  query: KpiListQuery,
  data: z.array(Kpi),
  handle: ({ query, db }) => queries.listKpis(db, query),
})

export const getKpi = operation({
  id: 'getKpi',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  tag: 'KPIs',
  summary: 'Retrieve a KPI',
  description: 'With its newest records, as many as `revisions` says.',
  scope: 'kpis:read',
  params: KpiParams,
  query: KpiQuery,
  data: Kpi,
  errors: ['kpi_not_found'],
  handle: ({ params, query, db }) => queries.getKpi(db, params, query.revisions),
})

export const modifyKpi = operation({
  id: 'modifyKpi',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  tag: 'KPIs',
  summary: 'Modify a KPI',
  description: 'Changes the fields that are sent; `null` clears one. Its records stay.',
  scope: 'kpis:write',
  params: KpiParams,
  body: ModifyKpi,
  data: Kpi,
  errors: ['kpi_not_found'],
  conditional: true,
  async handle({ params, body, db, ifMatch }) {
    return { ...(await queries.modifyKpi(db, params, body, ifMatch)), message: 'KPI saved' }
  },
})

export const removeKpi = operation({
  id: 'removeKpi',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}',
  tag: 'KPIs',
  summary: 'Remove a KPI',
  description: 'Work items no longer show it. It can be restored for 30 days.',
  scope: 'kpis:write',
  params: KpiParams,
  data: z.object({}),
  errors: ['kpi_not_found'],
  conditional: true,
  async handle({ params, db, ifMatch }) {
    await queries.removeKpi(db, params, ifMatch)
    return { data: {}, message: 'KPI removed' }
  },
})

export const restoreKpi = operation({
  id: 'restoreKpi',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}/restore',
  tag: 'KPIs',
  summary: 'Restore a removed KPI',
  description: 'With its records, and linked to the work items that named it.',
  scope: 'kpis:write',
  params: KpiParams,
  data: Kpi,
  errors: ['kpi_not_found'],
  async handle({ params, db }) {
    return { ...(await queries.restoreKpi(db, params)), message: 'KPI restored' }
  },
})

export const insertKpiRecords = operation({
  id: 'insertKpiRecords',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/kpi/{kpi_external_key}/insert-kpi-records',
  tag: 'KPIs',
  summary: 'Insert KPI records from a CSV or JSON file',
  description: `The file is CSV or JSON, at most 200,000 rows of up to 256 KiB, or 25 MiB; what it holds decides, then its type, then its name.

CSV has a header; columns are matched without regard to case, spaces or underscores: \`value\` (required; also
\`metric\`, \`amount\`) and \`createdAt\` (also \`date\`, \`timestamp\`, \`recordedAt\`, \`entryDate\`; now when empty). Other
columns are ignored. The delimiter is \`,\`, \`;\` or a tab. JSON is an array of objects with the same names, or of bare
numbers, or an object with such an array as \`records\`.

A value is a decimal number, kept to two places, rounded half away from zero. A date is an ISO 8601 date or timestamp
(UTC without a zone), or a Unix time of ten digits (seconds) or of twelve or thirteen (milliseconds).

Records are only inserted, never replaced. Invalid rows are left out, and the message counts and names them; when no row
is valid, nothing is inserted and the answer is a 400.`,
  scope: 'kpis:write',
  status: 201,
  params: KpiParams,
  upload: {
    part: 'metrics',
    description: 'A CSV or JSON file with the records.',
    holds: HELD_BY_RECORDS,
    digests: false,
    receive: readRecords,
  },
  data: KpiWithRecords,
  errors: ['kpi_not_found'],
  async handle({ params, body, db }) {
    const records = body.file
    if ('problem' in records) throw invalid('/metrics', `metrics: ${records.problem}`, 'invalid_file')
    if (!records.valid.values.length) throw invalid('/metrics', nothingValid(records), 'no_valid_records')
    const { data } = await queries.insertKpiRecords(db, params, records)
    return { data, message: outcome(records) }
  },
})

function named({ rejected }: Records): string {
  const more = rejected.count - rejected.reasons.length
  return `(${rejected.reasons.join('; ')}${more > 0 ? `; and ${more} more` : ''})`
}

function nothingValid(records: Records): string {
  if (!records.total) return 'metrics: The file has no records. Add a row with a value.'
  const rows = records.total === 1 ? 'The only record' : `All ${records.total} records`
  return `metrics: ${rows} of the file cannot be inserted ${named(records)}. Correct the values and send it again.`
}

function outcome(records: Records): string {
  const { total, rejected, valid } = records
  if (!rejected.count) return `${valid.values.length} ${total === 1 ? 'record was' : 'records were'} inserted`
  return `${rejected.count} of ${total} records were not inserted ${named(records)}`
}
