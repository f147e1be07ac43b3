import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ApiResponse } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { createFakeClock } from '../../fake-clock'
import { runtimeTest } from '../../runtime-test'

interface Event {
  id: number
  type: string
  productId: number | null
  resourceKey: string
}

const PATH = '/api/v2/events'

async function appendEvents(
  { subscriptionId }: Workspace,
  product: number | null,
  count: number,
  type = 'epic.updated',
) {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
     INSERT INTO append_event (subscription_id, id, product_id, type, resource_key, data, created_at)
     SELECT ?1, (SELECT coalesce(max(id), 0) FROM log WHERE subscription_id = ?1) + i, ?2, ?4, ?5, '{}', 0 FROM n`,
  )
    .bind(subscriptionId, product, count, type, `EP-${product}`)
    .run()
}

async function createSecondProduct({ client }: Workspace): Promise<number> {
  return (await client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data.id
}

runtimeTest('a type, or a key that is limited to products, looks at 10,000 events per page and continues', async () => {
  const world = await createWorkspace()
  const other = await createSecondProduct(world)
  await appendEvents(world, other, 12_000)
  await appendEvents(world, world.product.id, 3, 'epic.created')
  await appendEvents(world, other, 9_000)
  const limitedKey = { apiKey: await world.key({ products: [world.product.id] }) }
  for (const [query, options] of [
    ['', limitedKey],
    ['?type=epic.created', limitedKey],
    ['?type=epic.created', {}],
    ['?type=epic.created&wait=1', {}],
    ['?type=epic.created,kpi.*', {}],
    ['?order=newest', limitedKey],
    ['?type=epic.created&order=newest', {}],
    [`?product=${world.product.externalKey}`, {}],
    ['?type=epic.created&from=1970-01-01&to=2100-01-31', {}],
    ['?type=epic.created&from=1970-01-01&to=2100-01-31&order=newest', {}],
  ] as const) {
    const pages: ApiResponse<Event[]>[] = []
    for (let path: string | undefined = `${PATH}${query}`; path; ) {
      const page: ApiResponse<Event[]> = await world.client('GET', path, options)
      pages.push(page)
      // A time is found by a binary search.
      expect(page.cost.rowsRead, query).toBeLessThan(query.includes('from') ? 10_500 : 10_050)
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    const counts = query.includes('newest') ? [3, 0, 0] : [0, 3, 0]
    expect([query, pages.map(({ body }) => body.data.length)]).toEqual([query, counts])
  }
  const late = await world.client<Event[]>('GET', `${PATH}?after=21000`, limitedKey)
  expect([late.body.data, late.headers.get('link'), late.cost.rowsRead < 50]).toEqual([[], null, true])
})

runtimeTest('a filter by record reads only the events of the record', async () => {
  const world = await createWorkspace()
  await appendEvents(world, world.product.id, 2_000)
  await appendEvents(world, null, 1, 'email.completed')
  for (const [query, count] of [
    ['?key=EP-null', 1],
    ['?key=EP-null&type=email.completed', 1],
    ['?key=EP-null&type=epic.updated', 0],
  ] as const) {
    const found = await world.client<Event[]>('GET', `${PATH}${query}`)
    expect(found.body.data, query).toHaveLength(count)
    expect(found.cost.rowsRead, query).toBeLessThan(50)
  }
})

runtimeTest('a key with a dozen products reads one page across all of them', async () => {
  const world = await createWorkspace()
  const ids = [world.product.id]
  for (let n = 0; n < 11; n++) ids.push(await createSecondProduct(world))
  const hidden = await createSecondProduct(world)
  for (const product of [...ids, hidden, ...ids.toReversed()]) await appendEvents(world, product, 50)
  const apiKey = await world.key({ products: ids })
  const all = (await world.client<Event[]>('GET', `${PATH}?after=625&limit=100`)).body.data
  const page = await world.client<Event[]>('GET', `${PATH}?after=625&limit=100`, { apiKey })
  const covered = all.filter(({ productId }) => productId !== hidden)
  expect(covered.length).toBeGreaterThan(20)
  expect(covered.length).toBeLessThan(100)
  expect(page.body.data.slice(0, covered.length)).toEqual(covered)
  expect(page.body.data).toHaveLength(100)
  expect(page.cost.rowsRead).toBeLessThan(350)
  const few = await world.client<Event[]>('GET', `${PATH}?type=epic.updated&limit=10`, { apiKey })
  expect(few.body.data.map(({ productId }) => productId)).toEqual(Array(10).fill(ids[0]))
  expect(few.cost.rowsRead).toBeLessThan(60)
})

test('a key with several products gets their events once and in the order of the log', async () => {
  const world = await createWorkspace()
  const [second, hidden] = [await createSecondProduct(world), await createSecondProduct(world)]
  const ids = [world.product.id, second]
  for (const product of [hidden, second, world.product.id, null, second, hidden, world.product.id]) {
    await appendEvents(world, product, 3)
    await appendEvents(world, product, 2, 'epic.created')
  }
  const apiKey = await world.key({ products: ids })
  const walk = async (query: string, key?: string) => {
    const found: Event[] = []
    let path: string | undefined = `${PATH}?limit=4${query}`
    while (path) {
      const page: ApiResponse<Event[]> = await world.client('GET', path, key ? { apiKey: key } : {})
      expect(page.body.data.length).toBeLessThanOrEqual(4)
      found.push(...page.body.data)
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    return found
  }
  for (const query of ['', '&type=epic.created', `&key=EP-${second}`, `&key=EP-${second}&type=epic.updated`]) {
    const all = await walk(query)
    const covered = all.filter(({ productId }) => productId !== null && ids.includes(productId))
    expect(covered.length).toBeGreaterThan(4)
    expect(await walk(query, apiKey)).toEqual(covered)
  }
  expect(await walk(`&key=EP-${hidden}`, apiKey)).toEqual([])
})

test('an event shows its type to every key with events:read, and its data only with the scope of the area', async () => {
  const world = await createWorkspace()
  const { externalKey } = world.product
  const upload = new FormData()
  upload.set('file', new File(['x'], 'plan.txt', { type: 'text/plain' }))
  upload.set('description', 'Secret')
  const file = await world.client<{ id: number }>('POST', `/api/initiatives/${externalKey}/assets`, { raw: upload })
  await world.client('POST', `/api/initiatives/${externalKey}/epics`, { json: { summary: 'An epic' } })
  const attached = { json: { summary: 'The epic', files: [{ file: { id: file.body.data.id } }] } }
  await world.client('PUT', `/api/initiatives/${externalKey}/epics/EP-1`, attached)
  await world.client('PUT', `/api/initiatives/${externalKey}/epics/EP-1`, { json: { files: [] } })
  await world.client('POST', '/api/v2/segments', { json: { name: 'A segment' } })
  interface Told extends Event {
    actor: object
    data: Record<string, unknown> | null
    previous: Record<string, unknown> | null
  }
  const read = async (...scopes: string[]) =>
    (await world.client<Told[]>('GET', PATH, { apiKey: await world.key({ scopes }) })).body.data
  const full = await read('*')
  // Names of keys belong to the area of keys.
  const all = full.map((event) => ({ ...event, actor: { ...event.actor, keyName: null } }))
  expect(new Set(all.map(({ type }) => type))).toEqual(
    new Set(['asset.created', 'asset.updated', 'epic.created', 'epic.updated', 'segment.created']),
  )
  expect(await read('events:read')).toEqual(all.map((event) => ({ ...event, data: null, previous: null })))
  const hidden = (area: string) =>
    all.map((event) => (event.type.startsWith(area) ? event : { ...event, data: null, previous: null }))
  expect(await read('events:read', 'segments:read')).toEqual(hidden('segment'))
  expect(await read('events:read', 'files:read')).toEqual(hidden('asset'))
  // Files of an epic need `files:read` to be named in the epic's events.
  const epics = (await read('events:read', 'backlog:read')).filter(({ type }) => type.startsWith('epic'))
  const epic = await world.client<object>('GET', `/api/initiatives/${externalKey}/epics/EP-1`)
  expect(epics[2]?.data).toEqual(epic.body.data)
  const files = [{ file: { id: file.body.data.id, name: '', path: '', description: null } }]
  expect([epics[1]?.data?.files, epics[2]?.previous?.files]).toMatchObject([files, files])
  expect(JSON.stringify(epics)).not.toMatch(/plan\.txt|Secret/)
  const both = await read('events:read', 'backlog:read', 'files:read')
  expect(both.filter(({ type }) => !type.startsWith('segment'))).toEqual(all.slice(0, -1))
  expect(JSON.stringify(both.filter(({ type }) => type.startsWith('epic')))).toMatch(/plan\.txt.*Secret/)
})

test('a waiting request gets an event when it is written, and an empty list after the timeout', async () => {
  const space = await createWorkspace()
  const at = `/api/initiatives/${space.product.externalKey}/epics`
  const clock = createFakeClock()
  const waiting = clock.follow(space.client<Event[]>('GET', `${PATH}?after=0&wait=10`))
  await clock.idle()
  await space.client('POST', at, { json: { summary: 'Late' } })
  const { body, headers } = await clock.finish(waiting)
  expect(body.data).toMatchObject([{ id: 1, type: 'epic.created' }])
  expect(headers.get('link')).toBeNull()

  const began = readClock()
  const none = await clock.finish(clock.follow(space.client<Event[]>('GET', `${PATH}?after=1&wait=1`)))
  expect(none.body.data).toEqual([])
  expect(readClock() - began).toBe(1_000)
  for (const wait of ['26', '-1', 'long'])
    expect((await space.client('GET', `${PATH}?wait=${wait}`)).body.error?.issues[0]?.path).toBe('/query/wait')
})
