// Applies the migrations to the deployed database. Each file goes through the import API whole, together with its row
// of the ledger, because the API behind `wrangler d1 migrations apply --remote` splits triggers by rules of its own. An
// import that fails leaves the database as it was, and each file can be applied again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  type DatabaseLocation,
  findOldSchemaMessage,
  listMigrations,
  locationArguments,
  MIGRATIONS_FOLDER,
  root,
  runSql,
  runWrangler,
  UserProblem,
} from '../wrangler.ts'
import type { DeployedEnvironment } from './production.ts'

const IMPORTS_FOLDER = path.join(root, '.wrangler', 'migrations')

/** Wrangler's own ledger. */
const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

const ADD_COLUMN_PATTERN = /^ALTER TABLE (\w+) ADD COLUMN (\w+)\b[^;]*;/gm

interface ApplyOptions {
  env?: DeployedEnvironment
  /** Binding of the home's database. */
  database?: string
  from?: string
  say?: (line: string) => void
}

/** Applies the migrations that the ledger lacks, and returns their names. */
export async function applyDeployedMigrations({
  env = 'production',
  database = 'DB',
  from = MIGRATIONS_FOLDER,
  say = console.log,
}: ApplyOptions = {}): Promise<string[]> {
  const deployed: DatabaseLocation = { remote: true, env, database }
  const [, rows = []] = await runSql<[[], { name: string }[]]>(
    [CREATE_LEDGER, 'SELECT name FROM d1_migrations ORDER BY id'],
    deployed,
  )
  const applied = rows.map(({ name }) => name)
  const old = findOldSchemaMessage(applied, listMigrations(from)[0])
  if (old) throw new UserProblem(old)
  const pending = listMigrations(from).filter((name) => !applied.includes(name))
  mkdirSync(IMPORTS_FOLDER, { recursive: true })
  for (const name of pending) {
    say(`  ${name}`)
    const text = readFileSync(path.join(from, name), 'utf8')
    const file = path.join(IMPORTS_FOLDER, name)
    writeFileSync(file, appendLedgerRow(name, leaveOutColumns(text, await findColumns(text, deployed))))
    await runWrangler(['d1', 'execute', database, ...locationArguments(deployed), '--yes', '--file', file])
  }
  return pending
}

const appendLedgerRow = (name: string, text: string) =>
  `${text}\nINSERT INTO d1_migrations (name) VALUES ('${name}') ON CONFLICT DO NOTHING;\n`

/** Columns of the tables to which the migration adds columns, as `table.column`. */
async function findColumns(text: string, deployed: DatabaseLocation): Promise<Set<string>> {
  const tables = [...new Set(Array.from(text.matchAll(ADD_COLUMN_PATTERN), ([, table]) => table))]
  if (tables.length === 0) return new Set()
  const results = await runSql<{ name: string }[][]>(
    tables.map((table) => `PRAGMA table_info(${table})`),
    deployed,
  )
  return new Set(results.flatMap((columns, n) => columns.map(({ name }) => `${tables[n]}.${name}`)))
}

/** Leaves out columns that exist, because SQLite has no ADD COLUMN IF NOT EXISTS. */
export const leaveOutColumns = (text: string, existing: ReadonlySet<string>): string =>
  text.replace(ADD_COLUMN_PATTERN, (statement, table, column) => (existing.has(`${table}.${column}`) ? '' : statement))

/** Reads the bookmark for `wrangler d1 time-travel restore`. */
export async function readBookmark(env: DeployedEnvironment, database = 'DB'): Promise<string> {
  const out = await runWrangler(['d1', 'time-travel', 'info', database, '--env', env, '--json'])
  const { bookmark }: { bookmark: string } = JSON.parse(out)
  return bookmark
}
