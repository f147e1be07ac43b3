import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import type { Workspace } from '../factories'
import { MAKERS } from '../world'
import { copyNewestRow, type Layout, readLayout } from './copy-rows'
import { knownRecords, listAllPages, type Query, sortQueriesOf } from './pages'
import { createScenario, insertSecondProduct, listedParameter, type Scenario } from './table'

const COPIES = 9

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// Text columns with numeric order.
const NUMERIC_COLUMNS = new Set(['business_value'])

/** SQL for sorted columns, with few distinct values, so that many copies are equal, and with nulls if allowed. */
function createTies(op: AnyOperation, { columns, uniqueColumns, id }: Layout): Record<string, string> {
  const sorted = new Set(sortQueriesOf(op).map(({ sort = '' }) => toSnakeCase(sort.replace(/^-/, ''))))
  // Names sort by a derived column, and `fill` does not derive columns.
  const untied = new Set([...uniqueColumns, id, 'name'])
  const tied = columns.filter(({ name }) => sorted.has(name) && !untied.has(name))
  return Object.fromEntries(
    tied.map(({ name, type, notnull }) => {
      const [low, high] = NUMERIC_COLUMNS.has(name)
        ? ["'9'", "'10.5'"]
        : type === 'TEXT'
          ? ["'a'", "'b'"]
          : ['1000', '2000']
      return [name, `CASE n % 3 WHEN 0 THEN ${low} WHEN 1 THEN ${high} ELSE ${notnull ? low : 'NULL'} END`]
    }),
  )
}

export interface FilledList {
  here: Workspace
  records: Scenario['records']
  known: Query
  table: string
  path: string
  count: number
  unlimited: string
  limited: string
  /** The possible numbers of items for the limited key; empty if only the list knows. */
  limitedCounts: number[]
}

/** Creates a workspace with an item and copies of the item, in three products if possible. */
export async function createFilledList(op: AnyOperation): Promise<FilledList> {
  const { here, records } = await createScenario()
  const kind = listedParameter(op)
  const path = await records.path(op.path)
  await records.value(kind)
  const known = await knownRecords(op, records)
  const { table = '', copied } = MAKERS[kind] ?? {}
  const layout = await readLayout(table)
  const product = layout.columns.find(({ name }) => name === 'product_id')
  const spread = product !== undefined && !op.path.includes('{product_external_key}')
  const second = await insertSecondProduct(here)
  const beyond = await insertSecondProduct(here)
  const unlimited = await here.key()
  const limitedToTwo = await here.key({ products: [here.product.id, second] })
  const before = (await listAllPages({ path, query: {}, apiKey: unlimited }, 100)).length
  expect(before).toBeGreaterThan(0)
  const none = product?.notnull ? here.product.id : 'NULL'
  const products = `CASE n % 4 WHEN 0 THEN ${here.product.id} WHEN 1 THEN ${second} WHEN 2 THEN ${beyond} ELSE ${none} END`
  await copyNewestRow(table, here.subscriptionId, COPIES, {
    ...createTies(op, layout),
    ...(spread && { product_id: products }),
    ...copied,
  })
  const count = before + COPIES
  const found = { here, records, known, table, path, count, unlimited, limited: limitedToTwo }
  if (table === 'products') {
    const covered = (await listProductIds(here)).filter((_, n) => n % 2)
    return { ...found, limited: await here.key({ products: covered }), limitedCounts: [covered.length] }
  }
  if (spread) return { ...found, limitedCounts: await countVisible(table, here, [here.product.id, second]) }
  return { ...found, limitedCounts: layout.columns.some(({ name }) => name === 'products') ? [] : [count] }
}

async function listProductIds({ subscriptionId }: Workspace): Promise<number[]> {
  const { results } = await env.DB.prepare('SELECT id FROM products WHERE subscription_id = ? ORDER BY id')
    .bind(subscriptionId)
    .all<{ id: number }>()
  return results.map(({ id }) => id)
}

/** Counts the rows of the products, without and with rows that have no product. */
async function countVisible(table: string, { subscriptionId }: Workspace, products: number[]): Promise<number[]> {
  const row = await env.DB.prepare(
    `SELECT sum(product_id IN (${products})) AS inside, sum(product_id IS NULL) AS none FROM ${table} WHERE subscription_id = ?`,
  )
    .bind(subscriptionId)
    .first<{ inside: number; none: number }>()
  const { inside = 0, none = 0 } = row ?? {}
  return [inside, inside + none]
}
