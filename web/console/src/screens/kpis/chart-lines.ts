import type { AlignedData } from 'uplot'
import type { Kpi, Point, Trend } from './requests'

/** Counts and sums start at zero; a rate may use a narrower range. */
export const isFromZero = ({ benchmarkUnit, aggregate }: Kpi): boolean =>
  aggregate === 'sum' || benchmarkUnit?.trim() !== '%'

/** A value to read: measured, or projected with the band in which most values are expected. */
export interface Reading extends Point {
  band?: { low: number; high: number; confidence: number }
  isProjected: boolean
}

export interface Lines {
  /** Times in seconds, then a row for each line: the ends of the band, values, trend, projection and target. */
  data: AlignedData
  readings: readonly Reading[]
  /** Seconds. */
  dueAt: number | undefined
}

const toProjected = ({ confidence, values }: NonNullable<Trend['projection']>): Reading[] =>
  values.map(({ at, value, low, high }) => ({
    ...{ at: Date.parse(at), value: Number(value), isProjected: true },
    ...(low !== null && high !== null && { band: { low: Number(low), high: Number(high), confidence } }),
  }))

/** Lines through the points and behind them, as the service computes them. */
export function drawLines(kpi: Kpi, trend: Trend | undefined, points: readonly Point[], showsTarget: boolean): Lines {
  const line = (trend?.line ?? []).map(({ at, value }) => ({ at: Date.parse(at), value: Number(value) }))
  const projected = trend?.projection ? toProjected(trend.projection) : []
  const times = [...new Set([...points, ...line, ...projected].map(({ at }) => at))].sort((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return { data: [[]], readings: [], dueAt: undefined }
  const spread = (found: readonly Point[]) => {
    const values = new Map(found.map(({ at, value }) => [at, value]))
    return times.map((at) => values.get(at) ?? null)
  }
  const bandOf = (end: 'low' | 'high') =>
    spread(projected.flatMap(({ at, band }) => (band ? [{ at, value: band[end] }] : [])))
  const due = kpi.dueDate ? Date.parse(kpi.dueDate) : undefined
  return {
    data: [
      times.map((at) => at / 1_000),
      ...[bandOf('high'), bandOf('low'), spread(points), spread(line), spread(projected)],
      times.map(() => (showsTarget ? Number(kpi.benchmark) : null)),
    ],
    // The projection begins at the last value.
    readings: [...points.map((point) => ({ ...point, isProjected: false })), ...projected.slice(1)],
    dueAt: due !== undefined && due >= first && due <= last ? due / 1_000 : undefined,
  }
}

/** The place of the reading that is nearest to a moment. */
export const findNearest = (readings: readonly Reading[], at: number): number =>
  readings.reduce(
    (nearest, reading, place) =>
      Math.abs(reading.at - at) < Math.abs((readings[nearest]?.at ?? Number.POSITIVE_INFINITY) - at) ? place : nearest,
    0,
  )
