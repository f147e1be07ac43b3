import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { event } from '../../../../db/events'
import { momentJson } from '../../../../db/field'
import { kpiDays, kpiRecords, kpis } from '../../../../db/schema/kpis'
import { caller, inline, param, type Statement } from '../../../../db/statement'
import { decimalText } from '../../../../text/decimals'
import { type KpiKey, kpi } from '../../fields'
import type { Records } from '../collect'
import { DAY, type Day, HIGH } from '../days'
import { newestOf } from '../members'

/*
 * kpi.target_reached uses the same values as the trend: the sums of the last day (UTC) for the aggregate `sum`, else
 * the latest record. The statement must run before the days are counted, because `kpi_days` must still hold the
 * previous last day.
 */

const high = inline(HIGH)
const integer = (name: string) => sql`CAST(${param(name)} AS INTEGER)`

interface Sum {
  high: SQLWrapper
  low: SQLWrapper
}

const hundredths = (sum: Sum) => sql`(${sum.high} * ${high} + ${sum.low})`

const meets = (value: SQLWrapper) => sql`CASE ${kpis.benchmarkType}
  WHEN 'MORE' THEN ${value} >= ${kpis.benchmark}
  WHEN 'LESS' THEN ${value} <= ${kpis.benchmark}
  WHEN 'EQUAL' THEN ${value} = ${kpis.benchmark} END`

/** Decimal text of a sum, exact even if the hundredths exceed 64 bits. */
const sumText = (
  sum: Sum,
) => sql`(SELECT sign || iif(high = 0, '', high) || iif(high = 0, low / 100, printf('%06d', low / 100))
    || printf('.%02d', low % 100)
  FROM (SELECT sign, high + (low - rest) / ${high} AS high, rest AS low
    FROM (SELECT *, (low % ${high} + ${high}) % ${high} AS rest
      FROM (SELECT iif(${hundredths(sum)} < 0, '-', '') AS sign, iif(${hundredths(sum)} < 0, -1, 1) * ${sum.high} AS high,
        iif(${hundredths(sum)} < 0, -1, 1) * ${sum.low} AS low))))`

const ofLastDay: Sum = { high: kpiDays.sumHigh, low: kpiDays.sumLow }
const ofNewDay: Sum = { high: sql`new_day.high`, low: sql`new_day.low` }

const daysOfKpi = sql`FROM kpi_days d WHERE d.subscription_id = ${caller.subscription} AND d.kpi_id = ${kpi.id}`
const isSummed = sql`(SELECT ${kpis.aggregate} FROM ${kpis} WHERE ${kpi.addressed}) = 'sum'`

// Adds the records of the file to the stored records of the day.
const addedSum = sql`SELECT high + ${integer('dayHigh')} AS high, low + ${integer('dayLow')} AS low
  FROM (SELECT coalesce(sum(d.sum_high), 0) AS high, coalesce(sum(d.sum_low), 0) AS low
    ${daysOfKpi} AND d.day = ${integer('day')})`

// Sums the stored records, because the file is inserted already and may have replaced records.
const replacedSum = sql`SELECT coalesce(sum(r.value / ${high}), 0) AS high, coalesce(sum(r.value % ${high}), 0) AS low
  FROM ${kpiRecords} r WHERE r.subscription_id = ${caller.subscription} AND r.kpi_id = ${kpi.id} AND ${isSummed}
    AND r.created_at >= ${integer('day')} * ${inline(DAY)} AND r.created_at < (${integer('day')} + 1) * ${inline(DAY)}
    AND NOT EXISTS (SELECT 1 ${daysOfKpi} AND d.day > ${integer('day')})`

function targetReached(newDay: SQL) {
  const emit = event<KpiKey & Record<'value' | 'at' | 'day' | 'dayHigh' | 'dayLow', number> & { valueText: string }>({
    type: 'kpi.target_reached',
    key: kpi.told.key,
    product: kpi.told.product,
    data: sql`json_object('value', iif(${kpis.aggregate} = 'sum', ${sumText(ofNewDay)}, ${param('valueText')}),
      'createdAt', ${momentJson(sql`max(${integer('at')}, coalesce(${kpiDays.lastAt}, ${integer('at')}))`)})`,
    from: sql`FROM ${kpis} CROSS JOIN (${newDay}) new_day
      LEFT JOIN ${kpiDays} ON ${kpiDays.subscriptionId} = ${caller.subscription} AND ${kpiDays.kpiId} = ${kpis.id}
        AND ${kpiDays.day} = (SELECT max(d.day) ${daysOfKpi})
      WHERE ${kpi.addressed} AND CASE ${kpis.aggregate}
        WHEN 'sum' THEN ${meets(hundredths(ofNewDay))} AND (${kpiDays.day} IS NULL
          OR ${kpiDays.day} <= ${integer('day')} AND NOT ${meets(hundredths(ofLastDay))})
        ELSE ${meets(param('value'))} AND (${kpiDays.day} IS NULL
          OR ${kpiDays.lastAt} <= ${param('at')} AND NOT ${meets(kpiDays.lastValue)}) END`,
  })
  return (key: KpiKey, valid: Records['valid'], days: readonly Day[]): Statement => {
    const { value, at } = newestOf(valid)
    const day = Math.floor(at / DAY)
    const { sumHigh: dayHigh, sumLow: dayLow } = days.find((one) => one.day === day) ?? {
      sumHigh: 0,
      sumLow: 0,
    }
    return emit({}, { ...key, value, valueText: decimalText(value), at, day, dayHigh, dayLow })
  }
}

/** Runs before the days of inserted records are counted. */
export const targetReachedByInsert = targetReached(addedSum)

/** Runs after records are replaced and before the days are recounted. */
export const targetReachedByReplace = targetReached(replacedSum)
