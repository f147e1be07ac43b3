/** A target, with the values that meet it. */
export interface Goal {
  benchmark: string
  /** MORE: at least the benchmark; LESS: at most; EQUAL: exactly; null: no direction. */
  benchmarkType: string | null
}

export const DIRECTIONS = ['MORE', 'LESS', 'EQUAL'] as const
export type Direction = (typeof DIRECTIONS)[number] | 'none'

export const directionOf = ({ benchmarkType }: Pick<Goal, 'benchmarkType'>): Direction =>
  DIRECTIONS.find((name) => name === benchmarkType) ?? 'none'

export interface Standing {
  side: 'above' | 'below' | 'on'
  /** Without a sign. */
  distance: number
  /** Undefined without a direction. */
  meets: boolean | undefined
}

const HUNDREDTHS = 100
/** Values have two places. */
const round = (value: number): number => Math.round(value * HUNDREDTHS) / HUNDREDTHS

export function findStanding(goal: Goal, value: number): Standing {
  const difference = round(value - Number(goal.benchmark))
  const meets = { MORE: difference >= 0, LESS: difference <= 0, EQUAL: difference === 0, none: undefined }
  return {
    side: difference > 0 ? 'above' : difference < 0 ? 'below' : 'on',
    distance: Math.abs(difference),
    meets: meets[directionOf(goal)],
  }
}

/** How far a value is from where the goal wants it; less is better. Undefined without a direction. */
function measureGap(goal: Goal, value: number): number | undefined {
  const gaps = { MORE: -value, LESS: value, EQUAL: Math.abs(value - Number(goal.benchmark)), none: undefined }
  return gaps[directionOf(goal)]
}

export type Verdict = 'better' | 'worse' | 'same'

/** Undefined without a direction. */
export function judgeChange(goal: Goal, from: number, to: number): Verdict | undefined {
  const [before, after] = [measureGap(goal, from), measureGap(goal, to)]
  if (before === undefined || after === undefined) return undefined
  const difference = round(after - before)
  return difference < 0 ? 'better' : difference > 0 ? 'worse' : 'same'
}

export interface Course {
  way: 'rises' | 'falls' | 'level'
  /** Undefined without a direction, and for a level course. */
  isGood: boolean | undefined
}

/** `change` is the change of the trend in the period that the page shows. */
export function findCourse(goal: Goal, latest: number, change: number): Course {
  const shown = round(change)
  if (shown === 0) return { way: 'level', isGood: undefined }
  const ahead = Number(goal.benchmark) - latest
  const isGood = { MORE: shown > 0, LESS: shown < 0, EQUAL: ahead * shown > 0, none: undefined }
  return { way: shown > 0 ? 'rises' : 'falls', isGood: isGood[directionOf(goal)] }
}
