import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unstable_readConfig as readConfig } from 'wrangler'
import { readCreationStatements } from '../../scripts/migrations/files.ts'
import { runWrangler } from '../../scripts/wrangler.ts'
import { signKeyToken } from '../../src/http/token.ts'
import { MAILED_MEMBER_COUNT } from './operations.ts'
import { COLUMNS, createSeedStatements } from './seed.ts'
import type { ServerMessages } from './server.ts'

const here = import.meta.dirname

/** Builds the worker of the checkout `cwd` like `wrangler deploy`, and returns the module. */
export async function build({ cwd, folder, args = [] }: { cwd: string; folder: string; args?: string[] }) {
  await runWrangler(['deploy', '--dry-run', '--env', 'production', '--outdir', folder, ...args], { cwd })
  return readFile(path.join(folder, 'index.js'), 'utf8')
}

/** Reads a worker of the bench as JavaScript. */
export async function read(name: string): Promise<string> {
  return stripTypeScriptTypes(await readFile(path.join(here, name), 'utf8'))
}

const JTI = 'bench'

export interface Caller {
  apiKey: string
  secrets: string
}

export async function makeCaller({
  subscriptionId = 1,
  secrets = `bench:${randomBytes(32).toString('base64url')}`,
} = {}): Promise<Caller> {
  const issuedAt = Date.now()
  const token = await signKeyToken(secrets, {
    subscriptionId,
    userId: subscriptionId,
    jti: JTI,
    scopes: ['*'],
    products: null,
    issuedAt,
    expiresAt: issuedAt + 86_400_000,
  })
  return { apiKey: `Bearer ${token}`, secrets }
}

/** The configuration and the tables of a checkout's worker. */
export interface CheckoutSettings {
  compatibilityDate: string
  bindings: Record<string, string>
  /** Statements that create the database. */
  creation: string[]
}

export async function readCheckout(checkout: string, { secrets }: Caller): Promise<CheckoutSettings> {
  const config = readConfig({ config: path.join(checkout, 'wrangler.toml'), env: 'production' })
  const vars = Object.entries(config.vars).map(([name, value]) => [name, String(value)] as const)
  return {
    compatibilityDate: config.compatibility_date ?? '',
    // The usage charge differs from write to write, and the floor could not repeat the charge. A quota of 0 turns the
    // charge off.
    bindings: { ...Object.fromEntries(vars), WORKSPACE_ROWS_PER_DAY: '0', SIGNING_SECRETS: secrets },
    creation: await readCreationStatements(checkout),
  }
}

export interface RunningServer {
  url: string
  runtime: string
  inspector: string
  /** Folder of the database. */
  storage: string
  cpu(): Promise<number | null>
  /** Ends the runtime and keeps the database until `stop`. */
  pause(): Promise<unknown>
  stop(): Promise<void>
}

interface Serving {
  worker: string
  size: number
  bindings?: Record<string, string>
  /** Records the calls to the database. */
  tap?: boolean
  /** Milliseconds before each D1 call. */
  far?: number
  /** Folder of a filled database to copy. Without the folder, the server fills its own database. */
  filled?: string | undefined
  /** Uses the rate limit of the local runtime (see front.ts). */
  emulated?: boolean
  inspector?: boolean
}

export async function startServer(world: CheckoutSettings, serving: Serving): Promise<RunningServer> {
  const { worker, bindings, size, tap = false, far = 0, emulated = false, inspector = false, filled } = serving
  const storage = await mkdtemp(path.join(tmpdir(), 'groundwork-bench-'))
  if (filled !== undefined) await cp(filled, storage, { recursive: true })
  const child = fork(path.join(here, 'server.ts'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ask = <Kind extends keyof ServerMessages>(kind: Kind, message: ServerMessages[Kind]['ask']) =>
    new Promise<ServerMessages[Kind]['answer']>((resolve, reject) => {
      const lost = () => reject(new Error('A server of the bench ended'))
      child.once('exit', lost)
      child.once('message', ({ answer, error }: { answer: ServerMessages[Kind]['answer']; error?: string }) => {
        child.off('exit', lost)
        if (error) reject(new Error(error))
        else resolve(answer)
      })
      child.send({ kind, ...message })
    })
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.connected) {
      child.send({ kind: 'stop' })
      await ended
    }
  }
  try {
    const around = tap || far > 0 ? ['tap.ts', 'front.ts'] : emulated ? [] : ['front.ts']
    const modules = await Promise.all(around.map(async (name) => ({ name, contents: await read(name) })))
    modules.push({ name: 'worker.js', contents: worker })
    const started = await ask('start', {
      modules,
      compatibilityDate: world.compatibilityDate,
      bindings: { ...world.bindings, ...bindings, FAR: far },
      storage,
      inspector,
    })
    if (filled === undefined) {
      const columns = await ask('run', { statements: [...world.creation, COLUMNS] })
      const known = columns.map(({ table, column }) => ({ table: String(table), column: String(column) }))
      await ask('run', { statements: createSeedStatements({ size, mailed: MAILED_MEMBER_COUNT, jti: JTI }, known) })
    }
    return { ...started, storage, cpu: () => ask('cpu', {}), pause: () => ask('pause', {}), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
