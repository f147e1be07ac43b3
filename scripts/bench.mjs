// npm run bench: measures the service as it is deployed against a bare worker that does the same work on the data.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { drive, median, percentile } from '../test/bench/load.mjs'
import { operations } from '../test/bench/operations.mjs'
import { record } from '../test/bench/plan.mjs'
import { hottest, profile } from '../test/bench/profile.mjs'
import { build, makeWorld, read, serve } from '../test/bench/servers.mjs'
import { main, Problem, root } from './wrangler.mjs'

await main(async () => {
  const { values: options } = parseArgs({
    options: {
      only: { type: 'string' },
      sizes: { type: 'string' },
      seconds: { type: 'string' },
      pairs: { type: 'string' },
      profile: { type: 'string' },
      far: { type: 'string' },
    },
  })
  const folder = path.join(root, '.wrangler', 'bench')
  await mkdir(folder, { recursive: true })
  const say = (line) => process.stderr.write(`${line}\n`)
  const world = await makeWorld()
  say('Building the worker …')
  const service = await build({ folder: path.join(folder, 'service') })
  const floor = await read('floor.js')
  const chosen = operations.filter(({ id }) => !options.only || options.only.split(',').includes(id))

  say('Recording …')
  const recorder = await serve(world, { worker: service, size: 1000, tap: true })
  const records = {}
  for (const op of chosen) {
    try {
      records[op.id] = await record({ url: recorder.url, apiKey: world.apiKey }, op, 1000)
    } catch (error) {
      say(`  ${op.id} is left out: ${error.message}`)
    }
  }
  await recorder.stop()
  const plans = JSON.stringify(Object.fromEntries(Object.entries(records).map(([id, { plan }]) => [id, plan])))

  if (options.profile) {
    const op = chosen.find(({ id }) => id === options.profile)
    if (!op) throw new Problem(`There is no operation ${options.profile}`)
    const size = 10_000
    const server = await serve(world, { worker: service, size, inspector: true })
    let n = 0
    const next = () => op.request(n++, size)
    const load = { url: server.url, apiKey: world.apiKey, next }
    await drive({ ...load, seconds: 1 })
    const made = await profile(server.inspector, () => drive({ ...load, seconds: 5 }))
    const file = path.join(folder, `${op.id}.cpuprofile`)
    await writeFile(file, JSON.stringify(made))
    const { busy, own, within } = hottest(made, 45)
    console.log(file, 'busy ms', busy.toFixed(0))
    for (const [title, list] of [
      ['self', own],
      ['total', within],
    ]) {
      console.log(`\n${title}`)
      for (const { name, ms, share } of list)
        console.log(`${(share * 100).toFixed(1).padStart(6)} % ${ms.toFixed(0).padStart(7)} ms  ${name}`)
    }
    await server.stop()
    return
  }

  for (const size of (options.sizes ?? '10000').split(',').map(Number)) {
    const far = Number(options.far ?? 0)
    const servers = {
      app: await serve(world, { worker: service, size, far }),
      floor: await serve(world, { worker: floor, size, bindings: { PLANS: plans }, far }),
    }
    try {
      for (const op of chosen) {
        if (!records[op.id]) continue
        const runs = { app: [], floor: [] }
        const counter = { app: 0, floor: 0 }
        const turn = async (side, seconds, amount) =>
          drive({
            url: servers[side].url,
            apiKey: world.apiKey,
            next: () => op.request(counter[side]++, size),
            seconds,
            amount,
          })
        for (const side of ['app', 'floor']) await turn(side, 1, op.alone && 1)
        for (let pair = 0; pair < Number(options.pairs ?? 3); pair++) {
          for (const side of ['app', 'floor']) runs[side].push(await turn(side, Number(options.seconds ?? 3), op.alone))
        }
        const ratio = median(runs.app.map(({ perSecond }, i) => perSecond / runs.floor[i].perSecond))
        const show = (side) => {
          const all = runs[side].flatMap(({ latencies }) => latencies).sort((a, b) => a - b)
          return `${side} ${median(runs[side].map(({ perSecond }) => perSecond))
            .toFixed(0)
            .padStart(6)}/s p50 ${percentile(all, 50).toFixed(2)} p99 ${percentile(all, 99).toFixed(2)}`
        }
        const { cost } = records[op.id]
        console.log(
          `${String(size).padStart(7)} ${op.title.padEnd(22)} ${show('app')} | ${show('floor')} | ${ratio.toFixed(2)} | trips ${cost.trips} stm ${cost.statements} read ${cost.rowsRead} written ${cost.rowsWritten} bytes ${cost.bytes}`,
        )
      }
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.stop()))
    }
  }
})
