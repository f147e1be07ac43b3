import type * as z from 'zod'
import { toDecimalText } from '../../../text/decimals'
import { toIso } from '../../../text/moments'
import type { KpiAggregate } from '../schema'
import { DAY_MS, HUNDREDTHS_PER_HIGH_UNIT, type KpiDay } from './days'
import type { KpiInterval, RecordInterval } from './schema'

// 1970-01-01 is a Thursday.
const DAYS_FROM_EPOCH_TO_MONDAY = 3

export function startDayOfInterval(day: number, interval: RecordInterval): number {
  if (interval === 'day') return day
  if (interval === 'week') return day - ((((day + DAYS_FROM_EPOCH_TO_MONDAY) % 7) + 7) % 7)
  const date = new Date(day * DAY_MS)
  return Math.floor(date.setUTCDate(1) / DAY_MS)
}

export function aggregateHundredths(days: readonly KpiDay[], aggregate: KpiAggregate): bigint {
  if (aggregate === 'last') return BigInt(findLatestDay(days).lastValue)
  let [sum, count] = [0n, 0n]
  for (const { sumHigh, sumLow, records } of days) {
    sum += BigInt(sumHigh) * BigInt(HUNDREDTHS_PER_HIGH_UNIT) + BigInt(sumLow)
    count += BigInt(records)
  }
  return aggregate === 'sum' ? sum : divideRounded(sum, count)
}

const findLatestDay = (days: readonly KpiDay[]) => days.reduce((last, day) => (day.lastAt >= last.lastAt ? day : last))

export const absoluteValue = (value: bigint) => (value < 0n ? -value : value)

/** Rounds half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const of = absoluteValue(divisor)
  const rounded = (2n * absoluteValue(dividend) + of) / (2n * of)
  return dividend < 0n === divisor < 0n ? rounded : -rounded
}

export function formatHundredths(hundredths: bigint): string {
  const digits = String(absoluteValue(hundredths)).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function groupByInterval(days: readonly KpiDay[], interval: RecordInterval): [start: number, days: KpiDay[]][] {
  const groups: [number, KpiDay[]][] = []
  for (const day of days) {
    const start = startDayOfInterval(day.day, interval)
    const last = groups.at(-1)
    if (last?.[0] === start) last[1].push(day)
    else groups.push([start, [day]])
  }
  return groups
}

export const toKpiInterval = (
  [start, days]: [number, KpiDay[]],
  aggregate: KpiAggregate,
): z.input<typeof KpiInterval> => ({
  start: toIso(start * DAY_MS),
  value: formatHundredths(aggregateHundredths(days, aggregate)),
  count: days.reduce((sum, { records }) => sum + records, 0),
  min: toDecimalText(Math.min(...days.map(({ least }) => least))),
  max: toDecimalText(Math.max(...days.map(({ greatest }) => greatest))),
})
