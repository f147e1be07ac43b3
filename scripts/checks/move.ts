// npm run check:move: clients write to npm start with two homes while the workspace moves, and the service is killed in
// the middle. Each acknowledged write is in the new home once, and the new home answers within a second.
//   --writes N     number of acknowledged writes
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { SELECT_TENANT_TABLES, type TenantColumn, type TenantTable } from '../../src/db/sql/home-ids.ts'
import { insertQuietRow } from '../../test/homes/quiet-row.ts'
import '../leash.ts'
import { drawSeed, type Random, seededRandom } from '../../test/random.ts'
import { type MoveRow, requestMove, selectMove } from '../operating/statements.ts'
import { reservePort } from '../service/port.ts'
import { type StartedService, startService } from '../service/service.ts'
import { runMain, UserProblem } from '../wrangler.ts'
import { killProcessTree } from './killing.ts'
import { EU, writeTwoHomesConfiguration } from './two-homes.ts'

const WRITES = 2_000
const CLIENTS = 8
const MAX_FIRST_ANSWER_MS = 1_000
/** A restart waits for the lease of the killed invocation and for the cron. */
const TICK_MS = 20
/** Ten minutes without the awaited state: the limit finds what never happens. */
const MAX_TICKS = 30_000
const PATH = '/api/initiatives/GW-DEMO/epics'

const waitMilliseconds = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Opens the file of the database with the number. */
function openHomeFile(state: string, number: number): DatabaseSync {
  const folder = path.join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')) {
    const stored = new DatabaseSync(path.join(folder, file), { timeout: 10_000 })
    if (stored.prepare('SELECT 1 FROM home WHERE number = ?').get(number)) return stored
    stored.close()
  }
  throw new UserProblem(`${folder} has no database of home ${number}.`)
}

function check(what: string, isTrue: boolean, detail = ''): void {
  console.log(`${isTrue ? '✓' : '✗'} ${what}${detail && `: ${detail}`}`)
  if (!isTrue) process.exitCode = 1
}

const listTables = (stored: DatabaseSync) => stored.prepare(SELECT_TENANT_TABLES).all() as unknown as TenantTable[]

type Rows = Map<string, string>

/** The rows of the workspace by table and key, as JSON. */
function dumpRows(stored: DatabaseSync, workspace: number): Map<string, Rows> {
  const write = (values: unknown) =>
    JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return new Map(
    listTables(stored).map(({ name, columns }) => {
      const described = JSON.parse(columns) as TenantColumn[]
      const names = described.map((column) => `"${column.name}"`)
      const key = described.filter(({ pk }) => pk > 0).map((column) => column.name)
      const tenant = name === 'subscriptions' ? 'id' : 'subscription_id'
      const select = stored.prepare(`SELECT ${names} FROM "${name}" WHERE ${tenant} = ?`)
      select.setReadBigInts(true)
      const rows = select.all(workspace) as Record<string, unknown>[]
      return [name, new Map(rows.map((row) => [write(key.map((column) => row[column])), write(row)]))]
    }),
  )
}

function fillEmptyTables(stored: DatabaseSync, workspace: number): void {
  const dump = dumpRows(stored, workspace)
  for (const table of listTables(stored)) if (!dump.get(table.name)?.size) stored.exec(insertQuietRow(table, workspace))
}

/** Tables with rows that change meanwhile: the use of the key, keys of records, the quota, the link of each start. */
const CHANGED_BY_LOAD = new Set(['api_keys', 'counters', 'sign_ins', 'webhook_feeds', 'written_rows'])

function checkRows(before: Map<string, Rows>, after: Map<string, Rows>): void {
  const empty = [...before].filter(([, rows]) => rows.size === 0).map(([name]) => name)
  check('the workspace left with rows in each table', empty.length === 0, empty.join(', '))
  const compare = (isDifferent: (before: string, after: string | undefined) => boolean) =>
    [...before].flatMap(([name, rows]) => {
      const different = [...rows].filter(([key, row]) => isDifferent(row, after.get(name)?.get(key))).length
      return different ? [`${name} (${different})`] : []
    })
  const lost = compare((_, row) => row === undefined)
  check('each row is in the new home', lost.length === 0, lost.join(', '))
  const changed = compare((row, now) => now !== undefined && row !== now)
  const unexpected = changed.filter((text) => !CHANGED_BY_LOAD.has(text.split(' ')[0] ?? ''))
  check('the rows are unchanged', unexpected.length === 0, unexpected.join(', '))
}

interface Progress {
  acknowledged: Set<string>
  refusals: number
  firstAnswerFromEu: number | undefined
}

interface LoadOptions {
  writes: number
  service(): StartedService | undefined
  progress: Progress
  random: Random
}

/** Repeats each write with its Idempotency-Key until the service acknowledges the write. */
async function writeUntilDone({ writes, service, progress, random }: LoadOptions): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < writes) {
      const summary = `Write ${next++}`
      while (!(await isAcknowledged(summary))) await waitMilliseconds(20 + random.below(60))
      progress.acknowledged.add(summary)
    }
  }
  const isAcknowledged = async (summary: string) => {
    const running = service()
    if (!running) return false
    const headers = {
      ...{ 'content-type': 'application/json', 'x-api-key': `Bearer ${running.token}` },
      'idempotency-key': summary.replace(' ', '-'),
    }
    const answer = await fetch(running.url + PATH, {
      ...{ method: 'POST', headers, body: JSON.stringify({ summary }), signal: AbortSignal.timeout(15_000) },
    }).catch(() => undefined)
    if (!answer) return false
    await answer.arrayBuffer().catch(() => undefined)
    if (answer.ok && answer.headers.get('x-d1-bookmark')?.startsWith(`${EU}:`))
      progress.firstAnswerFromEu ??= Date.now()
    if (answer.status >= 400 && answer.status < 500) throw new UserProblem(`POST ${PATH}: ${answer.status}`)
    if (!answer.ok) progress.refusals++
    return answer.ok
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

const runCron = (service: StartedService | undefined) =>
  service && fetch(`${service.url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => undefined)

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      writes: { type: 'string', default: String(WRITES) },
      seed: { type: 'string', default: String(drawSeed()) },
    },
  })
  const random = seededRandom(Number(values.seed))
  console.log(`Seed ${values.seed}`)
  const writes = Number(values.writes)
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-move-'))
  const configuration = writeTwoHomesConfiguration('wrangler.move.toml')
  const env = { ...process.env, GROUNDWORK_STATE: state, GROUNDWORK_CONFIG: configuration }
  process.env.GROUNDWORK_CONFIG = configuration
  const port = await reservePort()
  let service: StartedService | undefined = await startService({ port, env })
  try {
    const progress: Progress = { acknowledged: new Set(), refusals: 0, firstAnswerFromEu: undefined }
    const load = writeUntilDone({ writes, service: () => service, progress, random })
    load.catch(() => undefined)
    while (progress.acknowledged.size < writes / 3) await Promise.race([load, waitMilliseconds(20)])
    const old = openHomeFile(state, 0)
    const workspace = Number(old.prepare('SELECT min(id) AS id FROM subscriptions').get()?.id)
    fillEmptyTables(old, workspace)
    old.prepare(requestMove(workspace, EU, Date.now())).all()
    const readMove = () => old.prepare(selectMove(workspace)).get() as unknown as MoveRow
    const waitForState = async (...states: MoveRow['state'][]) => {
      for (let tick = 0; !states.includes(readMove().state); tick++) {
        if (tick === MAX_TICKS) throw new UserProblem(`The move stays ${JSON.stringify(readMove())}.`)
        if (tick % 100 === 0) runCron(service)
        await waitMilliseconds(TICK_MS)
      }
    }
    await waitForState('leaving', 'moved')
    await waitMilliseconds(random.below(300))
    const before = dumpRows(old, workspace)
    const killed = service
    const stateAtKill = readMove().state
    service = undefined
    killProcessTree(killed.pid)
    await killed.stop().catch(() => undefined)
    console.log(`  killed while the workspace was ${stateAtKill}, after ${progress.acknowledged.size} writes`)
    service = await startService({ port, env })
    await waitForState('moved', 'failed')
    check('the workspace is moved', readMove().state === 'moved', String(readMove().problem ?? ''))
    const movedAt = Number(
      old.prepare('SELECT moved_at FROM workspace_moves WHERE workspace_id = ?').get(workspace)?.moved_at,
    )
    await load
    check(`${writes} writes are acknowledged`, progress.acknowledged.size === writes, `${progress.refusals} refusals`)
    const firstAnswer = (progress.firstAnswerFromEu ?? Number.POSITIVE_INFINITY) - movedAt
    // The workspace answers again when the killed service runs again.
    if (stateAtKill === 'leaving')
      check(
        'the new home answers within a second after the commit',
        firstAnswer <= MAX_FIRST_ANSWER_MS,
        `${firstAnswer} ms`,
      )
    const eu = openHomeFile(state, EU)
    const rows = eu
      .prepare(
        "SELECT summary, count(*) AS copies FROM work_items WHERE subscription_id = ? AND summary LIKE 'Write %' GROUP BY summary",
      )
      .all(workspace) as unknown as { summary: string; copies: number }[]
    const lost = [...progress.acknowledged].filter((summary) => !rows.some((row) => row.summary === summary))
    check('no acknowledged write is lost', lost.length === 0, lost.slice(0, 3).join(', '))
    const twice = rows.filter(({ copies }) => copies > 1)
    check('no write is stored twice', twice.length === 0 && rows.length === writes, `${rows.length} rows`)
    checkRows(before, dumpRows(eu, workspace))
    const left = Number(
      old.prepare("SELECT count(*) AS n FROM work_items WHERE summary LIKE 'Write %' AND id >= 4294967296").get()?.n,
    )
    check('the old home stored nothing after the commit', left === 0)
    eu.close()
    old.close()
  } finally {
    await service?.stop()
    rmSync(state, { recursive: true, force: true })
    rmSync(configuration, { force: true })
  }
})
