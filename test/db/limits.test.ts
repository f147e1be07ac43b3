import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'

// Runs on D1 and on Node, so that the database on Node refuses what D1 refuses, with the same words.

/** Rows, or the error without the place in the text. */
async function run(text: string, values: readonly unknown[]): Promise<unknown> {
  try {
    return (
      await env.DB.prepare(text)
        .bind(...values)
        .all()
    ).results
  } catch (cause) {
    return (cause as Error).message.replace(/ at offset \d+| \(extended: \w+\)$/, '')
  }
}

const join = (count: number, separator: string, item: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n + 1)).join(separator)

const values = (count: number) => Array.from({ length: count }, () => 1)
const sum = (terms: number) => `SELECT ${join(terms, ' + ', () => '1')} AS x`
const rows = (terms: number) => join(terms, ' UNION ALL ', () => 'SELECT 1 AS x')
const columns = (count: number) => `SELECT ${join(count, ', ', (n) => `1 AS c${n}`)}`
const list = (count: number) => `SELECT json_array_length(json_array(${join(count, ', ', () => '1')})) AS x`
const parameters = (count: number) => `SELECT max(${join(count, ', ', (n) => `?${n}`)}) AS x`
const literal = (length: number) => `SELECT length('${'x'.repeat(length)}') AS x`

const WRONG_COUNT = 'D1_ERROR: Wrong number of parameter bindings for SQL query.'
const TOO_DEEP = 'D1_ERROR: Expression tree is too large (maximum depth 100): SQLITE_ERROR'

const CASES: [what: string, text: string, values: readonly unknown[], outcome: unknown][] = [
  ['100 parameters', parameters(100), values(100), [{ x: 1 }]],
  [
    '101 parameters',
    parameters(101),
    values(101),
    'D1_ERROR: variable number must be between ?1 and ?100: SQLITE_ERROR',
  ],
  ['too few values', 'SELECT ?1 + ?2 AS x', [1], WRONG_COUNT],
  ['too many values', 'SELECT ?1 AS x', [1, 2], WRONG_COUNT],
  ['an expression of depth 100', sum(100), [], [{ x: 100 }]],
  ['an expression of depth 101', sum(101), [], TOO_DEEP],
  ['five SELECTs', rows(5), [], values(5).map((x) => ({ x }))],
  ['six SELECTs', rows(6), [], 'D1_ERROR: too many terms in compound SELECT: SQLITE_ERROR'],
  ['101 columns', columns(101), [], 'D1_ERROR: too many columns in result set: SQLITE_ERROR'],
  ['127 arguments', list(127), [], [{ x: 127 }]],
  ['128 arguments', list(128), [], 'D1_ERROR: too many arguments on function json_array: SQLITE_ERROR'],
  ['a pattern of 50 bytes', `SELECT 'a' LIKE ? AS x`, ['a'.repeat(50)], [{ x: 0 }]],
  [
    'a pattern of 51 bytes',
    `SELECT 'a' LIKE ? AS x`,
    ['a'.repeat(51)],
    'D1_ERROR: LIKE or GLOB pattern too complex: SQLITE_ERROR',
  ],
  ['a text of 99,900 bytes', literal(99_900), [], [{ x: 99_900 }]],
  ['a text of 100,001 bytes', literal(100_001), [], 'D1_ERROR: statement too long: SQLITE_TOOBIG'],
  ['a number', 'SELECT typeof(?) AS x', [1], [{ x: 'real' }]],
  ['a boolean', 'SELECT ? AS x', [true], [{ x: 1 }]],
  ['bytes', 'SELECT ? AS x', [new Uint8Array([1, 2])], [{ x: [1, 2] }]],
  ['undefined', 'SELECT ? AS x', [undefined], `D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'`],
  ['an object', 'SELECT ? AS x', [{}], `D1_TYPE_ERROR: Type 'object' not supported for value '[object Object]'`],
  ['foreign keys', 'PRAGMA foreign_keys', [], [{ foreign_keys: 1 }]],
  [
    'a second row of one name',
    'INSERT INTO d1_migrations (name) SELECT name FROM d1_migrations',
    [],
    'D1_ERROR: UNIQUE constraint failed: d1_migrations.name: SQLITE_CONSTRAINT',
  ],
]

test.each(CASES)('%s', async (_, text, values, outcome) => {
  expect(await run(text, values)).toEqual(outcome)
})
