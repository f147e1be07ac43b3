// npm run bench: measures the service as it is deployed against the floor, a bare worker that does the same work on the
// data in the same runtime. docs/performance.md says how to read it.
//   --quick            under three minutes: one size, short turns
//   --far MS           adds MS milliseconds before every D1 call of both
//   --only a,b         some operations alone (their ids: test/bench/operations.mjs)
//   --profile ID       no table: a CPU profile of the service under that operation's load
//   --json             the run as JSON on stdout
//   --write            writes the run into docs/performance.md and docs/performance.svg
//   --emulated         with the local emulation of the rate limit (test/bench/front.js)
//   --sizes, --rounds, --seconds   instead of 1000,10000,100000, 8 and 0.8
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { drive } from '../test/bench/load.mjs'
import { measure } from '../test/bench/measure.mjs'
import { operations } from '../test/bench/operations.mjs'
import { record } from '../test/bench/plan.mjs'
import { plot } from '../test/bench/plot.mjs'
import { hottest, profile } from '../test/bench/profile.mjs'
import { markdown, table, verdict } from '../test/bench/report.mjs'
import { build, makeWorld, read, serve } from '../test/bench/servers.mjs'
import { gzipSize, measureStartup } from '../test/bench/startup.mjs'
import { judge } from '../test/bench/targets.mjs'
import { main, Problem, root } from './wrangler.mjs'

const PROFILED = 10_000
const RECORDED = 10_000

const folder = path.join(root, '.wrangler', 'bench')
const say = (line) => process.stderr.write(`${line}\n`)

await main(async () => {
  const options = readOptions()
  await mkdir(folder, { recursive: true })
  const world = await makeWorld()
  if (options.profile) return profiled(world, options)

  const load = [os.loadavg()[0]]
  say('Building the worker …')
  const worker = await build({ folder: path.join(folder, 'service') })
  say('Recording what each operation executes …')
  const { plans, costs, left, runtime } = await recorded(world, worker, options.operations)
  const results = await measured(world, { worker, plans, costs, options })
  const gzip = gzipSize(worker)
  const startup = options.far ? undefined : await startedUp(world, options)
  load.push(os.loadavg()[0])
  const run = {
    machine: {
      date: new Date().toISOString().slice(0, 10),
      cpu: os.cpus()[0]?.model ?? 'unknown processor',
      cores: os.availableParallelism(),
      node: process.versions.node,
      workerd: runtime,
      load,
    },
    options: { ...options, operations: undefined },
    results,
    startup,
    gzip,
    targets: judge({ results, startup, gzip, far: options.far }),
  }
  if (options.json) console.log(JSON.stringify(run, null, 2))
  else tell(run)
  if (options.write) await writeDocs(run)
  if (left.length) throw new Problem(`Left out, because they could not be recorded:\n${left.join('\n')}`)
})

function readOptions() {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const { values } = parseArgs({
    options: {
      quick: flag,
      json: flag,
      write: flag,
      emulated: flag,
      far: text,
      only: text,
      profile: text,
      sizes: text,
      rounds: text,
      seconds: text,
    },
  })
  const { quick, json, write, emulated } = values
  const far = Number(values.far ?? 0)
  const ids = (values.profile ?? values.only)?.split(',')
  const unknown = ids?.find((id) => !operations.some((op) => op.id === id))
  if (unknown)
    throw new Problem(`There is no operation "${unknown}". There are: ${operations.map(({ id }) => id).join(', ')}.`)
  if (far && emulated) throw new Problem('Leave out --emulated where --far is measured.')
  const sizes = values.sizes?.split(',').map(Number) ?? (quick || far ? [10_000] : [1_000, 10_000, 100_000])
  const figures = {
    far,
    rounds: Number(values.rounds ?? (quick ? 5 : 8)),
    seconds: Number(values.seconds ?? (quick ? 0.6 : 0.8)),
  }
  const wrong = [...sizes, ...Object.values(figures)].find((figure) => !(figure >= 0))
  if (wrong !== undefined) throw new Problem('Sizes, rounds, seconds and milliseconds are numbers.')
  return {
    quick,
    json,
    write,
    emulated,
    ...figures,
    sizes: sizes.sort((a, b) => a - b),
    profile: values.profile,
    operations: operations.filter(({ id }) => !ids || ids.includes(id)),
  }
}

/** What the floor is to execute, and what each operation costs. An operation that cannot be recorded is left out. */
async function recorded(world, worker, chosen) {
  const recorder = await serve(world, { worker, size: RECORDED, tap: true })
  const found = { plans: {}, costs: {}, left: [], runtime: recorder.runtime }
  try {
    for (const op of chosen) {
      try {
        const { plan, cost } = await record({ url: recorder.url, apiKey: world.apiKey }, op, RECORDED)
        found.plans[op.id] = plan
        found.costs[op.id] = cost
      } catch (error) {
        found.left.push(`${op.id}: ${error.message}`)
        say(`  ${op.id} is left out.`)
      }
    }
  } finally {
    await recorder.stop()
  }
  return found
}

async function measured(world, { worker, plans, costs, options }) {
  const { sizes, far, emulated, seconds, rounds } = options
  const floor = await read('floor.js')
  const servers = {}
  try {
    for (const size of sizes) {
      say(`Filling two databases with ${size.toLocaleString('en-US')} records …`)
      servers[size] = {}
      servers[size].app = await serve(world, { worker, size, far, emulated })
      servers[size].floor = await serve(world, {
        worker: floor,
        size,
        far,
        emulated,
        bindings: { PLANS: JSON.stringify(plans) },
      })
    }
    say('Measuring …')
    const chosen = options.operations.filter(({ id }) => plans[id])
    // One user far away: ten in step would wait for each other.
    const connections = far ? 1 : undefined
    return await measure({
      operations: chosen,
      servers,
      costs,
      apiKey: world.apiKey,
      seconds,
      rounds,
      connections,
      say,
    })
  } finally {
    await Promise.all(Object.values(servers).flatMap(({ app, floor }) => [app?.stop(), floor?.stop()]))
  }
}

function startedUp({ compatibilityDate }, { quick }) {
  say('Measuring the start-up …')
  return measureStartup({ folder, compatibilityDate, turns: quick ? 3 : 7 })
}

function tell({ results, startup, gzip, targets }) {
  console.log(`\n${table(results)}\n`)
  if (startup) {
    const { app, bare, ratio } = startup
    console.log(`Start-up: ${app.toFixed(1)} ms busy, a bare worker ${bare.toFixed(1)} ms: ${ratio.toFixed(2)} times.`)
  }
  console.log(`Compressed size: ${gzip.toFixed(0)} kB.\n`)
  console.log(verdict(targets))
}

/** A run has its place in the page; one with `--far` has another. */
async function writeDocs(run) {
  const file = path.join(root, 'docs', 'performance.md')
  const text = await readFile(file, 'utf8')
  const name = run.options.far ? 'the far run' : 'the run'
  const [begin, end] = [`<!-- ${name} begins -->`, `<!-- ${name} ends -->`]
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Problem(`docs/performance.md has no place for a run: ${begin} … ${end}`)
  await writeFile(file, `${text.slice(0, from + begin.length)}\n\n${markdown(run)}\n\n${text.slice(to)}`)
  if (run.options.sizes.length > 1) await writeFile(path.join(root, 'docs', 'performance.svg'), plot(run.results))
}

async function profiled(world, { operations: [op], emulated, seconds }) {
  say('Building the worker with readable names …')
  const worker = await build({ folder: path.join(folder, 'readable'), args: ['--no-minify'] })
  const server = await serve(world, { worker, size: PROFILED, emulated, inspector: true })
  try {
    let n = 0
    const next = () => op.request(++n, PROFILED)
    const load = (limits) => drive({ url: server.url, apiKey: world.apiKey, next, ...limits })
    await load(op.alone ? { amount: 2 } : { seconds: 1 })
    say('Profiling …')
    const made = await profile(server.inspector, () =>
      load(op.alone ? { amount: op.alone } : { seconds: Math.max(5, seconds) }),
    )
    const file = path.join(folder, `${op.id}.cpuprofile`)
    await writeFile(file, JSON.stringify(made))
    const { busy, own, within } = hottest(made)
    for (const [title, functions] of [
      ['in themselves', own],
      ['with all that they call', within],
    ]) {
      console.log(`\n${title}, of ${busy.toFixed(0)} ms`)
      for (const { name, ms, share } of functions) {
        console.log(`${(share * 100).toFixed(1).padStart(6)} %  ${ms.toFixed(0).padStart(6)} ms  ${name}`)
      }
    }
    console.log(`\n${path.relative(root, file)}: open it in the profiler of Chrome's developer tools.`)
  } finally {
    await server.stop()
  }
}
