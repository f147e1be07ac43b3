import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../client'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { createFilledList, type FilledList } from './filled-lists'
import {
  filtersOf,
  type Item,
  itemIdentity,
  listAllPages,
  type Query,
  SHOW_ALL_FILTERS,
  severalSortQueriesOf,
  sortQueriesOf,
} from './pages'
import { eachOperation, isList, operationTable, queryParametersOf, UNLIMITED } from './table'

const DAY_MS = 86_400_000

const removalOf = (item: Item) => item.deletedAt ?? item.deleted_at ?? null

const identitiesOf = (items: Item[]) => items.map(itemIdentity).toSorted()

/** Removes half of the copies, and one copy more than 30 days ago. The first records are needed for the path. */
async function removeCopies({ table, here }: FilledList, now: number) {
  const { results } = await env.DB.prepare(`SELECT id FROM ${table} WHERE subscription_id = ? ORDER BY id DESC LIMIT 7`)
    .bind(here.subscriptionId)
    .all<{ id: number }>()
  const [expired, ...removed] = results.map(({ id }) => id).filter((_, n) => n % 2 === 0)
  const setDeletedAt = env.DB.prepare(`UPDATE ${table} SET deleted_at = ?1 WHERE id = ?2`)
  await env.DB.batch([
    setDeletedAt.bind(now - 31 * DAY_MS, expired),
    ...removed.map((id, n) => setDeletedAt.bind(now - n * 1_000, id)),
  ])
}

test.each(eachOperation((op) => isList(op) && queryParametersOf(op).removed))(
  '%s excludes, includes or selects removed records',
  async (_, op) => {
    const filled = await createFilledList(op)
    const { path, unlimited, limited } = filled
    const shown = 'linked' in queryParametersOf(op) ? SHOW_ALL_FILTERS : {}
    const list = (query: Query, apiKey: string, limit = 100) =>
      listAllPages({ path, query: { ...shown, ...query }, apiKey }, limit)
    const before = new Map([
      [unlimited, await list({}, unlimited)],
      [limited, await list({}, limited)],
    ])
    // Alone, the time of the removal is null in a list without removed records.
    const removalName = 'updated_at' in (before.get(unlimited)?.[0] ?? {}) ? 'deleted_at' : 'deletedAt'
    const bare = await list({ fields: removalName }, unlimited)
    expect(bare).toEqual(bare.map(() => ({ [removalName]: null })))
    expect(await list({}, unlimited)).toEqual(before.get(unlimited))
    const now = readClock()
    await removeCopies(filled, now)
    for (const [apiKey, all] of before) {
      const visible = identitiesOf(await list({}, apiKey))
      expect(identitiesOf(await list({ removed: 'exclude' }, apiKey))).toEqual(visible)
      const included = await list({ removed: 'include' }, apiKey)
      const only = await list({ removed: 'only' }, apiKey)
      if (apiKey === unlimited)
        expect([all.length, visible.length, only.length]).toEqual([all.length, all.length - 4, 3])
      expect(all.map(itemIdentity)).toEqual(expect.arrayContaining(identitiesOf(only)))
      expect(identitiesOf(included)).toEqual([...visible, ...identitiesOf(only)].toSorted())
      for (const item of only) expect(Date.parse(String(removalOf(item)))).toBeGreaterThan(now - DAY_MS)
      for (const item of included) expect(removalOf(item) === null).toBe(visible.includes(itemIdentity(item)))
      for (const sort of [...sortQueriesOf(op), ...severalSortQueriesOf(op)]) {
        for (const [removed, expected] of [
          ['include', included],
          ['only', only],
        ] as const) {
          const query = { ...sort, removed }
          const found = await list(query, apiKey, Math.ceil(expected.length / 2))
          expect({ query, found: identitiesOf(found) }).toEqual({ query, found: identitiesOf(expected) })
          if (sort.sort === 'updatedAt') {
            const times = found.map((item) => String(item.updatedAt ?? item.updated_at))
            expect(times).toEqual(times.toSorted())
          }
        }
      }
      for (const [removed, expected] of [
        ['include', included],
        ['only', only],
      ] as const) {
        const query = new URLSearchParams({ ...shown, removed, count: 'true', limit: '1' })
        const { headers } = await call('GET', `${path}?${query}`, { apiKey, env: UNLIMITED })
        expect({ removed, total: headers.get('x-total-count') }).toEqual({ removed, total: String(expected.length) })
      }
      if (!queryParametersOf(op).updatedSince) continue
      // A removal is a change.
      const updatedSince = new Date(now - 500).toISOString()
      const isChanged = (item: Item) =>
        [removalOf(item), item.updatedAt ?? item.updated_at].some((at) => Date.parse(String(at)) >= now - 500)
      for (const sort of [{}, { sort: 'updatedAt' }]) {
        const query = { ...sort, removed: 'include', updatedSince }
        const changed = await list(query, apiKey, 2)
        const expected = included.filter(isChanged)
        expect({ query, changed: identitiesOf(changed) }).toEqual({ query, changed: identitiesOf(expected) })
      }
      const [shownItem = {}] = included.filter((item) => removalOf(item) === null)
      for (const { query: filter } of filtersOf(op, shownItem, filled.known)) {
        if (filter.updatedSince) continue
        const expected = (await list({ ...filter, removed: 'include' }, apiKey)).filter(isChanged)
        const query = { ...filter, removed: 'include', updatedSince }
        expect({ query, changed: identitiesOf(await list(query, apiKey)) }).toEqual({
          query,
          changed: identitiesOf(expected),
        })
        const counted = await call('GET', `${path}?${new URLSearchParams({ ...shown, ...query, count: 'true' })}`, {
          apiKey,
          env: UNLIMITED,
        })
        expect({ query, total: counted.headers.get('x-total-count') }).toEqual({
          query,
          total: String(expected.length),
        })
      }
    }
  },
)

const CONTENT_OF_PRODUCTS = [
  ['/api/feedback-items', { title: 'Export' }, 'q=Export'],
  ['/api/v2/persona', { name: 'Nora' }, 'sort=createdAt'],
] as const

test.each(CONTENT_OF_PRODUCTS)('%s leaves out the removed content of a removed product', async (path, json, filter) => {
  const { client, product } = await createWorkspace()
  const { body } = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Apollo' } })
  const apollo = body.data.externalKey
  for (const of of [product.externalKey, apollo]) {
    const created = await client<Item>('POST', path, { json: { ...json, product: of } })
    const key = String(created.body.data.externalKey ?? created.body.data.external_key)
    expect((await client('DELETE', `${path}/${key}`)).status).toBe(200)
  }
  const listRemoved = async (query: string) => {
    const { body, headers } = await client<Item[]>('GET', `${path}?${query}&count=true`)
    expect(headers.get('x-total-count')).toBe(String(body.data.length))
    return body.data.length
  }
  const queries = ['removed=only', 'removed=include', `removed=only&${filter}`, `removed=include&${filter}`]
  for (const query of queries) expect([query, await listRemoved(query)]).toEqual([query, 2])
  await client('DELETE', `/api/initiatives/${apollo}`)
  for (const query of queries) expect([query, await listRemoved(query)]).toEqual([query, 1])
  await client('POST', `/api/initiatives/${apollo}/restore`)
  for (const query of queries) expect([query, await listRemoved(query)]).toEqual([query, 2])
})

// Removed comments keep their place above replies without a text, and imports and exports are not removed by a client.
const WITHOUT_REMOVED = ['listComments', 'listItemComments', 'listSegmentsWithUsers', 'listExports']

test('every list of records that can be restored shows removed records', () => {
  const tags = new Set(operationTable.filter(({ id }) => /^restore/.test(id)).map(({ tag }) => tag))
  const missing = operationTable.filter(
    (op) =>
      isList(op) &&
      tags.has(op.tag) &&
      operationTable.some(({ id }) => id === op.id.replace(/^list(.*?)s$/, 'restore$1')) &&
      !queryParametersOf(op).removed,
  )
  expect(missing.map(({ id }) => id).filter((id) => !WITHOUT_REMOVED.includes(id))).toEqual([])
})
