import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { kpiRecords, kpis } from '../../../db/schema/kpis'
import { caller, param, statement, type Values } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { type KpiKey, kpi } from '../fields'
import { buildDaysInRange } from '../records/queries/read'
import { computeTrend, type KpiReading, type KpiTarget } from './trend'

const selectKpiTarget = statement<
  KpiTarget & { version: number },
  Values
>(sql`SELECT ${kpis.externalKey} AS "externalKey", ${kpis.aggregate} AS "aggregate",
    ${kpis.benchmark} AS "benchmark", ${kpis.benchmarkType} AS "benchmarkType", ${kpis.dueDate} AS "dueDate", ${kpis.version} AS "version"
  FROM ${kpis} WHERE ${kpi.byKey}`)

const createRecordSelect = (order: 'ASC' | 'DESC') => {
  const direction = sql.raw(order)
  return statement<KpiReading, Values>(sql`SELECT ${kpiRecords.value} AS "value", ${kpiRecords.createdAt} AS "createdAt"
    FROM ${kpiRecords} WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpi.id}
      AND ${kpiRecords.createdAt} >= ${param('from')} AND ${kpiRecords.createdAt} < ${param('to')}
    ORDER BY ${kpiRecords.createdAt} ${direction}, ${kpiRecords.id} ${direction} LIMIT 1`)
}
const [selectFirstRecord, selectLatestRecord] = [createRecordSelect('ASC'), createRecordSelect('DESC')]

export const MAX_TREND_DAYS = 36_600

export async function getKpiTrend(db: Database, key: KpiKey, range: { from: number; to: number }) {
  const days = buildDaysInRange(key, range, MAX_TREND_DAYS + 2)
  const [[found], [start], [stop], ...rows] = await db.read(
    selectKpiTarget(key),
    selectFirstRecord({ ...key, ...range }),
    selectLatestRecord({ ...key, ...range }),
    ...days.statements,
  )
  if (!found) throw notFoundError(kpi.missing)
  return { data: computeTrend(found, days.days(rows), [start, stop]), version: found.version }
}
