import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { build, makeCaller, readCheckout } from '../../test/bench/servers.ts'
import { root, UserProblem } from '../wrangler.ts'

const UNLIMITED_RATE = { simple: { limit: 1_000_000_000, period: 60 } } as const

export const SAMPLE_HTML = `<p>${'Let guests buy in under a minute, and ask for an account afterwards. '.repeat(6)}</p>`
export const PRODUCT_PATH = '/api/initiatives/BENCH-1'

export type ApiCall = <D = never>(method: string, to: string, body: unknown) => Promise<{ data: D }>

export async function runInParallel<T>(items: readonly T[], make: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += 8) await Promise.all(items.slice(at, at + 8).map(make))
}

/** The production build with a new database, a workspace, an owner and a product. */
export interface LocalService {
  call: ApiCall
  /** Sends a request with the key of the workspace 1, or of the other workspace. */
  send(to: string, init?: Record<string, unknown>, subscriptionId?: number): Promise<Response>
  runCron(): Promise<void>
  DB(): Promise<D1Database>
  /** Adds an empty workspace with the id 2. */
  addWorkspace(): Promise<void>
  /** Kills the runtime, and starts another with the same data. Messages in queues are lost. */
  restart(): Promise<void>
  /** The database file. */
  file: string
  stop(): Promise<void>
}

interface LocalServiceOptions {
  /** Handles the messages of the queue. */
  consumer?: boolean
  /** A debugger attaches there. */
  inspectorPort?: number
  /** The database is a Durable Object's; D1 stays empty. */
  onObject?: boolean
}

const OBJECT_FOLDER = path.join(root, 'test', 'homes')

const readObjectModules = () =>
  Promise.all(
    ['front.ts', 'object-home.ts', 'object-database.ts'].map(async (name) => ({
      ...{ type: 'ESModule' as const, path: name },
      contents: stripTypeScriptTypes(await readFile(path.join(OBJECT_FOLDER, name), 'utf8')),
    })),
  )

export async function startLocalService(
  settings: Record<string, string> = {},
  { consumer = false, inspectorPort, onObject = false }: LocalServiceOptions = {},
): Promise<LocalService> {
  const caller = await makeCaller()
  const keys = new Map([[1, caller.apiKey]])
  const world = await readCheckout(root, caller)
  const worker = await build({ cwd: root, folder: path.join(root, '.wrangler', 'measure') })
  const storage = await mkdtemp(path.join(tmpdir(), 'groundwork-measure-'))
  const around = onObject ? await readObjectModules() : []
  const start = () =>
    new Miniflare(
      convertV4MiniflareOptions({
        name: 'measure',
        modules: [...around, { type: 'ESModule', path: 'worker.js', contents: worker }],
        ...(onObject && { durableObjects: { HOME: { className: 'ObjectHome', useSQLite: true } } }),
        compatibilityDate: world.compatibilityDate,
        bindings: { ...world.bindings, ...settings },
        d1Databases: { DB: 'measure' },
        r2Buckets: { FILES: 'measure' },
        queueProducers: { QUEUE: 'measure', MAIL_QUEUE: 'measure-mail' },
        ...(consumer && { queueConsumers: { measure: { maxBatchSize: 5, maxBatchTimeout: 0.1 } } }),
        ratelimits: {
          KEY_RATE: { namespace_id: '1', ...UNLIMITED_RATE },
          WORKSPACE_RATE: { namespace_id: '4', ...UNLIMITED_RATE },
          BULK_RATE: { namespace_id: '2', ...UNLIMITED_RATE },
          ADDRESS_RATE: { namespace_id: '3', ...UNLIMITED_RATE },
        },
        resourcePersistencePath: storage,
        ...(inspectorPort !== undefined && { inspectorPort }),
      }),
    )
  let miniflare = start()
  const stop = async () => {
    await miniflare.dispose()
    await rm(storage, { recursive: true, force: true })
  }
  try {
    const DB = async () => (await miniflare.getBindings<{ DB: D1Database }>()).DB
    const run = async (statements: string[]) => {
      if (onObject) {
        const body = JSON.stringify(statements)
        await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body, headers: { 'x-statements': 'yes' } })
        return
      }
      const database = await DB()
      await database.batch(statements.map((text) => database.prepare(text)))
    }
    await run([
      ...world.creation,
      ...insertWorkspace(1),
      `INSERT INTO products (id, subscription_id, external_key, name, created_at, updated_at)
       VALUES (1, 1, 'BENCH-1', 'Bench', ${Date.now()}, ${Date.now()})`,
    ])
    const send: LocalService['send'] = async (to, init = {}, subscriptionId = 1) => {
      const headers = { 'x-api-key': keys.get(subscriptionId) ?? '', ...(init.headers as object) }
      const answer = await miniflare.dispatchFetch(`http://localhost${to}`, { ...init, headers })
      if (!answer.ok) throw new UserProblem(`${to}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
      return answer as unknown as Response
    }
    const call: ApiCall = async (method, to, body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await send(to, { method, headers, body: JSON.stringify(body) })
      return answer.json()
    }
    const file = globSync('**/*.sqlite', { cwd: storage })
      .map((found) => path.join(storage, found))
      .find((found) => readTableSizes(found).has('work_items'))
    if (!file) throw new UserProblem('The database was not found.')
    return {
      ...{ call, send, DB, file, stop },
      async runCron() {
        const { outcome } = await (await miniflare.getWorker()).scheduled({ cron: '* * * * *' })
        if (outcome !== 'ok') throw new UserProblem(`The cron ended with ${outcome}.`)
      },
      async addWorkspace() {
        await run(insertWorkspace(2))
        keys.set(2, (await makeCaller({ subscriptionId: 2, secrets: caller.secrets })).apiKey)
      },
      async restart() {
        await miniflare.dispose()
        miniflare = start()
        await miniflare.ready
      },
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

function insertWorkspace(id: number): string[] {
  const now = Date.now()
  return [
    `INSERT INTO subscriptions (id, name, created_at) VALUES (${id}, 'Bench', ${now})`,
    `INSERT INTO users (id, subscription_id, email, role, created_at, updated_at)
     VALUES (${id}, ${id}, 'o@example.com', 'owner', ${now}, ${now})`,
    `INSERT INTO api_keys (subscription_id, jti, user_id, name, scopes, created_at, expires_at, last_used_at)
     VALUES (${id}, 'bench', ${id}, 'bench', '["*"]', ${now}, ${now + 86_400_000}, ${now})`,
  ]
}

const SIZES =
  'SELECT m.tbl_name AS "table", name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema m USING (name) GROUP BY 1, 2'

/** Bytes of each table and index; the shadow tables of a full-text index count together. */
export function readSizes(file: string): { table: string; name: string; bytes: number }[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare(SIZES).all()
  db.close()
  const shorten = (name: unknown) =>
    String(name).replace(/^(search(?:_people)?)_(?:data|idx|content|docsize|config)$/, '$1')
  return rows.map(({ table, name, bytes }) => ({ table: shorten(table), name: shorten(name), bytes: Number(bytes) }))
}

export function readTableSizes(file: string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { table, bytes } of readSizes(file)) sizes.set(table, (sizes.get(table) ?? 0) + bytes)
  return sizes
}
