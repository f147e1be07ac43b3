import type * as z from 'zod'
import { toIso } from '../../../text/moments'
import { DAY_MS, type KpiDay } from '../records/days'
import { absoluteValue, aggregateHundredths, divideRounded, formatHundredths } from '../records/intervals'
import type { KpiAggregate } from '../schema'
import { fitLeastSquaresLine, projectValues, type TrendLine, toUnits, valueOnLine } from './projection'
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

const LATEST_ISO_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** If the moment is not after the latest reading, the slope is applied from the latest reading. */
function projectTargetDate({ at, value, slope }: TrendLine, wanted: number, latest: TrendPoint) {
  const onLine = at + ((wanted - value) / slope) * DAY_MS
  const fromLatest = latest.createdAt + ((wanted - toNumber(latest)) / slope) * DAY_MS
  const startsAtLatest = onLine <= latest.createdAt
  const met = Math.round(startsAtLatest ? fromLatest : onLine)
  return met > latest.createdAt && met <= LATEST_ISO_TIME_MS ? { met, startsAtLatest } : undefined
}

const toNumber = ({ value }: TrendPoint) => Number(value) / 100

/** Without a later date, the projection is a quarter as long as the records; it is never longer than the records. */
const SHARE_OF_SHORT_PROJECTION = 0.25

function findProjectionEnd(first: TrendPoint, latest: TrendPoint, dates: readonly (number | null | undefined)[]) {
  const span = latest.createdAt - first.createdAt
  const wanted = Math.max(...dates.map((date) => date ?? 0))
  const ahead = wanted > latest.createdAt ? wanted - latest.createdAt : span * SHARE_OF_SHORT_PROJECTION
  return Math.min(LATEST_ISO_TIME_MS, latest.createdAt + Math.max(DAY_MS, Math.min(span, ahead)))
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
  ...{ reached: null, projectedDate: null, onTime: null, line: null, projection: null },
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
  const met = reached ? latest.createdAt : projected?.met
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
    projectedDate: projected === undefined ? null : toIso(projected.met),
    onTime: dueDate === null || reached === null ? null : met !== undefined && met <= dueDate,
    line: line
      ? [first, latest].map(({ createdAt: at }) => ({ at: toIso(at), value: toUnits(valueOnLine(line, at)) }))
      : null,
    projection: line
      ? projectValues(line, {
          from: latest.createdAt,
          to: findProjectionEnd(first, latest, [dueDate, projected?.met]),
          offset: projected?.startsAtLatest ? toNumber(latest) - valueOnLine(line, latest.createdAt) : 0,
        })
      : null,
  }
}
