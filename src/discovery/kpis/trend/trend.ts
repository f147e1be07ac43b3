import type * as z from 'zod'
import { toIso } from '../../../text/moments'
import { DAY, type Day } from '../records/days'
import { divideRounded, hundredthsOf, hundredthsText, magnitude } from '../records/intervals'
import type { Aggregate } from '../schema'
import type { KpiTrend } from './schema'

/** Values are in hundredths, moments in milliseconds. */
export interface Target {
  externalKey: string
  aggregate: Aggregate
  benchmark: number
  benchmarkType: string | null
  dueDate: number | null
}

export interface Reading {
  value: number
  createdAt: number
}

/** Sums may exceed the safe integers. */
interface Point {
  value: bigint
  createdAt: number
}

export type Trend = z.input<typeof KpiTrend>

/** Straight line: `value` in units at the moment `at`, `slope` in units per day. */
export interface Line {
  at: number
  value: number
  slope: number
}

/** Least-squares line through points of (milliseconds, units); undefined if all points share a moment. */
export function leastSquares(points: readonly (readonly [at: number, value: number])[]): Line | undefined {
  const [first] = points
  if (!first) return undefined
  // Subtracts the first point, because small differences of large moments lose precision.
  const mean = (of: 0 | 1) => first[of] + points.reduce((sum, point) => sum + point[of] - first[of], 0) / points.length
  const [at, value] = [mean(0), mean(1)]
  let [squares, products] = [0, 0]
  for (const [x, y] of points) {
    const days = (x - at) / DAY
    squares += days * days
    products += days * (y - value)
  }
  return squares === 0 ? undefined : { at, value, slope: products / squares }
}

const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** If the moment is not after the latest reading, the slope is applied from the latest reading. */
export function momentOfMeeting({ at, value, slope }: Line, wanted: number, latest: Point): number | undefined {
  const onLine = at + ((wanted - value) / slope) * DAY
  const fromLatest = latest.createdAt + ((wanted - Number(latest.value) / 100) / slope) * DAY
  const met = Math.round(onLine > latest.createdAt ? onLine : fromLatest)
  return met > latest.createdAt && met <= LAST_MOMENT ? met : undefined
}

const showPoint = ({ value, createdAt }: Point) => ({ value: hundredthsText(value), createdAt: toIso(createdAt) })

const percentText = (dividend: bigint, divisor: bigint) =>
  divisor === 0n ? null : hundredthsText(divideRounded(dividend * 10_000n, divisor))

function attainmentOf({ benchmark, benchmarkType }: Target, has: bigint): string | null {
  const wanted = BigInt(benchmark)
  if (benchmarkType === 'LESS') return percentText(wanted, has)
  if (benchmarkType !== 'EQUAL') return percentText(has, wanted)
  return percentText(magnitude(wanted) - magnitude(has - wanted), magnitude(wanted))
}

function isReached({ benchmark, benchmarkType }: Target, latest: bigint): boolean | null {
  if (benchmarkType === 'MORE') return latest >= benchmark
  if (benchmarkType === 'LESS') return latest <= benchmark
  return benchmarkType === 'EQUAL' ? latest === BigInt(benchmark) : null
}

const EMPTY_TREND = {
  ...{ count: 0, first: null, latest: null, change: null, slopePerDay: null, attainment: null },
  ...{ reached: null, projectedDate: null, onTime: null },
}

/**
 * Each day is a point at the last record. A summed KPI compares the sums of the first and last day, another KPI the
 * records.
 */
export function trendOf(
  target: Target,
  days: readonly Day[],
  [firstRecord, latestRecord]: readonly [Reading | undefined, Reading | undefined],
): Trend {
  const { externalKey, aggregate, benchmark, dueDate } = target
  const [firstDay, lastDay] = [days[0], days.at(-1)]
  if (!firstRecord || !latestRecord || !firstDay || !lastDay) return { externalKey, ...EMPTY_TREND }
  const pointOf = ({ value, createdAt }: Reading, day: Day): Point => ({
    value: aggregate === 'sum' ? hundredthsOf([day], 'sum') : BigInt(value),
    createdAt,
  })
  const [first, latest] = [pointOf(firstRecord, firstDay), pointOf(latestRecord, lastDay)]
  const line = leastSquares(days.map((day) => [day.lastAt, Number(hundredthsOf([day], aggregate)) / 100]))
  const reached = isReached(target, latest.value)
  const projected = line && reached === false ? momentOfMeeting(line, benchmark / 100, latest) : undefined
  const met = reached ? latest.createdAt : projected
  const difference = latest.value - first.value
  return {
    externalKey,
    count: days.reduce((sum, { records }) => sum + records, 0),
    first: showPoint(first),
    latest: showPoint(latest),
    change: { absolute: hundredthsText(difference), percent: percentText(difference, magnitude(first.value)) },
    slopePerDay: line ? line.slope.toFixed(6).replace(/^-(?=0\.0+$)/, '') : null,
    attainment: attainmentOf(target, latest.value),
    reached,
    projectedDate: projected === undefined ? null : toIso(projected),
    onTime: dueDate === null || reached === null ? null : met !== undefined && met <= dueDate,
  }
}
