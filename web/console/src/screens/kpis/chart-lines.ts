import type { AlignedData } from 'uplot'
import type { Kpi, Point, Trend } from './requests'

const DAY_MS = 86_400_000
/** The projection takes at most as much of the chart as the values. */
const MAX_SHARE_OF_PROJECTION = 1

/** Counts and sums start at zero; a rate may use a narrower range. */
export const isFromZero = ({ benchmarkUnit, aggregate }: Kpi): boolean =>
  aggregate === 'sum' || benchmarkUnit?.trim() !== '%'

export interface Lines {
  /** Times in seconds, then a row for each line. */
  data: AlignedData
  dueAt: number | undefined
}

/**
 * Lines through the points and behind them. The trend has the slope of the service and passes through the mean of the
 * points, as each least-squares line does; the projection leads from the last point to the date at which the service
 * says that the target is met.
 */
export function drawLines(kpi: Kpi, trend: Trend | undefined, points: readonly Point[], showsTarget: boolean): Lines {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return { data: [[]], dueAt: undefined }
  const benchmark = Number(kpi.benchmark)
  const slope = trend?.slopePerDay && points.length > 1 ? Number(trend.slopePerDay) / DAY_MS : undefined
  const due = kpi.dueDate ? Date.parse(kpi.dueDate) : undefined
  const met = trend?.projectedDate ? Date.parse(trend.projectedDate) : undefined
  const latest = last.at + (last.at - first.at) * MAX_SHARE_OF_PROJECTION + DAY_MS
  const end = slope === undefined ? last.at : Math.min(latest, Math.max(last.at, due ?? 0, met ?? 0))
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanAt, meanValue] = [meanOf(points.map(({ at }) => at)), meanOf(points.map(({ value }) => value))]
  const trendAt = (at: number) => (slope === undefined ? null : meanValue + slope * (at - meanAt))
  const rise = met !== undefined && met > last.at ? (benchmark - last.value) / (met - last.at) : slope
  const projectedAt = (at: number) => (rise === undefined ? null : last.value + rise * (at - last.at))
  const times = [...new Set([...points.map(({ at }) => at), ...(met && met < end ? [met] : []), end])].sort(
    (a, b) => a - b,
  )
  const values = new Map(points.map(({ at, value }) => [at, value]))
  return {
    data: [
      times.map((at) => at / 1_000),
      times.map((at) => values.get(at) ?? null),
      times.map((at) => (at <= last.at ? trendAt(at) : null)),
      times.map((at) => (at >= last.at ? projectedAt(at) : null)),
      times.map(() => (showsTarget ? benchmark : null)),
    ],
    dueAt: due !== undefined && due <= end && due >= first.at ? due / 1_000 : undefined,
  }
}
