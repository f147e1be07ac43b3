import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkItemScenario, type Event } from './scenario'

/** Creates an epic and a KPI, with a PUT that sends an earlier ETag. */
async function createLinkedPair() {
  const here = await createWorkItemScenario()
  const made = await here.create('epics', { summary: 'Checkout' })
  const epic = { key: made.externalKey, id: made.epicId, path: `${here.at}/epics/${made.externalKey}` }
  const { body } = await here.client<{ externalKey: string }>('POST', `${here.at}/kpi`, { json: { title: 'Revenue' } })
  const kpi = { key: body.data.externalKey, path: `${here.at}/kpi/${body.data.externalKey}` }
  const etagOf = async (path: string) => (await here.client('GET', path)).headers.get('etag') ?? ''
  const put = (path: string, json: object, etag?: string) =>
    here.client('PUT', path, { json, headers: etag === undefined ? {} : { 'if-match': etag } })
  return { ...here, epic, kpi, etagOf, put }
}

test('a link from a KPI makes the earlier ETag of the epic stale', async () => {
  const { epic, kpi, etagOf, put, detail } = await createLinkedPair()
  const before = await etagOf(epic.path)
  expect((await put(kpi.path, { workItems: [epic.key] })).status).toBe(200)
  const stale = await put(epic.path, { kpis: [] }, before)
  expect([stale.status, stale.body.error?.code]).toEqual([412, 'precondition_failed'])
  expect((await detail(`epics/${epic.key}`)).kpis).toEqual([kpi.key])
  const linked = await etagOf(epic.path)
  expect((await put(kpi.path, { workItems: [] })).status).toBe(200)
  expect((await put(epic.path, { kpis: [kpi.key] }, linked)).status).toBe(412)
  expect((await put(epic.path, { kpis: [kpi.key] }, await etagOf(epic.path))).status).toBe(200)
})

test.each(['PUT', 'bulk'])('a link from an item by %s makes the earlier ETag of the KPI stale', async (by) => {
  const { epic, kpi, etagOf, put, client, at } = await createLinkedPair()
  const before = await etagOf(kpi.path)
  const body = { kpis: [kpi.key] }
  if (by === 'PUT') await put(epic.path, body)
  else {
    const json = [{ op: 'update', type: 'epic', externalKey: epic.key, body }]
    expect((await client('POST', `${at}/backlog/bulk`, { json })).status).toBe(200)
  }
  expect((await put(kpi.path, { workItems: [] }, before)).status).toBe(412)
  const { body: after } = await client<{ workItems: string[] }>('GET', kpi.path)
  expect(after.data.workItems).toEqual([epic.key])
})

test('an attached file makes the earlier ETag of the epic stale', async () => {
  const { epic, etagOf, put, at, asset, detail } = await createLinkedPair()
  const file = await asset()
  const before = await etagOf(epic.path)
  expect((await put(`${at}/assets/${file}`, { artifactKey: epic.key })).status).toBe(200)
  expect((await put(epic.path, { files: [] }, before)).status).toBe(412)
  expect((await detail(`epics/${epic.key}`)).files).toMatchObject([{ file: { id: file, artifactId: epic.id } }])
})

test('a feature that moved away makes the earlier ETag of its epic stale', async () => {
  const { epic, etagOf, put, create, detail, at } = await createLinkedPair()
  const other = await create('epics', { summary: 'Other' })
  const feature = await create('features', { summary: 'Pay', epicId: epic.id })
  const [before, ofOther] = [await etagOf(epic.path), await etagOf(`${at}/epics/${other.externalKey}`)]
  expect((await put(`${at}/features/${feature.externalKey}`, { epicId: other.epicId })).status).toBe(200)
  expect((await put(epic.path, { features: [feature.externalKey] }, before)).status).toBe(412)
  expect((await detail(`features/${feature.externalKey}`)).epicId).toBe(other.epicId)
  // A PUT drops no child, so the earlier ETag of an epic with a new child stays valid.
  expect((await put(`${at}/epics/${other.externalKey}`, { summary: 'Another' }, ofOther)).status).toBe(200)
  expect((await detail(`epics/${other.externalKey}`)).features).toEqual([feature.externalKey])
})

test('a restored KPI makes the earlier ETag of its items stale', async () => {
  const { epic, kpi, etagOf, put, client, events } = await createLinkedPair()
  await put(kpi.path, { workItems: [epic.key] })
  await client('DELETE', kpi.path)
  const hidden = await etagOf(epic.path)
  await client('POST', `${kpi.path}/restore`)
  expect((await put(epic.path, { kpis: [] }, hidden)).status).toBe(412)
  const updateEvents = (await events(epic.key)).filter(({ type }) => type === 'epic.updated')
  expect(updateEvents.map(({ previous, data }) => [previous?.kpis, data.kpis])).toEqual([
    [[], [kpi.key]],
    [[kpi.key], []],
    [[], [kpi.key]],
  ])
})

test('If-None-Match answers 304 until the other end of a link changes', async () => {
  const { epic, kpi, etagOf, put, client } = await createLinkedPair()
  const etag = await etagOf(epic.path)
  const read = () => client('GET', epic.path, { headers: { 'if-none-match': etag } })
  await put(kpi.path, { workItems: [], title: 'Turnover' })
  expect((await read()).status).toBe(304)
  await put(kpi.path, { workItems: [epic.key] })
  expect((await read()).status).toBe(200)
})

test("the event of the other end belongs to the other end's product", async () => {
  const { epic, kpi, put, key, product, client } = await createLinkedPair()
  const { body } = await client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Another' } })
  await put(kpi.path, { workItems: [epic.key] })
  const seenBy = async (products: number[]) => {
    const apiKey = await key({ products })
    const { body } = await call<Event[]>('GET', `/api/v2/events?key=${epic.key}`, { apiKey })
    return body.data.filter(({ type }) => type === 'epic.updated').length
  }
  expect([await seenBy([product.id]), await seenBy([body.data.id])]).toEqual([1, 0])
})

test('a link to a hundred items needs as many statements as a link to one', async () => {
  const { epic, kpi, put, client, at } = await createLinkedPair()
  const json = Array.from({ length: 100 }, (_, n) => ({ op: 'create', type: 'epic', body: { summary: `E${n}` } }))
  const { body } = await client<{ results: { externalKey: string }[] }>('POST', `${at}/backlog/bulk`, { json })
  const keys = body.data.results.map(({ externalKey }) => externalKey)
  const one = await put(kpi.path, { workItems: [epic.key] })
  const many = await put(kpi.path, { workItems: keys })
  expect([one.cost.roundTrips, many.cost.roundTrips]).toEqual([1, 1])
  expect(many.cost.statements).toBe(one.cost.statements)
  const again = await put(kpi.path, { workItems: keys })
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
})
