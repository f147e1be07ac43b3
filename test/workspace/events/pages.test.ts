import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type ApiResponse, call } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

interface Event {
  id: number
  data: { text: string } | null
}

const PATH = '/api/v2/events?limit=100'
const BYTES = 200_000
const MAX_PAGE_BYTES = 4_000_000

/** Appends events of a product, each with `bytes` of data and `bytes` of previous values. */
async function appendEvents(
  { subscriptionId, product }: Workspace,
  count: number,
  bytes: number,
  type = 'epic.updated',
) {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO append_event (subscription_id, id, product_id, type, resource_key, data, previous, created_at)
     SELECT ?1, (SELECT coalesce(max(id), 0) FROM log WHERE subscription_id = ?1) + i, ?3, ?4, 'EP-1', ?5, ?5, 0 FROM n`,
  )
    .bind(subscriptionId, count, product.id, type, JSON.stringify({ text: '漢'.repeat((bytes - 11) / 3) }))
    .run()
}

const bytesOf = ({ body }: ApiResponse<Event[]>) => new TextEncoder().encode(JSON.stringify(body)).length
const nextPageUrl = ({ headers }: ApiResponse<Event[]>) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]

runtimeTest('a page of events ends at 4 MB, and the pages hold each event once', async () => {
  const world = await createWorkspace()
  await appendEvents(world, 15, BYTES)
  await appendEvents(world, 30, 100)
  await appendEvents(world, 15, BYTES)
  const limited = await world.key({ products: [world.product.id] })
  for (const apiKey of [await world.key(), limited]) {
    const pages: Event[][] = []
    let path: string | undefined = PATH
    while (path) {
      const page: ApiResponse<Event[]> = await call('GET', path, { apiKey })
      expect(bytesOf(page)).toBeLessThan(MAX_PAGE_BYTES + 50_000)
      expect(page.cost.rowsRead).toBeLessThan(800)
      pages.push(page.body.data)
      path = nextPageUrl(page)
    }
    expect(pages.map((page) => page.length)).toEqual([10, 39, 10, 1])
    expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1))
  }
  for (const query of ['&type=epic.updated', '&key=EP-1', '&key=EP-1&type=epic.updated']) {
    for (const apiKey of [await world.key(), limited]) {
      const page = await call<Event[]>('GET', `${PATH}${query}`, { apiKey })
      expect([query, page.body.data.length, nextPageUrl(page)]).toEqual([
        query,
        10,
        expect.stringContaining('after=10'),
      ])
    }
  }
  const blind = await call<Event[]>('GET', PATH, {
    apiKey: await world.key({ scopes: ['events:read'] }),
  })
  expect([blind.body.data.length, blind.body.data[0]?.data]).toEqual([60, null])
})

runtimeTest('a page has at least one event, and a light event costs one more row', async () => {
  const world = await createWorkspace()
  await appendEvents(world, 2, 249_998)
  const [alone] = (await world.client<Event[]>('GET', '/api/v2/events?limit=1')).body.data
  expect(alone?.data?.text).toHaveLength(83_329)
  await appendEvents(world, 100, 1_000)
  const light = await world.client<Event[]>('GET', '/api/v2/events?limit=50&after=2')
  expect(light.body.data).toHaveLength(50)
  expect(light.cost.rowsRead).toBeLessThanOrEqual(2 * 51 + 1)
})

test('a key with a hundred products reads a page', async () => {
  const world = await createWorkspace()
  await appendEvents(world, 20, BYTES)
  const others = Array.from({ length: 99 }, (_, n) => 1_000_000 + n)
  const apiKey = await world.key({ products: [...others, world.product.id] })
  const page = await call<Event[]>('GET', PATH, { apiKey })
  expect([page.status, page.body.data.length]).toEqual([200, 10])
})
