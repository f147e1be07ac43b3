import type * as z from 'zod'
import { iso } from '../../../text/moments'
import { DAY, type Day } from '../records/days'
import { hundredthsOf, hundredthsText, magnitude, quotient } from '../records/intervals'
import type { Aggregate } from '../schema'
import type { KpiTrend } from './schema'

/** What of a KPI its trend is held against. Hundredths and milliseconds. */
export interface Target {
  externalKey: string
  aggregate: Aggregate
  benchmark: number
  benchmarkType: string | null
  dueDate: number | null
}

/** A record as it is stored. */
export interface Reading {
  value: number
  createdAt: number
}

/** What a trend compares with the benchmark: hundredths, which a sum may have more of than a number holds exactly. */
interface Point {
  value: bigint
  createdAt: number
}

export type Trend = z.input<typeof KpiTrend>

/** A straight line: a value in units at a moment, and what it gains in a day. */
export interface Line {
  at: number
  value: number
  slope: number
}

/** The least-squares line through points of (milliseconds, units); none through those of one moment. */
export function leastSquares(points: readonly (readonly [at: number, value: number])[]): Line | undefined {
  const [first] = points
  if (!first) return undefined
  // From the first: moments are large where their differences are small.
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

// What ISO 8601 writes with four digits.
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * When the line meets the value; where that is not after the latest reading, when that would, at the line's slope.
 * Undefined where it never does.
 */
export function meeting({ at, value, slope }: Line, wanted: number, latest: Point): number | undefined {
  const onLine = at + ((wanted - value) / slope) * DAY
  const fromLatest = latest.createdAt + ((wanted - Number(latest.value) / 100) / slope) * DAY
  const met = Math.round(onLine > latest.createdAt ? onLine : fromLatest)
  return met > latest.createdAt && met <= LAST_MOMENT ? met : undefined
}

const shown = ({ value, createdAt }: Point) => ({ value: hundredthsText(value), createdAt: iso(createdAt) })

/** A ratio in percent, with two places; null where the divisor is 0. */
const percent = (dividend: bigint, divisor: bigint) =>
  divisor === 0n ? null : hundredthsText(quotient(dividend * 10_000n, divisor))

function attainmentOf({ benchmark, benchmarkType }: Target, has: bigint): string | null {
  const wanted = BigInt(benchmark)
  if (benchmarkType === 'LESS') return percent(wanted, has)
  if (benchmarkType !== 'EQUAL') return percent(has, wanted)
  return percent(magnitude(wanted) - magnitude(has - wanted), magnitude(wanted))
}

function isReached({ benchmark, benchmarkType }: Target, latest: bigint): boolean | null {
  if (benchmarkType === 'MORE') return latest >= benchmark
  if (benchmarkType === 'LESS') return latest <= benchmark
  return benchmarkType === 'EQUAL' ? latest === BigInt(benchmark) : null
}

const NOTHING = {
  ...{ count: 0, first: null, latest: null, change: null, slopePerDay: null, attainment: null },
  ...{ reached: null, projectedDate: null, onTime: null },
}

/**
 * Where a KPI stands, and where its days lead: each day is a point, at its last record and of its value. A KPI that is
 * summed is compared by the sums of its first and last day, which are points of the line too; any other by its records.
 */
export function trendOf(
  target: Target,
  days: readonly Day[],
  [firstRecord, latestRecord]: readonly [Reading | undefined, Reading | undefined],
): Trend {
  const { externalKey, aggregate, benchmark, dueDate } = target
  const [firstDay, lastDay] = [days[0], days.at(-1)]
  if (!firstRecord || !latestRecord || !firstDay || !lastDay) return { externalKey, ...NOTHING }
  const pointOf = ({ value, createdAt }: Reading, day: Day): Point => ({
    value: aggregate === 'sum' ? hundredthsOf([day], 'sum') : BigInt(value),
    createdAt,
  })
  const [first, latest] = [pointOf(firstRecord, firstDay), pointOf(latestRecord, lastDay)]
  const line = leastSquares(days.map((day) => [day.lastAt, Number(hundredthsOf([day], aggregate)) / 100]))
  const reached = isReached(target, latest.value)
  const projected = line && reached === false ? meeting(line, benchmark / 100, latest) : undefined
  const met = reached ? latest.createdAt : projected
  const difference = latest.value - first.value
  return {
    externalKey,
    count: days.reduce((sum, { records }) => sum + records, 0),
    first: shown(first),
    latest: shown(latest),
    change: { absolute: hundredthsText(difference), percent: percent(difference, magnitude(first.value)) },
    slopePerDay: line ? line.slope.toFixed(6).replace(/^-(?=0\.0+$)/, '') : null,
    attainment: attainmentOf(target, latest.value),
    reached,
    projectedDate: projected === undefined ? null : iso(projected),
    onTime: dueDate === null || reached === null ? null : met !== undefined && met <= dueDate,
  }
}
