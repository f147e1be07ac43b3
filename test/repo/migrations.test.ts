import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { unstable_readConfig as readConfig } from 'wrangler'
import { GENERATED_MIGRATIONS_FOLDER, generateMigrations, splitMigration } from '../../scripts/deploy/migrations'
import { runWrangler } from '../../scripts/wrangler'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (folder: string) =>
  globSync('*.sql', { cwd: folder })
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }))

/** Runs the statements in a new database, and returns the schema in a comparable form. */
function schemaOf(texts: readonly string[]) {
  const database = new DatabaseSync(':memory:')
  for (const text of texts) database.exec(text)
  const space = (sql: unknown) =>
    String(sql)
      .replace(/--[^\n]*/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/ ?([(),]) ?/g, '$1')
  return database
    .prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
    .map(({ type, name, sql }) => [type, name, space(sql)])
}

test('the generated migrations create the same database with one statement per line in the same order', () => {
  const to = path.join(folder, 'all')
  const names = generateMigrations(path.join(root, 'migrations'), to)
  const generated = read(to)
  expect(generated.map(({ name }) => name)).toEqual(names)
  expect(names).toEqual(names.toSorted())
  const written = read(path.join(root, 'migrations')).map(({ text }) => text)
  expect(schemaOf(generated.map(({ text }) => text))).toEqual(schemaOf(written))
  const wrong = generated.filter(({ text }) => {
    const bare = text.replace(/'(?:[^']|'')*'/g, "''")
    const inner = /^CREATE TRIGGER /.test(text) ? bare.replace(/ BEGIN .* END;\n$/, ';\n') : bare
    return !/^[^\n;]+;\n$/.test(inner) || /--|\/\*/.test(bare)
  })
  expect(wrong, 'Write each statement without comments, and a trigger on one line.').toEqual([])
})

test('the migration of the log keeps events that are written, changed or deleted between its steps', () => {
  const database = new DatabaseSync(':memory:')
  const all = read(path.join(root, 'migrations'))
  for (const { text } of all.slice(0, 74)) database.exec(text)
  const insertEvent = (into: string, subscription: number, id: number, data: string) =>
    database
      .prepare(`INSERT INTO ${into} (subscription_id, id, type, resource_key, data, created_at, request_id)
        VALUES (?, ?, 'epic.created', 'EP-1', ?, 5, 'r')`)
      .run(subscription, id, data)
  const listRows = (from: string) =>
    database.prepare(`SELECT subscription_id AS s, id, data FROM ${from} ORDER BY 1, 2`).all()
  for (const id of [1, 2, 3]) insertEvent('events', 1, id, `one ${id}`)
  for (const id of [1, 2]) insertEvent('events', 70_000, id, `other ${id}`)

  const steps = splitMigration(all[74]?.text ?? '')
  const end = steps.indexOf('DROP TABLE events;')
  for (const [n, step] of steps.slice(0, end).entries()) {
    database.exec(step)
    const [first, second, third] = [1, 2, 3].map((id) => 10 + n * 3 + id)
    for (const id of [first, second, third]) insertEvent('events', 1, id ?? 0, 'told')
    database.exec(`UPDATE events SET data = 'again' WHERE id = ${second}`)
    database.exec(`DELETE FROM events WHERE id = ${third}`)
  }
  const kept = listRows('events')
  expect(kept.length).toBeGreaterThan(30)
  for (const step of steps.slice(end)) database.exec(step)
  expect(listRows('log')).toEqual(kept)

  database.exec("INSERT INTO subscriptions (id, name, created_at) VALUES (9, 'Nine', 0)")
  insertEvent('told', 9, 1, 'x')
  expect(database.prepare('SELECT last_insert_rowid() AS id').get()).toEqual({ id: 9 })
  expect(listRows('log').filter(({ s }) => s === 9)).toEqual([{ s: 9, id: 1, data: 'x' }])
})

test('the migration writes the search words of every table as the triggers write them', () => {
  const database = new DatabaseSync(':memory:')
  const all = read(path.join(root, 'migrations'))
  for (const { text } of all.slice(0, 72)) database.exec(text)
  database.exec('PRAGMA ignore_check_constraints = ON')
  const tables = database
    .prepare(
      "SELECT tbl_name AS name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%INTO search (%' AND name GLOB '*_insert'",
    )
    .all()
    .map(({ name }) => String(name))
  expect(tables.length).toBeGreaterThan(5)
  for (const table of tables) {
    const columns = database.prepare('SELECT * FROM pragma_table_info(?)').all(table)
    const given = columns.filter(
      ({ name, notnull, dflt_value }) => (notnull && dflt_value === null) || name === 'description',
    )
    const names = given.map(({ name }) => `"${name}"`)
    for (const id of [1, 2, 3, 4, 5]) {
      const values = given.map(({ type }) => (type === 'INTEGER' ? 7 : `<p>needle nine</p> ${id}`))
      const marks = values.map(() => '?')
      database.prepare(`INSERT INTO ${table} (id, ${names}) VALUES (${id}, ${marks})`).run(...values)
    }
  }
  const found = () =>
    ['need*', 'ne*', 'nine', 'scope: s7k5', 'scope: s7k4'].map((query) =>
      database.prepare('SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid').all(query),
    )
  const before = found()
  expect(before.every((rows) => rows.length >= 5)).toBe(true)
  for (const { text } of all.slice(72)) database.exec(text)
  expect(found()).toEqual(before)
})

test('the migration renumbers orders with a shared rank and leaves other orders alone', () => {
  const database = new DatabaseSync(':memory:')
  const all = read(path.join(root, 'migrations'))
  const at = all.findIndex(({ name }) => name.endsWith('places_of_removed_items.sql'))
  for (const { text } of all.slice(0, at)) database.exec(text)
  const rows: [id: number, product: number, rank: string, deletedAt: number | null][] = [
    [1, 1, 'k10000000002', null],
    [2, 1, 'k10000000001', 5],
    [3, 1, 'k10000000001', null],
    [4, 2, 'k10000000004', null],
    [5, 2, 'k10000000004V', 5],
  ]
  for (const [id, product, rank, deletedAt] of rows)
    database
      .prepare(`INSERT INTO work_items (id, subscription_id, product_id, type, external_key, rank, summary, created_at, updated_at, deleted_at)
        VALUES (?1, 1, ?2, 'epic', 'EP-' || ?1, ?3, 'E', 0, 0, ?4)`)
      .run(id, product, rank, deletedAt)
  database.exec(all[at]?.text ?? '')
  expect(database.prepare('SELECT id, rank FROM work_items ORDER BY product_id, rank').all()).toEqual([
    { id: 2, rank: 'k10000000001' },
    { id: 3, rank: 'k10000000002' },
    { id: 1, rank: 'k10000000003' },
    { id: 4, rank: 'k10000000004' },
    { id: 5, rank: 'k10000000004V' },
  ])
})

test.each([
  ["-- it's; here\nCREATE TABLE a (b TEXT); -- and; that's it\n", ['CREATE TABLE a (b TEXT);']],
  [
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE a SET b = '--x; ''y''';\n  SELECT 1;\nEND;",
    ["CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = '--x; ''y'''; SELECT 1; END;"],
  ],
  ["INSERT INTO a VALUES ('a\n  b');/* ' ; */ SELECT 1", ["INSERT INTO a VALUES ('a\n  b');", 'SELECT 1;']],
  ['\n-- nothing\n', []],
])('the statements of %j', (file, statements) => {
  expect(splitMigration(file)).toEqual(statements)
})

test('a deploy applies the generated migrations, and the next run continues after a failed run', async () => {
  const { d1_databases } = readConfig({ config: path.join(root, 'wrangler.toml'), env: 'production' })
  expect(path.resolve(root, d1_databases[0]?.migrations_dir ?? '')).toBe(GENERATED_MIGRATIONS_FOLDER)

  const cwd = path.join(folder, 'failing')
  const [from, to] = [path.join(cwd, 'written'), path.join(cwd, 'migrations')]
  mkdirSync(from, { recursive: true })
  writeFileSync(
    path.join(cwd, 'wrangler.toml'),
    'name = "x"\n[[d1_databases]]\nbinding = "DB"\ndatabase_name = "x"\ndatabase_id = "x"\nmigrations_dir = "migrations"\n',
  )
  const apply = () => runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', cwd], { cwd })
  const written = (last: string) =>
    writeFileSync(path.join(from, '0001_a.sql'), `CREATE TABLE a (b TEXT);\nINSERT INTO a VALUES ('once');\n${last}`)
  written('ALTER TABLE nobody ADD COLUMN c TEXT;')
  generateMigrations(from, to)
  await expect(apply()).rejects.toThrow('nobody')
  written('ALTER TABLE a ADD COLUMN c TEXT;')
  generateMigrations(from, to)
  await apply()
  const asked = ['d1', 'execute', 'DB', '--local', '--persist-to', cwd, '--json', '--command', 'SELECT * FROM a']
  expect(JSON.parse(await runWrangler(asked, { cwd }))[0].results).toEqual([{ b: 'once', c: null }])
}, 60_000)
