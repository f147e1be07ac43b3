// npm run measure: reports the bytes in D1 per record, with indexes, search words and events (docs/scaling.md).
//   --count N   N records of each kind instead of 20,000
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { build, makeCaller, readCheckout } from '../../test/bench/servers.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'

const RECORDS_PER_REQUEST = 1_000
const UNLIMITED_RATE = { simple: { limit: 1_000_000_000, period: 60 } } as const
const SAMPLE_HTML = `<p>${'Let guests buy in under a minute, and ask for an account afterwards. '.repeat(6)}</p>`
const PRODUCT_PATH = '/api/initiatives/BENCH-1'

type ApiCall = (method: string, to: string, body: unknown) => Promise<{ data: never }>

interface RecordKind {
  name: string
  share?: number
  make(call: ApiCall, numbers: number[]): Promise<unknown>
}

const runInParallel = async (numbers: number[], make: (n: number) => Promise<unknown>) => {
  for (let at = 0; at < numbers.length; at += 8) await Promise.all(numbers.slice(at, at + 8).map(make))
}

const RECORD_KINDS: RecordKind[] = [
  {
    name: 'story of 450 characters',
    make: (call, numbers) =>
      call(
        'POST',
        `${PRODUCT_PATH}/backlog/bulk`,
        numbers.map((n) => ({
          ...{ op: 'create', type: 'userstory' },
          body: { summary: `Checkout without an account, part ${n}`, description: SAMPLE_HTML },
        })),
      ),
  },
  {
    name: 'change of a story',
    share: 0.25,
    make: (call, numbers) =>
      runInParallel(numbers, (n) => call('PUT', `${PRODUCT_PATH}/storyMap/card/US-${n}`, { progress: 'in-progress' })),
  },
  {
    name: 'idea of 450 characters',
    make: (call, numbers) =>
      call(
        'POST',
        '/api/feedback-items/bulk-create',
        numbers.map((n) => ({ title: `Dark mode, part ${n}`, product: 'BENCH-1', long_description: SAMPLE_HTML })),
      ),
  },
  {
    name: 'member',
    make: (call, numbers) =>
      call(
        'POST',
        '/api/v2/idea-manager/members/bulk-create?invite=false',
        numbers.map((n) => ({ name: `Ada Lovelace ${n}`, email: `ada.${n}@example.com`, attributes: { plan: 'pro' } })),
      ),
  },
  {
    name: 'vote',
    share: 0.25,
    make: (call, numbers) =>
      runInParallel(numbers, (n) =>
        call('POST', `/api/feedback-items/IDEA-${n}/vote`, { type: 'up', email: `ada.${n}@example.com` }),
      ),
  },
  {
    name: 'comment of 100 characters',
    share: 0.25,
    make: (call, numbers) =>
      runInParallel(numbers, (n) =>
        call('POST', `/api/feedback-items/IDEA-${n}/comments`, { text: SAMPLE_HTML.slice(3, 103) }),
      ),
  },
  {
    name: 'KPI record',
    make: (call, numbers) =>
      call('POST', `${PRODUCT_PATH}/kpi/KPI-1/insert-kpi-records`, {
        records: numbers.map((n) => ({ value: n, createdAt: new Date(Date.UTC(2024, 0, 1) + n * 3_600_000) })),
      }),
  },
]

function readTableSizes(file: string): Map<string, number> {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db
    .prepare(
      'SELECT m.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema m USING (name) GROUP BY 1',
    )
    .all()
  db.close()
  return new Map(
    rows.map(({ name, bytes }) => [String(name).replace(/^(search_\w+?)_.*/, '$1'), Number(bytes)] as const),
  )
}

await runMain(async () => {
  const at = process.argv.indexOf('--count')
  const count = at < 0 ? 20_000 : Number(process.argv[at + 1])
  if (!Number.isInteger(count) || count < RECORDS_PER_REQUEST)
    throw new UserProblem(`--count must be a whole number of ${RECORDS_PER_REQUEST} or more.`)
  const caller = await makeCaller()
  const world = await readCheckout(root, caller)
  const worker = await build({ cwd: root, folder: path.join(root, '.wrangler', 'measure') })
  const storage = await mkdtemp(path.join(tmpdir(), 'groundwork-measure-'))
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: 'measure',
      modules: [{ type: 'ESModule', path: 'worker.js', contents: worker }],
      compatibilityDate: world.compatibilityDate,
      bindings: world.bindings,
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
    await call('POST', `${PRODUCT_PATH}/kpi`, { title: 'Conversion' })
    const file = globSync('**/*.sqlite', { cwd: storage })
      .map((found) => path.join(storage, found))
      .find((found) => readTableSizes(found).has('work_items'))
    if (!file) throw new UserProblem('The database was not found.')
    for (const { name, share = 1, make } of RECORD_KINDS) {
      const before = readTableSizes(file)
      const records = count * share
      for (let from = 1; from <= records; from += RECORDS_PER_REQUEST) {
        await make(
          call,
          Array.from({ length: Math.min(RECORDS_PER_REQUEST, records - from + 1) }, (_, n) => from + n),
        )
      }
      const more = [...readTableSizes(file)]
        .map(([table, bytes]) => [table, Math.round((bytes - (before.get(table) ?? 0)) / records)] as const)
        .filter(([, bytes]) => bytes > 0)
        .toSorted(([, one], [, other]) => other - one)
      const sum = more.reduce((all, [, bytes]) => all + bytes, 0)
      console.log(`${name}: ${sum} bytes (${more.map(([table, bytes]) => `${table} ${bytes}`).join(', ')})`)
    }
  } finally {
    await miniflare.dispose()
    await rm(storage, { recursive: true, force: true })
  }
})
