import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { unstable_splitSqlQuery as split } from 'wrangler'
import { createDatabase, createMigratedDatabase, describeDatabase, dumpDatabase } from '../../scripts/migrations/dump'
import { applyMigrations, BASELINE_FILE, listHeldMigrations, listMigrations } from '../../scripts/migrations/files'
import { root } from '../../scripts/wrangler'

const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-baseline-'))
afterAll(() => rmSync(folder, { recursive: true }))

const REMEDY = `Change no landed migration, and do not edit ${BASELINE_FILE}. Run: npm run baseline`

const baseline = readFileSync(path.join(root, BASELINE_FILE), 'utf8')
const statements = split(baseline).map((statement) => `${statement.replace(/;\s*$/, '')};\n`)
const names = listMigrations()
const migrated = describeDatabase(createMigratedDatabase())

function execute(...texts: string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const text of texts) database.exec(text)
  return database
}

/** Writes a checkout with a baseline and migrations on top of the present migrations. */
function writeCheckout(name: string, text: string, later: Record<string, string> = {}): string {
  const checkout = path.join(folder, name)
  cpSync(path.join(root, 'migrations'), path.join(checkout, 'migrations'), { recursive: true })
  writeFileSync(path.join(checkout, BASELINE_FILE), text)
  for (const [file, sql] of Object.entries(later)) writeFileSync(path.join(checkout, 'migrations', file), sql)
  return checkout
}

test('a new database has the schema, the rows and the ledger of the migrations', () => {
  expect(describeDatabase(createDatabase()), REMEDY).toEqual(migrated)
  expect(Object.keys(migrated).length).toBeGreaterThan(600)
})

test('the baseline is as new as the newest release', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  expect(baseline, `Version ${version} is newer than the baseline. Run: npm run baseline`).toContain(
    `at version ${version}.`,
  )
  // A contributor who adds a migration leaves the baseline as it is.
  expect(listHeldMigrations(baseline)).toEqual(names.slice(0, listHeldMigrations(baseline).length))
})

test.each([
  ['without an index', /^CREATE INDEX IF NOT EXISTS subscriptions_erase .*;\n/m, ''],
  [
    'with another column in an index',
    'subscriptions_erase ON subscriptions (erase_at)',
    'subscriptions_erase ON subscriptions (id)',
  ],
  ['with another trigger', 'VALUES (NEW.id, NEW.created_at);', 'VALUES (NEW.id, 0);'],
  ['without a trigger', /^CREATE TRIGGER IF NOT EXISTS subscriptions_portal [\s\S]*?\nEND;\n/m, ''],
  ['with another default', 'role TEXT NOT NULL,', "role TEXT NOT NULL DEFAULT 'member',"],
  ['without a setting of the search', /^INSERT INTO search \(search, rank\) .*\n/m, ''],
  ['with a row', /$/, "INSERT INTO refusal SELECT 'x' WHERE 0; INSERT INTO fills (name, position) VALUES ('a', 1);"],
  ['without a row of the ledger', /^INSERT INTO d1_migrations .*0020_exports.*\n/m, ''],
  ['with another view', 'SELECT NULL AS reason WHERE 0', 'SELECT NULL AS reason WHERE 1'],
])('a baseline %s differs', (_, find, replacement) => {
  const changed = baseline.replace(find, replacement)
  expect(changed).not.toBe(baseline)
  expect(describeDatabase(execute(changed))).not.toEqual(migrated)
})

test('each statement of a baseline counts', () => {
  const changes = statements
    .map((_, n) => statements.toSpliced(n, 1))
    .filter((_, n) => n % 12 === 0)
    .map((rest) => isChange(rest.join('')))
  expect(changes).not.toContain(false)
  expect(changes.filter((change) => change === true).length).toBeGreaterThan(25)
})

/** Whether the database differs from the migrated database. Undefined if no database is created. */
function isChange(text: string): boolean | undefined {
  try {
    return !isDeepStrictEqual(describeDatabase(execute(text)), migrated)
  } catch {
    return undefined
  }
}

test.each([13, 20, 31, 42, 51, names.length - 1])(
  'later migrations come on top of a baseline of %i migrations',
  (n) => {
    const held = names.slice(0, n)
    const checkout = writeCheckout(`held-${n}`, dumpDatabase(createMigratedDatabase(held), held))
    expect(describeDatabase(createDatabase(checkout))).toEqual(migrated)
  },
)

const NEXT = `${String(names.length + 1).padStart(4, '0')}_next.sql`
const NEXT_SQL = `ALTER TABLE users ADD COLUMN nickname TEXT;
CREATE TABLE IF NOT EXISTS planets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, size REAL, code BLOB,
  twice REAL GENERATED ALWAYS AS (size * 2) VIRTUAL);
CREATE TABLE IF NOT EXISTS moons (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO planets (id, name, size, code) VALUES (3, 'Mars', 0.1, X'00FF'), (9, 'O''Neill -- x', NULL, X'') ON CONFLICT DO NOTHING;
CREATE TRIGGER IF NOT EXISTS planets_moon AFTER INSERT ON planets
BEGIN
  INSERT INTO moons (name) VALUES (NEW.name);
END;
INSERT INTO planets (id, name, size) VALUES (10, 'Vesta', 1e300) ON CONFLICT DO NOTHING;
DROP TRIGGER IF EXISTS subscriptions_portal;
CREATE TRIGGER IF NOT EXISTS subscriptions_portal AFTER INSERT ON subscriptions
BEGIN
  INSERT INTO portals (subscription_id, updated_at) VALUES (NEW.id, 0);
END;
DROP INDEX IF EXISTS subscriptions_erase;
CREATE INDEX IF NOT EXISTS subscriptions_erase ON subscriptions (erase_at, id) WHERE erase_at IS NOT NULL;
`

test('a new migration needs no new baseline, and a new baseline holds its rows', () => {
  const all = [...names, NEXT]
  const checkout = writeCheckout('next', baseline, { [NEXT]: NEXT_SQL })
  const oneByOne = createMigratedDatabase(all, checkout)
  expect(describeDatabase(createDatabase(checkout))).toEqual(describeDatabase(oneByOne))
  const renewed = writeCheckout('renewed', dumpDatabase(oneByOne, all), { [NEXT]: NEXT_SQL })
  const database = createDatabase(renewed)
  expect(describeDatabase(database)).toEqual(describeDatabase(oneByOne))
  expect(database.prepare('SELECT name FROM moons').all()).toEqual([{ name: 'Vesta' }])
})

const applyTo = (database: DatabaseSync) =>
  applyMigrations({
    run: async (statements) => statements.map((statement) => database.prepare(statement).all()),
    execute: async (sql) => database.exec(`BEGIN;\n${sql}\nCOMMIT`),
  })

test('migrations complete a database that holds a part of the baseline, and repeat nothing', async () => {
  const ledger = statements.findIndex((statement) => statement.includes('d1_migrations'))
  for (const count of [0, 1, 100, 250, 400, ledger, ledger + 1]) {
    const database = execute(statements.slice(0, count).join(''))
    expect(await applyTo(database)).toEqual(names)
    expect(listRepeated(describeDatabase(database)), `${count} statements`).toEqual(listRepeated(migrated))
    expect(await applyTo(database)).toEqual([])
  }
})

/** Leaves out the order of creation, the counter of changes of a full-text index, and the last number of the ledger. */
const listRepeated = (described: Record<string, unknown>) =>
  Object.entries(described).filter(
    ([key]) => !/^(index|trigger) order of|^rows of (search\w*_data|sqlite_sequence)$/.test(key),
  )

test('a new baseline can be applied again', () => {
  expect(listRepeated(describeDatabase(execute(baseline, baseline)))).toEqual(
    listRepeated(describeDatabase(execute(baseline))),
  )
})
