import type * as z from 'zod'
import { toIso } from '../../../text/moments'
import { DAY_MS } from '../records/days'
import type { TrendProjection } from './schema'

/** Straight line: `value` in units at the moment `at`, `slope` in units per day. */
export interface TrendLine {
  at: number
  value: number
  slope: number
  points: number
  /** Sum of the squared distances of the moments from `at`, in days. */
  squares: number
  /** Standard deviation of the values around the line; undefined for two points, which determine the line. */
  deviation: number | undefined
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
  if (squares === 0) return undefined
  const slope = products / squares
  let residuals = 0
  for (const [x, y] of points) residuals += (y - value - (slope * (x - at)) / DAY_MS) ** 2
  const freedom = points.length - 2
  const deviation = freedom > 0 ? Math.sqrt(residuals / freedom) : undefined
  return { at, value, slope, points: points.length, squares, deviation }
}

export const valueOnLine = ({ at, value, slope }: TrendLine, moment: number): number =>
  value + (slope * (moment - at)) / DAY_MS

/** Percent of the future values that lie between `low` and `high`. */
export const PROJECTION_CONFIDENCE = 80
/** The normal distribution has 90 % of its values below, and 10 % above `high`. */
const NORMAL_QUANTILE = 1.281551565545
const TAIL = 0.9

/**
 * Quantile of Student's t distribution: exact for one and two degrees of freedom, else the expansion of Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.7.5, with an error below 0.2 %.
 */
export function findStudentQuantile(freedom: number): number {
  if (freedom === 1) return Math.tan(Math.PI * (TAIL - 0.5))
  if (freedom === 2) return (2 * TAIL - 1) / Math.sqrt(2 * TAIL * (1 - TAIL))
  const z = NORMAL_QUANTILE
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1_482 * z ** 5 - 1_920 * z ** 3 - 945 * z) / (92_160 * freedom ** 4)
  )
}

/** Half the width of the prediction interval of a value at the moment. */
function findHalfWidth({ at, points, squares, deviation }: TrendLine, moment: number): number | undefined {
  if (deviation === undefined) return undefined
  const days = (moment - at) / DAY_MS
  return findStudentQuantile(points - 2) * deviation * Math.sqrt(1 + 1 / points + (days * days) / squares)
}

/** The line is straight and its band is not. */
const PROJECTED_VALUES = 13

interface ProjectionRange {
  from: number
  to: number
  /** Added to the line, if the projection starts at the latest value. */
  offset: number
}

export function projectValues(line: TrendLine, { from, to, offset }: ProjectionRange): z.input<typeof TrendProjection> {
  const values = Array.from({ length: PROJECTED_VALUES }, (_, n) => {
    const moment = Math.round(from + ((to - from) * n) / (PROJECTED_VALUES - 1))
    const value = valueOnLine(line, moment) + offset
    const half = findHalfWidth(line, moment)
    return {
      at: toIso(moment),
      value: toUnits(value),
      low: half === undefined ? null : toUnits(value - half),
      high: half === undefined ? null : toUnits(value + half),
    }
  })
  return { confidence: PROJECTION_CONFIDENCE, values }
}

/** Decimal text with two places, and no negative zero. */
export const toUnits = (value: number): string => value.toFixed(2).replace(/^-(?=0\.00$)/, '')
