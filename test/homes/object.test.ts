import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createUniqueId } from '../unique'
import { openObjectHome } from './object-database'

type Outcome = { value: unknown } | { error: string; cause: string | undefined }

async function outcomeOf(action: Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await action }
  } catch (error) {
    const { message, cause } = error as Error
    return { error: message, cause: cause instanceof Error ? cause.message : undefined }
  }
}

/** Runs an action on D1 and on a new object, expects equal outcomes and returns the outcome. */
async function expectSameOutcome(run: (database: D1Database) => Promise<unknown>): Promise<Outcome> {
  const object = openObjectHome(env.HOME.getByName(createUniqueId()))
  const expected = await outcomeOf(run(env.D1))
  expect(await outcomeOf(run(object))).toEqual(expected)
  return expected
}

/** Creates a table with a new name, because D1 is shared by the tests. */
async function withTable<T>(database: D1Database, use: (table: string) => Promise<T>): Promise<T> {
  await database.prepare('DROP TABLE IF EXISTS sample').run()
  await database.prepare('CREATE TABLE sample (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER)').run()
  return use('sample')
}

test('the service runs on the object, with all migrations', async () => {
  const { results } = await env.DB.prepare('SELECT name FROM d1_migrations ORDER BY id').all<{ name: string }>()
  expect(results.map(({ name }) => name)).toEqual(env.MIGRATIONS)
  const inD1 = await env.D1.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'work_items'").first('n')
  expect(inD1).toBe(0)
})

const VALUES: Record<string, unknown> = {
  'a text': 'Zürich, 東京 and 🦫',
  'an empty text': '',
  'a text with a null byte': 'before\0after',
  'a text with half a character': 'a\ud83dz',
  'a text that looks like a number': '7.0',
  null: null,
  'a whole number': 7,
  'a negative zero': -0,
  'the largest safe integer': Number.MAX_SAFE_INTEGER,
  'a larger integer': 2 ** 62,
  'a fraction': 0.1,
  'an infinite number': Number.POSITIVE_INFINITY,
  'no number': Number.NaN,
  true: true,
  false: false,
  'a buffer': new Uint8Array([0, 255, 7]).buffer,
  'an empty buffer': new ArrayBuffer(0),
  'a part of a buffer': new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
  'an array of bytes': [0, 128, 255],
  'an array of texts': ['a'],
  'an object': {},
  undefined: undefined,
  'a big integer': 7n,
}

test.each(Object.entries(VALUES))('%s as a parameter has the outcome of D1', async (_, value) => {
  await expectSameOutcome(async (database) => {
    const text = 'SELECT ?1 AS value, typeof(?1) AS type, hex(?1) AS bytes, length(?1) AS length'
    return database
      .prepare(text)
      .bind(value)
      .all()
      .then(({ results }) => results)
  })
})

test.each([
  'SELECT 9007199254740993 AS n, -9223372036854775807 AS m',
  'SELECT 9e999 AS n, -9e999 AS m',
  "SELECT x'00ff' AS bytes, 'a' || char(0) || 'b' AS text",
  'SELECT 1 AS n, 2 AS n',
  'SELECT 1 AS n WHERE 0',
])('%s has the rows and columns of D1', async (text) => {
  const answer = await expectSameOutcome(async (database) => [
    await database.prepare(text).raw({ columnNames: true }),
    await database.prepare(text).raw(),
    await database.prepare(text).first(),
    (await database.batch([database.prepare(text)])).map(({ results }) => results),
  ])
  expect(answer).toHaveProperty('value')
})

test('a column of the first row is answered, and an unknown column is an error', async () => {
  const first = (column: string) => (database: D1Database) => database.prepare('SELECT 7 AS n').first(column)
  expect(await expectSameOutcome(first('n'))).toEqual({ value: 7 })
  expect(await expectSameOutcome(first('m'))).toHaveProperty('error', expect.stringContaining('D1_COLUMN_NOTFOUND'))
})

test('a statement takes 100 parameters, and 101 are an error', async () => {
  const bind = (count: number) => (database: D1Database) => {
    const places = Array.from({ length: count }, (_, n) => `?${n + 1}`)
    return database
      .prepare(`SELECT ${places.join(' + ')} AS sum`)
      .bind(...places.map((_, n) => n))
      .first('sum')
  }
  expect(await expectSameOutcome(bind(100))).toEqual({ value: 4950 })
  expect(await expectSameOutcome(bind(101))).toHaveProperty('error', expect.stringContaining('D1_ERROR'))
})

test.each([
  'SELECT * FROM missing',
  'SELECT missing FROM sample',
  'SELEC 1',
  "INSERT INTO sample (name) VALUES ('taken')",
  "INSERT INTO guard VALUES ('product_not_found:7')",
  'BEGIN',
])('%s fails with the error of D1', async (text) => {
  const answer = await expectSameOutcome((database) =>
    withTable(database, async () => {
      await database.batch([
        database.prepare("INSERT INTO sample (name) VALUES ('taken')"),
        database.prepare('DROP VIEW IF EXISTS guard'),
        database.prepare('CREATE VIEW guard AS SELECT NULL AS reason WHERE 0'),
        database.prepare(
          'CREATE TRIGGER guard_aborts INSTEAD OF INSERT ON guard BEGIN SELECT RAISE(ABORT, NEW.reason); END',
        ),
      ])
      return database.prepare(text).all()
    }),
  )
  expect(answer).toHaveProperty('error', expect.stringMatching(/^D1_ERROR: /))
})

test('a batch that fails in the middle stores nothing', async () => {
  const answer = await expectSameOutcome((database) =>
    withTable(database, async () => {
      const insert = database.prepare('INSERT INTO sample (name) VALUES (?)')
      const failed = await outcomeOf(database.batch([insert.bind('one'), insert.bind('two'), insert.bind('one')]))
      return { failed, kept: await database.prepare('SELECT count(*) AS n FROM sample').first('n') }
    }),
  )
  expect(answer).toEqual({ value: { failed: expect.objectContaining({ error: expect.any(String) }), kept: 0 } })
})

test('each of two batches at the same time sees only whole batches', async () => {
  const counts = await expectSameOutcome((database) =>
    withTable(database, async () => {
      const insert = database.prepare('INSERT INTO sample (size) VALUES (?)')
      const count = database.prepare('SELECT count(*) AS n FROM sample')
      const batches = [1, 2, 3, 4].map((size) =>
        database.batch<{ n: number }>([insert.bind(size), insert.bind(size), count]),
      )
      const found = (await Promise.all(batches)).map((results) => results.at(-1)?.results[0]?.n ?? 0)
      return found.toSorted((one, other) => one - other)
    }),
  )
  expect(counts).toEqual({ value: [2, 4, 6, 8] })
})

test('the counts of rows, changes and ids are the counts of D1', async () => {
  const answer = await expectSameOutcome((database) =>
    withTable(database, async () => {
      const results = await database.batch([
        database.prepare("INSERT INTO sample (name, size) SELECT 'n' || value, value FROM json_each('[1,2,3]')"),
        database.prepare('UPDATE sample SET size = size + 1 WHERE size > 1'),
        database.prepare('SELECT * FROM sample WHERE id = 2'),
        database.prepare('SELECT count(*) FROM sample'),
        database.prepare('DELETE FROM sample WHERE id = 3 RETURNING name'),
      ])
      return results.map(({ results, meta }) => ({
        results,
        ...{ changes: meta.changes, id: meta.last_row_id, read: meta.rows_read, written: meta.rows_written },
        ...{ changed: meta.changed_db, primary: meta.served_by_primary, size: meta.size_after > 0 },
      }))
    }),
  )
  expect(answer).toHaveProperty('value.0.changes', 3)
})

test('a session has a bookmark after its first answer', async () => {
  const session = openObjectHome(env.HOME.getByName('bookmark')).withSession('first-primary')
  expect(session.getBookmark()).toBeNull()
  await session.prepare('SELECT 1').run()
  expect(session.getBookmark()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/)
})

test('a statement of D1 is refused by an object', async () => {
  const object = openObjectHome(env.HOME.getByName('other'))
  await expect(object.batch([env.D1.prepare('SELECT 1')])).rejects.toThrow('not prepared by this database')
})
