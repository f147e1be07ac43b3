import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import type { Workspace } from '../factories'
import { MAKERS } from '../world'
import { copyNewestRow, type Layout, readLayout } from './copy-rows'
import {
  filteredValueOf,
  filterNames,
  filtersOf,
  type Item,
  itemIdentity,
  type ListRequest,
  listAllPages,
  SHOW_ALL_FILTERS,
  sortQueriesOf,
} from './pages'
import { createScenario, eachOperation, insertSecondProduct, isList, listedParameter, queryParametersOf } from './table'

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

interface FilledList {
  path: string
  count: number
  unlimited: string
  limited: string
  /** The possible numbers of items for the limited key; empty if only the list knows. */
  limitedCounts: number[]
}

/** Creates a workspace with an item and copies of the item, in three products if possible. */
async function createFilledList(op: AnyOperation): Promise<FilledList> {
  const { here, records } = await createScenario()
  const kind = listedParameter(op)
  const path = await records.path(op.path)
  await records.value(kind)
  const { table = '' } = MAKERS[kind] ?? {}
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
  })
  const count = before + COPIES
  const found = { path, count, unlimited, limited: limitedToTwo }
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

/** Checks the order of the items. Null and the empty text for null come last. */
function expectOrdered(items: Item[], sort: string) {
  const name = sort.replace(/^-/, '')
  const values = items.map((item) => (item[name] === '' ? null : item[name]))
  if (values.some((value) => value === undefined)) return
  if (sort.startsWith('-')) values.reverse()
  const comparable = values.map((value) =>
    Number.isNaN(Number(value)) ? value : value === null ? null : Number(value),
  )
  const rank = (one: unknown, other: unknown) => {
    if (one === other) return 0
    if (one === null || other === null) return one === null ? 1 : -1
    return (one as string) < (other as string) ? -1 : 1
  }
  expect(comparable).toEqual(comparable.toSorted(rank))
}

test.each(eachOperation(isList))('%s lists each record once in every sort order and page size', async (_, op) => {
  const { path, count, unlimited, limited, limitedCounts } = await createFilledList(op)
  for (const apiKey of [unlimited, limited]) {
    const orders = new Map<string, string[]>()
    for (const query of sortQueriesOf(op)) {
      const asked: ListRequest = { path, query, apiKey }
      const whole = await listAllPages(asked, 100)
      const names = whole.map(itemIdentity)
      expect(new Set(names).size).toBe(names.length)
      if (apiKey === unlimited) expect(names.length).toBe(count)
      else if (limitedCounts.length) expect(limitedCounts).toContain(names.length)
      if (query.sort) expectOrdered(whole, query.sort)
      for (const limit of [1, 2])
        expect({ limit, names: (await listAllPages(asked, limit)).map(itemIdentity) }).toEqual({ limit, names })
      orders.set(query.sort ?? '', names)
    }
    for (const [sort, names] of orders) {
      expect(orders.get(`-${sort}`)?.reverse() ?? names).toEqual(names)
    }
  }
})

test.each(eachOperation((op) => isList(op) && filterNames(op).length))(
  '%s returns only records that match each filter',
  async (_, op) => {
    const { path, unlimited, limited } = await createFilledList(op)
    for (const apiKey of [unlimited, limited]) {
      const items = await listAllPages({ path, query: {}, apiKey }, 100)
      for (const { query, findsItem } of filtersOf(op, items.at(-1) ?? {})) {
        const [[name = '', value] = []] = Object.entries(query)
        const base =
          name in SHOW_ALL_FILTERS
            ? await listAllPages({ path, query: { [name]: SHOW_ALL_FILTERS[name] ?? '' }, apiKey }, 100)
            : items
        const narrowed = await listAllPages({ path, query, apiKey }, 2)
        const found = narrowed.map(itemIdentity)
        expect(new Set(found).size).toBe(found.length)
        expect(new Set(base.map(itemIdentity))).toEqual(new Set([...base.map(itemIdentity), ...found]))
        const others = narrowed
          .map((item) => filteredValueOf(name, item) ?? value)
          .filter((has) => String(has) !== value)
        expect({ query, others }).toEqual({ query, others: [] })
        if (findsItem) expect(found).toContain(itemIdentity(items.at(-1) ?? {}))
      }
    }
  },
)

test.each(eachOperation((op) => isList(op) && queryParametersOf(op).fields))(
  '%s returns only the requested fields',
  async (_, op) => {
    const { path, unlimited: apiKey } = await createFilledList(op)
    const whole = await listAllPages({ path, query: {}, apiKey }, 100)
    const names = Object.keys(((op.data as z.ZodArray).element as z.ZodObject).shape)
    for (const some of [names.slice(0, 1), names.filter((_, n) => n % 2), names.filter((_, n) => n % 2 === 0)]) {
      const items = await listAllPages({ path, query: { fields: some.join() }, apiKey }, 4)
      const wanted = whole.map((item) =>
        Object.fromEntries(some.filter((name) => name in item).map((name) => [name, item[name]])),
      )
      expect(items).toEqual(wanted)
    }
  },
)
