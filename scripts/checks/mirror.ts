// npm run check:mirror: random writes against npm start. The service is killed at random instants, and so is a mirror in
// a process of its own, examples/mirror with the packed client. The mirror ends with the records of the lists.
//   --steps N      number of random writes
//   --seed N       repeats the writes of an earlier run; the instants of the kills differ
//   --kills N      number of kills of the service, and of the mirror
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Client, createClient } from '../../clients/typescript/src/index.ts'
import { findDifferences } from '../../test/mirror/compare.ts'
import type { WalkedDocument } from '../../test/mirror/walk/document.ts'
import { type Send, Walk } from '../../test/mirror/walk/walk.ts'
import {
  installExample,
  readCopies,
  readLists,
  startMirror,
  waitForPosition,
  waitMilliseconds,
} from '../../test/outside/mirror/example.ts'
import { drawSeed, type Random, seededRandom } from '../../test/random.ts'
import '../leash.ts'
import { reservePort } from '../service/port.ts'
import { type StartedService, startService } from '../service/service.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { expireImportClaims, killProcessTree } from './killing.ts'

/** A run of CI ends within four minutes on two cores. */
const STEPS = 1_000
const KILLS = 5
/** Each operation comes about four times, and some need a state that the walk seldom reaches. */
const MAX_NEVER_ACCEPTED = 20
const PRODUCT = 'GW-DEMO'

/** The configuration of npm start without rate limits, beside wrangler.toml because its paths are relative. */
const CONFIGURATION_FILE = path.join(root, 'wrangler.mirror.toml')

function writeConfiguration(): string {
  const text = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
  writeFileSync(CONFIGURATION_FILE, text.replaceAll(/limit = \d+/g, 'limit = 1_000_000'))
  return CONFIGURATION_FILE
}

class KilledService {
  readonly #env: NodeJS.ProcessEnv
  readonly #port: number
  readonly state: string
  #started: Promise<StartedService>

  constructor(state: string, port: number) {
    this.state = state
    this.#port = port
    this.#env = {
      ...process.env,
      GROUNDWORK_STATE: state,
      GROUNDWORK_CONFIG: writeConfiguration(),
    }
    this.#started = this.#start()
  }

  #start(): Promise<StartedService> {
    return startService({ port: this.#port, env: this.#env })
  }

  /** Waits until the service answers. */
  ready(): Promise<StartedService> {
    return this.#started
  }

  async killAndStart(): Promise<void> {
    const { pid, stop } = await this.#started
    this.#started = (async () => {
      killProcessTree(pid)
      await stop().catch(() => undefined)
      expireImportClaims(this.state)
      return this.#start()
    })()
    await this.#started
  }

  async stop(): Promise<void> {
    await this.#started.then(({ stop }) => stop()).catch(() => undefined)
  }
}

/** The example, started again whenever it ends: it gives up while the service is down. */
class KilledMirror {
  readonly project = installExample()
  readonly #url: string
  readonly #key: string
  #child: ChildProcess
  #isStopped = false

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
    this.#child = this.#start()
  }

  #start(): ChildProcess {
    const child = startMirror(this.project, this.#url, this.#key, 'ignore')
    child.once('exit', async () => {
      await waitMilliseconds(500)
      if (!this.#isStopped) this.#child = this.#start()
    })
    return child
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  stop(): void {
    this.#isStopped = true
    this.kill()
    rmSync(this.project, { recursive: true, force: true })
  }
}

const makeSend =
  (service: KilledService): Send =>
  async ({ method, path: at, json, form, headers }) => {
    const { url, token } = await service.ready()
    try {
      const response = await fetch(url + at, {
        method,
        headers: {
          'x-api-key': `Bearer ${token}`,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(form && { body: form }),
      })
      const body = (await response.json()) as { data?: unknown; message?: string }
      return { status: response.status, location: response.headers.get('location'), ...body, data: body.data }
    } catch {
      // The service was killed: the outcome of the request is unknown.
      await service.ready()
      return undefined
    }
  }

interface KillOptions {
  count: number
  random: Random
  isDone(): boolean
  kill(): Promise<void> | void
}

async function killAtRandom({ count, random, isDone, kill }: KillOptions): Promise<number> {
  let kills = 0
  while (kills < count && !isDone()) {
    await waitMilliseconds(2_000 + random.below(8_000))
    if (isDone()) break
    await kill()
    kills++
  }
  return kills
}

// The work of a killed service begins again with the next cron, and its log rests until then.
const UNFINISHED = ['pending', 'running', 'undoing']

/** Waits until the work of the queue has ended, and returns the id of the last event. */
async function waitForQuietLog(client: Client): Promise<number> {
  let last = -1
  for (let n = 0; n < 60; n++) {
    const [event] = await client.listEvents({ order: 'newest', limit: 1 })
    const runs = await client.listImports({ limit: 100 })
    const isWorking = runs.some(({ status }) => UNFINISHED.includes(status))
    if (event?.id === last && !isWorking) return last
    last = event?.id ?? 0
    await waitMilliseconds(3_000)
  }
  throw new UserProblem('The log and the imports did not come to rest within three minutes.')
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: String(STEPS) },
      seed: { type: 'string', default: String(drawSeed()) },
      kills: { type: 'string', default: String(KILLS) },
    },
  })
  const [steps, seed, kills] = [Number(values.steps), Number(values.seed), Number(values.kills)]
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-mirror-'))
  const service = new KilledService(state, await reservePort())
  let copy: KilledMirror | undefined
  try {
    const { url, token } = await service.ready()
    const client = createClient({ url, key: token })
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as WalkedDocument
    const walk = new Walk({ document, random: seededRandom(seed), send: makeSend(service) })
    await walk.begin(PRODUCT)
    const mirrored = new KilledMirror(url, token)
    copy = mirrored
    await waitForPosition(mirrored.project, 1)

    let isDone = false
    const started = Date.now()
    const killing = [
      killAtRandom({
        ...{ count: kills, random: seededRandom(seed + 1), isDone: () => isDone },
        kill: () => service.killAndStart(),
      }),
      killAtRandom({
        ...{ count: kills, random: seededRandom(seed + 2), isDone: () => isDone },
        kill: () => mirrored.kill(),
      }),
    ]
    for (let n = 0; n < steps; n++) await walk.step()
    console.log(`${steps} random writes in ${Math.round((Date.now() - started) / 1000)} s (seed ${seed})`)
    isDone = true
    const [serviceKills, mirrorKills] = await Promise.all(killing)
    console.log(`${serviceKills} kills of the service, ${mirrorKills} of the mirror`)

    await service.ready()
    const last = await waitForQuietLog(client)
    await waitForPosition(mirrored.project, last)
    const listed = await readLists(client)
    const copies = readCopies(mirrored.project)
    const differences = findDifferences(copies, listed)
    for (const difference of differences.slice(0, 20)) console.log(`  ${difference}`)
    console.log(`${last} events, ${copies.size} records mirrored, ${differences.length} differences`)

    const counts = [...walk.counts.values()]
    const sum = (name: 'sent' | 'accepted') => counts.reduce((total, count) => total + count[name], 0)
    console.log(`${sum('accepted')} of ${sum('sent')} requests accepted, of ${counts.length} operations`)
    const neverAccepted = walk.listNeverAccepted()
    for (const line of neverAccepted) console.log(`  never accepted: ${line}`)
    const isHollow = steps >= STEPS && neverAccepted.length > MAX_NEVER_ACCEPTED
    if (differences.length || isHollow || serviceKills === 0 || mirrorKills === 0) process.exitCode = 1
  } finally {
    copy?.stop()
    await service.stop()
    rmSync(state, { recursive: true, force: true })
    rmSync(CONFIGURATION_FILE, { force: true })
  }
})
