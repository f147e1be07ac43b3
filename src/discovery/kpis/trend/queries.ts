import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { kpiRecords, kpis } from '../../../db/schema/kpis'
import { caller, param, statement, type Values } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { type KpiKey, kpi } from '../fields'
import { daysIn } from '../records/queries/read'
import { type Reading, type Target, trendOf } from './trend'

const selectTarget = statement<
  Target & { version: number },
  Values
>(sql`SELECT ${kpis.externalKey} AS "externalKey", ${kpis.aggregate} AS "aggregate",
    ${kpis.benchmark} AS "benchmark", ${kpis.benchmarkType} AS "benchmarkType", ${kpis.dueDate} AS "dueDate", ${kpis.version} AS "version"
  FROM ${kpis} WHERE ${kpi.byKey}`)

const selectEnd = (order: 'ASC' | 'DESC') => {
  const direction = sql.raw(order)
  return statement<Reading, Values>(sql`SELECT ${kpiRecords.value} AS "value", ${kpiRecords.createdAt} AS "createdAt"
    FROM ${kpiRecords} WHERE ${kpiRecords.subscriptionId} = ${caller.subscription} AND ${kpiRecords.kpiId} = ${kpi.id}
      AND ${kpiRecords.createdAt} >= ${param('from')} AND ${kpiRecords.createdAt} < ${param('to')}
    ORDER BY ${kpiRecords.createdAt} ${direction}, ${kpiRecords.id} ${direction} LIMIT 1`)
}
const [selectFirst, selectLatest] = [selectEnd('ASC'), selectEnd('DESC')]

export const MAX_DAYS = 36_600

export async function getKpiTrend(db: Database, key: KpiKey, range: { from: number; to: number }) {
  const days = daysIn(key, range, MAX_DAYS + 2)
  const [[found], [start], [stop], ...rows] = await db.read(
    selectTarget(key),
    selectFirst({ ...key, ...range }),
    selectLatest({ ...key, ...range }),
    ...days.statements,
  )
  if (!found) throw notFoundError(kpi.missing)
  return { data: trendOf(found, days.days(rows), [start, stop]), version: found.version }
}
