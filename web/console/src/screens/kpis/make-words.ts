import { directionOf, findCourse, findStanding, type Goal } from './standing'
import type { KpiTexts } from './texts/en'

interface Target extends Goal {
  benchmarkUnit: string | null
}

interface Slope {
  slopePerDay: string | null
  latest: { value: string } | null
}

const DAYS_PER_WEEK = 7

export const changePerWeek = ({ slopePerDay }: Pick<Slope, 'slopePerDay'>): number | undefined =>
  slopePerDay === null ? undefined : Number(slopePerDay) * DAYS_PER_WEEK

/** The words for a target and its values, in a language. */
export const makeWords = (texts: KpiTexts, formatValue: (value: number | string, unit: string | null) => string) => ({
  /** "at most 0.1 %". */
  nameTarget: (kpi: Target): string => texts.targets[directionOf(kpi)](formatValue(kpi.benchmark, kpi.benchmarkUnit)),

  /** "≤ 0.1 %", for narrow places. */
  signTarget: (kpi: Target): string =>
    `${texts.signs[directionOf(kpi)]} ${formatValue(kpi.benchmark, kpi.benchmarkUnit)}`.trim(),

  /** "12 above the target". */
  nameStanding(kpi: Target, value: number): string {
    const { side, distance } = findStanding(kpi, value)
    return texts.standings[side](formatValue(distance, kpi.benchmarkUnit))
  },

  /** "falls: good", and whether the course is good. */
  nameCourse(kpi: Target, trend: Slope): { text: string; isGood: boolean | undefined } | undefined {
    const change = changePerWeek(trend)
    if (change === undefined || !trend.latest) return undefined
    const { way, isGood } = findCourse(kpi, Number(trend.latest.value), change)
    const course = texts.courses[way]
    if (isGood === undefined) return { text: course, isGood }
    return { text: texts.judged(course, isGood ? texts.good : texts.bad), isGood }
  },
})
