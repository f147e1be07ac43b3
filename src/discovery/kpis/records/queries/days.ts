import { type SQL, sql } from 'drizzle-orm'
import { kpiDays, kpiRecords } from '../../../../db/schema/kpis'
import { caller, inline, insertInto, param, statement, type Values } from '../../../../db/sql/statement'
import { kpi } from '../../fields'
import { DAY_MS, HUNDREDTHS_PER_HIGH_UNIT, type KpiDay } from '../days'

export const dayLengthInMs = inline(DAY_MS)
const hundredthsPerHighUnit = inline(HUNDREDTHS_PER_HIGH_UNIT)

export const upsertDayTotals = statement<never, Values>(() => {
  const part = (place: number) => sql`d.value ->> ${inline(`$[${place}]`)}`
  return insertInto(
    kpiDays,
    {
      subscriptionId: caller.subscription,
      kpiId: kpi.id,
      ...{ day: part(0), records: part(1), sumHigh: part(2), sumLow: part(3) },
      ...{ least: part(4), greatest: part(5), lastAt: part(6), lastValue: part(7) },
    },
    sql`FROM json_each(${param('days')}) d WHERE true ON CONFLICT DO UPDATE SET
      records = records + excluded.records, sum_high = sum_high + excluded.sum_high,
      sum_low = sum_low + excluded.sum_low, least = min(least, excluded.least),
      greatest = max(greatest, excluded.greatest), last_at = max(last_at, excluded.last_at),
      last_value = CASE WHEN excluded.last_at >= last_at THEN excluded.last_value ELSE last_value END`,
  )
})

export const toDayRow = (one: KpiDay) => [
  ...[one.day, one.records, one.sumHigh, one.sumLow],
  ...[one.least, one.greatest, one.lastAt, one.lastValue],
]

/** Rounds down, before 1970 too. */
export const dayOfTime = (at: SQL) =>
  sql`((${at} - ((${at} % ${dayLengthInMs}) + ${dayLengthInMs}) % ${dayLengthInMs}) / ${dayLengthInMs})`

/** A day without records stays unchanged. `isCounted` is SQL of a record by its id. */
export const buildDayRecount = (
  days: SQL,
  isCounted: (id: SQL) => SQL = (id) => sql`${id} IS NOT ${param('except')}`,
) =>
  insertInto(
    kpiDays,
    {
      subscriptionId: caller.subscription,
      kpiId: kpi.id,
      ...{ day: sql`c.day`, records: sql`c.records`, sumHigh: sql`c.sum_high`, sumLow: sql`c.sum_low` },
      ...{ least: sql`c.least`, greatest: sql`c.greatest`, lastAt: sql`c.last_at` },
      lastValue: sql`(SELECT l.value FROM ${kpiRecords} l WHERE l.subscription_id = ${caller.subscription}
        AND l.kpi_id = ${kpi.id} AND l.created_at = c.last_at AND ${isCounted(sql`l.id`)}
        ORDER BY l.id DESC LIMIT 1)`,
    },
    sql`FROM (SELECT d.value AS day, count(*) AS records, sum(r.value / ${hundredthsPerHighUnit}) AS sum_high,
          sum(r.value % ${hundredthsPerHighUnit}) AS sum_low, min(r.value) AS least, max(r.value) AS greatest, max(r.created_at) AS last_at
        FROM json_each(${days}) d CROSS JOIN ${kpiRecords} r ON r.subscription_id = ${caller.subscription}
          AND r.kpi_id = ${kpi.id} AND r.created_at >= d.value * ${dayLengthInMs} AND r.created_at < (d.value + 1) * ${dayLengthInMs}
        WHERE ${isCounted(sql`r.id`)} GROUP BY d.value) c
      WHERE true ON CONFLICT DO UPDATE SET records = excluded.records, sum_high = excluded.sum_high,
        sum_low = excluded.sum_low, least = excluded.least, greatest = excluded.greatest, last_at = excluded.last_at,
        last_value = excluded.last_value
      WHERE (records, sum_high, sum_low, least, greatest, last_at, last_value) IS NOT (excluded.records,
        excluded.sum_high, excluded.sum_low, excluded.least, excluded.greatest, excluded.last_at, excluded.last_value)`,
  )
