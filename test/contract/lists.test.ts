import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import type { Workspace } from '../factories'
import { MAKERS } from '../world'
import { fill, type Layout, layoutOf } from './fill'
import { type Asked, filterNames, filtersOf, type Item, identity, shownFor, sortsOf, WIDEST, walk } from './pages'
import { each, listed, lists, otherProduct, queryOf, stage } from './table'

const COPIES = 9

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

// Text columns with numeric order.
const NUMERIC = new Set(['business_value'])

/** SQL for sorted columns, with few distinct values, so that many copies are equal, and with nulls if allowed. */
function ties(op: AnyOperation, { columns, varied, id }: Layout): Record<string, string> {
  const sorted = new Set(sortsOf(op).map(({ sort = '' }) => snake(sort.replace(/^-/, ''))))
  // Names sort by a derived column, and `fill` does not derive columns.
  const untied = new Set([...varied, id, 'name'])
  const tied = columns.filter(({ name }) => sorted.has(name) && !untied.has(name))
  return Object.fromEntries(
    tied.map(({ name, type, notnull }) => {
      const [low, high] = NUMERIC.has(name) ? ["'9'", "'10.5'"] : type === 'TEXT' ? ["'a'", "'b'"] : ['1000', '2000']
      return [name, `CASE n % 3 WHEN 0 THEN ${low} WHEN 1 THEN ${high} ELSE ${notnull ? low : 'NULL'} END`]
    }),
  )
}

interface Listed {
  path: string
  count: number
  unlimited: string
  limited: string
  /** The possible numbers of items for the limited key; empty if only the list knows. */
  ofLimited: number[]
}

/** Creates a workspace with an item and copies of the item, in three products if possible. */
async function filled(op: AnyOperation): Promise<Listed> {
  const { here, records } = await stage()
  const kind = listed(op)
  const path = await records.path(op.path)
  await records.value(kind)
  const { table = '' } = MAKERS[kind] ?? {}
  const layout = await layoutOf(table)
  const product = layout.columns.find(({ name }) => name === 'product_id')
  const spread = product !== undefined && !op.path.includes('{product_external_key}')
  const second = await otherProduct(here)
  const beyond = await otherProduct(here)
  const unlimited = await here.key()
  const limitedToTwo = await here.key({ products: [here.product.id, second] })
  const before = (await walk({ path, query: {}, apiKey: unlimited }, 100)).length
  expect(before).toBeGreaterThan(0)
  const none = product?.notnull ? here.product.id : 'NULL'
  const products = `CASE n % 4 WHEN 0 THEN ${here.product.id} WHEN 1 THEN ${second} WHEN 2 THEN ${beyond} ELSE ${none} END`
  await fill(table, here.subscriptionId, COPIES, { ...ties(op, layout), ...(spread && { product_id: products }) })
  const count = before + COPIES
  const found = { path, count, unlimited, limited: limitedToTwo }
  if (table === 'products') {
    const covered = (await productsOf(here)).filter((_, n) => n % 2)
    return { ...found, limited: await here.key({ products: covered }), ofLimited: [covered.length] }
  }
  if (spread) return { ...found, ofLimited: await visible(table, here, [here.product.id, second]) }
  return { ...found, ofLimited: layout.columns.some(({ name }) => name === 'products') ? [] : [count] }
}

async function productsOf({ subscriptionId }: Workspace): Promise<number[]> {
  const { results } = await env.DB.prepare('SELECT id FROM products WHERE subscription_id = ? ORDER BY id')
    .bind(subscriptionId)
    .all<{ id: number }>()
  return results.map(({ id }) => id)
}

/** Counts the rows of the products, without and with rows that have no product. */
async function visible(table: string, { subscriptionId }: Workspace, products: number[]): Promise<number[]> {
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

test.each(each(lists))('%s holds every record once, in every order, page by page', async (_, op) => {
  const { path, count, unlimited, limited, ofLimited } = await filled(op)
  for (const apiKey of [unlimited, limited]) {
    const orders = new Map<string, string[]>()
    for (const query of sortsOf(op)) {
      const asked: Asked = { path, query, apiKey }
      const whole = await walk(asked, 100)
      const names = whole.map(identity)
      expect(new Set(names).size).toBe(names.length)
      if (apiKey === unlimited) expect(names.length).toBe(count)
      else if (ofLimited.length) expect(ofLimited).toContain(names.length)
      if (query.sort) expectOrdered(whole, query.sort)
      for (const limit of [1, 2])
        expect([limit, ...(await walk(asked, limit)).map(identity)]).toEqual([limit, ...names])
      orders.set(query.sort ?? '', names)
    }
    for (const [sort, names] of orders) {
      expect(orders.get(`-${sort}`)?.reverse() ?? names).toEqual(names)
    }
  }
})

test.each(each((op) => lists(op) && filterNames(op).length))('%s is narrowed by each of its filters', async (_, op) => {
  const { path, unlimited, limited } = await filled(op)
  for (const apiKey of [unlimited, limited]) {
    const items = await walk({ path, query: {}, apiKey }, 100)
    for (const { query, finds } of filtersOf(op, items.at(-1) ?? {})) {
      const [[name = '', value] = []] = Object.entries(query)
      const base = name in WIDEST ? await walk({ path, query: { [name]: WIDEST[name] ?? '' }, apiKey }, 100) : items
      const narrowed = await walk({ path, query, apiKey }, 2)
      const found = narrowed.map(identity)
      expect(new Set(found).size).toBe(found.length)
      expect(new Set(base.map(identity))).toEqual(new Set([...base.map(identity), ...found]))
      const others = narrowed.map((item) => shownFor(name, item) ?? value).filter((has) => String(has) !== value)
      expect([query, others]).toEqual([query, []])
      if (finds) expect(found).toContain(identity(items.at(-1) ?? {}))
    }
  }
})

test.each(each((op) => lists(op) && queryOf(op).fields))('%s gives the fields that are named', async (_, op) => {
  const { path, unlimited: apiKey } = await filled(op)
  const whole = await walk({ path, query: {}, apiKey }, 100)
  const names = Object.keys(((op.data as z.ZodArray).element as z.ZodObject).shape)
  for (const some of [names.slice(0, 1), names.filter((_, n) => n % 2), names.filter((_, n) => n % 2 === 0)]) {
    const items = await walk({ path, query: { fields: some.join() }, apiKey }, 4)
    const wanted = whole.map((item) =>
      Object.fromEntries(some.filter((name) => name in item).map((name) => [name, item[name]])),
    )
    expect(items).toEqual(wanted)
  }
})
