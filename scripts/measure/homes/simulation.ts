// What homes carry, and what a noisy workspace does to a quiet one. Runs repeat for the same times and the same seed.
import { type Random, seededRandom } from '../../../test/random.ts'
import { listZipfLoads, moveWorkspaces, type Placement, placeByCount, placeByLoad, sumLoads } from './placement.ts'
import { createBurstStreams, createPoissonStream, percentile, simulateHome } from './queue.ts'
import { REQUEST_KINDS } from './requests.ts'
import { meanOf, type ServiceTimes } from './times.ts'

const SEED = 20_261_127
export const HOMES = [1, 4, 16, 64]
// About 145 model workspaces fill a database with a year of events in the log (docs/scaling.md).
export const WORKSPACES_PER_SIMULATED_HOME = 100
/** The longest p99 of the response times of each home, in milliseconds: a person still calls the page immediate. */
export const P99_BOUND_MS = 250
/** Moves end when no home is busier than the mean by this share. */
export const MOVE_TOLERANCE = 0.01
const REQUESTS_PER_HOME = 200_000
const SEARCH_STEPS = 9

export interface RateLimits {
  unitsPerMinute: number
  workspaceUnitsPerMinute: number
  bulkOperationsPerMinute: number
  /** Units of a bulk request; a list takes one. */
  bulkUnits: number
}

/** Draws the time of a request of the mix, from the measured times of a kind. */
function createMix(random: Random, times: ServiceTimes): () => number {
  const kinds = REQUEST_KINDS.flatMap(({ id, share }) => Array<readonly number[]>(share).fill(times[id] ?? []))
  return () => random.pick(random.pick(kinds))
}

export const meanOfMix = (times: ServiceTimes): number =>
  REQUEST_KINDS.reduce((sum, { id, share }) => sum + (share ? share * meanOf(times[id] ?? []) : 0), 0) / 100

function measureHome(times: ServiceTimes, perSecond: number, seed: number) {
  const random = seededRandom(seed)
  return simulateHome({
    observed: createPoissonStream(random, perSecond, createMix(random, times)),
    requests: REQUESTS_PER_HOME,
  })
}

const PLACEMENTS = {
  count: (loads, homes) => ({ placement: placeByCount(loads, homes), moves: 0 }),
  load: (loads, homes) => ({ placement: placeByLoad(loads, homes), moves: 0 }),
  moved: (loads, homes) => moveWorkspaces(placeByLoad(loads, homes), MOVE_TOLERANCE),
} satisfies Record<string, (loads: readonly number[], homes: number) => { placement: Placement; moves: number }>

export type PlacementName = keyof typeof PLACEMENTS

export interface Throughput {
  homes: number
  placement: PlacementName
  /** Requests per second of all homes together. */
  perSecond: number
  /** Load of the busiest home, divided by the mean. */
  busiest: number
  moves: number
}

/** The highest rate of requests at which the p99 of each home stays below the bound. */
export function findThroughput(
  times: ServiceTimes,
  limits: RateLimits,
  homes: number,
  name: PlacementName,
): Throughput {
  const place = (perSecond: number) => {
    const limit = limits.workspaceUnitsPerMinute / 60
    return PLACEMENTS[name](
      listZipfLoads(seededRandom(SEED), homes * WORKSPACES_PER_SIMULATED_HOME, perSecond, limit),
      homes,
    )
  }
  const staysBelowBound = (perSecond: number) =>
    place(perSecond)
      .placement.map(sumLoads)
      .toSorted((one, other) => other - one)
      .every((load, n) => percentile(measureHome(times, load, SEED + n).responses, 0.99) <= P99_BOUND_MS)
  let below = 0
  let above = (homes * 1_000) / meanOfMix(times)
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (below + above) / 2
    if (staysBelowBound(middle)) below = middle
    else above = middle
  }
  const { placement, moves } = place(below)
  const busiest = Math.max(...placement.map(sumLoads)) / (below / homes)
  return { homes, placement: name, perSecond: below, busiest, moves }
}

const NEIGHBOR_PER_SECOND = 1
const NEIGHBOR_REQUESTS = 20_000
// Two connections of each key.
const CONNECTIONS_PER_KEY = 2

export type NoisePlace = 'none' | 'other home' | 'same home'

export interface NeighborRun {
  noise: NoisePlace
  p50: number
  p99: number
  /** Share of the time that the neighbor's home is occupied. */
  utilization: number
}

/** Response times of a quiet workspace in a home with half of its throughput, beside a workspace at its rate limits. */
export function measureNeighbor(
  times: ServiceTimes,
  limits: RateLimits,
  perSecond: number,
  noise: NoisePlace,
): NeighborRun {
  const [own, rest, noisy] = [seededRandom(SEED), seededRandom(SEED + 1), seededRandom(SEED + 2)]
  const observed = createPoissonStream(own, NEIGHBOR_PER_SECOND, createMix(own, times))
  const others = [createPoissonStream(rest, perSecond / 2 - NEIGHBOR_PER_SECOND, createMix(rest, times))]
  const keys = Math.floor(limits.workspaceUnitsPerMinute / limits.unitsPerMinute)
  const imports = limits.bulkOperationsPerMinute
  const lists = limits.unitsPerMinute - imports * limits.bulkUnits
  const draw = (kind: string, count: number) => Array.from({ length: count }, () => noisy.pick(times[kind] ?? []))
  const listMinute = () => mix(noisy, [...draw('createStories', keys * imports), ...draw('listIdeas', keys * lists)])
  // Homes share no queue, so noise in another home does not touch this run.
  if (noise === 'same home') others.push(...createBurstStreams(keys * CONNECTIONS_PER_KEY, listMinute))
  const run = simulateHome({ observed, others, requests: NEIGHBOR_REQUESTS })
  return {
    noise,
    p50: percentile(run.responses, 0.5),
    p99: percentile(run.responses, 0.99),
    utilization: run.utilization,
  }
}

function mix(random: Random, values: readonly number[]): number[] {
  const mixed = [...values]
  for (let n = mixed.length - 1; n > 0; n--) {
    const other = random.below(n + 1)
    ;[mixed[n], mixed[other]] = [mixed[other] ?? 0, mixed[n] ?? 0]
  }
  return mixed
}
