import { DatabaseSync } from 'node:sqlite'
import { root } from '../wrangler.ts'
import { CREATE_LEDGER, insertLedgerRow, listMigrations, readCreationSql, readMigration } from './files.ts'

/** A database in memory, as a new service has it. */
export function createDatabase(checkout = root): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(readCreationSql(checkout))
  return database
}

/** A database in memory, as it is after the migrations one by one. */
export function createMigratedDatabase(names = listMigrations(), checkout = root): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(CREATE_LEDGER)
  for (const name of names) database.exec(readMigration(name, checkout) + insertLedgerRow(name))
  return database
}

interface SchemaEntry {
  type: 'table' | 'view' | 'index' | 'trigger'
  name: string
  /** Table or view to which an index or a trigger belongs. */
  tbl_name: string
  sql: string
}

const LEDGER = 'd1_migrations'

// Tables that SQLite makes: of its own, of a full-text index, of D1.
const SELECT_MADE_TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND (type = 'shadow' OR name GLOB 'sqlite_*' OR name GLOB '_cf_*')`

// SQLite plans with the indexes in the order of their creation, and runs the triggers in that order.
const SELECT_ENTRIES = `SELECT type, name, tbl_name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND tbl_name NOT IN (${SELECT_MADE_TABLES}) ORDER BY rowid`

const listEntries = (database: DatabaseSync) => database.prepare(SELECT_ENTRIES).all() as unknown as SchemaEntry[]

const isVirtual = ({ sql }: SchemaEntry) => sql.startsWith('CREATE VIRTUAL')

const createIfMissing = ({ sql }: SchemaEntry) =>
  `${sql.replace(/^CREATE (VIRTUAL TABLE|TABLE|VIEW|UNIQUE INDEX|INDEX|TRIGGER) /, '$&IF NOT EXISTS ')};\n`

/** Rows of a table as literals of SQL. */
function dumpRows(database: DatabaseSync, table: string): string[] {
  const columns = database
    .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
    .map(({ name }) => `"${name}"`)
  const values = columns.map((column) => `quote(${column})`).join(" || ', ' || ")
  return database
    .prepare(`SELECT ${values} AS row FROM "${table}"`)
    .all()
    .map(({ row }) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${row}) ON CONFLICT DO NOTHING;\n`)
}

/** The settings of a full-text index, except for the version of the format. */
const dumpSettings = (database: DatabaseSync, table: string): string[] =>
  database
    .prepare(`SELECT k, quote(k) AS name, quote(v) AS value FROM ${table}_config WHERE k <> 'version' ORDER BY k`)
    .all()
    .map(({ name, value }) => `INSERT INTO ${table} (${table}, rank) VALUES (${name}, ${value});\n`)

/** SQL that creates a database with the schema and the rows of another, and the ledger rows of the migrations. */
export function dumpDatabase(database: DatabaseSync, migrations: readonly string[]): string {
  const entries = listEntries(database).filter(({ tbl_name }) => tbl_name !== LEDGER)
  const groups = entries
    .filter(({ type }) => type === 'table' || type === 'view')
    .map((owner) => {
      const partsOf = (type: SchemaEntry['type']) =>
        entries.filter((entry) => entry.type === type && entry.tbl_name === owner.name).map(createIfMissing)
      const rows = isVirtual(owner) ? dumpSettings(database, owner.name) : dumpRows(database, owner.name)
      // A trigger would add rows to the rows that it added before.
      return [
        createIfMissing(owner),
        ...partsOf('index'),
        ...(owner.type === 'table' ? rows : []),
        ...partsOf('trigger'),
      ]
    })
  const ledger = [`${CREATE_LEDGER};\n`, ...migrations.map(insertLedgerRow)]
  return [...groups, ledger].map((group) => group.join('')).join('\n')
}

/** What two databases of the same schema have in common: each table with its indexes, triggers and rows. */
export function describeDatabase(database: DatabaseSync): Record<string, unknown> {
  const entries = listEntries(database)
  const made = database.prepare(SELECT_MADE_TABLES).all()
  const tables = [...entries.filter(({ type }) => type === 'table'), ...made].map(({ name }) => String(name))
  const described = [
    ...entries.map(({ type, name, tbl_name, sql }): [string, unknown] => [`${type} ${name} of ${tbl_name}`, sql]),
    ...entries
      .filter(({ type }) => type === 'table' || type === 'view')
      .flatMap(({ name: owner }) =>
        (['index', 'trigger'] as const).map((type): [string, unknown] => [
          `${type} order of ${owner}`,
          entries.filter((entry) => entry.type === type && entry.tbl_name === owner).map(({ name }) => name),
        ]),
      ),
    ...tables
      .filter((name) => !/^(sqlite_schema|_cf_.*)$/.test(name))
      .map((name): [string, unknown] => [`rows of ${name}`, readRows(database, name)]),
  ]
  return Object.fromEntries(described.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readRows(database: DatabaseSync, table: string): unknown[] {
  if (table === LEDGER) return database.prepare(`SELECT id, name FROM ${LEDGER} ORDER BY id`).all()
  // SQLite adds a row when the first row of a table gets its number.
  return database.prepare(`SELECT * FROM "${table}" ${table === 'sqlite_sequence' ? 'ORDER BY name' : ''}`).all()
}
