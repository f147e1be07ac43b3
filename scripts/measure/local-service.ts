import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
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
  runCron(): Promise<void>
  DB: D1Database
  /** The database file. */
  file: string
  stop(): Promise<void>
}

export async function startLocalService(settings: Record<string, string> = {}): Promise<LocalService> {
  const caller = await makeCaller()
  const world = await readCheckout(root, caller)
  const worker = await build({ cwd: root, folder: path.join(root, '.wrangler', 'measure') })
  const storage = await mkdtemp(path.join(tmpdir(), 'groundwork-measure-'))
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'measure',
      modules: [{ type: 'ESModule', path: 'worker.js', contents: worker }],
      compatibilityDate: world.compatibilityDate,
      bindings: { ...world.bindings, ...settings },
      d1Databases: { DB: 'measure' },
      r2Buckets: { FILES: 'measure' },
      queueProducers: { QUEUE: 'measure' },
      ratelimits: {
        KEY_RATE: { namespace_id: '1', ...UNLIMITED_RATE },
        WORKSPACE_RATE: { namespace_id: '4', ...UNLIMITED_RATE },
        BULK_RATE: { namespace_id: '2', ...UNLIMITED_RATE },
        ADDRESS_RATE: { namespace_id: '3', ...UNLIMITED_RATE },
      },
      resourcePersistencePath: storage,
    }),
  )
  const stop = async () => {
    await miniflare.dispose()
    await rm(storage, { recursive: true, force: true })
  }
  try {
    const { DB } = await miniflare.getBindings<{ DB: D1Database }>()
    const now = Date.now()
    await DB.batch(
      [
        ...world.migrations,
        `INSERT INTO subscriptions (id, name, created_at) VALUES (1, 'Bench', ${now})`,
        `INSERT INTO users (id, subscription_id, email, role, created_at, updated_at) VALUES (1, 1, 'o@example.com', 'owner', ${now}, ${now})`,
        `INSERT INTO products (id, subscription_id, external_key, name, created_at, updated_at) VALUES (1, 1, 'BENCH-1', 'Bench', ${now}, ${now})`,
        `INSERT INTO api_keys (subscription_id, jti, user_id, name, scopes, created_at, expires_at, last_used_at) VALUES (1, 'bench', 1, 'bench', '["*"]', ${now}, ${now + 86_400_000}, ${now})`,
      ].map((text) => DB.prepare(text)),
    )
    const call: ApiCall = async (method, to, body) => {
      const headers = { 'x-api-key': caller.apiKey, 'content-type': 'application/json' }
      const answer = await miniflare.dispatchFetch(`http://localhost${to}`, {
        method,
        headers,
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (!answer.ok) throw new UserProblem(`${method} ${to}: ${answer.status} ${text.slice(0, 300)}`)
      return JSON.parse(text)
    }
    const file = globSync('**/*.sqlite', { cwd: storage })
      .map((found) => path.join(storage, found))
      .find((found) => readTableSizes(found).has('work_items'))
    if (!file) throw new UserProblem('The database was not found.')
    const runCron = async () => {
      const { outcome } = await (await miniflare.getWorker()).scheduled({ cron: '* * * * *' })
      if (outcome !== 'ok') throw new UserProblem(`The cron ended with ${outcome}.`)
    }
    return { call, runCron, DB, file, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
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
