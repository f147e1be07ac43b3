// npm run check:move: clients write to npm start with two homes while the workspace moves, and the service is killed in
// the middle. Each acknowledged write is in the new home once, and the new home answers within a second.
//   --writes N     number of acknowledged writes
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { type MoveRow, requestMove, selectMove } from '../operating/statements.ts'
import { findFreePort, type StartedService, startService } from '../service/service.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { killProcessTree } from './killing.ts'

const WRITES = 2_000
const CLIENTS = 8
const HOMES = '0:default:DB:FILES 1:eu:DB_EU:FILES_EU'
const EU = 1
const MAX_FIRST_ANSWER_MS = 1_000
/** A restart waits for the lease of the killed invocation and for the cron. */
const MAX_CHECK_MS = 4 * 60_000
const PATH = '/api/initiatives/GW-DEMO/epics'

/** Beside wrangler.toml, because its paths are relative. */
const CONFIGURATION_FILE = path.join(root, 'wrangler.unlimited.toml')

function writeConfiguration(): string {
  const text = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
    .replaceAll(/limit = \d+/g, 'limit = 1_000_000')
    .replace(/^HOMES = ""/m, `HOMES = "${HOMES}"`)
    .replace(
      /^\[\[d1_databases\]\]/m,
      '[[d1_databases]]\nbinding = "DB_EU"\ndatabase_name = "groundwork-eu"\nmigrations_dir = "migrations"\n\n$&',
    )
    .replace(/^\[\[r2_buckets\]\]/m, '[[r2_buckets]]\nbinding = "FILES_EU"\nbucket_name = "groundwork-eu-files"\n\n$&')
  writeFileSync(CONFIGURATION_FILE, text)
  return CONFIGURATION_FILE
}

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

interface Progress {
  acknowledged: Set<string>
  refusals: number
  firstAnswerFromEu: number | undefined
}

interface LoadOptions {
  writes: number
  service(): StartedService | undefined
  progress: Progress
}

/** Repeats each write with its Idempotency-Key until the service acknowledges the write. */
async function writeUntilDone({ writes, service, progress }: LoadOptions): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < writes) {
      const summary = `Write ${next++}`
      while (!(await isAcknowledged(summary))) await waitMilliseconds(20 + Math.random() * 60)
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
  const { values } = parseArgs({ options: { writes: { type: 'string', default: String(WRITES) } } })
  const writes = Number(values.writes)
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-move-'))
  const env = { ...process.env, GROUNDWORK_STATE: state, GROUNDWORK_CONFIG: writeConfiguration() }
  process.env.GROUNDWORK_CONFIG = env.GROUNDWORK_CONFIG
  const port = await findFreePort()
  let service: StartedService | undefined = await startService({ port, env })
  const end = Date.now() + MAX_CHECK_MS
  try {
    const progress: Progress = { acknowledged: new Set(), refusals: 0, firstAnswerFromEu: undefined }
    const load = writeUntilDone({ writes, service: () => service, progress })
    load.catch(() => undefined)
    while (progress.acknowledged.size < writes / 3) await Promise.race([load, waitMilliseconds(20)])
    const old = openHomeFile(state, 0)
    const workspace = Number(old.prepare('SELECT min(id) AS id FROM subscriptions').get()?.id)
    old.prepare(requestMove(workspace, EU, Date.now())).all()
    const readMove = () => old.prepare(selectMove(workspace)).get() as unknown as MoveRow
    const waitForState = async (...states: MoveRow['state'][]) => {
      for (let tick = 0; !states.includes(readMove().state); tick++) {
        if (Date.now() > end) throw new UserProblem(`The move stays ${JSON.stringify(readMove())}.`)
        if (tick % 100 === 0) runCron(service)
        await waitMilliseconds(20)
      }
    }
    await waitForState('leaving', 'moved')
    await waitMilliseconds(Math.random() * 300)
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
    const left = Number(
      old.prepare("SELECT count(*) AS n FROM work_items WHERE summary LIKE 'Write %' AND id >= 4294967296").get()?.n,
    )
    check('the old home stored nothing after the commit', left === 0)
    eu.close()
    old.close()
  } finally {
    await service?.stop()
    rmSync(state, { recursive: true, force: true })
    rmSync(CONFIGURATION_FILE, { force: true })
  }
})
