import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { returningDone } from '../../../../db/records/lifecycle'
import { emitEventsOfMany } from '../../../../db/records/set-events'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { eventSql } from '../../../../db/sql/events'
import { decimalTextSql, momentJson } from '../../../../db/sql/field'
import { recordJson } from '../../../../db/sql/selection'
import { caller, param, statement, type Values } from '../../../../db/sql/statement'
import { type KpiKey, kpi } from '../../fields'
import { buildDayRecount, dayLengthInMs, dayOfTime } from './days'
import { bumpKpiVersion } from './insert'
import { kpiRecord } from './read'

function buildRecordRemoval(byMoment: boolean) {
  const moment = byMoment ? sql`AND ${kpiRecords.createdAt} = ${param('createdAt')}` : sql``
  const whereRecord = sql`WHERE ${kpiRecord.byKey} ${moment}`
  const fromRecord = sql`FROM ${kpiRecords} ${whereRecord}`
  const day = sql`(SELECT ${dayOfTime(sql`${kpiRecords.createdAt}`)} ${fromRecord} LIMIT 1)`
  const absent = guard<Values>('kpi_record_not_found', sql`NOT EXISTS (SELECT 1 ${fromRecord})`)
  const statements = [
    eventSql({
      type: 'kpi.record_deleted',
      key: kpi.eventSource.key,
      product: kpi.eventSource.product,
      data: recordJson(kpiRecord.fields),
      from: sql`FROM ${kpiRecords} CROSS JOIN ${kpis} ON ${kpis.id} = ${kpiRecords.kpiId} ${whereRecord} LIMIT 1`,
    }),
    // Deletes a day with a single record, because the recount leaves a day without records unchanged.
    sql`DELETE FROM ${kpiDays} WHERE ${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpi.id}
      AND ${kpiDays.day} = ${day} AND ${kpiDays.records} = 1`,
    buildDayRecount(sql`json_array(${day})`),
    sql`DELETE ${fromRecord}`,
  ].map((source) => statement<never, Values>(source))
  return { absent, statements }
}

const [recordRemovalByTime, recordRemovalByScan] = [buildRecordRemoval(true), buildRecordRemoval(false)]

export function removeKpiRecord(
  db: Database,
  { kpi_external_key, recordId }: KpiKey & { recordId: number },
  createdAt: number | undefined,
) {
  const values = { kpi_external_key, recordId, except: recordId, createdAt: createdAt ?? null }
  const { absent, statements } = createdAt === undefined ? recordRemovalByScan : recordRemovalByTime
  return db.write({
    guards: [...kpi.writeGuards({ kpi_external_key }), absent(values)],
    statements: [bumpKpiVersion(values), ...statements.map((make) => make(values))],
    returning: returningDone({}),
  })
}

const isOfKpi = sql`r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id}`
const isInRange = (id: SQL) => sql`${id} BETWEEN ${param('recordId')} AND ${param('through')}`
const fromRange = sql`FROM ${kpiRecords} r WHERE ${isOfKpi} AND ${isInRange(sql`r.id`)}`
const daysOfRange = sql`(SELECT json_group_array(DISTINCT ${dayOfTime(sql`r.created_at`)}) ${fromRange})`

const rangeIsEmpty = guard<Values>('kpi_record_not_found', sql`NOT EXISTS (SELECT 1 ${fromRange})`)

const removeRange = [
  emitEventsOfMany(
    {
      type: 'kpi.records_deleted',
      ...{ key: kpi.eventSource.key, product: kpi.eventSource.product },
      from: sql`CROSS JOIN ${kpis} ON ${kpis.id} = owner`,
    },
    'records',
    sql`SELECT r.kpi_id AS owner, r.id AS member, r.created_at AS at, r.value AS value ${fromRange}`,
    sql`json_object('id', member, 'value', ${decimalTextSql(sql`value`)}, 'createdAt', ${momentJson(sql`at`)})`,
  ),
  buildDayRecount(daysOfRange, (id) => sql`NOT (${isInRange(id)})`),
  sql`DELETE FROM ${kpiDays} WHERE ${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpi.id}
    AND ${kpiDays.day} IN (SELECT value FROM json_each(${daysOfRange})) AND NOT EXISTS (SELECT 1 FROM ${kpiRecords} r
      WHERE ${isOfKpi} AND r.created_at >= ${kpiDays.day} * ${dayLengthInMs}
        AND r.created_at < (${kpiDays.day} + 1) * ${dayLengthInMs} AND NOT (${isInRange(sql`r.id`)}))`,
  sql`DELETE FROM ${kpiRecords} WHERE ${kpiRecords.subscriptionId} = ${caller.subscription}
    AND ${kpiRecords.kpiId} = ${kpi.id} AND ${isInRange(sql`${kpiRecords.id}`)}`,
].map((source) => statement<never, Values>(source))

/** Removes the records of the KPI from the first id through the last. */
export function removeKpiRecords(
  db: Database,
  { kpi_external_key, recordId }: KpiKey & { recordId: number },
  through: number,
) {
  const values = { kpi_external_key, recordId, through }
  return db.write({
    guards: [...kpi.writeGuards({ kpi_external_key }), rangeIsEmpty(values)],
    statements: [bumpKpiVersion(values), ...removeRange.map((make) => make(values))],
    returning: returningDone({}),
  })
}
