import type * as z from 'zod'
import { toIso } from '../../../text/moments'
import { DAY_MS, type KpiDay } from '../records/days'
import { absoluteValue, aggregateHundredths, divideRounded, formatHundredths } from '../records/intervals'
import type { KpiAggregate } from '../schema'
import type { KpiTrend } from './schema'

/** Values are in hundredths, moments in milliseconds. */
export interface KpiTarget {
  externalKey: string
  aggregate: KpiAggregate
  benchmark: number
  benchmarkType: string | null
  dueDate: number | null
}

export interface KpiReading {
  value: number
  createdAt: number
}

/** Sums may exceed the safe integers. */
interface TrendPoint {
  value: bigint
  createdAt: number
}

export type KpiTrendReply = z.input<typeof KpiTrend>

/** Straight line: `value` in units at the moment `at`, `slope` in units per day. */
export interface TrendLine {
  at: number
  value: number
  slope: number
}

/** Least-squares line through points of (milliseconds, units); undefined if all points share a moment. */
export function fitLeastSquaresLine(points: readonly (readonly [at: number, value: number])[]): TrendLine | undefined {
  const [first] = points
  if (!first) return undefined
  // Subtracts the first point, because small differences of large moments lose precision.
  const mean = (of: 0 | 1) => first[of] + points.reduce((sum, point) => sum + point[of] - first[of], 0) / points.length
  const [at, value] = [mean(0), mean(1)]
  let [squares, products] = [0, 0]
  for (const [x, y] of points) {
    const days = (x - at) / DAY_MS
    squares += days * days
    products += days * (y - value)
  }
  return squares === 0 ? undefined : { at, value, slope: products / squares }
}

const LATEST_ISO_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** If the moment is not after the latest reading, the slope is applied from the latest reading. */
export function projectTargetDate({ at, value, slope }: TrendLine, wanted: number, latest: TrendPoint) {
  const onLine = at + ((wanted - value) / slope) * DAY_MS
  const fromLatest = latest.createdAt + ((wanted - Number(latest.value) / 100) / slope) * DAY_MS
  const met = Math.round(onLine > latest.createdAt ? onLine : fromLatest)
  return met > latest.createdAt && met <= LATEST_ISO_TIME_MS ? met : undefined
}

const formatTrendPoint = ({ value, createdAt }: TrendPoint) => ({
  value: formatHundredths(value),
  createdAt: toIso(createdAt),
})

const formatPercent = (dividend: bigint, divisor: bigint) =>
  divisor === 0n ? null : formatHundredths(divideRounded(dividend * 10_000n, divisor))

function computeAttainment({ benchmark, benchmarkType }: KpiTarget, has: bigint): string | null {
  const wanted = BigInt(benchmark)
  if (benchmarkType === 'LESS') return formatPercent(wanted, has)
  if (benchmarkType !== 'EQUAL') return formatPercent(has, wanted)
  return formatPercent(absoluteValue(wanted) - absoluteValue(has - wanted), absoluteValue(wanted))
}

function isTargetReached({ benchmark, benchmarkType }: KpiTarget, latest: bigint): boolean | null {
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
export function computeTrend(
  target: KpiTarget,
  days: readonly KpiDay[],
  [firstRecord, latestRecord]: readonly [KpiReading | undefined, KpiReading | undefined],
): KpiTrendReply {
  const { externalKey, aggregate, benchmark, dueDate } = target
  const [firstDay, lastDay] = [days[0], days.at(-1)]
  if (!firstRecord || !latestRecord || !firstDay || !lastDay) return { externalKey, ...EMPTY_TREND }
  const pointOf = ({ value, createdAt }: KpiReading, day: KpiDay): TrendPoint => ({
    value: aggregate === 'sum' ? aggregateHundredths([day], 'sum') : BigInt(value),
    createdAt,
  })
  const [first, latest] = [pointOf(firstRecord, firstDay), pointOf(latestRecord, lastDay)]
  const line = fitLeastSquaresLine(days.map((day) => [day.lastAt, Number(aggregateHundredths([day], aggregate)) / 100]))
  const reached = isTargetReached(target, latest.value)
  const projected = line && reached === false ? projectTargetDate(line, benchmark / 100, latest) : undefined
  const met = reached ? latest.createdAt : projected
  const difference = latest.value - first.value
  return {
    externalKey,
    count: days.reduce((sum, { records }) => sum + records, 0),
    first: formatTrendPoint(first),
    latest: formatTrendPoint(latest),
    change: {
      absolute: formatHundredths(difference),
      percent: formatPercent(difference, absoluteValue(first.value)),
    },
    slopePerDay: line ? line.slope.toFixed(6).replace(/^-(?=0\.0+$)/, '') : null,
    attainment: computeAttainment(target, latest.value),
    reached,
    projectedDate: projected === undefined ? null : toIso(projected),
    onTime: dueDate === null || reached === null ? null : met !== undefined && met <= dueDate,
  }
}
