import type { Records } from './collect'

export const DAY = 86_400_000

/** Of so many hundredths the one part of a sum is: sums of both parts are exact, whatever the values. */
export const HIGH = 100_000_000

/** What a day (UTC, counted from 1970) has of a KPI. */
export interface Day {
  day: number
  records: number
  /** A sum of hundredths is sumHigh * HIGH + sumLow. */
  sumHigh: number
  sumLow: number
  least: number
  greatest: number
  /** The latest record; of several at one moment the one that came last. */
  lastAt: number
  lastValue: number
}

/** What the records add to each of their days, in any order. */
export function daysOf({ values, times }: Records['valid']): Day[] {
  const days = new Map<number, Day>()
  // Files go on where they are: most records are of the day of the one before.
  let one: Day | undefined
  let [from, to] = [0, 0]
  for (let index = 0; index < values.length; index++) {
    const at = times[index] as number
    const value = values[index] as number
    if (!one || at < from || at >= to) {
      const day = Math.floor(at / DAY)
      one = days.get(day) ?? newDay(day, value, at)
      days.set(day, one)
      from = day * DAY
      to = from + DAY
    }
    one.records++
    one.sumHigh += Math.trunc(value / HIGH)
    one.sumLow += value % HIGH
    if (value < one.least) one.least = value
    if (value > one.greatest) one.greatest = value
    if (at < one.lastAt) continue
    one.lastAt = at
    one.lastValue = value
  }
  return [...days.values()]
}

const newDay = (day: number, value: number, at: number): Day => ({
  ...{ day, records: 0, sumHigh: 0, sumLow: 0 },
  ...{ least: value, greatest: value, lastAt: at, lastValue: value },
})

/** Just one record a moment: of several the last. */
export function lastOfEach({ values, times }: Records['valid']): Records['valid'] {
  const last = new Map<number, number>()
  for (let index = 0; index < times.length; index++) last.set(times[index] as number, values[index] as number)
  return { values: [...last.values()], times: [...last.keys()] }
}
