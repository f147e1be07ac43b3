import type { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createDatabase } from '../../scripts/migrations/dump'
import worker, { least } from '../bench/least'
import type { Compared, Result } from '../bench/measure'
import { operations } from '../bench/operations'
import { COLUMNS, createSeedStatements } from '../bench/seed'
import { judge } from '../bench/targets'

const SIZE = 120

function listColumns(database: DatabaseSync) {
  return database
    .prepare(COLUMNS)
    .all()
    .map(({ table, column }) => ({ table: String(table), column: String(column) }))
}

function createFilledDatabase() {
  const database = createDatabase()
  const known = listColumns(database)
  for (const statement of createSeedStatements({ size: SIZE, mailed: 5, jti: 'bench' }, known)) database.exec(statement)
  return { database, known }
}

test('the minimal SQL does each action on the present tables and answers in the same length', async () => {
  const { database } = createFilledDatabase()
  const DB = {
    prepare: (sql: string) => ({
      bind: (...values: (string | number)[]) => ({
        all: async () => ({ results: database.prepare(sql).all(...values) }),
      }),
    }),
  }
  const acts = operations.filter(({ act }) => act)
  expect(acts.map(({ id }) => id).sort()).toEqual([...least].sort())
  const BYTES = JSON.stringify(Object.fromEntries(least.map((id) => [id, 99_000])))
  for (const { id, act, request } of acts) {
    const { method, path, body } = request(7, SIZE)
    const answer = await worker.fetch(
      new Request(`http://bench.test${path}`, { method, ...(body !== undefined && { body }) }),
      { DB, BYTES },
    )
    const text = await answer.text()
    expect([id, answer.status, text.length]).toEqual([id, 200, 99_000])
    const { data }: { data: object[] } = JSON.parse(text)
    expect([id, data.length]).toEqual([id, act === 'list' ? (id === 'listFeedback' ? 100 : 50) : 1])
  }
  const count = (what: string) => database.prepare(`SELECT count(*) AS count FROM ${what}`).get()?.count
  expect(count("work_items WHERE type = 'epic' AND product_id = 1")).toBe(SIZE + 1)
  expect(count("work_items WHERE progress = 'in-progress'")).toBe(1)
  // Product 2 has the tree: all items hang on its epics.
  expect(count('work_items WHERE product_id = 2')).toBe(1_000)
  const hanging = `work_items w JOIN work_items e ON e.id = w.epic_id AND e.type = 'epic' AND e.product_id = 2
    LEFT JOIN work_items f ON f.id = w.feature_id WHERE f.id IS NULL OR (f.epic_id = e.id AND f.type = 'feature')`
  expect(count(hanging)).toBe(900)
  expect(count('opportunities')).toBe(SIZE + 1)
})

test('the seed leaves out tables and columns that another checkout lacks', () => {
  const { known } = createFilledDatabase()
  const given = { size: 5, mailed: 5, jti: 'bench' }
  const fewer = known.filter(({ table, column }) => table !== 'opportunities' && column !== 'jira_key')
  const statements = createSeedStatements(given, fewer).join('\n')
  expect(statements).toContain('INSERT INTO work_items')
  expect(statements).not.toMatch(/opportunities|jira_key/)
  expect(createSeedStatements(given, known).join('\n')).toMatch(/jira_key[\s\S]*INSERT INTO opportunities/)
})

test('a benchmark run is compared with the floor, the minimal SQL and its own growth', () => {
  const [operation] = operations
  if (!operation) throw new Error('There is no operation')
  const figures = { perSecond: 100, p50: 1, p99: 2, cpu: 1 }
  const compared = (ratio: number): Compared => ({ ...figures, ratio, cpuRatio: ratio })
  const result = (floor: number, least: number, times: number): Result => ({
    operation,
    size: 1_000_000,
    app: figures,
    floor: compared(floor),
    least: compared(least),
    growth: { over: 10_000, times },
    cost: undefined,
  })
  const held = (one: Result) =>
    judge({ results: [one], startup: undefined, gzip: 200, far: 0 }).map(({ what, held }) => [what, held])
  const lines = (...verdicts: boolean[]) =>
    [
      'get epic, 1,000,000: requests per second, ratio to the floor',
      'get epic, 1,000,000: requests per second, ratio to the least SQL',
      'get epic: p50 at 1,000,000 over 10,000',
      'compressed size of the worker in kB',
    ].map((what, at) => [what, verdicts[at]])
  expect(held(result(0.85, 0.82, 1.1))).toEqual(lines(true, true, true, true))
  expect(held(result(0.84, 0.81, 1.11))).toEqual(lines(false, false, false, true))
})
