import type * as z from 'zod'
import { toDecimalText } from '../../../text/decimals'
import { toIso } from '../../../text/moments'
import type { Aggregate } from '../schema'
import { DAY, type Day, HIGH_UNIT } from './days'
import type { Interval, KpiInterval } from './schema'

// 1970-01-01 is a Thursday.
const MONDAY = 3

export function startOfInterval(day: number, interval: Interval): number {
  if (interval === 'day') return day
  if (interval === 'week') return day - ((((day + MONDAY) % 7) + 7) % 7)
  const date = new Date(day * DAY)
  return Math.floor(date.setUTCDate(1) / DAY)
}

export function hundredthsOf(days: readonly Day[], aggregate: Aggregate): bigint {
  if (aggregate === 'last') return BigInt(latestDay(days).lastValue)
  let [sum, count] = [0n, 0n]
  for (const { sumHigh, sumLow, records } of days) {
    sum += BigInt(sumHigh) * BigInt(HIGH_UNIT) + BigInt(sumLow)
    count += BigInt(records)
  }
  return aggregate === 'sum' ? sum : divideRounded(sum, count)
}

const latestDay = (days: readonly Day[]) => days.reduce((last, day) => (day.lastAt >= last.lastAt ? day : last))

export const magnitude = (value: bigint) => (value < 0n ? -value : value)

/** Rounds half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const of = magnitude(divisor)
  const rounded = (2n * magnitude(dividend) + of) / (2n * of)
  return dividend < 0n === divisor < 0n ? rounded : -rounded
}

export function hundredthsText(hundredths: bigint): string {
  const digits = String(magnitude(hundredths)).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function groupByInterval(days: readonly Day[], interval: Interval): [start: number, days: Day[]][] {
  const groups: [number, Day[]][] = []
  for (const day of days) {
    const start = startOfInterval(day.day, interval)
    const last = groups.at(-1)
    if (last?.[0] === start) last[1].push(day)
    else groups.push([start, [day]])
  }
  return groups
}

export const toInterval = ([start, days]: [number, Day[]], aggregate: Aggregate): z.input<typeof KpiInterval> => ({
  start: toIso(start * DAY),
  value: hundredthsText(hundredthsOf(days, aggregate)),
  count: days.reduce((sum, { records }) => sum + records, 0),
  min: toDecimalText(Math.min(...days.map(({ least }) => least))),
  max: toDecimalText(Math.max(...days.map(({ greatest }) => greatest))),
})
