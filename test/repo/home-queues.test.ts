import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  listZipfLoads,
  moveWorkspaces,
  placeByCount,
  placeByLoad,
  sumLoads,
} from '../../scripts/measure/homes/placement'
import {
  createBurstStreams,
  createPoissonStream,
  drawExponential,
  percentile,
  simulateHome,
} from '../../scripts/measure/homes/queue'
import { efficiencyOf, type HomesReport } from '../../scripts/measure/homes/report'
import { seededRandom } from '../random'

const SERVICE_MS = 4
const REQUESTS = 1_000_000

function simulate(utilization: number, isRandom: boolean, requests = REQUESTS) {
  const random = seededRandom(20_261_127)
  const drawTime = () => (isRandom ? drawExponential(random, SERVICE_MS) : SERVICE_MS)
  return simulateHome({
    observed: createPoissonStream(random, (utilization * 1_000) / SERVICE_MS, drawTime),
    requests,
  })
}

test.each([
  [0.3, true],
  [0.5, true],
  [0.7, true],
  [0.9, true],
  [0.3, false],
  [0.5, false],
  [0.7, false],
  [0.9, false],
])('the mean wait at utilization %f is the wait of theory (random service times: %s)', (utilization, isRandom) => {
  const run = simulate(utilization, isRandom)
  // Pollaczek and Khinchine: a constant time waits half as long as an exponential time (M/D/1 and M/M/1).
  const inTheory = ((utilization * SERVICE_MS) / (1 - utilization)) * (isRandom ? 1 : 0.5)
  expect(run.meanWait / inTheory).toBeGreaterThan(0.96)
  expect(run.meanWait / inTheory).toBeLessThan(1.04)
  expect(run.utilization).toBeCloseTo(utilization, 2)
})

test('the p99 of random service times is the p99 of theory', () => {
  const run = simulate(0.7, true)
  const inTheory = (Math.log(100) * SERVICE_MS) / (1 - 0.7)
  expect(percentile(run.responses, 0.99) / inTheory).toBeGreaterThan(0.96)
  expect(percentile(run.responses, 0.99) / inTheory).toBeLessThan(1.04)
})

test('a run repeats for the same seed', () => {
  expect(simulate(0.8, true, 10_000)).toEqual(simulate(0.8, true, 10_000))
})

test('a burst sends its list once a minute, a connection at a time', () => {
  const observed = createPoissonStream(seededRandom(1), 1, () => 0)
  const others = createBurstStreams(2, () => [1_000, 1_000, 1_000])
  const { utilization } = simulateHome({ observed, others, requests: 36_000 })
  expect(utilization).toBeCloseTo(3 / 60, 2)
})

test('a request behind a burst waits for one request of each connection', () => {
  const observed = { next: 500, take: () => 1, finish() {} }
  const others = createBurstStreams(3, () => Array(10).fill(1_000))
  const { responses } = simulateHome({ observed, others, requests: 1 })
  expect([...responses]).toEqual([2_501])
})

test('loads add up, and none is above the limit', () => {
  const loads = listZipfLoads(seededRandom(7), 100, 1_000, 83)
  expect(sumLoads(loads)).toBeCloseTo(1_000)
  expect(Math.max(...loads)).toBe(83)
})

test.each([
  ['by count', placeByCount],
  ['by load', placeByLoad],
])('each workspace is placed once %s', (_, place) => {
  const loads = listZipfLoads(seededRandom(7), 400, 1_000, 83)
  const placement = place(loads, 4)
  expect(placement.flat().toSorted()).toEqual(loads.toSorted())
  expect(placement.every((home) => home.length > 0)).toBe(true)
})

test('moves level the homes and keep each workspace', () => {
  const loads = listZipfLoads(seededRandom(7), 1_600, 4_000, 83)
  const before = placeByCount(loads, 16)
  const { placement, moves } = moveWorkspaces(before, 0.01)
  const busiest = (homes: number[][]) => Math.max(...homes.map(sumLoads)) / (4_000 / 16)
  expect(busiest(before)).toBeGreaterThan(1.05)
  expect(busiest(placement)).toBeLessThanOrEqual(1.01)
  expect(moves).toBeLessThan(100)
  expect(placement.flat().toSorted()).toEqual(loads.toSorted())
})

const REMEDY = 'Repeat `npm run measure:homes -- --write`, and read the difference.'

test('the figures of docs/scaling.md meet the goals', () => {
  const file = path.resolve(import.meta.dirname, '../../docs/homes.json')
  const report: HomesReport = JSON.parse(readFileSync(file, 'utf8'))
  const sixteen = report.throughput.find(({ homes, placement }) => homes === 16 && placement === 'moved')
  const [quiet, otherHome, sameHome] = report.neighbor.map(({ p99 }) => p99)
  expect(sixteen && efficiencyOf(report, sixteen), REMEDY).toBeGreaterThanOrEqual(0.95)
  expect((otherHome ?? 0) / (quiet ?? 1), REMEDY).toBeLessThanOrEqual(1.05)
  expect((sameHome ?? 0) / (quiet ?? 1), REMEDY).toBeGreaterThan(2)
})
