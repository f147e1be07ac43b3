// npm run bench: measures the deployed build against two floors: bare workers on the same data and runtime.
//   --quick            about three minutes: a single size, short turns
//   --far MS           adds MS milliseconds before every D1 call
//   --only a,b         some operations only (ids: test/bench/operations.ts)
//   --against DIR      compares with the worker of another checkout instead of the floors
//   --profile ID       no table: a CPU profile of the service under the operation's load
//   --json             the run as JSON on stdout
//   --write            writes the run into docs/performance.md and docs/performance.svg
//   --emulated         with the local emulation of the rate limit (test/bench/front.ts)
//   --sizes, --rounds, --seconds   instead of 1000,10000,100000, 8 and 0.8
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { Plans } from '../../test/bench/floor.ts'
import { least } from '../../test/bench/least.ts'
import { type Limits, sendLoad } from '../../test/bench/load.ts'
import { measure, type Servers, type Side } from '../../test/bench/measure.ts'
import type { Operation } from '../../test/bench/operations.ts'
import { type Options, readOptions } from '../../test/bench/options.ts'
import { type Cost, recordPlan } from '../../test/bench/plan.ts'
import { plot } from '../../test/bench/plot.ts'
import { hottest, profile } from '../../test/bench/profile.ts'
import { markdown, type Run, table, verdict } from '../../test/bench/report.ts'
import {
  build,
  type Caller,
  type CheckoutSettings,
  makeCaller,
  type RunningServer,
  read,
  readCheckout,
  startServer,
} from '../../test/bench/servers.ts'
import { gzipSize, measureStartup, type Startup } from '../../test/bench/startup.ts'
import { judge } from '../../test/bench/targets.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'

const PROFILED_RECORD_COUNT = 10_000
const RECORDED_RECORD_COUNT = 10_000

const benchFolder = path.join(root, '.wrangler', 'bench')
const writeLine = (line: string) => process.stderr.write(`${line}\n`)

interface MeasuredWorker {
  world: CheckoutSettings
  worker: string
  bindings?: Record<string, string>
}

interface OperationRecordings {
  plans: Plans
  costs: Record<string, Cost>
  failures: string[]
}

const NO_RECORDINGS: OperationRecordings = { plans: {}, costs: {}, failures: [] }

await runMain(async () => {
  const options = readOptions()
  await mkdir(benchFolder, { recursive: true })
  const caller = await makeCaller()
  const world = await readCheckout(root, caller)
  if (options.profile) return profileOperation(world, caller, options)

  const load = [os.loadavg()[0] ?? 0]
  writeLine('Building the worker …')
  const worker = await build({ cwd: root, folder: path.join(benchFolder, 'service') })
  const ours: MeasuredWorker = { world, worker }
  const found = options.against ? NO_RECORDINGS : await recordOperations(ours, caller, options.operations)
  const others = options.against
    ? { theirs: await buildCheckoutWorker(options.against, caller) }
    : await makeFloorWorkers(world, found)
  const { results, runtime } = await measureWorkers({ app: ours, ...others }, { caller, found, options })
  const gzip = gzipSize(worker)
  const startup = options.far || options.against ? undefined : await measureStartTime(world, options)
  load.push(os.loadavg()[0] ?? 0)
  const run: Run = {
    machine: {
      date: new Date().toISOString().slice(0, 10),
      cpu: os.cpus()[0]?.model ?? 'unknown processor',
      cores: os.availableParallelism(),
      node: process.versions.node,
      workerd: runtime,
      load,
    },
    options,
    results,
    startup,
    gzip,
    targets: options.against ? [] : judge({ results, startup, gzip, far: options.far }),
  }
  if (options.json) console.log(JSON.stringify(run, null, 2))
  else printRun(run)
  if (options.write) await writeRunToDocs(run)
  if (found.failures.length)
    throw new UserProblem(`Operations left out, because the recording failed:\n${found.failures.join('\n')}`)
})

async function recordOperations(
  { world, worker }: MeasuredWorker,
  { apiKey }: Caller,
  chosen: Operation[],
): Promise<OperationRecordings> {
  writeLine('Recording the statements of each operation …')
  const recorder = await startServer(world, { worker, size: RECORDED_RECORD_COUNT, tap: true })
  const found: OperationRecordings = { plans: {}, costs: {}, failures: [] }
  try {
    for (const op of chosen) {
      try {
        const { plan, cost } = await recordPlan({ url: recorder.url, apiKey }, op, RECORDED_RECORD_COUNT)
        found.plans[op.id] = plan
        found.costs[op.id] = cost
      } catch (error) {
        found.failures.push(`${op.id}: ${error instanceof Error ? error.message : error}`)
        writeLine(`  ${op.id} is left out.`)
      }
    }
  } finally {
    await recorder.stop()
  }
  return found
}

async function makeFloorWorkers(
  world: CheckoutSettings,
  { plans, costs }: OperationRecordings,
): Promise<{ floor: MeasuredWorker; least: MeasuredWorker }> {
  const bytes = Object.fromEntries(Object.entries(costs).map(([id, { bytes }]) => [id, bytes]))
  return {
    floor: { world, worker: await read('floor.ts'), bindings: { PLANS: JSON.stringify(plans) } },
    least: { world, worker: await read('least.ts'), bindings: { BYTES: JSON.stringify(bytes) } },
  }
}

async function buildCheckoutWorker(cwd: string, caller: Caller): Promise<MeasuredWorker> {
  writeLine(`Building the worker of ${cwd} …`)
  return {
    world: await readCheckout(cwd, caller),
    worker: await build({ cwd, folder: path.join(benchFolder, 'theirs') }),
  }
}

type MeasuredWorkers = Partial<Record<Side, MeasuredWorker>> & { app: MeasuredWorker }

interface MeasureOptions {
  caller: Caller
  found: OperationRecordings
  options: Options
}

async function measureWorkers(entrants: MeasuredWorkers, { caller, found, options }: MeasureOptions) {
  const { sizes, far, emulated, seconds, rounds, against } = options
  const started: RunningServer[] = []
  const start = async ({ world, ...entrant }: MeasuredWorker, size: number, filled?: string) => {
    const served = await startServer(world, { ...entrant, size, far, emulated, filled })
    started.push(served)
    return served
  }
  try {
    const servers = new Map<number, Servers>()
    for (const size of sizes) {
      writeLine(`Filling a database with ${size.toLocaleString('en-US')} records …`)
      const filler = await start(entrants.app, size)
      await filler.pause()
      const at: Servers = { app: await start(entrants.app, size, filler.storage) }
      if (entrants.floor) at.floor = await start(entrants.floor, size, filler.storage)
      // Far away the delay dominates, and the least floor adds nothing.
      if (entrants.least && !far) at.least = await start(entrants.least, size, filler.storage)
      await filler.stop()
      if (entrants.theirs) at.theirs = await start(entrants.theirs, size)
      servers.set(size, at)
    }
    writeLine('Measuring …')
    const results = await measure({
      operations: options.operations.filter(({ id }) => against || found.plans[id]),
      servers,
      serves: { least },
      costs: found.costs,
      apiKey: caller.apiKey,
      seconds,
      rounds,
      // A single user far away, because ten connections in step would wait for each other.
      connections: far ? 1 : undefined,
      say: writeLine,
    })
    return { results, runtime: started[0]?.runtime ?? '' }
  } finally {
    await Promise.all(started.map((served) => served.stop()))
  }
}

function measureStartTime({ compatibilityDate }: CheckoutSettings, { quick }: Options): Promise<Startup> {
  writeLine('Measuring the start-up …')
  return measureStartup({ folder: benchFolder, compatibilityDate, turns: quick ? 3 : 7 })
}

function printRun({ results, startup, gzip, targets }: Run): void {
  console.log(`\n${table(results)}\n`)
  if (startup) {
    const { app, bare, ratio } = startup
    console.log(`Start-up: ${app.toFixed(1)} ms busy, a bare worker ${bare.toFixed(1)} ms; ratio ${ratio.toFixed(2)}.`)
  }
  console.log(`Compressed size: ${gzip.toFixed(0)} kB.\n`)
  if (targets.length) console.log(verdict(targets))
}

async function writeRunToDocs(run: Run): Promise<void> {
  const file = path.join(root, 'docs', 'performance.md')
  const text = await readFile(file, 'utf8')
  const name = run.options.far ? 'the far run' : 'the run'
  const [begin, end] = [`<!-- ${name} begins -->`, `<!-- ${name} ends -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new UserProblem(`docs/performance.md has no place for a run: ${begin} … ${end}`)
  await writeFile(file, `${text.slice(0, from + begin.length)}\n\n${markdown(run)}\n\n${text.slice(to)}`)
  if (run.options.sizes.length > 1) await writeFile(path.join(root, 'docs', 'performance.svg'), plot(run.results))
}

async function profileOperation(
  world: CheckoutSettings,
  { apiKey }: Caller,
  { operations, emulated, seconds }: Options,
): Promise<void> {
  const [op] = operations
  if (!op) return
  writeLine('Building the worker with readable names …')
  const worker = await build({ cwd: root, folder: path.join(benchFolder, 'readable'), args: ['--no-minify'] })
  const server = await startServer(world, { worker, size: PROFILED_RECORD_COUNT, emulated, inspector: true })
  try {
    let n = 0
    const next = () => op.request(++n, PROFILED_RECORD_COUNT)
    const load = (limits: Limits) => sendLoad({ url: server.url, apiKey, next, ...limits })
    await load(op.alone ? { amount: 2 } : { seconds: 1 })
    writeLine('Profiling …')
    const made = await profile(server.inspector, () =>
      load(op.alone ? { amount: op.alone } : { seconds: Math.max(5, seconds) }),
    )
    const file = path.join(benchFolder, `${op.id}.cpuprofile`)
    await writeFile(file, JSON.stringify(made))
    const { busy, own, within } = hottest(made)
    const lists = [
      { title: 'own time', functions: own },
      { title: 'time with called functions', functions: within },
    ]
    for (const { title, functions } of lists) {
      console.log(`\n${title}, of ${busy.toFixed(0)} ms`)
      for (const { name, ms, share } of functions) {
        console.log(`${(share * 100).toFixed(1).padStart(6)} %  ${ms.toFixed(0).padStart(6)} ms  ${name}`)
      }
    }
    console.log(`\n${path.relative(root, file)}: open the file in the profiler of Chrome's developer tools.`)
  } finally {
    await server.stop()
  }
}
