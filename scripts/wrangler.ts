import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { type ListedHome, parseHomeList } from '../src/home-list.ts'
import { openHomeDatabase } from './service/home.ts'

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

export type DatabaseLocation = ({ remote: true; env: 'production' | 'staging' } | { remote: false; state: string }) & {
  /** Bindings of the home; default: `DB` and `FILES`. */
  database?: string
  bucket?: string
}

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

// A running service writes to the same file, and SQLite allows a single writer.
const DATABASE_BUSY_PATTERN = /SQLITE_BUSY|database is locked/
const DATABASE_BUSY_TIMEOUT_MS = 120_000

/** A batch refused by a lock has written nothing. */
export async function retryWhileBusy<T>(
  work: () => Promise<T>,
  { patience: timeout = DATABASE_BUSY_TIMEOUT_MS } = {},
): Promise<T> {
  const end = Date.now() + timeout
  for (let pause = 100; ; pause = Math.min(2 * pause, 2_000)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UserProblem && DATABASE_BUSY_PATTERN.test(error.message))) throw error
      if (Date.now() + pause > end) {
        throw new UserProblem(
          `The local database stays busy. Try again when the running service is idle.\n${error.message}`,
        )
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

export const MIGRATIONS_FOLDER = path.join(root, 'migrations')

export const listMigrations = (folder = MIGRATIONS_FOLDER): string[] => globSync('*.sql', { cwd: folder }).sort()

/** Returns a sentence if the database is older than the first migration of this version, or undefined. */
export function findOldSchemaMessage(
  applied: readonly string[],
  first = listMigrations()[0] ?? '',
): string | undefined {
  if (applied.length === 0 || applied.includes(first)) return undefined
  return `The database was created before version 0.2.0 (first migration: ${applied[0]}). This version cannot use the database.`
}

const SELECT_LEDGER = "SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'"
const SELECT_HOME_TABLE = "SELECT 1 FROM sqlite_schema WHERE name = 'home'"

interface LocalDatabase {
  /** Names of migrations. */
  applied: string[]
  /** Whether the database knows the number of its home. */
  isOpen: boolean
}

/** Reads the files, because wrangler takes a lock even to read. */
function listLocalDatabases(state: string): LocalDatabase[] {
  const files = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter((file) => path.basename(file) !== 'metadata.sqlite')
  return files.map((file) => {
    const stored = new DatabaseSync(path.join(state, file), { readOnly: true })
    try {
      const rows = stored.prepare(SELECT_LEDGER).get()
        ? stored.prepare('SELECT name FROM d1_migrations ORDER BY id').all()
        : []
      const isOpen = stored.prepare(SELECT_HOME_TABLE).get() && stored.prepare('SELECT 1 FROM home').get()
      return { applied: rows.map(({ name }) => String(name)), isOpen: isOpen !== undefined }
    } finally {
      stored.close()
    }
  })
}

/** Applies the migrations to the local database of each home. */
export async function applyLocalMigrations(state: string): Promise<void> {
  const databases = listLocalDatabases(state)
  const [old] = databases.flatMap(({ applied }) => findOldSchemaMessage(applied) ?? [])
  if (old) throw new UserProblem(`${old}\n\n${leaveOldState(state)}`)
  const homes = await listDeclaredHomes(localDatabase(state))
  const isReady = ({ applied, isOpen }: LocalDatabase) =>
    listMigrations().every((name) => applied.includes(name)) && (isOpen || homes.length === 1)
  if (databases.length >= homes.length && databases.every(isReady)) return
  for (const { number, database } of homes) {
    const where = { ...localDatabase(state), database }
    await retryWhileBusy(() => runWrangler(['d1', 'migrations', 'apply', database, ...locationArguments(where)]))
    if (homes.length > 1) await openHomeDatabase(number, (statements) => runSql(statements, where))
  }
}

const leaveOldState = (
  state: string,
) => `To keep records, start the version that created the database, and download them:

  git checkout "$(git rev-list -1 HEAD -- migrations/0086_plain_names.sql)~1" && npm start
  GET /api/initiatives/{product_external_key}/backlog/export
  GET /api/feedback-items/export
  GET /api/v2/idea-manager/members/export

Then delete the old data, start this version, and import the files:

  rm -r '${state}'`

/** Runs SQL in a transaction. The caller gives the row types. */
export async function runSql<Results extends object[][]>(
  statements: string[],
  where: DatabaseLocation,
): Promise<Results> {
  const execute = () =>
    runWrangler([
      'd1',
      'execute',
      where.database ?? 'DB',
      ...locationArguments(where),
      '--json',
      '--yes',
      '--command',
      statements.join(';\n'),
    ])
  const out = await (where.remote ? execute() : retryWhileBusy(execute))
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
