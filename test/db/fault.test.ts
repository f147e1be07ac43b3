import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createDatabaseMeter, runBatch } from '../../src/db/client/batch'
import { StatementFault } from '../../src/db/client/fault'
import { compileSql, inline, statement } from '../../src/db/sql/statement'

const selectId = statement<{ id: number }>(sql`SELECT ${inline(1)} AS id FROM products LIMIT 1`)
const selectArchived = statement<{ id: number }>(sql`SELECT id, archivd AS archived FROM products WHERE id > 1`)

const run = (statements: Parameters<typeof runBatch>[1]) =>
  runBatch(
    env.DB.withSession('first-primary'),
    statements,
    {},
    {
      d1: env.DB,
      meter: createDatabaseMeter(),
      idempotent: true,
      timeout: 10_000,
    },
  ).catch((error: unknown) => error)

test('a misspelled column is reported with its statement, an excerpt, and the file that made the statement', async () => {
  const error = (await run([selectId({}), selectArchived({})])) as StatementFault
  expect(error).toBeInstanceOf(StatementFault)
  expect(error.message).toContain('no such column: archivd')
  expect(error.message).toContain('in statement 2 of 2: SELECT id,»archivd« AS archived FROM products')
  expect(error.stack).toMatch(/test\/db\/fault\.test\.ts:\d+/)
  expect(error.stack).not.toContain('/src/db/')
})

const templates = [
  'SELECT a FROM first WHERE b=?1',
  'INSERT INTO second(c)SELECT ?1',
  'UPDATE third SET d=nosuch(1),e=(SELECT max(e))',
].map((text) => ({ ...compileSql(sql`SELECT 1`), text }))

test.each([
  ['D1_ERROR: no such column: b at offset 26: SQLITE_ERROR', 'statement 1 of 3: SELECT a FROM first WHERE »b«=?1'],
  ['D1_ERROR: no such function: nosuch at offset 19: SQLITE_ERROR', 'statement 3 of 3: UPDATE third SET d=»nosuch«(1)'],
  ['D1_ERROR: misuse of aggregate: max() at offset 39: SQLITE_ERROR', '(SELECT »max«(e))'],
  ['D1_ERROR: NOT NULL constraint failed: second.c: SQLITE_CONSTRAINT', 'statement 2 of 3: INSERT INTO »second«(c)'],
  ['D1_ERROR: table second has no column named c: SQLITE_ERROR', 'statement 2 of 3: INSERT INTO second(»c«)SELECT'],
  ['D1_ERROR: no such table: fourth: SQLITE_ERROR', 'in a batch of 3 statements'],
])('%s', (message, expected) => {
  expect(new StatementFault(new Error(message), templates).message).toContain(expected)
})
