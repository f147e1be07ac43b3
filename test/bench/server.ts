// Runs a worker in a process of its own with a direct socket. `serve` (servers.ts) starts the process and sends the
// worker by message.
import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import process from 'node:process'
import { inspect } from 'node:util'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'

/** The messages to a server, with the type of each answer. */
export interface ServerMessages {
  start: { ask: Start; answer: Started }
  /** Returns the rows of the last statement. */
  run: { ask: { statements: string[] }; answer: Record<string, unknown>[] }
  /** Milliseconds of the runtime's processor time so far; null if the system does not report processor time. */
  cpu: { ask: object; answer: number | null }
  /** Ends the runtime, so that the files of the database can be copied. */
  pause: { ask: object; answer: null }
}

export interface Start {
  /** The first module is served. */
  modules: { name: string; contents: string }[]
  compatibilityDate: string
  bindings: Record<string, string | number>
  storage: string
  inspector: boolean
}

export interface Started {
  url: string
  runtime: string
  inspector: string
}

type Message =
  | { kind: 'stop' }
  | { [Kind in keyof ServerMessages]: { kind: Kind } & ServerMessages[Kind]['ask'] }[keyof ServerMessages]

let miniflare: Miniflare | undefined
let folder: string | undefined

process.on('message', async (message: Message) => {
  if (message.kind === 'stop') return stop()
  try {
    process.send?.({ answer: await handle(message) })
  } catch (error) {
    process.send?.({ error: inspect(error) })
  }
})
// The bench process has ended.
process.on('disconnect', stop)
// Runs at every exit, because Miniflare ends the process at Ctrl-C.
process.on('exit', () => folder && rmSync(folder, { recursive: true, force: true }))

function handle(message: Exclude<Message, { kind: 'stop' }>): Promise<ServerMessages[keyof ServerMessages]['answer']> {
  if (message.kind === 'start') return start(message)
  if (message.kind === 'pause') return pause()
  return message.kind === 'run' ? run(message.statements) : cpu()
}

async function pause(): Promise<null> {
  await miniflare?.dispose()
  miniflare = undefined
  return null
}

async function cpu(): Promise<number | null> {
  try {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
    // After the name come state, parent and so on; user and system time are fields 12 and 13, in hundredths of a
    // second.
    const children = stats
      .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
      .filter(([, parent]) => Number(parent) === process.pid)
    return children.reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0) * 10
  } catch {
    return null
  }
}

async function start({ modules, compatibilityDate, bindings, storage, inspector }: Start): Promise<Started> {
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
      // No consumer handles the queue, because the measurement ends with the response.
      queueProducers: { QUEUE: 'bench' },
      ratelimits: Object.fromEntries(
        ['KEY_RATE', 'BULK_RATE', 'ADDRESS_RATE', 'WORKSPACE_RATE'].map((name, n) => [
          name,
          { namespace_id: String(n + 1), simple: { limit: 1_000_000_000, period: 60 } },
        ]),
      ),
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
  const { version }: { version: string } = createRequire(import.meta.resolve('miniflare'))('workerd')
  return {
    url: (await miniflare.unsafeGetDirectURL('bench')).origin,
    runtime: version,
    inspector: inspector ? (await miniflare.getInspectorURL()).href : '',
  }
}

async function run(statements: string[]): Promise<Record<string, unknown>[]> {
  const { DB } = (await miniflare?.getBindings<{ DB: D1Database }>('bench')) ?? {}
  let rows: Record<string, unknown>[] = []
  for (const statement of statements) rows = (await DB?.prepare(statement).run())?.results ?? []
  return rows
}

async function stop(): Promise<void> {
  const served = miniflare
  miniflare = undefined
  await served?.dispose()
  if (process.connected) process.disconnect()
}
