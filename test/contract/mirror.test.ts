import { expect, test } from 'vitest'
import { applyEvent, type Client, mirror } from '../../clients/typescript/src'
import { createMirrorClient, readAll, readEventsSince, shuffleDeliveries } from '../mirror/app-mirror'
import { findDifferences } from '../mirror/compare'
import { seededRandom } from '../random'
import { callOperation, createScenario, eachOperation, isWrite } from './table'

const { here, records } = await createScenario()

const client = await createMirrorClient(here)

/** The erasure of a workspace, a restore of the whole workspace, and a test that writes a user by SQL. */
const UNFOLLOWED = ['restoreExport', 'eraseWorkspace', 'restoreWorkspace', 'createSuppression']

test('a mirror that lists once and then follows the events equals the lists, whatever the order of the events', async () => {
  for (const [id, op] of eachOperation((op) => isWrite(op) && op.status === 201))
    if (!UNFOLLOWED.includes(id)) await callOperation(op, records)
  const inOrder = await readAll(client)
  const shuffled = await readAll(client)
  const position = shuffled.readPosition() ?? 0
  for (const [id, op] of eachOperation(isWrite)) if (!UNFOLLOWED.includes(id)) await callOperation(op, records)

  const events = await readEventsSince(client, position)
  expect(events.length).toBeGreaterThan(200)
  for (const event of events) await applyEvent(client, inOrder, event, event.id)
  for (const event of shuffleDeliveries(events, seededRandom(28))) await applyEvent(client, shuffled, event)

  const expectEqualLists = async () => {
    const listed = (await readAll(client)).listVisible()
    expect(findDifferences(inOrder.listVisible(), listed)).toEqual([])
    expect(findDifferences(shuffled.listVisible(), listed)).toEqual([])
  }
  await expectEqualLists()

  // A removed product takes its content along, and brings the content back.
  const product = `/api/initiatives/${here.product.externalKey}`
  for (const [method, path] of [['DELETE', product] as const, ['POST', `${product}/restore`] as const]) {
    expect((await here.client(method, path)).status).toBe(200)
    const more = await readEventsSince(client, inOrder.readPosition() ?? 0)
    expect(more.length).toBe(1)
    for (const event of more) {
      await applyEvent(client, inOrder, event, event.id)
      await applyEvent(client, shuffled, event)
    }
    await expectEqualLists()
  }
})

test('the first read has the KPIs that are linked to work items', async () => {
  const path = await records.path('/api/initiatives/{product_external_key}/epics/{epic_external_key}')
  const externalKey = await records.value('kpi_external_key')
  expect((await here.client('PUT', path, { json: { kpis: [externalKey] } })).status).toBe(200)
  const { records: stored } = await readAll(client)
  expect(
    [...stored.values()].filter(({ resource, data }) => resource === 'kpi' && data.externalKey === externalKey),
  ).toHaveLength(1)
})

test('a key with few scopes mirrors the records that it can read', async () => {
  const narrow = await createMirrorClient(here, ['events:read', 'products:read', 'backlog:read'])
  const { body } = await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'new@example.com' } })
  await records.value('epic_external_key')
  await records.value('feedback_external_key')
  const store = await readAll(narrow)
  const resources = new Set([...store.records.values()].map(({ resource }) => resource))
  expect([...resources]).toEqual(expect.arrayContaining(['product', 'team', 'epic', 'tag', 'settings']))
  expect(['feedback', 'vote', 'persona', 'kpi', 'member', 'webhook'].filter((one) => resources.has(one))).toEqual([])
  // The key sees the event of the user, and cannot read the member.
  for (const event of await narrow.listEvents({ type: ['user.created'], key: String(body.data.id) }))
    await applyEvent(narrow, store, event)
  expect(store.records.has(`member ${body.data.id}`)).toBe(false)
})

test('a mirror begins anew after the restore of an export', async () => {
  const store = await readAll(client)
  const position = store.readPosition() ?? 0
  const stale = { id: 'team 999999', resource: 'team', eventId: position, isRemoved: false, data: {}, parents: [] }
  store.apply([stale])
  const stop = new AbortController()
  const event = { id: position + 1, type: 'workspace.restored', data: {}, productId: null, resourceKey: '' }
  let isSent = false
  const request: Client['request'] = async (id, ...given) => {
    if (id !== 'listEvents' || isSent) return client.request(id, ...given)
    isSent = true
    return { data: [event], headers: new Headers() } as never
  }
  const restored = new Proxy(client, {
    get: (target, name) => (name === 'request' ? request : Reflect.get(target, name)),
  })
  const { apply } = store
  store.apply = (changes, at) => {
    apply.call(store, changes, at)
    if (at !== undefined) stop.abort()
  }
  await mirror(restored, store, { signal: stop.signal })
  expect(isSent).toBe(true)
  expect(store.records.has(stale.id)).toBe(false)
  expect(store.readPosition()).toBe(position)
  expect(store.records.size).toBeGreaterThan(10)
})
