import type * as z from 'zod'
import { decimalText } from '../../../text/decimals'
import { iso } from '../../../text/moments'
import type { Aggregate } from '../schema'
import { DAY, type Day, HIGH } from './days'
import type { Interval, KpiInterval } from './schema'

// 1970-01-01 is a Thursday.
const MONDAY = 3

export function startOf(day: number, interval: Interval): number {
  if (interval === 'day') return day
  if (interval === 'week') return day - ((((day + MONDAY) % 7) + 7) % 7)
  const date = new Date(day * DAY)
  return Math.floor(date.setUTCDate(1) / DAY)
}

/** Aggregates days to exact hundredths; an average is rounded half away from zero. */
export function hundredthsOf(days: readonly Day[], aggregate: Aggregate): bigint {
  if (aggregate === 'last') return BigInt(lastOf(days).lastValue)
  let [sum, count] = [0n, 0n]
  for (const { sumHigh, sumLow, records } of days) {
    sum += BigInt(sumHigh) * BigInt(HIGH) + BigInt(sumLow)
    count += BigInt(records)
  }
  return aggregate === 'sum' ? sum : quotient(sum, count)
}

const lastOf = (days: readonly Day[]) => days.reduce((last, day) => (day.lastAt >= last.lastAt ? day : last))

export const magnitude = (value: bigint) => (value < 0n ? -value : value)

/** Rounds half away from zero. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  const of = magnitude(divisor)
  const rounded = (2n * magnitude(dividend) + of) / (2n * of)
  return dividend < 0n === divisor < 0n ? rounded : -rounded
}

/** Like `decimalText`, for sums beyond the safe integers. */
export function hundredthsText(hundredths: bigint): string {
  const digits = String(magnitude(hundredths)).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function groupsOf(days: readonly Day[], interval: Interval): [start: number, days: Day[]][] {
  const groups: [number, Day[]][] = []
  for (const day of days) {
    const start = startOf(day.day, interval)
    const last = groups.at(-1)
    if (last?.[0] === start) last[1].push(day)
    else groups.push([start, [day]])
  }
  return groups
}

export const bucketOf = ([start, days]: [number, Day[]], aggregate: Aggregate): z.input<typeof KpiInterval> => ({
  start: iso(start * DAY),
  value: hundredthsText(hundredthsOf(days, aggregate)),
  count: days.reduce((sum, { records }) => sum + records, 0),
  min: decimalText(Math.min(...days.map(({ least }) => least))),
  max: decimalText(Math.max(...days.map(({ greatest }) => greatest))),
})
