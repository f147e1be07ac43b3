// npm run measure:homes: measures the database time of ten kinds of requests on D1 and on a Durable Object, and simulates
// 1, 4, 16 and 64 homes with the times of D1 (docs/scaling.md).
//   --simulate   repeats the simulation with the times in docs/homes.json
//   --write      writes docs/homes.json and docs/homes.svg
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { unstable_readConfig as readConfig } from 'wrangler'
import { RATE_LIMIT_WEIGHTS } from '../../src/http/weight.ts'
import { root, runMain } from '../wrangler.ts'
import { plotHomes } from './homes/plot.ts'
import { formatReport, type HomesReport } from './homes/report.ts'
import { fillWorkspace } from './homes/requests.ts'
import {
  findThroughput,
  HOMES,
  meanOfMix,
  measureNeighbor,
  type NoisePlace,
  type PlacementName,
  type RateLimits,
} from './homes/simulation.ts'
import { measureTimes, type ServiceTimes } from './homes/times.ts'
import { startLocalService } from './local-service.ts'

const JSON_FILE = path.join(root, 'docs', 'homes.json')
const SVG_FILE = path.join(root, 'docs', 'homes.svg')
const PLACEMENTS: readonly PlacementName[] = ['count', 'load', 'moved']
const NOISE_PLACES: readonly NoisePlace[] = ['none', 'other home', 'same home']

type MeasuredTimes = Record<'d1' | 'object', ServiceTimes>

async function measure(): Promise<MeasuredTimes> {
  console.log('Filling a workspace on D1 and on an object, and measuring ten kinds of requests …')
  const d1 = await startLocalService()
  try {
    const object = await startLocalService({}, { onObject: true })
    try {
      for (const service of [d1, object]) await fillWorkspace(service)
      return await measureTimes({ d1, object })
    } finally {
      await object.stop()
    }
  } finally {
    await d1.stop()
  }
}

/** The limits of production, as wrangler.toml states them to clients. */
function readLimits(): RateLimits {
  const { vars } = readConfig({ config: path.join(root, 'wrangler.toml'), env: 'production' })
  const limitOf = (name: string) => Number(/;q=(\d+);w=60/.exec(String(vars[name]))?.[1])
  return {
    unitsPerMinute: limitOf('RATE_LIMIT_POLICY'),
    workspaceUnitsPerMinute: limitOf('WORKSPACE_RATE_LIMIT_POLICY'),
    bulkOperationsPerMinute: limitOf('BULK_RATE_LIMIT_POLICY'),
    bulkUnits: RATE_LIMIT_WEIGHTS.bulk,
  }
}

function simulate(times: MeasuredTimes): HomesReport {
  const limits = readLimits()
  const throughput = HOMES.flatMap((homes) =>
    PLACEMENTS.map((placement) => findThroughput(times.d1, limits, homes, placement)),
  )
  const single = throughput[0]?.perSecond ?? 0
  const neighbor = NOISE_PLACES.map((noise) => measureNeighbor(times.d1, limits, single, noise))
  return { meanMs: meanOfMix(times.d1), limits, throughput, neighbor, times }
}

const options = process.argv.slice(2)

await runMain(async () => {
  const stored = (): MeasuredTimes => JSON.parse(readFileSync(JSON_FILE, 'utf8')).times
  const report = simulate(options.includes('--simulate') ? stored() : await measure())
  console.log(formatReport(report))
  if (!options.includes('--write')) return
  writeFileSync(JSON_FILE, `${JSON.stringify(report)}\n`)
  writeFileSync(SVG_FILE, plotHomes(report))
})
