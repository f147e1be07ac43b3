import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Kpi {
  title: string
  externalKey: string
  benchmark: string
  order: number
  kpi_revisions: { id: number; value: string }[]
}

interface Event {
  type: string
  data: Kpi
  previous: Record<string, unknown> | null
}

async function createLinkedKpi() {
  const world = await createWorkspace()
  const base = `/api/initiatives/${world.product.externalKey}`
  const json = {
    title: 'Teams',
    benchmark: '250',
    benchmarkUnit: 'teams',
    benchmarkType: 'MORE',
    dueDate: '2026-12-31',
  }
  await world.client('POST', `${base}/kpi`, { json })
  const path = `${base}/kpi/KPI-1`
  const get = () => world.client<Kpi>('GET', path)
  const put = (json: object, headers = {}) => world.client<Kpi>('PUT', path, { json, headers })
  const upload = () => {
    const raw = new FormData()
    raw.set('metrics', new File(['value,date\n1.5,2026-01-01\n2,2026-01-02'], 'a.csv', { type: 'text/csv' }))
    return world.client('POST', `${path}/insert-kpi-records`, { raw })
  }
  const events = async () => (await world.client<Event[]>('GET', '/api/v2/events?key=KPI-1')).body.data
  const listed = async (query = '') =>
    (await world.client<Kpi[]>('GET', `${base}/kpis${query}`)).body.data.map(({ externalKey }) => externalKey)
  return { ...world, base, path, get, put, upload, events, listed }
}

test('an update changes the sent members, clears null members and emits the previous values', async () => {
  const { get, put, upload, events } = await createLinkedKpi()
  await upload()
  const answer = await put({ title: ' Active teams ', benchmark: 300.005, benchmarkUnit: null, visualization: false })
  expect([answer.status, answer.cost.roundTrips, answer.body.message]).toEqual([200, 1, 'KPI saved'])
  expect(answer.body.data).toMatchObject({
    title: 'Active teams',
    benchmark: '300.01',
    benchmarkUnit: null,
    benchmarkType: 'MORE',
    dueDate: '2026-12-31T00:00:00.000Z',
    visualization: false,
    kpi_revisions: [{ value: '2.00' }, { value: '1.50' }],
  })
  expect((await get()).body.data).toEqual(answer.body.data)
  const lastEvent = (await events()).at(-1)
  expect(lastEvent).toMatchObject({ type: 'kpi.updated', data: answer.body.data })
  expect(lastEvent?.previous).toEqual({
    title: 'Teams',
    benchmark: '250.00',
    benchmarkUnit: 'teams',
    visualization: true,
  })

  const before = await get()
  for (const json of [{}, { title: 'Active teams', benchmark: '300.01', dueDate: '2026-12-31T00:00:00Z' }]) {
    const same = await put(json)
    expect([same.status, same.cost.rowsWritten, same.headers.get('etag')]).toEqual([200, 0, '"v3"'])
  }
  expect((await get()).headers.get('etag')).toBe(before.headers.get('etag'))
  const stale = await put({ title: 'Late' }, { 'if-match': '"v2"' })
  expect([stale.status, stale.body.error?.code]).toEqual([412, 'precondition_failed'])
  const wrong = await put({ title: ' ', benchmarkType: 'UP', benchmark: null })
  expect(wrong.body.error?.issues.map(({ path }) => path).sort()).toEqual(['/benchmark', '/benchmarkType', '/title'])
})

test('a removed KPI disappears from lists and work items and returns with a restore', async () => {
  const here = await createLinkedKpi()
  const { client, base, path, get, upload, listed, events } = here
  await upload()
  await client('POST', `${base}/epics`, { json: { summary: 'E' } })
  const epic = async () => (await client<{ kpis: string[] }>('GET', `${base}/epics/EP-1`)).body.data.kpis
  const link = (...kpis: string[]) => client('PUT', `${base}/epics/EP-1`, { json: { kpis } })
  await client('POST', `${base}/kpi`, { json: { title: 'Other' } })
  await link('KPI-1', 'KPI-2')
  const before = (await get()).body.data

  const stale = await client('DELETE', path, { headers: { 'if-match': '"v1"' } })
  expect([stale.status, stale.body.error?.code]).toEqual([412, 'precondition_failed'])
  const removed = await client('DELETE', path)
  expect([removed.status, removed.body, removed.cost.roundTrips]).toEqual([
    200,
    { success: true, message: 'KPI removed', data: {} },
    1,
  ])
  for (const gone of [await get(), await client('DELETE', path), await here.put({ title: 'x' }), await upload()]) {
    expect([gone.status, gone.body.error?.code]).toEqual([404, 'kpi_not_found'])
  }
  expect([await listed('?linked=all'), await listed('?linked=true'), await listed(), await epic()]).toEqual([
    ['KPI-2'],
    ['KPI-2'],
    [],
    ['KPI-2'],
  ])
  expect((await link('KPI-1')).body.error?.code).toBe('unknown_reference')
  const same = await link('KPI-2')
  expect([same.status, same.cost.rowsWritten]).toEqual([200, 0])

  const stranger = await createWorkspace()
  const elsewhere = `/api/initiatives/${stranger.product.externalKey}/kpi/KPI-1/restore`
  expect((await stranger.client('POST', elsewhere)).body.error?.code).toBe('kpi_not_found')
  const restored = await client<Kpi>('POST', `${path}/restore`)
  expect([restored.status, restored.cost.roundTrips, restored.body.data]).toEqual([200, 1, before])
  expect([await listed('?linked=true'), await listed(), await epic()]).toEqual([
    ['KPI-2', 'KPI-1'],
    [],
    ['KPI-1', 'KPI-2'],
  ])
  const again = await client<Kpi>('POST', `${path}/restore`)
  expect([again.status, again.body.data, again.cost.rowsWritten]).toEqual([200, before, 0])
  expect((await events()).slice(-2)).toMatchObject([
    { type: 'kpi.deleted', data: before },
    { type: 'kpi.restored', data: before },
  ])

  await link()
  expect([await listed(), await listed('?linked=true')]).toEqual([['KPI-2', 'KPI-1'], []])
})

test('a key for another product reaches no KPI of this product', async () => {
  const { client, key, path, product } = await createLinkedKpi()
  const apiKey = await key({ products: [product.id + 1_000_000] })
  for (const [method, at] of [
    ['PUT', path],
    ['DELETE', path],
    ['POST', `${path}/restore`],
  ] as const) {
    const answer = await client(method, at, { apiKey, ...(method === 'PUT' && { json: { title: 'x' } }) })
    expect([method, answer.status, answer.body.error?.code]).toEqual([method, 403, 'insufficient_scope'])
  }
})

test('a KPI is linked from both sides and unlinked when its work items are removed', async () => {
  const { client, base, get, put, listed, events, row, subscriptionId } = await createLinkedKpi()
  const make = async (path: string, summary: string) =>
    (await client<{ externalKey: string }>('POST', `${base}/${path}`, { json: { summary } })).body.data.externalKey
  const [epic, story] = [await make('epics', 'E'), await make('storyMap/card', 'S')]
  const kpisOf = async () => (await client<{ kpis: string[] }>('GET', `${base}/epics/${epic}`)).body.data.kpis
  const created = await client<Kpi & { workItems: string[] }>('POST', `${base}/kpi`, {
    json: { title: 'Linked', workItems: [story, epic, story] },
  })
  expect([created.status, created.cost.roundTrips, created.body.data.workItems]).toEqual([201, 1, [epic, story]])
  expect([await listed(), await listed('?linked=true'), await kpisOf()]).toEqual([['KPI-1'], ['KPI-2'], ['KPI-2']])

  const linked = await put({ workItems: [epic] })
  expect([linked.status, linked.cost.roundTrips]).toEqual([200, 1])
  expect((await events()).at(-1)).toMatchObject({
    type: 'kpi.updated',
    previous: { workItems: [] },
    data: linked.body.data,
  })
  expect([await listed(), await kpisOf(), (await get()).body.data]).toEqual([[], ['KPI-1', 'KPI-2'], linked.body.data])
  const same = await put({ workItems: [epic, epic] })
  expect([same.status, same.cost.rowsWritten]).toEqual([200, 0])
  const wrong = await put({ workItems: [epic, 'EP-99', 'KPI-1'] })
  expect(wrong.body.error?.issues.map(({ path }) => path)).toEqual(['/workItems/2'])
  expect((await put({ workItems: [epic, 'EP-99'] })).body.error?.issues[0]?.path).toBe('/workItems/1')
  const elsewhere = await row('products', {
    ...{ subscription_id: subscriptionId, external_key: 'OTH-9', name: 'Other', created_at: 0, updated_at: 0 },
  })
  const stranger = await row('work_items', {
    ...{ subscription_id: subscriptionId, product_id: elsewhere, type: 'epic', external_key: 'EP-98', summary: 'x' },
    ...{ rank: 'a0', created_at: 0, updated_at: 0 },
  })
  expect(stranger).toBeGreaterThan(0)
  expect((await put({ workItems: ['EP-98'] })).body.error?.code).toBe('unknown_reference')

  // KPI-1 loses its only link with the epic; KPI-2 is still linked to the story.
  await client('DELETE', `${base}/epics/${epic}`)
  expect([await listed(), await listed('?linked=true')]).toEqual([['KPI-1'], ['KPI-2']])
  await client('DELETE', `${base}/storyMap/card/${story}`)
  expect([await listed(), await listed('?linked=true')]).toEqual([['KPI-2', 'KPI-1'], []])
  await client('POST', `${base}/epics/${epic}/restore`)
  expect([await listed(), await listed('?linked=true'), await kpisOf()]).toEqual([
    [],
    ['KPI-2', 'KPI-1'],
    ['KPI-1', 'KPI-2'],
  ])
  await client('PUT', `${base}/epics/${epic}`, { json: { kpis: [] } })
  // A removed work item stays linked, and stays hidden.
  expect([await listed(), await listed('?linked=true')]).toEqual([['KPI-2', 'KPI-1'], []])
  await client('POST', `${base}/storyMap/card/${story}/restore`)
  expect(await listed()).toEqual(['KPI-1'])
  await client('PUT', `${base}/kpi/KPI-2`, { json: { workItems: [] } })
  expect(await listed()).toEqual(['KPI-2', 'KPI-1'])
})

test('the list has the highest order first, and the order can be set', async () => {
  const { client, base, put, listed } = await createLinkedKpi()
  for (const title of ['Two', 'Three']) await client('POST', `${base}/kpi`, { json: { title } })
  expect(await listed()).toEqual(['KPI-3', 'KPI-2', 'KPI-1'])
  expect((await put({ order: 9 })).body.data.order).toBe(9)
  expect(await listed()).toEqual(['KPI-1', 'KPI-3', 'KPI-2'])
  await client('POST', `${base}/kpi`, { json: { title: 'Four' } })
  expect(await listed()).toEqual(['KPI-4', 'KPI-1', 'KPI-3', 'KPI-2'])
  for (const order of [-1, 1.5, '2', null]) {
    expect((await put({ order })).body.error?.issues.map(({ path }) => path)).toEqual(['/order'])
  }
})
