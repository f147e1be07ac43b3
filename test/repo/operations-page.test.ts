import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase } from '../../scripts/migrations/dump'
import { writeDataPoint } from '../../src/http/telemetry'
import { readClock } from '../clock'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/operations.md'), 'utf8')

test('the page about operations explains each log line', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'))
  const logged = files.flatMap((text) =>
    Array.from(text.matchAll(/log(?:Error|Warning)\(\s*'([^']+)'/g), ([, line]) => line),
  )
  const explained = Array.from(page.matchAll(/^\| ([A-Z][^|]*\.) \| /gm), ([, line]) => line)
  expect(new Set(logged).size).toBeGreaterThan(10)
  expect(explained.toSorted(), 'Give each line a row under "Log lines" in docs/operations.md.').toEqual(
    [...new Set(logged)].toSorted(),
  )
})

test('the page names the columns of a data point in their order', () => {
  const columns = Array.from(page.matchAll(/^\| `((?:index|blob|double)\d)` \| ([\w ]+)/gm), ([, name, content]) => [
    name,
    content,
  ])
  const points: unknown[] = []
  const meter = { ms: 2, trips: 3, rowsRead: 4, rowsWritten: 5, hasWebhooks: undefined }
  writeDataPoint(
    {
      TELEMETRY: { writeDataPoint: (point) => points.push(point) },
      VERSION: { id: 'version', tag: '', timestamp: '' },
    },
    { kind: 'request', operation: 'operation', outcome: 'outcome', workspace: 7, colo: 'colo', ms: 1, meter, bytes: 6 },
  )
  expect(points).toEqual([
    {
      indexes: ['7'],
      blobs: ['request', 'operation', 'outcome', 'version', 'colo'],
      doubles: [1, 2, 3, 4, 5, 6],
    },
  ])
  expect(columns.map(([name, content]) => `${name} ${content}`.trim())).toEqual([
    'index1 id of the workspace',
    'blob1 kind',
    'blob2 id of the operation',
    'blob3 outcome',
    'blob4 id of the Worker',
    'blob5 data center',
    'double1 milliseconds',
    'double2 milliseconds in the database',
    'double3 database round trips',
    'double4 rows read',
    'double5 rows written',
    'double6 bytes of the response',
  ])
})

test('the SQL of the page runs on the present schema, and finds late work', () => {
  const database = createDatabase()
  const statements = Array.from(page.matchAll(/```sql\n([\s\S]*?)```/g), ([, sql]) => sql ?? '')
  expect(statements).toHaveLength(1)
  const late = (readClock() - 3_600_000).toString()
  const soon = (readClock() + 3_600_000).toString()
  for (const at of [late, soon]) {
    database.exec(`INSERT INTO email_slices (subscription_id, email_id, slice, recipients, next_attempt_at)
      VALUES (1, 1, ${at}, '[]', ${at})`)
    database.exec(`INSERT INTO webhook_feeds (subscription_id, next_look_at) VALUES (${at}, ${at})`)
  }
  // D1 limits the parts of a UNION, so the block has a statement per kind of work.
  const found = (statements[0] ?? '')
    .split(';')
    .filter((sql) => sql.trim())
    .flatMap((sql) => database.prepare(sql).all()) as { work: string; late: number }[]
  expect(found.map(({ work, late }) => [work, late])).toEqual([
    ['imports', 0],
    ['mailings', 0],
    ['recipients of large mailings', 1],
    ['mail about changes', 0],
    ['confirmations of segments', 0],
    ['webhooks', 1],
    ['receipts of incoming webhooks', 0],
    ['moves', 0],
  ])
})
