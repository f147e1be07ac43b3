import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../client'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { runtimeTest } from '../runtime-test'
import { copyNewestRow } from './copy-rows'
import { createFilledList } from './filled-lists'
import { filtersOf, type Item, listAllPages, nextPageUrl, type Query } from './pages'
import { eachOperation, insertSecondProduct, isList, queryParametersOf, UNLIMITED } from './table'

const countRecords = async (path: string, query: Query, apiKey: string) => {
  const { status, headers } = await call<Item[]>('GET', `${path}?${new URLSearchParams({ ...query, limit: '1' })}`, {
    apiKey,
    env: UNLIMITED,
  })
  return { status, total: headers.get('x-total-count'), next: nextPageUrl(headers) ?? '' }
}

// The log has no end, and its ids count the events.
const isCounted = ([, op]: ReturnType<typeof eachOperation>[number]) => op.id !== 'listEvents'

test.each(eachOperation(isList).filter(isCounted))(
  '%s counts the records of all pages, with each filter too',
  async (_, op) => {
    expect(Object.keys(queryParametersOf(op))).toContain('count')
    const { path, known, unlimited, limited } = await createFilledList(op)
    for (const apiKey of [unlimited, limited]) {
      const items = await listAllPages({ path, query: {}, apiKey }, 100)
      for (const query of [{}, ...filtersOf(op, items.at(-1) ?? {}, known).map(({ query }) => query)]) {
        const { length } = await listAllPages({ path, query, apiKey }, 100)
        const counted = await countRecords(path, { ...query, count: 'true' }, apiKey)
        expect({ query, status: counted.status, total: counted.total }).toEqual({
          query,
          status: 200,
          total: String(length),
        })
        expect(counted.next).not.toContain('count')
      }
      expect((await countRecords(path, {}, apiKey)).total).toBeNull()
      expect((await countRecords(path, { count: 'false' }, apiKey)).total).toBeNull()
    }
  },
)

runtimeTest('a list counts at most 10,000 records, and says so', async () => {
  const { client, subscriptionId } = await createWorkspace()
  await client('POST', '/api/v2/teams', { json: { name: 'Design' } })
  await client('POST', '/api/v2/persona', { json: { name: 'Nora' } })
  await copyNewestRow('personas', subscriptionId, 10_050, { external_key: "'PE-C' || n" })
  const personas = await client<Item[]>('GET', '/api/v2/persona?count=true')
  expect(personas.headers.get('x-total-count')).toBe('10000+')
  expect(personas.cost.rowsRead).toBeLessThan(10_200)
  expect(personas.cost.roundTrips).toBe(1)

  await client('POST', '/api/v2/idea-manager/members?invite=false', { json: { email: 'ada@example.com' } })
  await copyNewestRow('users', subscriptionId, 10_050)
  await env.DB.prepare(`UPDATE users SET role = 'member' WHERE subscription_id = ? AND id % 1000 = 0`)
    .bind(subscriptionId)
    .run()
  const members = await client<Item[]>('GET', '/api/v2/idea-manager/members?count=true&role=member')
  expect(members.headers.get('x-total-count')).toMatch(/^(9|10|11)\+$/)
})

// An index entry, the end of the scan and the row of each of 10,000 records, for the page and for the count.
const MAX_COUNT_ROWS = 60_100

const LISTS_OF_PRODUCTS = ['listFeedbackItems', 'listPersonas']

test.each(eachOperation((op) => LISTS_OF_PRODUCTS.includes(op.id)))(
  '%s counts the changes for a key limited to products among 10,000 records',
  async (_, op) => {
    const { here, table, path, limited } = await createFilledList(op)
    const now = readClock()
    await copyNewestRow(table, here.subscriptionId, 20_000, { product_id: `${here.product.id}`, updated_at: '1000' })
    const elsewhere = `${await insertSecondProduct(here)}`
    await copyNewestRow(table, here.subscriptionId, 20_000, { product_id: elsewhere, updated_at: `${now}` })
    for (const sort of ['updatedAt', 'createdAt']) {
      const updatedSince = new Date(now - 60_000).toISOString()
      const query = new URLSearchParams({ updatedSince, count: 'true', limit: '1', sort })
      const { status, cost } = await call('GET', `${path}?${query}`, { apiKey: limited, env: UNLIMITED })
      expect({ sort, status, rows: Math.min(cost.rowsRead, MAX_COUNT_ROWS) }).toEqual({
        sort,
        status: 200,
        rows: cost.rowsRead,
      })
    }
  },
)

test('intervals of KPI records are not counted', async () => {
  const { client, product } = await createWorkspace()
  const kpis = `/api/initiatives/${product.externalKey}/kpi`
  const { body } = await client<{ externalKey: string }>('POST', kpis, { json: { title: 'Revenue' } })
  const records = `${kpis}/${body.data.externalKey}/records`
  const { status } = await client('GET', `${records}?interval=day&count=true`)
  expect(status).toBe(400)
})
