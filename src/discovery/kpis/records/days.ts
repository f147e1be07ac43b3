import type { FileRecords } from './collect'

export const DAY_MS = 86_400_000

/** Hundredths per unit of the high part of a sum: both parts stay exact. */
export const HUNDREDTHS_PER_HIGH_UNIT = 100_000_000

/** Totals of a KPI on a day (UTC, counted from 1970). */
export interface KpiDay {
  day: number
  records: number
  /** The sum in hundredths is sumHigh * HUNDREDTHS_PER_HIGH_UNIT + sumLow. */
  sumHigh: number
  sumLow: number
  least: number
  greatest: number
  /** Latest record; of several records at a moment, the last record to arrive. */
  lastAt: number
  lastValue: number
}

export function computeDayTotals({ values, times }: FileRecords['valid']): KpiDay[] {
  const days = new Map<number, KpiDay>()
  // Remembers the current day, because most records share the day of the previous record.
  let one: KpiDay | undefined
  let [from, to] = [0, 0]
  for (let index = 0; index < values.length; index++) {
    const at = times[index] as number
    const value = values[index] as number
    if (!one || at < from || at >= to) {
      const day = Math.floor(at / DAY_MS)
      one = days.get(day) ?? createEmptyDay(day, value, at)
      days.set(day, one)
      from = day * DAY_MS
      to = from + DAY_MS
    }
    one.records++
    one.sumHigh += Math.trunc(value / HUNDREDTHS_PER_HIGH_UNIT)
    one.sumLow += value % HUNDREDTHS_PER_HIGH_UNIT
    if (value < one.least) one.least = value
    if (value > one.greatest) one.greatest = value
    if (at < one.lastAt) continue
    one.lastAt = at
    one.lastValue = value
  }
  return [...days.values()]
}

const createEmptyDay = (day: number, value: number, at: number): KpiDay => ({
  ...{ day, records: 0, sumHigh: 0, sumLow: 0 },
  ...{ least: value, greatest: value, lastAt: at, lastValue: value },
})

export function keepLastRecordPerMoment({ values, times }: FileRecords['valid']): FileRecords['valid'] {
  const last = new Map<number, number>()
  for (let index = 0; index < times.length; index++) last.set(times[index] as number, values[index] as number)
  return { values: [...last.values()], times: [...last.keys()] }
}
