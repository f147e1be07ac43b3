import { env } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { MAKERS, parameterFor } from '../world'
import { copyNewestRow, readLayout } from './copy-rows'
import type { Item } from './pages'
import { callOperation, createScenario, eachOperation, operationTable, type Scenario, sendOperation } from './table'

const listPathOf = ({ path }: AnyOperation) => path.replace(/\/export$/, '')
const getterOf = ({ id }: AnyOperation) =>
  operationTable.find((op) => op.id === id.replace('export', 'get').replace(/s$/, ''))

/** Exports of the records of one list as their GET shows them. The export of feedback has names instead of ids, and a suppression no name. */
const EXPORTS = eachOperation(
  (op) =>
    op.streamedTypes &&
    parameterFor(listPathOf(op)) &&
    getterOf(op) &&
    !['exportFeedbackItems', 'exportSuppressions'].includes(op.id),
)

/** Members of a retrieved record that the export leaves out. */
const LEFT_OUT: Record<string, readonly string[]> = {
  exportKpis: ['kpi_revisions'],
  exportSolutionVersions: ['progress', 'points'],
  exportSegments: ['users'],
}

/** Members of an export that a retrieved record does not have. */
const ADDED: Record<string, readonly string[]> = { exportMembers: ['segments', 'suppressed'] }

async function createExport(op: AnyOperation) {
  const scenario = await createScenario()
  const kind = parameterFor(listPathOf(op)) ?? ''
  await scenario.records.value(kind)
  const table = MAKERS[kind]?.table ?? ''
  const path = await scenario.records.path(op.path)
  const open = async (format: string) => {
    const { response } = await sendOperation(op, scenario.records, { path: `${path}?format=${format}` })
    expect({ format, status: response.status }).toEqual({ format, status: 200 })
    return response
  }
  const read = async (format: string) => (await open(format)).text()
  const items = async () => JSON.parse(await read('json')) as Item[]
  return { ...scenario, table, open, read, items }
}

async function getRecord(op: AnyOperation, { records }: Scenario, item: Item) {
  const path = (await records.path(op.path)).replace(/[^/]+$/, String(item.externalKey ?? item.id))
  const { status, body } = await callOperation<Item>(op, records, { path })
  expect(status).toBe(200)
  return body.data
}

test('the loops below cover the exports of records', () => {
  expect(EXPORTS.map(([id]) => id)).toEqual([
    'exportSolutionVersions',
    'exportSegments',
    'exportMembers',
    'exportKpis',
    'exportPersonas',
    'exportExperiments',
    'exportDocuments',
  ])
})

test.each(EXPORTS)('%s contains each record as its GET, and the same records in each format', async (id, op) => {
  const scenario = await createExport(op)
  await copyNewestRow(scenario.table, scenario.here.subscriptionId, 3)
  const items = await scenario.items()
  expect(items.length).toBeGreaterThanOrEqual(4)
  const getter = getterOf(op) as AnyOperation
  for (const item of items) {
    const found = await getRecord(getter, scenario, item)
    for (const name of LEFT_OUT[id] ?? []) delete found[name]
    const added = (ADDED[id] ?? []).map((name) => [name, item[name] ?? `no ${name}`])
    expect(item).toEqual({ ...found, ...Object.fromEntries(added) })
  }
  const lines = (await scenario.read('ndjson')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(items)
  const rows = Papa.parse<Record<string, string>>((await scenario.read('csv')).trimEnd(), { header: true }).data
  const cells = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  expect(rows).toEqual(
    items.map((item) => Object.fromEntries(Object.keys(rows[0] ?? {}).map((name) => [name, cells(item[name])]))),
  )
})

test.each(EXPORTS)('%s disarms formulas in CSV and leaves out removed records', async (_, op) => {
  const { table, here, read, items } = await createExport(op)
  await copyNewestRow(table, here.subscriptionId, 2)
  const { columns } = await readLayout(table)
  const text = ['name', 'title', 'first_name'].find((name) => columns.some((column) => column.name === name))
  const newest = `subscription_id = ?1 AND id = (SELECT max(id) FROM ${table} WHERE subscription_id = ?1)`
  await env.DB.prepare(`UPDATE ${table} SET ${text} = '=1+1' WHERE ${newest}`).bind(here.subscriptionId).run()
  const before = await items()
  const isFormula = (cell: unknown) => cell === '=1+1'
  expect(before.filter((item) => Object.values(item).some(isFormula)).length).toBe(1)
  const rows = Papa.parse<string[]>((await read('csv')).trimEnd()).data
  expect(rows.flat().filter(isFormula)).toEqual([])
  expect(rows.flat().filter((cell) => cell === "'=1+1").length).toBe(1)
  await env.DB.prepare(`UPDATE ${table} SET deleted_at = 1 WHERE ${newest}`).bind(here.subscriptionId).run()
  const after = await items()
  expect(after.length).toBe(before.length - 1)
  expect(after.some((item) => Object.values(item).some(isFormula))).toBe(false)
})

test.each(EXPORTS)('%s streams many records in pieces, each record once', async (_, op) => {
  const { table, here, open } = await createExport(op)
  await copyNewestRow(table, here.subscriptionId, 2_100)
  const reader = ((await open('ndjson')).body as ReadableStream<Uint8Array>).getReader()
  const found: Item[] = []
  let pieces = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces++
    const lines = new TextDecoder().decode(next.value).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(1_000)
    found.push(...lines.map((line) => JSON.parse(line) as Item))
  }
  expect(pieces).toBeGreaterThan(2)
  expect(found.length).toBeGreaterThan(2_100)
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
})
