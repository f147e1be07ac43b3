import { sql } from 'drizzle-orm'
import type { Database } from '../../../../db/client/client'
import { guard } from '../../../../db/client/refuse'
import { returningDone } from '../../../../db/records/lifecycle'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { eventSql } from '../../../../db/sql/events'
import { recordJson } from '../../../../db/sql/selection'
import { caller, param, statement, type Values } from '../../../../db/sql/statement'
import { type KpiKey, kpi } from '../../fields'
import { buildDayRecount, dayOfTime } from './days'
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
