import { type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { event } from '../../db/events'
import { decimal, type Field, flag, moment, type Shown } from '../../db/field'
import { choice } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { type Key, record } from '../../db/record'
import { kpiRecords, kpis } from '../../db/schema/kpis'
import { jsonOf } from '../../db/selection'
import { boundLimit, caller, insertInto, param, type Statement, statement } from '../../db/statement'
import { decimalText } from '../../text/decimals'
import { iso } from '../../text/moments'
import type { Records } from './collect'
import { jsonMembers, newestOf } from './members'
import { CreateKpi, KpiListQuery, MAX_REVISIONS, ModifyKpi, REVISIONS } from './schema'

const key = { kpi_external_key: kpis.externalKey }
export type KpiKey = Key<typeof key>

// Equal moments by id.
const newest = sql`(SELECT ${kpiRecords.id}, ${kpiRecords.value}, ${kpiRecords.createdAt} FROM ${kpiRecords}
  WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpis.id}
  ORDER BY ${kpiRecords.createdAt} DESC, ${kpiRecords.id} DESC ${boundLimit('revisions')})`

const shown = alias(kpiRecords, 'shown')
const revision = { id: shown.id, createdAt: moment(shown.createdAt), value: decimal(shown.value) }

/** The newest records of a KPI, newest first, as many as `revisions` says. */
const revisions: Field<string, Shown<typeof revision>[], never> = {
  sql: sql`(SELECT json_group_array(json_array(id, value, created_at)) FROM ${newest})`,
  show: (stored) =>
    (JSON.parse(stored) as [id: number, value: number, createdAt: number][]).map(([id, value, createdAt]) => ({
      id,
      createdAt: iso(createdAt),
      value: decimalText(value),
    })),
  json: () => sql`(SELECT json_group_array(${jsonOf(revision)}) FROM ${newest} AS shown)`,
}

export const kpi = record('kpi', {
  table: kpis,
  within: 'product',
  key,
  fields: {
    id: kpis.id,
    title: kpis.title,
    externalKey: kpis.externalKey,
    benchmark: decimal(kpis.benchmark),
    benchmarkUnit: kpis.benchmarkUnit,
    benchmarkType: kpis.benchmarkType,
    initiativeId: kpis.productId,
    dueDate: moment(kpis.dueDate),
    statement: kpis.statement,
    createdAt: moment(kpis.createdAt),
    visualization: flag(kpis.visualization),
    dashboardVisualization: flag(kpis.dashboardVisualization),
    order: kpis.order,
    kpi_revisions: revisions,
  },
})

const inserted = inserts(kpi, CreateKpi, {
  values: {
    productId,
    externalKey: currentKey('KPI'),
    order: sql`(SELECT coalesce(max(${kpis.order}), 0) + 1 FROM ${kpis} WHERE ${kpi.visible})`,
  },
})
const created = kpi.event('created')

/** How many records a KPI shows beside what else addresses it. */
const showing = <K>(key: K, revisions = REVISIONS) => ({ ...key, revisions })

export const createKpi = (db: Database, body: z.output<typeof CreateKpi>) =>
  kpi.save(db, {
    statements: [takeNumber('KPI'), inserted(body), created(showing({}))],
    answer: kpi.created(showing({})),
  })

export const getKpi = (db: Database, key: KpiKey, revisions: number) => kpi.get(db, showing(key, revisions))

export const listKpis = list(kpi, KpiListQuery, {
  sorts: { order: kpis.order },
  filters: { linked: choice({ false: sql`${kpis.linked} = 0`, true: sql`${kpis.linked} = 1`, all: sql`true` }) },
  bound: ['revisions'],
}).page

const modified = modifies(kpi, ModifyKpi)

export const modifyKpi = (db: Database, key: KpiKey, body: z.output<typeof ModifyKpi>, ifMatch: string | null) =>
  kpi.save(db, {
    guards: kpi.writable(key, ifMatch),
    statements: modified(showing(key), body),
    answer: kpi.reply(showing(key)),
  })

// Its links to work items stay, hidden until it is restored.
const { removal, restoration } = lifecycle(kpi)

export const removeKpi = (db: Database, key: KpiKey, ifMatch: string | null) => db.write(removal(showing(key), ifMatch))

export const restoreKpi = (db: Database, key: KpiKey) => kpi.save(db, restoration(showing(key)))

const recordsInserted = event<KpiKey>({
  type: 'kpi.records_inserted',
  key: kpi.told.key,
  product: kpi.told.product,
  from: sql`FROM ${kpis} WHERE ${kpi.addressed}`,
})

const meets = (value: SQLWrapper) => sql`CASE ${kpis.benchmarkType}
  WHEN 'MORE' THEN ${value} >= ${kpis.benchmark}
  WHEN 'LESS' THEN ${value} <= ${kpis.benchmark}
  WHEN 'EQUAL' THEN ${value} = ${kpis.benchmark} END`

// Stands before the insert: the newest record it finds is the one before this file.
const targetReached = event<KpiKey & { value: number; at: number }>({
  type: 'kpi.target_reached',
  key: kpi.told.key,
  product: kpi.told.product,
  from: sql`FROM ${kpis} LEFT JOIN ${kpiRecords} ON ${kpiRecords.id} = (
      SELECT r.id FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpis.id}
      ORDER BY r.created_at DESC, r.id DESC LIMIT 1)
    WHERE ${kpi.addressed} AND ${meets(param('value'))}
      AND (${kpiRecords.id} IS NULL OR (${kpiRecords.createdAt} <= ${param('at')}
        AND NOT ${meets(sql`${kpiRecords.value}`)}))`,
})

const bump = statement<never, KpiKey>(
  sql`UPDATE ${kpis} SET version = version + 1, updated_at = ${caller.now} WHERE ${kpi.addressed}`,
)

const insertRecords = statement<never, KpiKey & { records: string }>(
  insertInto(
    kpiRecords,
    {
      subscriptionId: caller.subscription,
      kpiId: kpi.id,
      value: sql`value`,
      createdAt: sql`CAST(key AS INTEGER)`,
    },
    sql`FROM json_each(${param('records')})`,
  ),
)

/** Inserts the valid records of a file, at least one, and gives the KPI with its newest. */
export function insertKpiRecords(db: Database, { kpi_external_key }: KpiKey, { valid, rejected }: Records) {
  const newest = newestOf(valid)
  const key = { kpi_external_key }
  const target = { value: decimalText(newest.value), createdAt: iso(newest.at) }
  const statements: Statement[] = [
    recordsInserted({ count: valid.values.length, rejected: rejected.count }, key),
    targetReached(target, { ...key, ...newest }),
    bump(key),
    ...jsonMembers(valid).map((records) => insertRecords({ ...key, records })),
  ]
  return kpi.save(db, { guards: kpi.writable(key), statements, answer: kpi.reply(showing(key, MAX_REVISIONS)) })
}
