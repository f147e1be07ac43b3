import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { productId } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { event } from '../../db/events'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import { currentKey, takeNumber } from '../../db/numbering'
import { guard } from '../../db/refuse'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { caller, insertInto, param, type Statement, statement, variants } from '../../db/statement'
import { decimalText } from '../../text/decimals'
import { notFound } from '../../text/errors'
import { iso } from '../../text/moments'
import type { Records } from './records'
import { type KpiRow, MAX_REVISIONS } from './schema'

/** The newest records of a KPI as a JSON array of [id, value, createdAt], newest first; equal moments by id. */
function revisions(limit: SQLWrapper): SQL {
  return sql`(SELECT json_group_array(json_array(id, value, created_at)) FROM (
    SELECT ${kpiRecords.id}, ${kpiRecords.value}, ${kpiRecords.createdAt} FROM ${kpiRecords}
    WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpis.id}
    ORDER BY ${kpiRecords.createdAt} DESC, ${kpiRecords.id} DESC LIMIT ${limit}))`
}

const COLUMNS = {
  id: kpis.id,
  title: kpis.title,
  externalKey: kpis.externalKey,
  benchmark: kpis.benchmark,
  benchmarkUnit: kpis.benchmarkUnit,
  benchmarkType: kpis.benchmarkType,
  productId: kpis.productId,
  dueDate: kpis.dueDate,
  statement: kpis.statement,
  createdAt: kpis.createdAt,
  visualization: kpis.visualization,
  dashboardVisualization: kpis.dashboardVisualization,
  order: kpis.order,
  version: kpis.version,
}

const select = sql.join(
  Object.entries(COLUMNS).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`),
  sql`, `,
)

const inProduct = sql`${kpis.subscriptionId} = ${caller.subscription} AND ${kpis.productId} = ${productId}
  AND ${kpis.deletedAt} IS NULL`

export interface NewKpi {
  title: string
  benchmark: number
  benchmarkUnit: string | null
  benchmarkType: string | null
  dueDate: number | null
  statement: string | null
  visualization: boolean
  dashboardVisualization: boolean
}

const insert = statement<never, { [K in keyof NewKpi]: NewKpi[K] }>(
  insertInto(kpis, {
    subscriptionId: caller.subscription,
    productId,
    externalKey: currentKey('KPI'),
    title: param('title'),
    statement: param('statement'),
    benchmark: param('benchmark'),
    benchmarkUnit: param('benchmarkUnit'),
    benchmarkType: param('benchmarkType'),
    dueDate: param('dueDate'),
    visualization: param('visualization'),
    dashboardVisualization: param('dashboardVisualization'),
    order: sql`(SELECT coalesce(max(${kpis.order}), 0) + 1 FROM ${kpis}
      WHERE ${kpis.productId} = ${productId} AND ${kpis.deletedAt} IS NULL)`,
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const made = sql`FROM ${kpis} WHERE ${kpis.subscriptionId} = ${caller.subscription}
  AND ${kpis.externalKey} = ${currentKey('KPI')}`

const created = event({
  type: 'kpi.created',
  key: sql`${kpis.externalKey}`,
  product: sql`${kpis.productId}`,
  from: made,
})

const inserted = answer<KpiRow>({ ...COLUMNS, revisions: sql`'[]'` }, made)

export async function createKpi(db: Database, kpi: NewKpi): Promise<KpiRow> {
  const data = { ...kpi, benchmark: decimalText(kpi.benchmark), dueDate: iso(kpi.dueDate) }
  const { answer } = await db.write({
    statements: [takeNumber('KPI'), insert({ ...kpi }), created(data, {})],
    answer: inserted({}),
  })
  return answer[0]
}

const byKey = sql`${kpis.externalKey} = ${param('kpi')} AND ${inProduct}`

const find = statement<KpiRow, { kpi: string; revisions: number }>(
  sql`SELECT ${select}, ${revisions(param('revisions'))} AS "revisions" FROM ${kpis} WHERE ${byKey}`,
)

export async function getKpi(db: Database, kpi: string, revisions: number): Promise<KpiRow> {
  const [rows] = await db.read(find({ kpi, revisions }))
  const row = rows[0]
  if (!row) throw notFound('kpi_not_found')
  return row
}

const LINKED = {
  false: sql`AND ${kpis.linked} = 0`,
  true: sql`AND ${kpis.linked} = 1`,
  all: sql``,
}

type Linked = keyof typeof LINKED

const list = variants<KpiRow, PageValues & { revisions: number }, `${Linked}/${PageVariant}`>((variant) => {
  const [linked, place] = variant.split('/') as [Linked, PageVariant]
  // The page is cut first, so that only its KPIs are asked for their records.
  return sql`SELECT ${select}, ${revisions(param('revisions'))} AS "revisions" FROM ${kpis}
    WHERE ${inProduct} ${LINKED[linked]} ${pageAfter(sql`${kpis.order}`, sql`${kpis.id}`, place)}`
})

export async function listKpis(db: Database, query: Page & { linked: Linked; revisions: number }) {
  const [rows] = await db.read(
    list(`${query.linked}/${sortedBy(query)}`, { ...pageValues(query), revisions: query.revisions }),
  )
  return paginate(rows, query, (row) => [row.order, row.id])
}

type Key = { kpi: string }

const absent = guard<Key>('kpi_not_found', sql`NOT EXISTS (SELECT 1 FROM ${kpis} WHERE ${byKey})`)

const recordsInserted = event<Key>({
  type: 'kpi.records_inserted',
  key: sql`${kpis.externalKey}`,
  product: sql`${kpis.productId}`,
  from: sql`FROM ${kpis} WHERE ${byKey}`,
})

const meets = (value: SQLWrapper) => sql`CASE ${kpis.benchmarkType}
  WHEN 'MORE' THEN ${value} >= ${kpis.benchmark}
  WHEN 'LESS' THEN ${value} <= ${kpis.benchmark}
  WHEN 'EQUAL' THEN ${value} = ${kpis.benchmark} END`

// Stands before the insert: the newest record it finds is the one before this file.
const targetReached = event<Key & { value: number; at: number }>({
  type: 'kpi.target_reached',
  key: sql`${kpis.externalKey}`,
  product: sql`${kpis.productId}`,
  from: sql`FROM ${kpis} LEFT JOIN ${kpiRecords} ON ${kpiRecords.id} = (
      SELECT r.id FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpis.id}
      ORDER BY r.created_at DESC, r.id DESC LIMIT 1)
    WHERE ${byKey} AND ${meets(param('value'))}
      AND (${kpiRecords.id} IS NULL OR (${kpiRecords.createdAt} <= ${param('at')}
        AND NOT ${meets(sql`${kpiRecords.value}`)}))`,
})

const bump = statement<never, Key>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${byKey}`,
)

const insertRecords = statement<never, Key & { records: string }>(
  insertInto(
    kpiRecords,
    {
      subscriptionId: caller.subscription,
      kpiId: sql`(SELECT ${kpis.id} FROM ${kpis} WHERE ${byKey})`,
      value: sql`value`,
      createdAt: sql`CAST(key AS INTEGER)`,
    },
    sql`FROM json_each(${param('records')})`,
  ),
)

const withRecords = answer<KpiRow, Key>(
  { ...COLUMNS, revisions: revisions(sql.raw(String(MAX_REVISIONS))) },
  sql`FROM ${kpis} WHERE ${byKey}`,
)

/** Inserts the valid records of a file, at least one, and gives the KPI with its newest. */
export async function insertKpiRecords(db: Database, kpi: string, { valid, rejected }: Records): Promise<KpiRow> {
  const newest = newestOf(valid)
  const key = { kpi }
  const target = { value: decimalText(newest.value), createdAt: iso(newest.at) }
  const statements: Statement[] = [
    recordsInserted({ count: valid.values.length, rejected: rejected.count }, key),
    targetReached(target, { ...key, ...newest }),
    bump(key),
    ...jsonMembers(valid).map((records) => insertRecords({ ...key, records })),
  ]
  const { answer } = await db.write({ guards: [absent(key)], statements, answer: withRecords(key) })
  return answer[0]
}

/** The latest record; of several at one moment the last. */
function newestOf({ values, times }: Records['valid']): { value: number; at: number } {
  let newest = 0
  for (let index = 1; index < times.length; index++) {
    if ((times[index] as number) >= (times[newest] as number)) newest = index
  }
  return { value: values[newest] as number, at: times[newest] as number }
}

// One bound value may have 2 MB (D1).
const MAX_BOUND = 1_900_000

/**
 * JSON objects {"<createdAt>": <value>, …}, each short enough to be bound. Names repeat where moments do: json_each gives
 * every member in its order all the same, in half the time that pairs in arrays take.
 */
function jsonMembers({ values, times }: Records['valid']): string[] {
  const chunks: string[] = []
  const digits = momentDigits()
  let chunk = ''
  for (let index = 0; index < values.length; index++) {
    if (chunk.length > MAX_BOUND) {
      chunks.push(`{${chunk}}`)
      chunk = ''
    }
    chunk += `${chunk === '' ? '' : ','}"${digits(times[index] as number)}":${values[index]}`
  }
  chunks.push(`{${chunk}}`)
  return chunks
}

const SPLIT = 1_000_000

/** Writes milliseconds in two halves of small integers, the first remembered: a third of the time that one large number takes. */
function momentDigits(): (at: number) => string {
  let high = 0
  let text = ''
  return (at) => {
    if (at < SPLIT) return String(at)
    const half = Math.floor(at / SPLIT)
    if (half !== high) {
      high = half
      text = String(half)
    }
    return text + String(SPLIT + (at - half * SPLIT)).slice(1)
  }
}
