import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createMigratedDatabase } from '../../scripts/migrations/dump'
import {
  applyMigrations,
  CREATE_LEDGER,
  insertLedgerRow,
  listMigrations,
  readMigration,
} from '../../scripts/migrations/files'

const folder = path.join(import.meta.dirname, 'releases')

/** The newest migration of each release whose rows lie in `releases`. */
const LAST_MIGRATIONS: Record<string, string> = { '0.2.0.sql': '0014_fills.sql' }

const readAll = (database: DatabaseSync, sql: string) => {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement.all()
}

/** The tables of a release with its rows. Triggers come last, because the rows are the work of triggers too. */
function openRelease(file: string): DatabaseSync {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  const names = listMigrations()
  database.exec(`${CREATE_LEDGER};`)
  for (const name of names.slice(0, names.indexOf(LAST_MIGRATIONS[file] ?? '') + 1))
    database.exec(readMigration(name) + insertLedgerRow(name))
  const triggers = readAll(database, `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`)
  // The tables of a full-text index are written by hand here.
  database.enableDefensive(false)
  database.exec(`BEGIN; ${readFileSync(path.join(folder, file), 'utf8')} COMMIT;`)
  for (const { sql } of triggers) database.exec(String(sql))
  return database
}

const listSchema = (database: DatabaseSync) =>
  readAll(database, 'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name')

const listTables = (database: DatabaseSync): string[] =>
  readAll(
    database,
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations' ORDER BY name`,
  ).map(({ name }) => String(name))

const countRows = (database: DatabaseSync, tables: readonly string[]) =>
  Object.fromEntries(
    tables.map((name) => [name, Number(readAll(database, `SELECT count(*) AS n FROM "${name}"`)[0]?.n)]),
  )

test('each release before has its rows', () => {
  expect(globSync('*.sql', { cwd: folder })).toEqual(Object.keys(LAST_MIGRATIONS))
})

test.each(Object.keys(LAST_MIGRATIONS))('the migrations keep the rows of release %s', async (file) => {
  const database = openRelease(file)
  const before = countRows(database, listTables(database))
  expect(Object.values(before).filter(Boolean).length).toBeGreaterThan(40)
  await applyMigrations({
    run: async (statements) => statements.map((sql) => readAll(database, sql)),
    execute: async (sql) => database.exec(`BEGIN; ${sql}; COMMIT;`),
  })
  expect(readAll(database, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(readAll(database, 'PRAGMA foreign_key_check')).toEqual([])
  // A migration may say that a table without rows needs no fill.
  expect(countRows(database, Object.keys(before))).toEqual({ ...before, fills: expect.any(Number) })
  expect(listSchema(database)).toEqual(listSchema(createMigratedDatabase()))
})
