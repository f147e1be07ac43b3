// Measures the servers of an operation in turn, round after round, so that further load on the machine affects all
// servers alike.
import { type Limits, type LoadResult, median, percentile, sendLoad } from './load.ts'
import type { Operation } from './operations.ts'
import type { Cost } from './plan.ts'
import type { RunningServer } from './servers.ts'

/** The comparisons: the service's own statements alone, the least SQL, and a second checkout. */
export const COMPARED_SIDES = ['floor', 'least', 'theirs'] as const
export type ComparedSide = (typeof COMPARED_SIDES)[number]
export type Side = 'app' | ComparedSide

export type Servers = Partial<Record<Side, RunningServer>> & { app: RunningServer }

interface Summary {
  perSecond: number
  p50: number
  p99: number
  /** Milliseconds of processor time per request; null if the system does not report processor time. */
  cpu: number | null
}

export interface Compared extends Summary {
  /** The service's requests per second divided by this side's: the median over the rounds. */
  ratio: number
  /** This side's processor time divided by the service's. */
  cpuRatio: number | null
}

export interface Result extends Partial<Record<ComparedSide, Compared>> {
  operation: Operation
  size: number
  app: Summary
  /** The p50 divided by the p50 at the smallest size. */
  growth: { over: number; times: number } | null
  cost: Cost | undefined
}

interface Turn extends LoadResult {
  cpu: number | null
}

interface MeasureOptions {
  operations: Operation[]
  servers: Map<number, Servers>
  costs: Record<string, Cost>
  /** The operations of a side; all operations by default. */
  serves: Partial<Record<Side, string[]>>
  apiKey: string
  rounds: number
  seconds: number
  connections: number | undefined
  say(line: string): void
}

export async function measure(measuring: MeasureOptions): Promise<Result[]> {
  const results: Result[] = []
  for (const operation of measuring.operations) {
    measuring.say(`  ${operation.title} …`)
    results.push(...(await measureOne(operation, measuring)))
  }
  return results
}

interface MeasuredServer {
  size: number
  side: Side
  server: RunningServer
  next: () => ReturnType<Operation['request']>
  turns: Turn[]
}

async function measureOne(operation: Operation, measuring: MeasureOptions): Promise<Result[]> {
  const { apiKey, rounds, seconds, connections, costs } = measuring
  const seats = listMeasuredServers(operation, measuring)
  const turn = async ({ server, side, size, next }: MeasuredServer, limits: Limits): Promise<Turn> => {
    const before = await server.cpu()
    const run = await sendLoad({ url: server.url, apiKey, next, connections, ...limits }).catch((error) => {
      throw new Error(`${operation.id} of "${side}" at ${size}: ${error.message}`, { cause: error })
    })
    const after = await server.cpu()
    return { ...run, cpu: before === null || after === null ? null : (after - before) / run.latencies.length }
  }
  const { alone } = operation
  for (const seat of seats) await turn(seat, { amount: 1 })
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that no server always follows the same server.
    const order = round % 2 ? seats.toReversed() : seats
    for (const seat of order) seat.turns.push(await turn(seat, alone ? { amount: alone } : { seconds }))
  }
  const turnsOf = (size: number, side: Side) =>
    seats.find((seat) => seat.size === size && seat.side === side)?.turns ?? []
  const sizes = [...new Set(seats.map(({ size }) => size))]
  const smallest = Math.min(...sizes)
  return sizes.map((size) => {
    const app = turnsOf(size, 'app')
    const result: Result = {
      operation,
      size,
      app: summary(app),
      growth: size === smallest ? null : { over: smallest, times: comparePairs(app, turnsOf(smallest, 'app'), growth) },
      cost: costs[operation.id],
    }
    for (const other of COMPARED_SIDES) {
      const its = turnsOf(size, other)
      if (its.length)
        result[other] = { ...summary(its), ratio: comparePairs(app, its, rate), cpuRatio: cpuRatio(app, its) }
    }
    return result
  })
}

function listMeasuredServers(operation: Operation, { servers, serves }: MeasureOptions): MeasuredServer[] {
  const sizes = [...servers.keys()]
  const chosen = operation.fixed ? [sizes.find((size) => size === 10_000) ?? sizes[0]] : sizes
  return chosen.flatMap((size = 0) =>
    (['app', ...COMPARED_SIDES] as const).flatMap((side): MeasuredServer[] => {
      const server = servers.get(size)?.[side]
      if (!server || serves[side]?.includes(operation.id) === false) return []
      let n = 0
      return [{ size, side, server, next: () => operation.request(++n, size), turns: [] }]
    }),
  )
}

/** The median over the rounds of a comparison of two sides. */
function comparePairs(ours: Turn[], its: Turn[], compare: (mine: Turn, its: Turn) => number): number {
  return median(ours.flatMap((turn, round) => (its[round] ? [compare(turn, its[round])] : [])))
}

const rate = (mine: Turn, its: Turn) => mine.perSecond / its.perSecond
const growth = (mine: Turn, small: Turn) => percentile(mine.latencies, 50) / percentile(small.latencies, 50)

function cpuRatio(ours: Turn[], its: Turn[]): number | null {
  if (ours[0]?.cpu === null) return null
  return comparePairs(ours, its, (mine, other) => (other.cpu ?? 0) / (mine.cpu ?? 0))
}

function summary(turns: Turn[]): Summary {
  const latencies = turns.flatMap((turn) => turn.latencies).sort((a, b) => a - b)
  const cpus = turns.flatMap(({ cpu }) => cpu ?? [])
  return {
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    cpu: cpus.length ? median(cpus) : null,
  }
}
