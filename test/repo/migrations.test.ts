import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { unstable_splitSqlQuery as splitBySqlite } from 'wrangler'
import { applyDeployedMigrations, readBookmark } from '../../scripts/deploy/migrations'
import {
  BASELINE_FILE,
  findOldSchemaMessage,
  leaveOutColumns,
  listMigrations,
  readCreationSql,
  readMigration,
} from '../../scripts/migrations/files'
import { applyLocalMigrations } from '../../scripts/migrations/local'
import { startCloudflare } from './cloudflare'

const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

const migrations = listMigrations().map((name) => ({ name, text: readMigration(name) }))
// D1 refuses a longer statement.
const MAX_STATEMENT_BYTES = 100_000

const TEXT_OR_COMMENT = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g

/** Splits at semicolons outside a body. The words of a body are case-sensitive and end with a space or a line feed. */
function splitByWords(text: string, opening: readonly string[]): string[] {
  const statements = ['']
  let depth = 0
  for (const token of text.match(/[^\s;]+[ \n]?|[\s;]/g) ?? []) {
    if (opening.some((word) => token === `${word} ` || token === `${word}\n`)) depth++
    else if (token.trim() === 'END' && depth > 0) depth--
    if (token === ';' && depth === 0) statements.push('')
    else statements[statements.length - 1] += token
  }
  return statements.map((statement) => statement.trim()).filter(Boolean)
}

/** Problems of a migration for servers that split a file by simple rules. */
function splitProblems(text: string): string[] {
  const statements = splitBySqlite(text)
    .map((statement) => statement.replace(/;\s*$/, ''))
    .join('\n;\n')
  const quoted = (text.match(TEXT_OR_COMMENT) ?? []).filter((part) =>
    part.startsWith('--') || part.startsWith('/*') ? /[;'"]/.test(part) : part.includes(';'),
  )
  return [
    ...(splitByWords(text, ['BEGIN']).join('\n;\n') === statements ? [] : ['a body that begins at BEGIN']),
    ...(splitByWords(text, ['BEGIN', 'CASE']).join('\n;\n') === statements
      ? []
      : ['a body that begins at BEGIN or CASE']),
    ...quoted.map((part) => `a semicolon or a quotation mark in ${part}`),
  ]
}

const schemaOf = (database: DatabaseSync) =>
  database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid').all()

const creation = { name: BASELINE_FILE, text: readCreationSql() }
test.each([...migrations, creation])('three ways to split $name into statements agree', ({ text }) => {
  const remedy = 'Write BEGIN and END in upper case, LF, iif() for CASE, and no semicolon in a text or a comment.'
  expect(splitProblems(text), remedy).toEqual([])
  expect(text).not.toContain('\r')
  for (const statement of splitBySqlite(text)) expect(Buffer.byteLength(statement)).toBeLessThan(MAX_STATEMENT_BYTES)
})

const BODY = `CREATE TABLE a (b TEXT);
CREATE TRIGGER t AFTER INSERT ON a
BEGIN
  UPDATE a SET b = 'x' WHERE b = NEW.b;
  SELECT 1;
END;
INSERT INTO a VALUES ('y');`

test.each([
  ['nothing', BODY, 0],
  ['CASE', BODY.replace("'x'", "CASE WHEN b = 'z' THEN 'x' END"), 1],
  ['begin in lower case', BODY.replace('BEGIN', 'begin'), 2],
  ['CRLF', BODY.replaceAll('\n', '\r\n'), 2],
  ['a semicolon in a text of a body', BODY.replace("'x'", "'; END;'"), 3],
  ['a semicolon in a comment of a body', BODY.replace('SELECT', '-- first; second\n  SELECT'), 1],
  ['an apostrophe in a comment', `-- it's here\n${BODY}`, 1],
])('a migration with %s has problems to split', (_, text, count) => {
  expect(splitBySqlite(text)).toHaveLength(3)
  expect(splitProblems(text)).toHaveLength(count)
})

test('the statements of the migrations create the same database in one call and one by one', () => {
  const [whole, single] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
  for (const { text } of migrations) {
    whole.exec(text)
    for (const statement of splitBySqlite(text)) single.exec(statement)
  }
  expect(schemaOf(single)).toEqual(schemaOf(whole))
})

/** Columns of all tables, as `table.column`. */
const columnsOf = (database: DatabaseSync) =>
  new Set(
    database
      .prepare("SELECT t.name || '.' || c.name AS name FROM sqlite_schema t JOIN pragma_table_info(t.name) c")
      .all()
      .map(({ name }) => String(name)),
  )

test('each migration can be applied again', () => {
  const database = new DatabaseSync(':memory:')
  for (const { name, text } of migrations) {
    database.exec(text)
    const before = schemaOf(database)
    expect(() => database.exec(leaveOutColumns(text, columnsOf(database))), name).not.toThrow()
    expect(schemaOf(database), name).toEqual(before)
  }
  const added = 'ALTER TABLE users ADD COLUMN nickname TEXT;\nALTER TABLE users ADD COLUMN email TEXT;\n'
  expect(leaveOutColumns(added, columnsOf(database))).toBe('ALTER TABLE users ADD COLUMN nickname TEXT;\n\n')
})

const writeMigrations = (name: string, files: Record<string, string>) => {
  const to = path.join(folder, name, 'migrations')
  mkdirSync(to, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(to, file), text)
  return path.join(folder, name)
}
const TABLE = `CREATE TABLE IF NOT EXISTS a (b TEXT);
CREATE TRIGGER IF NOT EXISTS a_copied AFTER INSERT ON a WHEN NEW.b = 'once'
BEGIN
  INSERT INTO a VALUES (iif(NEW.b = 'once', 'twice', ''));
  SELECT 1;
END;
INSERT INTO a SELECT 'once' WHERE NOT EXISTS (SELECT 1 FROM a);
`
const silent = () => undefined

test('a deployment imports each file with its row of the ledger, and repeats a file that failed', async () => {
  const cloudflare = await startCloudflare()
  try {
    const broken = 'ALTER TABLE a ADD COLUMN c TEXT;\nALTER TABLE nobody ADD COLUMN d TEXT;\n'
    const checkout = writeMigrations('remote', { '0001_a.sql': `${TABLE}INSERT INTO somebody VALUES (1);\n` })
    await expect(applyDeployedMigrations({ checkout, say: silent })).rejects.toThrow('somebody')
    expect(cloudflare.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([
      { name: 'd1_migrations' },
      { name: 'sqlite_sequence' },
    ])
    writeMigrations('remote', { '0001_a.sql': TABLE })
    expect(await applyDeployedMigrations({ checkout, say: silent })).toEqual(['0001_a.sql'])
    writeMigrations('remote', { '0002_c.sql': broken })
    await expect(applyDeployedMigrations({ checkout, say: silent })).rejects.toThrow('nobody')
    expect(cloudflare.rows('SELECT name FROM d1_migrations')).toEqual([{ name: '0001_a.sql' }])

    // An import that ends without an answer has added the column.
    cloudflare.database.exec('ALTER TABLE a ADD COLUMN c TEXT')
    writeMigrations('remote', { '0002_c.sql': broken.replace('nobody', 'a') })
    expect(await applyDeployedMigrations({ checkout, say: silent })).toEqual(['0002_c.sql'])
    expect(cloudflare.rows('SELECT b, c, d FROM a')).toEqual([
      { b: 'once', c: null, d: null },
      { b: 'twice', c: null, d: null },
    ])
    expect(cloudflare.rows('SELECT id, name FROM d1_migrations')).toEqual([
      { id: 1, name: '0001_a.sql' },
      { id: 2, name: '0002_c.sql' },
    ])
    expect(cloudflare.imports).toEqual([
      'failed: no such table: somebody',
      'complete',
      'failed: no such table: nobody',
      'complete',
    ])
    expect(cloudflare.queries.join('\n')).not.toMatch(/TRIGGER|ALTER/)
    expect(await readBookmark('production')).toBe('00000001-00000002')
  } finally {
    await cloudflare.stop()
  }
}, 240_000)

test('a database from before the baseline is refused with the way to keep its records', async () => {
  expect(findOldSchemaMessage([])).toBeUndefined()
  expect(findOldSchemaMessage(migrations.map(({ name }) => name))).toBeUndefined()
  const state = path.join(folder, 'old')
  const file = path.join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject', '1.sqlite')
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
    INSERT INTO d1_migrations (name) VALUES ('0001_tenancy.sql'), ('0086_plain_names.sql')`)
  database.close()
  const refused = expect(applyLocalMigrations(state)).rejects
  await refused.toThrow(/created before version 0\.2\.0 \(first migration: 0001_tenancy\.sql\)/)
  await refused.toThrow(/backlog\/export[\s\S]*rm -r '.*old'/)
})
