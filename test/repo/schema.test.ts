import { is, SQL } from 'drizzle-orm'
import { getTableConfig, SQLiteSyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { createDatabase } from '../../scripts/migrations/dump'
import { listMigrations, readMigration } from '../../scripts/migrations/files'
import { declaredRecords } from '../records'
import { declaredTables } from '../tables'

const database = createDatabase()
// The ledger belongs to Wrangler.
database.exec('DROP TABLE d1_migrations')
const migrations = listMigrations()

interface Column {
  name: string
  type: string
  required: boolean
  /** SQL text, or null without a default. */
  default: string | null
  /** Position in the primary key, from 1; 0 outside the key. */
  key: number
}

function rows(sql: string, ...values: string[]) {
  return database.prepare(sql).all(...values)
}

function migratedColumns(table: string): Column[] {
  return rows('SELECT * FROM pragma_table_xinfo(?)', table).map((column) => ({
    name: String(column.name),
    type: String(column.type).toLowerCase(),
    required: column.notnull === 1,
    default: column.dflt_value === null ? null : String(column.dflt_value),
    key: Number(column.pk),
  }))
}

function sqlLiteral(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

function declaredColumns(table: SQLiteTable): Column[] {
  const { columns, primaryKeys } = getTableConfig(table)
  const composed = primaryKeys[0]?.columns.map(({ name }) => name)
  return columns.map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    required: column.notNull && !column.primary,
    default: sqlLiteral(column.default),
    key: composed ? composed.indexOf(column.name) + 1 : Number(column.primary),
  }))
}

const tables = rows(
  "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
).map(({ name }) => String(name))

test('every table of the migrations is declared, and no other table', () => {
  expect(
    declaredTables.map((table) => getTableConfig(table).name).sort(),
    'Declare and export each table of migrations/: in queries.ts of its resource, or in src/db/schema if several resources read the table.',
  ).toEqual(tables)
})

test.each(declaredTables.map((table) => [getTableConfig(table).name, table] as const))(
  'the columns of %s equal the migrated columns',
  (name, table) => {
    expect(
      declaredColumns(table),
      'Write the same columns in the migration and in the declaration of the table.',
    ).toEqual(migratedColumns(name))
  },
)

const dialect = new SQLiteSyncDialect()

/** Statements that create the declared indexes, in the order of the declaration. */
function declaredIndexes(table: SQLiteTable): string[] {
  const { name: tableName, indexes } = getTableConfig(table)
  return indexes.map(({ config: { name, columns, unique, where } }) => {
    const names = columns.map((column) => (is(column, SQL) ? dialect.sqlToQuery(column).sql : column.name))
    const condition = where ? ` WHERE ${dialect.sqlToQuery(where).sql}` : ''
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${tableName} (${names.join(', ')})${condition}`
  })
}

// SQLite prefers the newest of equal indexes, so the order counts too.
function migratedIndexes(table: string): string[] {
  return rows(
    "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL ORDER BY rowid",
    table,
  ).map(({ sql }) => String(sql).replace(/\s+/g, ' ').replaceAll('"', ''))
}

test.each(declaredTables.map((table) => [getTableConfig(table).name, table] as const))(
  'the indexes of %s equal the migrated indexes',
  (name, table) => {
    expect(
      declaredIndexes(table),
      'Write the same indexes in the migration and in the declaration of the table.',
    ).toEqual(migratedIndexes(name))
  },
)

test('migrations are numbered without a gap', () => {
  const numbers = migrations.map((file) => Number(/(\d{4})_[a-z_]+\.sql$/.exec(file)?.[1]))
  expect(numbers, 'Give the migration the next number.').toEqual(migrations.map((_, index) => index + 1))
})

// The cron queries rows of all workspaces. The index `<table>_removed` finds removed rows.
const ACROSS_TENANTS = [
  'subscriptions_erase',
  'idempotency_keys_created',
  // The address of a portal names no workspace.
  'portals_slug',
  // The own host of a portal names no workspace either.
  'portals_domain',
  // An address that signs in names no workspace.
  'users_sign_in',
  'api_keys_ended',
  'sign_in_settings_sealed',
  'portals_sealed',
  'sqlite_autoindex_sign_in_domains_1',
  'sign_in_domains_due',
  'sign_ins_nonce',
  'sign_ins_expired',
  'sqlite_autoindex_sign_ins_1',
  'address_keys_sealed',
  'erasures_due',
  'email_chunks_due',
  'email_slices_due',
  'emails_ended',
  'emails_erased',
  'log_keeping_due',
  'dead_letters_failed',
  'dead_letters_replay',
  'email_recipients_by_id',
  'mail_outages_unreported',
  'imports_ended',
  'exports_ended',
  'backup_schedule_due',
  'feedback_notices_due',
  'webhooks_sealed',
  'webhook_deliveries_old',
  'webhook_feeds_due',
  'incoming_webhooks_sealed',
  'incoming_receipts_old',
  'incoming_records_old',
  'sqlite_autoindex_fills_1',
  'sqlite_autoindex_home_1',
  'sqlite_autoindex_workspace_moves_1',
  'workspace_moves_due',
]
const REMOVED = /_removed$/

test('every index begins with the tenant or the product', () => {
  const indexes = rows(`SELECT i.name, t.name AS "table", c.name AS "column"
    FROM sqlite_schema t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'search_%' AND c.seqno = 0`)
  expect(indexes.length).toBeGreaterThan(tables.length)
  const wrong = indexes.filter(
    ({ name, column }) =>
      !['subscription_id', 'product_id'].includes(String(column)) &&
      !ACROSS_TENANTS.includes(String(name)) &&
      !(REMOVED.test(String(name)) && column === 'deleted_at'),
  )
  const remedy = 'Begin the index with subscription_id or product_id, or name an index of the cron in ACROSS_TENANTS.'
  expect(
    wrong.map(({ table, name }) => `${table}: ${name}`),
    remedy,
  ).toEqual([])
})

// `makeExternalIdGuards` refuses taken external ids (test/db/external-ids.test.ts).
test('the record of a table with a unique index declares the column as `unique`', () => {
  const indexes = rows(`SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t
    JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
    WHERE t.type = 'table' AND i."unique" AND i.partial AND c.seqno = 1 AND i.name NOT LIKE '%_external_id'`)
  expect(indexes.length).toBeGreaterThan(4)
  const declared = declaredRecords.flatMap(({ table, unique }) =>
    unique ? `${getTableConfig(table).name}: ${unique.column.name}` : [],
  )
  const wrong = indexes.map(({ table, column }) => `${table}: ${column}`).filter((name) => !declared.includes(name))
  const remedy = 'Declare `unique: { column, takenMessage }` in the exported record, so that a taken value is a 409.'
  expect(wrong, remedy).toEqual([])
})

test('every table belongs to a tenant', () => {
  const wrong = tables.filter(
    (table) => !migratedColumns(table).some(({ name, required }) => name === 'subscription_id' && required),
  )
  expect(wrong, 'Add a column `subscription_id INTEGER NOT NULL` to the table.').toEqual([
    'cron_runs',
    'fills',
    'home',
    'subscriptions',
    'workspace_moves',
  ])
})

test('no foreign key deletes by a cascade', () => {
  const cascading = migrations.filter((file) => /ON DELETE CASCADE/i.test(readMigration(file)))
  expect(cascading, 'Delete the rows in src/workspace/purge/queries.ts instead.').toEqual([])
})
