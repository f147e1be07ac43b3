import { sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client'
import { eventSql } from '../../../../db/events'
import { done } from '../../../../db/lifecycle'
import { guard } from '../../../../db/refuse'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { jsonOf } from '../../../../db/selection'
import { caller, param, statement, type Values } from '../../../../db/statement'
import { type KpiKey, kpi } from '../../fields'
import { dayOf, recountDays } from './days'
import { bump } from './insert'
import { kpiRecord } from './read'

/** Finds a record by id and moment, or without a moment by a scan of the KPI. */
function removing(byMoment: boolean) {
  const moment = byMoment ? sql`AND ${kpiRecords.createdAt} = ${param('createdAt')}` : sql``
  const found = sql`WHERE ${kpiRecord.addressed} ${moment}`
  const which = sql`FROM ${kpiRecords} ${found}`
  const day = sql`(SELECT ${dayOf(sql`${kpiRecords.createdAt}`)} ${which} LIMIT 1)`
  const absent = guard<Values>('kpi_record_not_found', sql`NOT EXISTS (SELECT 1 ${which})`)
  const statements = [
    eventSql({
      type: 'kpi.record_deleted',
      key: kpi.told.key,
      product: kpi.told.product,
      data: jsonOf(kpiRecord.fields),
      from: sql`FROM ${kpiRecords} CROSS JOIN ${kpis} ON ${kpis.id} = ${kpiRecords.kpiId} ${found} LIMIT 1`,
    }),
    // Deletes a day with a single record, because the recount leaves a day without records unchanged.
    sql`DELETE FROM ${kpiDays} WHERE ${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpi.id}
      AND ${kpiDays.day} = ${day} AND ${kpiDays.records} = 1`,
    recountDays(sql`json_array(${day})`),
    sql`DELETE ${which}`,
  ].map((source) => statement<never, Values>(source))
  return { absent, statements }
}

const [byMoment, byWalk] = [removing(true), removing(false)]

export function removeKpiRecord(
  db: Database,
  { kpi_external_key, recordId }: KpiKey & { recordId: number },
  createdAt: number | undefined,
) {
  const values = { kpi_external_key, recordId, except: recordId, createdAt: createdAt ?? null }
  const { absent, statements } = createdAt === undefined ? byWalk : byMoment
  return db.write({
    guards: [...kpi.writable({ kpi_external_key }), absent(values)],
    statements: [bump(values), ...statements.map((make) => make(values))],
    answer: done({}),
  })
}
