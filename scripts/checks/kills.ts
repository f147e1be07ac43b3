// npm run check:kills: runs an import of 50,000 people and an undo, each killed with SIGKILL twenty times at random.
//   --kills N      number of kills of the import, and of the undo
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { drawSeed, type Random, seededRandom } from '../../test/random.ts'
import { reservePort } from '../service/port.ts'
import { type StartedService, startService } from '../service/service.ts'
import { runMain, UserProblem } from '../wrangler.ts'
import { expireImportClaims, killProcessTree, openDatabaseFile } from './killing.ts'

const IMPORTED_ROW_COUNT = 50_000
/** Rows without an address, and rows of a known member. */
const BROKEN_ROW_INTERVAL = 100
const KNOWN_ROW_INTERVAL = 50

const waitMilliseconds = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface ImportRun {
  id: number
  status: string
  totals: { rows: number; created: number; updated: number; skipped: number; rejected: number; kept: number }
}

const emailOfRow = (n: number) => (n % BROKEN_ROW_INTERVAL === 7 ? `nobody ${n}` : `p${n}@example.com`)
const rowNumbers = Array.from({ length: IMPORTED_ROW_COUNT }, (_, n) => n)
const importFileText = `email,name,plan\n${rowNumbers.map((n) => `${emailOfRow(n)},Person ${n},plan-${n % 7}`).join('\n')}\n`
const knownRowNumbers = rowNumbers.filter((n) => n % KNOWN_ROW_INTERVAL === 0 && n % BROKEN_ROW_INTERVAL !== 7)

interface KillOptions {
  kills: number
  random: Random
}

class KilledService {
  readonly #state: string
  #service: Promise<StartedService> | undefined
  #trouble: unknown

  constructor(state: string) {
    this.#state = state
  }

  async start(): Promise<void> {
    this.#service = startService({ port: await reservePort(), env: { ...process.env, GROUNDWORK_STATE: this.#state } })
    this.#service.catch((error) => {
      this.#trouble = error
    })
  }

  /** Ends all processes at once, and lets the worker's claim expire, to save a wait of two minutes. */
  async kill(): Promise<void> {
    killProcessTree(process.pid)
    await this.#service?.then((service) => service.stop()).catch(() => undefined)
    expireImportClaims(this.#state)
  }

  async call<T>(method: string, at: string, body?: BodyInit): Promise<T> {
    const { url, token } = await (this.#service as Promise<StartedService>)
    const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const headers = { 'x-api-key': `Bearer ${token}`, ...json }
    const answer = await fetch(url + at, { method, headers, ...(body && { body }) })
    const { data, message } = (await answer.json()) as { data: T; message?: string }
    if (!answer.ok) throw new UserProblem(`${method} ${at}: ${answer.status} ${message}`)
    return data
  }

  /** Progress of a run, read from the file because the service may be down. */
  #progress(id: number): { version: number; status: string; done: number } {
    const stored = openDatabaseFile(this.#state)
    const [row] = stored.prepare('SELECT version, status, done FROM imports WHERE id = ?').all(id)
    stored.close()
    return row as { version: number; status: string; done: number }
  }

  async runAndKill(id: number, ended: readonly string[], { kills, random }: KillOptions): Promise<ImportRun> {
    for (let n = 0; n < kills; n++) {
      const from = this.#progress(id).version
      const until = from + random.below(5)
      for (let waited = 0; this.#progress(id).version < until; waited++) {
        if (waited > 20_000) throw new UserProblem(`The run made no progress. ${this.#trouble ?? ''}`)
        await waitMilliseconds(2)
      }
      await waitMilliseconds(random.below(30))
      await this.kill()
      const { status, done, version } = this.#progress(id)
      console.log(`  kill ${n + 1}: ${status}, ${done} rows, ${version - from} steps further`)
      if (ended.includes(status)) throw new UserProblem(`The run ended after ${n + 1} kills, too early for this check.`)
      await this.start()
    }
    await this.#service
    for (let waited = 0; waited < 300; waited++) {
      const run = await this.call<ImportRun>('GET', `/api/v2/imports/${id}`)
      if (ended.includes(run.status)) return run
      await waitMilliseconds(1_000)
    }
    throw new UserProblem('The run did not end within five minutes.')
  }

  async stop(): Promise<void> {
    await this.#service?.then((service) => service.stop()).catch(() => undefined)
  }
}

function checkEqual(what: string, seen: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(seen), JSON.stringify(expected)]
  console.log(`${a === b ? '✓' : '✗'} ${what}${a === b ? '' : `: ${a}, not ${b}`}`)
  if (a !== b) process.exitCode = 1
}

await runMain(async () => {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: String(drawSeed()) } },
  })
  const random = seededRandom(Number(values.seed))
  console.log(`Seed ${values.seed}`)
  const kills = Number(values.kills)
  const state = await mkdtemp(path.join(tmpdir(), 'groundwork-kills-'))
  const it = new KilledService(state)
  try {
    await it.start()
    const segment = await it.call<{ id: number }>('POST', '/api/v2/segments', JSON.stringify({ name: 'Everybody' }))
    const before = knownRowNumbers.map((n) => ({
      email: emailOfRow(n),
      firstName: `Before ${n}`,
      attributes: { since: 2020 },
    }))
    await it.call('POST', '/api/v2/idea-manager/members/bulk-create', JSON.stringify(before))
    const broken = rowNumbers.filter((n) => n % BROKEN_ROW_INTERVAL === 7).length
    const stored = <T>(sql: string): T => {
      const opened = openDatabaseFile(state)
      const rows = opened.prepare(sql).all()
      opened.close()
      return rows as T
    }
    const everybody = `SELECT email, first_name, attributes FROM users WHERE deleted_at IS NULL AND email LIKE 'p%@example.com' ORDER BY email`
    const were = stored(everybody)

    const form = new FormData()
    form.set('users', new File([importFileText], 'people.csv'))
    const { id } = await it.call<ImportRun>(
      'POST',
      `/api/v2/segments/${segment.id}/import-users?onConflict=update`,
      form,
    )
    const run = await it.runAndKill(id, ['completed', 'partial', 'failed'], { kills, random })
    const created = IMPORTED_ROW_COUNT - broken - knownRowNumbers.length
    checkEqual('every row is counted once', run.totals, {
      ...{ rows: IMPORTED_ROW_COUNT, created, updated: knownRowNumbers.length, skipped: 0, rejected: broken, kept: 0 },
    })
    const rows = stored<{ email: string; first_name: string; attributes: string }[]>(everybody)
    const expected = rowNumbers
      .filter((n) => n % BROKEN_ROW_INTERVAL !== 7)
      .map((n) => ({
        email: emailOfRow(n),
        first_name: `Person ${n}`,
        attributes: JSON.stringify({ ...(n % KNOWN_ROW_INTERVAL === 0 && { since: 2020 }), plan: `plan-${n % 7}` }),
      }))
      .sort((a, b) => (a.email < b.email ? -1 : 1))
    checkEqual(
      'every person exists once, with all fields',
      rows.length === expected.length && JSON.stringify(rows) === JSON.stringify(expected),
      true,
    )
    const rejected = stored<{ row: number }[]>(`SELECT row FROM import_rows WHERE outcome = 'rejected' ORDER BY row`)
    checkEqual(
      'every rejected row is reported',
      rejected.map(({ row }) => row),
      rowNumbers.filter((n) => n % BROKEN_ROW_INTERVAL === 7).map((n) => n + 1),
    )
    const members = () =>
      stored<object[]>(
        `SELECT (SELECT count(*) FROM segment_members WHERE segment_id = ${segment.id}) AS members, user_count AS counted FROM segments WHERE id = ${segment.id}`,
      )
    const joined = IMPORTED_ROW_COUNT - broken
    checkEqual('the segment has every person, and the right count', members(), [{ members: joined, counted: joined }])
    const countEvents = (type: string) =>
      stored<{ n: number }[]>(`SELECT count(*) AS n FROM log WHERE type = '${type}'`)[0]?.n
    checkEqual('one event reports the end', countEvents('import.completed'), 1)

    await it.call('POST', `/api/v2/imports/${id}/undo`)
    const undone = await it.runAndKill(id, ['undone'], { kills, random })
    checkEqual('the undo has ended, and kept no row', [undone.status, undone.totals.kept], ['undone', 0])
    checkEqual(
      'known members are unchanged, and new members are gone',
      JSON.stringify(stored(everybody)) === JSON.stringify(were),
      true,
    )
    checkEqual('the segment is empty', members(), [{ members: 0, counted: 0 }])
    checkEqual('one event reports the undo', countEvents('import.undone'), 1)
  } finally {
    await it.stop()
    rmSync(state, { recursive: true, force: true })
  }
})
