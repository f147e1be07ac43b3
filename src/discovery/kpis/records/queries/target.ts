import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { makeEventStatement } from '../../../../db/sql/events'
import { momentJson } from '../../../../db/sql/field'
import { caller, inline, param, type Statement } from '../../../../db/sql/statement'
import { toDecimalText } from '../../../../text/decimals'
import { type KpiKey, kpi } from '../../fields'
import type { FileRecords } from '../collect'
import { DAY_MS, HUNDREDTHS_PER_HIGH_UNIT, type KpiDay } from '../days'
import { findLatestRecord } from '../members'

/*
 * Runs before the days are counted, because `kpi_days` must still hold the previous last day. The values are those of
 * the trend.
 */

const hundredthsPerHighUnit = inline(HUNDREDTHS_PER_HIGH_UNIT)
const castIntegerParam = (name: string) => sql`CAST(${param(name)} AS INTEGER)`

interface SplitSum {
  high: SQLWrapper
  low: SQLWrapper
}

const hundredthsOfSum = (sum: SplitSum) => sql`(${sum.high} * ${hundredthsPerHighUnit} + ${sum.low})`

const valueMeetsTarget = (value: SQLWrapper) => sql`CASE ${kpis.benchmarkType}
  WHEN 'MORE' THEN ${value} >= ${kpis.benchmark}
  WHEN 'LESS' THEN ${value} <= ${kpis.benchmark}
  WHEN 'EQUAL' THEN ${value} = ${kpis.benchmark} END`

/** Decimal text of a sum, exact even if the hundredths exceed 64 bits. */
const decimalTextOfSum = (
  sum: SplitSum,
) => sql`(SELECT sign || iif(high = 0, '', high) || iif(high = 0, low / 100, printf('%06d', low / 100))
    || printf('.%02d', low % 100)
  FROM (SELECT sign, high + (low - rest) / ${hundredthsPerHighUnit} AS high, rest AS low
    FROM (SELECT *, (low % ${hundredthsPerHighUnit} + ${hundredthsPerHighUnit}) % ${hundredthsPerHighUnit} AS rest
      FROM (SELECT iif(${hundredthsOfSum(sum)} < 0, '-', '') AS sign, iif(${hundredthsOfSum(sum)} < 0, -1, 1) * ${sum.high} AS high,
        iif(${hundredthsOfSum(sum)} < 0, -1, 1) * ${sum.low} AS low))))`

const sumOfLastDay: SplitSum = { high: kpiDays.sumHigh, low: kpiDays.sumLow }
const sumOfNewDay: SplitSum = { high: sql`new_day.high`, low: sql`new_day.low` }

const fromDaysOfKpi = sql`FROM kpi_days d WHERE d.subscription_id = ${caller.subscription} AND d.kpi_id = ${kpi.id}`
const kpiIsSummed = sql`(SELECT ${kpis.aggregate} FROM ${kpis} WHERE ${kpi.byKey}) = 'sum'`

const sumWithAddedRecords = sql`SELECT high + ${castIntegerParam('dayHigh')} AS high, low + ${castIntegerParam('dayLow')} AS low
  FROM (SELECT coalesce(sum(d.sum_high), 0) AS high, coalesce(sum(d.sum_low), 0) AS low
    ${fromDaysOfKpi} AND d.day = ${castIntegerParam('day')})`

// The file is inserted already and may have replaced records.
const sumOfStoredRecords = sql`SELECT coalesce(sum(r.value / ${hundredthsPerHighUnit}), 0) AS high, coalesce(sum(r.value % ${hundredthsPerHighUnit}), 0) AS low
  FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND ${kpiIsSummed}
    AND r.created_at >= ${castIntegerParam('day')} * ${inline(DAY_MS)} AND r.created_at < (${castIntegerParam('day')} + 1) * ${inline(DAY_MS)}
    AND NOT EXISTS (SELECT 1 ${fromDaysOfKpi} AND d.day > ${castIntegerParam('day')})`

function createTargetReachedEmitter(newDay: SQL) {
  const emit = makeEventStatement<
    KpiKey & Record<'value' | 'at' | 'day' | 'dayHigh' | 'dayLow', number> & { valueText: string }
  >({
    type: 'kpi.target_reached',
    key: kpi.eventSource.key,
    product: kpi.eventSource.product,
    data: sql`json_object('value', iif(${kpis.aggregate} = 'sum', ${decimalTextOfSum(sumOfNewDay)}, ${param('valueText')}),
      'createdAt', ${momentJson(sql`max(${castIntegerParam('at')}, coalesce(${kpiDays.lastAt}, ${castIntegerParam('at')}))`)})`,
    from: sql`FROM ${kpis} CROSS JOIN (${newDay}) new_day
      LEFT JOIN ${kpiDays} ON ${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpis.id}
        AND ${kpiDays.day} = (SELECT max(d.day) ${fromDaysOfKpi})
      WHERE ${kpi.byKey} AND CASE ${kpis.aggregate}
        WHEN 'sum' THEN ${valueMeetsTarget(hundredthsOfSum(sumOfNewDay))} AND (${kpiDays.day} IS NULL
          OR ${kpiDays.day} <= ${castIntegerParam('day')} AND NOT ${valueMeetsTarget(hundredthsOfSum(sumOfLastDay))})
        ELSE ${valueMeetsTarget(param('value'))} AND (${kpiDays.day} IS NULL
          OR ${kpiDays.lastAt} <= ${param('at')} AND NOT ${valueMeetsTarget(kpiDays.lastValue)}) END`,
  })
  return (key: KpiKey, valid: FileRecords['valid'], days: readonly KpiDay[]): Statement => {
    const { value, at } = findLatestRecord(valid)
    const day = Math.floor(at / DAY_MS)
    const { sumHigh: dayHigh, sumLow: dayLow } = days.find((one) => one.day === day) ?? {
      sumHigh: 0,
      sumLow: 0,
    }
    return emit({}, { ...key, value, valueText: toDecimalText(value), at, day, dayHigh, dayLow })
  }
}

/** Runs before the days of inserted records are counted. */
export const emitTargetReachedByInsert = createTargetReachedEmitter(sumWithAddedRecords)

/** Runs after records are replaced and before the days are recounted. */
export const emitTargetReachedByReplace = createTargetReachedEmitter(sumOfStoredRecords)
