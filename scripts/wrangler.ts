import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { type ListedHome, parseHomeList } from '../src/home-list.ts'
import { openLocalDatabases } from './local/databases.ts'

export const root = path.resolve(import.meta.dirname, '..')

const WRANGLER_CLI_FILE = path.join(root, 'node_modules', 'wrangler', 'wrangler-dist', 'cli.js')
const LEASH_FILE = path.join(root, 'scripts', 'leash.ts')

export const QUIET_ENV = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
}

export class UserProblem extends Error {}

const wranglerArguments = (args: string[]) => ['--no-warnings', '--import', LEASH_FILE, WRANGLER_CLI_FILE, ...args]

export function startWrangler(args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, wranglerArguments(args), {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...QUIET_ENV, ...env },
  })
}

export function startPipedWrangler(
  args: string[],
  { env = {}, cwd = root }: { env?: Record<string, string>; cwd?: string } = {},
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, wranglerArguments(args), {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET_ENV, ...env },
  })
}

const DEFAULT_CONFIG_FILE = path.join(root, 'wrangler.toml')

/** Checks and tests run the service with another configuration. */
export const configFile = () => process.env.GROUNDWORK_CONFIG || DEFAULT_CONFIG_FILE

export async function readDeclaredSettings(): Promise<Record<string, string>> {
  // Loaded on demand, because Wrangler is slow to load and most commands need no settings.
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const { vars } = readConfig({ config: configFile() })
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]))
}

export const settingArguments = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['--var', `${name}:${value}`])

/** Returns stdout, or throws with the whole output. */
export async function runWrangler(args: string[], { cwd }: { cwd?: string } = {}): Promise<string> {
  const child = startPipedWrangler(args, { env: { CI: '1' }, ...(cwd && { cwd }) })
  let out = ''
  let all = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
    all += chunk
  })
  child.stderr.on('data', (chunk) => {
    all += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new UserProblem(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${all.trim()}`)
  return out
}

interface HomeBindings {
  /** Bindings of the home; default: `DB` and `FILES`. */
  database?: string
  bucket?: string
}

type DeployedDatabase = { remote: true; env: 'production' | 'staging' } & HomeBindings

export type DatabaseLocation = DeployedDatabase | ({ remote: false; state: string } & HomeBindings)

export const localDatabase = (state: string): DatabaseLocation => ({ remote: false, state })

const configArguments = () => (configFile() === DEFAULT_CONFIG_FILE ? [] : ['--config', configFile()])

export function locationArguments(where: DatabaseLocation): string[] {
  return [
    ...(where.remote ? ['--remote', '--env', where.env] : ['--local', '--persist-to', where.state]),
    ...configArguments(),
  ]
}

/** The homes of `HOMES` in the configuration of the place. */
export async function listDeclaredHomes(where: DatabaseLocation): Promise<ListedHome[]> {
  const { unstable_readConfig: readConfig } = await import('wrangler')
  const { vars } = readConfig({ config: configFile(), ...(where.remote && { env: where.env }) })
  return parseHomeList(String(vars.HOMES ?? ''))
}

// A running service writes to the same file, and SQLite allows a single writer. A locked file also lacks the token with
// which the local runtime ends the transaction of a read.
const DATABASE_BUSY_PATTERN = /SQLITE_BUSY|database is locked|Failed to get session commit token/
const DATABASE_BUSY_TIMEOUT_MS = 120_000
const FIRST_BUSY_PAUSE_MS = 100

/** A batch refused by a lock has written nothing. */
export async function retryWhileBusy<T>(
  work: () => Promise<T>,
  { patience: timeout = DATABASE_BUSY_TIMEOUT_MS } = {},
): Promise<T> {
  const end = Date.now() + timeout
  for (let pause = FIRST_BUSY_PAUSE_MS; ; pause = Math.min(2 * pause, 2_000)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UserProblem && DATABASE_BUSY_PATTERN.test(error.message))) throw error
      if (Date.now() + pause > end) {
        throw new UserProblem(
          `The local database stays busy. Try again when the running service is idle.\n${error.message}`,
        )
      }
      if (pause === FIRST_BUSY_PAUSE_MS) console.error('The local database is busy. Waiting …')
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** Runs a file of SQL whole in a deployed database, in a transaction. */
export async function executeFile(text: string, name: string, where: DeployedDatabase): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-sql-'))
  const file = path.join(folder, name)
  try {
    writeFileSync(file, text)
    await runWrangler(['d1', 'execute', where.database ?? 'DB', ...locationArguments(where), '--yes', '--file', file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export type RunLocalSql = (binding: string, sql: string) => Promise<object[][]>

/** Opens the local databases for transactions, which wait for other writers. */
export async function withLocalDatabases<T>(state: string, work: (run: RunLocalSql) => Promise<T>): Promise<T> {
  const databases = await openLocalDatabases(configFile(), state)
  const run: RunLocalSql = (binding, sql) =>
    retryWhileBusy(() =>
      databases.run(binding, sql).catch((cause) => {
        throw new UserProblem(`The local database refuses the statements: ${cause.message}`, { cause })
      }),
    )
  try {
    return await work(run)
  } finally {
    await databases.close()
  }
}

/** Runs SQL in a transaction. The caller gives the row types. */
export async function runSql<Results extends object[][]>(
  statements: string[],
  where: DatabaseLocation,
): Promise<Results> {
  const sql = statements.join(';\n')
  if (!where.remote)
    return withLocalDatabases(where.state, (run) => run(where.database ?? 'DB', sql)) as Promise<Results>
  const location = locationArguments(where)
  const out = await runWrangler([
    'd1',
    'execute',
    where.database ?? 'DB',
    ...location,
    '--json',
    '--yes',
    '--command',
    sql,
  ])
  const answered: { results: Results[number] }[] = JSON.parse(out)
  return answered.map(({ results }) => results) as Results
}

export function sqlLiteral(value: string | number | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string' || value.includes('\0'))
    throw new UserProblem(`This value cannot be stored: ${JSON.stringify(value)}`)
  return `'${value.replaceAll("'", "''")}'`
}

export const stateFolderOf = (given: string | undefined): string =>
  path.resolve(root, given ?? process.env.GROUNDWORK_STATE ?? path.join('.wrangler', 'state'))

export async function runMain(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error(isUserError(error) ? `\n${error.message}` : error)
    process.exit(1)
  }
}

function isUserError(error: unknown): error is Error {
  if (error instanceof UserProblem) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
