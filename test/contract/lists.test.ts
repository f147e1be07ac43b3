import { expect, test } from 'vitest'
import type * as z from 'zod'
import { createFilledList } from './filled-lists'
import {
  filteredValueOf,
  filterNames,
  filtersOf,
  type Item,
  itemIdentity,
  type ListRequest,
  listAllPages,
  SHOW_ALL_FILTERS,
  severalSortQueriesOf,
  sortQueriesOf,
} from './pages'
import { eachOperation, isList, queryParametersOf } from './table'

/** Null and the empty text for null come last. */
function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return (one as string) < (other as string) ? -1 : 1
}

/** Checks the order of the items by each key whose values the items show, up to the first key without values. */
function expectOrdered(items: Item[], sort: string) {
  const keys = sort.split(',').map((key) => ({ name: key.replace(/^-/, ''), sign: key.startsWith('-') ? -1 : 1 }))
  const hidden = keys.findIndex(({ name }) => items.some((item) => item[name] === undefined))
  const shown = hidden < 0 ? keys : keys.slice(0, hidden)
  const comparableOf = (item: Item, name: string) => {
    // Names with a slug have the order of the slugs.
    const found = name === 'name' && 'slug' in item ? item.slug : item[name]
    const value = found === '' ? null : found
    return value === null || Number.isNaN(Number(value)) ? value : Number(value)
  }
  const compare = (one: Item, other: Item) =>
    shown
      .map(({ name, sign }) => sign * compareValues(comparableOf(one, name), comparableOf(other, name)))
      .find(Boolean) ?? 0
  expect(items.map(itemIdentity)).toEqual(items.toSorted(compare).map(itemIdentity))
}

test.each(eachOperation(isList))('%s lists each record once in every sort order and page size', async (_, op) => {
  const { path, count, unlimited, limited, limitedCounts } = await createFilledList(op)
  for (const apiKey of [unlimited, limited]) {
    const orders = new Map<string, string[]>()
    for (const query of [...sortQueriesOf(op), ...severalSortQueriesOf(op)]) {
      const asked: ListRequest = { path, query, apiKey }
      const whole = await listAllPages(asked, 100)
      const names = whole.map(itemIdentity)
      expect(new Set(names).size).toBe(names.length)
      if (apiKey === unlimited) expect(names.length).toBe(count)
      else if (limitedCounts.length) expect(limitedCounts).toContain(names.length)
      if (query.sort) expectOrdered(whole, query.sort)
      // One reader makes the cursors of all orders (test/db/list.test.ts), so one order is read in the smallest pages.
      for (const limit of orders.size === 0 ? [1, 2] : [Math.ceil(names.length / 2)])
        expect({ limit, names: (await listAllPages(asked, limit)).map(itemIdentity) }).toEqual({ limit, names })
      orders.set(query.sort ?? '', names)
    }
    for (const [sort, names] of orders) {
      if (!sort.includes(',')) expect(orders.get(`-${sort}`)?.reverse() ?? names).toEqual(names)
    }
  }
})

test.each(eachOperation((op) => isList(op) && filterNames(op).length))(
  '%s returns only records that match each filter',
  async (_, op) => {
    const { path, known, unlimited, limited } = await createFilledList(op)
    for (const apiKey of [unlimited, limited]) {
      const items = await listAllPages({ path, query: {}, apiKey }, 100)
      for (const { query, findsItem } of filtersOf(op, items.at(-1) ?? {}, known)) {
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
