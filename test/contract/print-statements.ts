import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ExplainedStatement } from '../../scripts/measure/format-sql'
import { callerFrames } from '../../src/db/client/fault'
import type { Template } from '../../src/db/sql/statement'
import { plansOf } from '../d1'
import { parameterFor, prepareRecords } from '../world'
import { type RecordedBatch, recordedBatches } from './recorded-batches'
import { createScenario, operationTable, sendOperation, validRequest } from './table'

// `npm run sql` runs this file, and prints the meta data of the test.
const MAX_NEAR_IDS = 8

const pairs = (id: string) =>
  new Set(Array.from(id.toLowerCase().slice(1), (letter, n) => id.toLowerCase()[n] + letter))

function similarity(id: string, other: string): number {
  const [first, second] = [pairs(id), pairs(other)]
  const shared = [...first].filter((pair) => second.has(pair))
  return (2 * shared.length) / (first.size + second.size)
}

const findNearIds = (wanted: string) =>
  operationTable
    .map(({ id }) => id)
    .sort((one, other) => similarity(other, wanted) - similarity(one, wanted))
    .slice(0, MAX_NEAR_IDS)

/** The first line outside of src/db, or the line in src/db that made a statement at its first use. */
function firstPlace(madeAt: Error): string {
  const frames = `${callerFrames(madeAt)}\n${madeAt.stack}`.replaceAll(/.*src\/db\/sql\/statement\.ts.*/g, '')
  return /src\/[\w./-]+:\d+/.exec(frames)?.[0] ?? 'an unknown place'
}

const placesOf = ({ madeAt, parts = [] }: Template) => [madeAt, ...parts.map((part) => part.madeAt)].map(firstPlace)

async function explain({ statements, results }: RecordedBatch): Promise<ExplainedStatement[]> {
  const templates = statements.map(({ template }) => template())
  const plans = await plansOf(
    env.DB,
    templates.map(({ text }) => text),
  )
  return templates.map((template, n) => ({
    text: template.text,
    names: template.names,
    places: placesOf(template),
    plan: formatPlan(plans[n]?.[1] ?? []),
    rowsRead: results[n]?.meta.rows_read ?? 0,
    rowsWritten: results[n]?.meta.rows_written ?? 0,
    rowsReturned: results[n]?.results.length ?? 0,
  }))
}

function formatPlan(steps: Awaited<ReturnType<typeof plansOf>>[number][1]): string[] {
  const depths = new Map<number, number>()
  return steps.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return '  '.repeat(depth) + detail
  })
}

test('prints the statements of an operation', async ({ task }) => {
  const op = operationTable.find(({ id }) => id === env.SQL_OPERATION)
  if (!op) {
    task.meta.nearIds = findNearIds(env.SQL_OPERATION)
    return
  }
  const { records } = await createScenario()
  const own = await prepareRecords(op, records)
  const kind = parameterFor(op.path)
  if (kind) await records.value(kind)
  const path = await own.path(op.path)
  const request = await validRequest(op, own.parent?.records ?? records)
  recordedBatches.length = 0
  const { cost, response } = await sendOperation(op, records, { ...request, path })
  expect(response.status, await response.text()).toBe(op.status ?? 200)
  expect(recordedBatches.length, 'test/contract/recorded-batches.ts records no batch').toBeGreaterThan(0)
  task.meta.batches = await Promise.all(recordedBatches.slice(0, cost.roundTrips).map(explain))
})
