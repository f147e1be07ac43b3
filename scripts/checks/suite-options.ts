import { UserProblem } from '../wrangler.ts'

const DAY_MS = 86_400_000

interface SuiteOptions {
  /** How often the suite runs. */
  repeat: number
  /** The time at which each test file begins, or an empty text for the time of the machine. */
  clock: string
  vitestArguments: string[]
}

/** Reads `--repeat N` and `--clock TIME`, where a time of `+40d` is 40 days ahead. Other arguments go to vitest. */
export function readSuiteOptions(values: readonly string[], now: number): SuiteOptions {
  const options: SuiteOptions = { repeat: 1, clock: '', vitestArguments: [] }
  const rest = values[Symbol.iterator]()
  for (const value of rest) {
    if (value === '--repeat') options.repeat = readCount(rest.next().value)
    else if (value === '--clock') options.clock = readTime(rest.next().value, now)
    else options.vitestArguments.push(value)
  }
  return options
}

function readCount(text = ''): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UserProblem('--repeat needs a number from 1 to 999, as in --repeat 3.')
  return Number(text)
}

function readTime(text = '', now: number): string {
  const days = /^\+(\d{1,4})d$/.exec(text)?.[1]
  const time = days === undefined ? Date.parse(text) : now + Number(days) * DAY_MS
  if (Number.isNaN(time)) {
    throw new UserProblem('--clock needs a time or days ahead, as in --clock 2026-01-31T23:59:30Z or --clock +40d.')
  }
  return new Date(time).toISOString()
}
