// One worker in a process of its own, on its direct socket: started by `serve` (servers.mjs), told what to serve by message.
import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import process from 'node:process'

// The ones that wrangler brings: one runtime for dev, tests and bench.
const ofWrangler = createRequire(createRequire(import.meta.url).resolve('wrangler/package.json'))
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = ofWrangler('miniflare')

let miniflare
let folder

process.on('message', async (message) => {
  if (message.kind === 'stop') return stop()
  try {
    process.send({ answer: await handle(message) })
  } catch (error) {
    process.send({ error: error.stack ?? String(error) })
  }
})
// The bench that started us is gone.
process.on('disconnect', stop)
// However we end: Miniflare ends us at Ctrl-C.
process.on('exit', () => folder && rmSync(folder, { recursive: true, force: true }))

function handle({ kind, ...message }) {
  if (kind === 'start') return start(message)
  return kind === 'run' ? run(message.statements) : cpu()
}

/** Milliseconds of processor time that the runtime has taken so far; null where the system does not tell. */
async function cpu() {
  try {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
    // Behind the name: state, parent, …; user and system time are the 12th and 13th, in hundredths of a second.
    const children = stats
      .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
      .filter(([, parent]) => Number(parent) === process.pid)
    return children.reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0) * 10
  } catch {
    return null
  }
}

async function start({ modules, compatibilityDate, bindings, storage, inspector }) {
  const socket = { host: '127.0.0.1', port: 0 }
  folder = storage
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'bench',
      modules: modules.map(({ name, contents }) => ({ type: 'ESModule', path: name, contents })),
      compatibilityDate,
      bindings,
      d1Databases: { DB: 'bench' },
      r2Buckets: { FILES: 'bench' },
      // Nothing consumes the queue: what a request sets going afterwards is not what is measured.
      queueProducers: { QUEUE: 'bench' },
      ratelimits: { KEY_RATE: { namespace_id: '1', simple: { limit: 1_000_000_000, period: 60 } } },
      unsafeDirectSockets: [socket],
      resourcePersistencePath: storage,
      host: '127.0.0.1',
      port: 0,
      logRequests: false,
      log: new Log(LogLevel.WARN),
      unsafeObservability: false,
      ...(inspector && { inspectorHost: '127.0.0.1', inspectorPort: 0 }),
    }),
  )
  await miniflare.ready
  const url = (await miniflare.unsafeGetDirectURL('bench')).origin
  return {
    url,
    runtime: ofWrangler('workerd').version,
    inspector: inspector && (await miniflare.getInspectorURL()).href,
  }
}

async function run(statements) {
  const { DB } = await miniflare.getBindings('bench')
  for (const statement of statements) await DB.prepare(statement).run()
}

async function stop() {
  const served = miniflare
  miniflare = undefined
  await served?.dispose()
  if (process.connected) process.disconnect()
}
