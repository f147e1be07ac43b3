import type { Result } from './measure.ts'
import type { Startup } from './startup.ts'

const TARGETS = {
  // Share of the requests per second of the floor, and of the least SQL: single reads, lists, single writes.
  floor: 0.85,
  least: { get: 0.82, list: 0.88, create: 0.72, modify: 0.72 },
  // p50 at a number of records, divided by the p50 at a smaller number.
  growth: [
    { over: 1_000, at: 100_000, limit: 1.15 },
    { over: 10_000, at: 1_000_000, limit: 1.1 },
  ],
  upload: 2, // times the floor's time for 100,000 records
  far: 1.1, // times the delay of a database call, so a request makes a single call
  startup: 1.5, // times the start-up of a bare Hono and zod worker
  gzip: 400, // kB
}

export interface Verdict {
  what: string
  figure: number
  limit: string
  held: boolean
}

export interface Judged {
  results: Result[]
  startup: Startup | undefined
  gzip: number
  far: number
}

export function judge({ results, startup, gzip, far }: Judged): Verdict[] {
  if (far) return results.flatMap((result) => judgeFar(result, far))
  const lines = [
    ...results.flatMap(judgeFloor),
    ...results.flatMap(judgeLeast),
    ...results.flatMap(judgeGrowth),
    ...results.flatMap(judgeUploads),
  ]
  if (startup) lines.push(atMost('start-up: ratio to a bare worker', startup.ratio, TARGETS.startup))
  const held = gzip < TARGETS.gzip
  return [...lines, { what: 'compressed size of the worker in kB', figure: gzip, limit: `< ${TARGETS.gzip}`, held }]
}

const atMost = (what: string, figure: number, limit: number): Verdict => ({
  what,
  figure,
  limit: `≤ ${limit}`,
  held: figure <= limit,
})

const name = ({ operation, size }: Result) => `${operation.title}, ${thousands(size)}`
const byTime = (ratio: number | null) => (ratio === null ? '' : `; ${ratio.toFixed(2)} by processor time`)

function judgeFloor(result: Result): Verdict[] {
  const { floor, operation } = result
  if (!floor || (operation.kind !== 'read' && operation.kind !== 'write')) return []
  const what = `${name(result)}: requests per second, ratio to the floor`
  const limit = `≥ ${TARGETS.floor}${byTime(floor.cpuRatio)}`
  return [{ what, figure: floor.ratio, limit, held: floor.ratio >= TARGETS.floor }]
}

function judgeLeast(result: Result): Verdict[] {
  const { least, operation } = result
  if (!least || !operation.act) return []
  const target = TARGETS.least[operation.act]
  const what = `${name(result)}: requests per second, ratio to the least SQL`
  const limit = `≥ ${target}${byTime(least.cpuRatio)}`
  return [{ what, figure: least.ratio, limit, held: least.ratio >= target }]
}

function judgeGrowth({ operation, size, growth }: Result): Verdict[] {
  const target = TARGETS.growth.find(({ over, at }) => growth?.over === over && size === at)
  if (!growth || !target) return []
  const what = `${operation.title}: p50 at ${thousands(size)} over ${thousands(growth.over)}`
  return [atMost(what, growth.times, target.limit)]
}

function judgeUploads({ operation, floor }: Result): Verdict[] {
  if (!floor || operation.kind !== 'upload') return []
  return [atMost(`${operation.title}: time, ratio to the floor`, 1 / floor.ratio, TARGETS.upload)]
}

function judgeFar({ operation, cost, app, floor }: Result, far: number): Verdict[] {
  if (cost?.trips !== 1 || !floor) return []
  const limit = TARGETS.far * far
  const limitText = `≤ ${limit.toFixed(0)} ms; the floor ${floor.p50.toFixed(1)}`
  return [{ what: `${operation.title}: p50`, figure: app.p50, limit: limitText, held: app.p50 <= limit }]
}

export const thousands = (number: number): string => Math.round(number).toLocaleString('en-US')
