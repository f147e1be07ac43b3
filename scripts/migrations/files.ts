// The files from which a database is made. A new database takes the baseline and the later migrations, in one text. An
// older database takes the migrations that its ledger lacks, one by one.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, UserProblem } from '../wrangler.ts'

export const BASELINE_FILE = 'baseline.sql'
const MIGRATIONS_FOLDER = 'migrations'

/** Names of the migrations of a checkout. */
export const listMigrations = (checkout = root): string[] =>
  globSync('*.sql', { cwd: path.join(checkout, MIGRATIONS_FOLDER) }).sort()

export const readMigration = (name: string, checkout = root): string =>
  readFileSync(path.join(checkout, MIGRATIONS_FOLDER, name), 'utf8')

/** Wrangler's own ledger. */
export const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

export const insertLedgerRow = (name: string): string =>
  `INSERT INTO d1_migrations (name) VALUES ('${name}') ON CONFLICT DO NOTHING;\n`

const LEDGER_ROW_PATTERN = /^INSERT INTO d1_migrations \(name\) VALUES \('([^']+)'\)/gm

/** Names of the migrations that a baseline holds. */
export const listHeldMigrations = (baseline: string): string[] =>
  Array.from(baseline.matchAll(LEDGER_ROW_PATTERN), ([, name]) => name ?? '')

/** SQL that creates a database with its ledger. */
export function readCreationSql(checkout = root): string {
  const file = path.join(checkout, BASELINE_FILE)
  // Release 0.2.0 has no baseline.
  const baseline = existsSync(file) ? readFileSync(file, 'utf8') : `${CREATE_LEDGER};\n`
  const held = listHeldMigrations(baseline)
  const later = listMigrations(checkout).filter((name) => !held.includes(name))
  return [baseline, ...later.map((name) => readMigration(name, checkout) + insertLedgerRow(name))].join('\n')
}

/** Statements that create a database with its ledger. */
export async function readCreationStatements(checkout = root): Promise<string[]> {
  // Loaded on demand, because Wrangler is slow to load.
  const { unstable_splitSqlQuery: split } = await import('wrangler')
  return split(readCreationSql(checkout))
}

/** Returns a sentence if the database is older than the first migration of this version, or undefined. */
export function findOldSchemaMessage(applied: readonly string[], first = listMigrations()[0]): string | undefined {
  if (applied.length === 0 || first === undefined || applied.includes(first)) return undefined
  return `The database was created before version 0.2.0 (first migration: ${applied[0]}). This version cannot use the database.`
}

// Statements of SQLite, of D1 and of Wrangler.
const SELECT_TABLES = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations' LIMIT 1`

const ADD_COLUMN_PATTERN = /^ALTER TABLE (\w+) ADD COLUMN (\w+)\b[^;]*;/gm

export interface MigratedDatabase {
  /** Runs SQL in a transaction, and returns the rows of each statement. */
  run(statements: string[]): Promise<object[][]>
  /** Runs a file whole, or stores nothing. */
  execute(sql: string, name: string): Promise<unknown>
}

interface ApplyOptions {
  checkout?: string
  say?: (line: string) => void
}

/** Applies the migrations that the ledger lacks, and returns their names. */
export async function applyMigrations(
  { run, execute }: MigratedDatabase,
  { checkout = root, say = () => undefined }: ApplyOptions = {},
): Promise<string[]> {
  const [, rows = [], tables = []] = await run([
    CREATE_LEDGER,
    'SELECT name FROM d1_migrations ORDER BY id',
    SELECT_TABLES,
  ])
  const applied = (rows as { name: string }[]).map(({ name }) => name)
  const old = findOldSchemaMessage(applied, listMigrations(checkout)[0])
  if (old) throw new UserProblem(old)
  const pending = listMigrations(checkout).filter((name) => !applied.includes(name))
  if (applied.length === 0 && tables.length === 0) {
    say(`  ${BASELINE_FILE}, as of ${pending.at(-1)}`)
    await execute(readCreationSql(checkout), 'new-database.sql')
    return pending
  }
  for (const name of pending) {
    say(`  ${name}`)
    const text = readMigration(name, checkout)
    await execute(leaveOutColumns(text, await findColumns(text, run)) + insertLedgerRow(name), name)
  }
  return pending
}

/** Columns of the tables to which the migration adds columns, as `table.column`. */
async function findColumns(text: string, run: MigratedDatabase['run']): Promise<Set<string>> {
  const tables = [...new Set(Array.from(text.matchAll(ADD_COLUMN_PATTERN), ([, table]) => table))]
  if (tables.length === 0) return new Set()
  const results = await run(tables.map((table) => `PRAGMA table_info(${table})`))
  return new Set(
    results.flatMap((columns, n) => (columns as { name: string }[]).map(({ name }) => `${tables[n]}.${name}`)),
  )
}

/** Leaves out columns that exist, because SQLite has no ADD COLUMN IF NOT EXISTS. */
export const leaveOutColumns = (text: string, existing: ReadonlySet<string>): string =>
  text.replace(ADD_COLUMN_PATTERN, (statement, table, column) => (existing.has(`${table}.${column}`) ? '' : statement))
