import { expect, test } from 'vitest'
import {
  countPolls,
  MAX_WAITERS_PER_KEY,
  MAX_WAITERS_PER_WORKSPACE,
  waitForEventPage,
} from '../../../src/workspace/events/waiting'
import { call } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'

interface Event {
  id: number
  type: string
}

const waitForEvents = (apiKey: string, query: string) => call<Event[]>('GET', `/api/v2/events?${query}`, { apiKey })
const createMany = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

const createEpic = ({ client, product }: Workspace) =>
  client('POST', `/api/initiatives/${product.externalKey}/epics`, { json: { summary: 'An epic' } })

test.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [6, 1],
  [7, 1],
  [8, 2],
  [13, 3],
  [25, 5],
])('a wait of %d s polls at most %d times', (seconds, polls) => {
  expect(countPolls(seconds)).toBe(polls)
})

test('a wait of 6 s makes at most 3 round trips, and ten waiters share their polls', async () => {
  const [alone, together, busy] = [await createWorkspace(), await createWorkspace(), await createWorkspace()]
  const keys = await createMany(5, () => together.key())
  const single = waitForEvents(await alone.key(), 'wait=6')
  const shared = Promise.all([...keys, ...keys].map((apiKey) => waitForEvents(apiKey, 'wait=6')))
  // Events outside the filter keep arriving.
  const filtered = waitForEvents(await busy.key(), 'wait=6&type=userstory.created')
  for (let n = 0; n < 5; n++) {
    await createEpic(busy)
    await scheduler.wait(1_000)
  }
  expect((await filtered).body.data).toEqual([])
  expect((await filtered).cost.roundTrips).toBeLessThanOrEqual(3)
  expect((await single).cost.roundTrips).toBeLessThanOrEqual(3)
  const answers = await shared
  expect(answers.map(({ status, body }) => [status, body.data])).toEqual(answers.map(() => [200, []]))
  // Each waiter reads at the start and at the end, and all waiters share one poll.
  expect(answers.reduce((sum, { cost }) => sum + cost.roundTrips, 0)).toBeLessThanOrEqual(2 * 10 + 1)
}, 20_000)

test('an event found by one waiter reaches all matching waiters, by their filters and products', async () => {
  const world = await createWorkspace()
  const other = (await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data
  const after = (await world.client<Event[]>('GET', '/api/v2/events')).body.data.at(-1)?.id
  const all = waitForEvents(await world.key(), `wait=10&after=${after}`)
  const blind = waitForEvents(await world.key({ scopes: ['events:read'] }), `wait=10&after=${after}`)
  const elsewhere = waitForEvents(await world.key({ products: [other.id] }), `wait=3&after=${after}`)
  const unrelated = waitForEvents(await world.key(), `wait=3&after=${after}&type=userstory.created`)
  await scheduler.wait(200)
  await createEpic(world)
  const began = Date.now()
  expect((await all).body.data).toMatchObject([{ type: 'epic.created', data: { summary: 'An epic' } }])
  expect((await blind).body.data).toMatchObject([{ type: 'epic.created', data: null }])
  expect(Date.now() - began).toBeLessThan(3_000)
  expect([(await elsewhere).body.data, (await unrelated).body.data]).toEqual([[], []])
})

test('a key that is revoked during its wait is refused', async () => {
  const world = await createWorkspace()
  const made = await world.client<{ id: number; token: string }>('POST', '/api/v2/api-keys', {
    json: { name: 'Follows', scopes: ['events:read'] },
  })
  const { id, token } = made.body.data
  const after = (await world.client<Event[]>('GET', '/api/v2/events')).body.data.at(-1)?.id
  const waiting = waitForEvents(`Bearer ${token}`, `wait=2&after=${after}`)
  await scheduler.wait(300)
  expect((await world.client('DELETE', `/api/v2/api-keys/${id}`)).status).toBe(200)
  const answer = await waiting
  expect([answer.status, answer.body.error?.code]).toEqual([401, 'unauthorized'])
})

test('waiting requests are limited per key and per workspace, and a finished wait makes room', async () => {
  const [world, stranger] = [await createWorkspace(), await createWorkspace()]
  const keys = await createMany(MAX_WAITERS_PER_WORKSPACE / MAX_WAITERS_PER_KEY, () => world.key())
  const [first = '', next, strange] = [keys[0], await world.key(), await stranger.key()]
  const client = new AbortController()
  const hold = (apiKey: string) =>
    createMany(MAX_WAITERS_PER_KEY, () =>
      call<Event[]>('GET', '/api/v2/events?wait=25', { apiKey, signal: client.signal }),
    )
  const ofFirst = hold(first)
  await scheduler.wait(500)
  const beyondKey = await waitForEvents(first, 'wait=2')
  expect([beyondKey.status, beyondKey.body.error?.code]).toEqual([429, 'rate_limited'])
  expect(beyondKey.body.message).toMatch(/API key.*without wait/)
  expect([beyondKey.headers.get('retry-after'), beyondKey.cost.roundTrips]).toEqual(['5', 0])
  expect((await waitForEvents(first, '')).status).toBe(200)
  const ofOthers = keys.slice(1).map(hold)
  await scheduler.wait(500)
  const beyondWorkspace = await waitForEvents(next, 'wait=2')
  expect([beyondWorkspace.status, beyondWorkspace.body.message]).toEqual([429, expect.stringMatching(/workspace/)])
  expect((await waitForEvents(strange, 'wait=1')).status).toBe(200)
  client.abort()
  const answers = (await Promise.all([ofFirst, ...ofOthers])).flat()
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await waitForEvents(first, 'wait=1')).status).toBe(200)
})

test('a disconnected waiter makes room at once, or after a few seconds without a signal', async () => {
  const world = await createWorkspace()
  const apiKey = await world.key()
  const client = new AbortController()
  const path = '/api/v2/events?wait=20'
  const waiting = createMany(MAX_WAITERS_PER_KEY, () => call('GET', path, { apiKey, signal: client.signal }))
  await scheduler.wait(500)
  expect((await waitForEvents(apiKey, 'wait=1')).status).toBe(429)
  client.abort()
  await waiting.catch(() => {})
  await scheduler.wait(500)
  expect((await waitForEvents(apiKey, 'wait=1')).status).toBe(200)

  const { subscriptionId, userId } = world
  const actor = { subscriptionId, userId, jti: 'one', scopes: [], products: null }
  const { signal } = new AbortController()
  const enter = (read: () => Promise<{ newest: number }>) =>
    waitForEventPage({ actor, seconds: 1, signal, read, isAnswer: () => true })
  // The runtime ends a request of a disconnected client, and the request never runs its cleanup.
  for (let n = 0; n < MAX_WAITERS_PER_KEY; n++) void enter(() => new Promise(() => {}))
  await expect(enter(async () => ({ newest: 0 }))).rejects.toThrow('already wait for events')
  await scheduler.wait(3_100)
  expect(await enter(async () => ({ newest: 0 }))).toEqual({ newest: 0 })
})
