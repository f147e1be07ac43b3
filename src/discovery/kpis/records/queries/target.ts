import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { makeEventStatement } from '../../../../db/sql/events'
import { momentJson } from '../../../../db/sql/field'
import { caller, inline, param, type Statement } from '../../../../db/sql/statement'
import { toDecimalText } from '../../../../text/decimals'
import { type KpiKey, kpi } from '../../fields'
import type { Records } from '../collect'
import { DAY, type Day, HIGH_UNIT } from '../days'
import { latestRecord } from '../members'

/*
 * Runs before the days are counted, because `kpi_days` must still hold the previous last day. The values are those of
 * the trend.
 */

const highUnit = inline(HIGH_UNIT)
const integerParam = (name: string) => sql`CAST(${param(name)} AS INTEGER)`

interface Sum {
  high: SQLWrapper
  low: SQLWrapper
}

const sumHundredths = (sum: Sum) => sql`(${sum.high} * ${highUnit} + ${sum.low})`

const meetsTarget = (value: SQLWrapper) => sql`CASE ${kpis.benchmarkType}
  WHEN 'MORE' THEN ${value} >= ${kpis.benchmark}
  WHEN 'LESS' THEN ${value} <= ${kpis.benchmark}
  WHEN 'EQUAL' THEN ${value} = ${kpis.benchmark} END`

/** Decimal text of a sum, exact even if the hundredths exceed 64 bits. */
const sumText = (
  sum: Sum,
) => sql`(SELECT sign || iif(high = 0, '', high) || iif(high = 0, low / 100, printf('%06d', low / 100))
    || printf('.%02d', low % 100)
  FROM (SELECT sign, high + (low - rest) / ${highUnit} AS high, rest AS low
    FROM (SELECT *, (low % ${highUnit} + ${highUnit}) % ${highUnit} AS rest
      FROM (SELECT iif(${sumHundredths(sum)} < 0, '-', '') AS sign, iif(${sumHundredths(sum)} < 0, -1, 1) * ${sum.high} AS high,
        iif(${sumHundredths(sum)} < 0, -1, 1) * ${sum.low} AS low))))`

const lastDaySum: Sum = { high: kpiDays.sumHigh, low: kpiDays.sumLow }
const newDaySum: Sum = { high: sql`new_day.high`, low: sql`new_day.low` }

const fromDaysOfKpi = sql`FROM kpi_days d WHERE d.subscription_id = ${caller.subscription} AND d.kpi_id = ${kpi.id}`
const isSummed = sql`(SELECT ${kpis.aggregate} FROM ${kpis} WHERE ${kpi.byKey}) = 'sum'`

const addedSum = sql`SELECT high + ${integerParam('dayHigh')} AS high, low + ${integerParam('dayLow')} AS low
  FROM (SELECT coalesce(sum(d.sum_high), 0) AS high, coalesce(sum(d.sum_low), 0) AS low
    ${fromDaysOfKpi} AND d.day = ${integerParam('day')})`

// The file is inserted already and may have replaced records.
const replacedSum = sql`SELECT coalesce(sum(r.value / ${highUnit}), 0) AS high, coalesce(sum(r.value % ${highUnit}), 0) AS low
  FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND ${isSummed}
    AND r.created_at >= ${integerParam('day')} * ${inline(DAY)} AND r.created_at < (${integerParam('day')} + 1) * ${inline(DAY)}
    AND NOT EXISTS (SELECT 1 ${fromDaysOfKpi} AND d.day > ${integerParam('day')})`

function buildTargetReached(newDay: SQL) {
  const emit = makeEventStatement<
    KpiKey & Record<'value' | 'at' | 'day' | 'dayHigh' | 'dayLow', number> & { valueText: string }
  >({
    type: 'kpi.target_reached',
    key: kpi.eventSource.key,
    product: kpi.eventSource.product,
    data: sql`json_object('value', iif(${kpis.aggregate} = 'sum', ${sumText(newDaySum)}, ${param('valueText')}),
      'createdAt', ${momentJson(sql`max(${integerParam('at')}, coalesce(${kpiDays.lastAt}, ${integerParam('at')}))`)})`,
    from: sql`FROM ${kpis} CROSS JOIN (${newDay}) new_day
      LEFT JOIN ${kpiDays} ON ${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpis.id}
        AND ${kpiDays.day} = (SELECT max(d.day) ${fromDaysOfKpi})
      WHERE ${kpi.byKey} AND CASE ${kpis.aggregate}
        WHEN 'sum' THEN ${meetsTarget(sumHundredths(newDaySum))} AND (${kpiDays.day} IS NULL
          OR ${kpiDays.day} <= ${integerParam('day')} AND NOT ${meetsTarget(sumHundredths(lastDaySum))})
        ELSE ${meetsTarget(param('value'))} AND (${kpiDays.day} IS NULL
          OR ${kpiDays.lastAt} <= ${param('at')} AND NOT ${meetsTarget(kpiDays.lastValue)}) END`,
  })
  return (key: KpiKey, valid: Records['valid'], days: readonly Day[]): Statement => {
    const { value, at } = latestRecord(valid)
    const day = Math.floor(at / DAY)
    const { sumHigh: dayHigh, sumLow: dayLow } = days.find((one) => one.day === day) ?? {
      sumHigh: 0,
      sumLow: 0,
    }
    return emit({}, { ...key, value, valueText: toDecimalText(value), at, day, dayHigh, dayLow })
  }
}

/** Runs before the days of inserted records are counted. */
export const emitTargetReachedByInsert = buildTargetReached(addedSum)

/** Runs after records are replaced and before the days are recounted. */
export const emitTargetReachedByReplace = buildTargetReached(replacedSum)
