import { expect, test } from 'vitest'
import {
  countPolls,
  MAX_WAITERS_PER_KEY,
  MAX_WAITERS_PER_WORKSPACE,
  waitForEventPage,
} from '../../../src/workspace/events/waiting'
import { call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { createFakeClock } from '../../fake-clock'

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
  const [aloneKey, busyKey] = [await alone.key(), await busy.key()]
  const clock = createFakeClock()
  const single = clock.follow(waitForEvents(aloneKey, 'wait=6'))
  const shared = Promise.all([...keys, ...keys].map((apiKey) => clock.follow(waitForEvents(apiKey, 'wait=6'))))
  // Events outside the filter keep arriving.
  const filtered = clock.follow(waitForEvents(busyKey, 'wait=6&type=userstory.created'))
  for (let n = 0; n < 5; n++) {
    await createEpic(busy)
    await clock.advance(1_000)
  }
  const answers = await clock.finish(shared)
  expect((await filtered).body.data).toEqual([])
  expect((await filtered).cost.roundTrips).toBeLessThanOrEqual(3)
  expect((await single).cost.roundTrips).toBeLessThanOrEqual(3)
  expect(answers.map(({ status, body }) => [status, body.data])).toEqual(answers.map(() => [200, []]))
  // Each waiter reads at the start and at the end, and all waiters share one poll.
  expect(answers.reduce((sum, { cost }) => sum + cost.roundTrips, 0)).toBeLessThanOrEqual(2 * 10 + 1)
})

test('an event found by one waiter reaches all matching waiters, by their filters and products', async () => {
  const world = await createWorkspace()
  const other = (await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })).body.data
  const after = (await world.client<Event[]>('GET', '/api/v2/events')).body.data.at(-1)?.id
  const keys = [
    await world.key(),
    await world.key({ scopes: ['events:read'] }),
    await world.key({ products: [other.id] }),
  ]
  const clock = createFakeClock()
  const follow = (key = '', query = '') => clock.follow(waitForEvents(key, `after=${after}&${query}`))
  const all = follow(keys[0], 'wait=10')
  const blind = follow(keys[1], 'wait=10')
  const elsewhere = follow(keys[2], 'wait=3')
  const unrelated = follow(keys[0], 'wait=3&type=userstory.created')
  await clock.idle()
  await createEpic(world)
  const began = readClock()
  const [first, second] = await clock.finish(Promise.all([all, blind]))
  expect(first.body.data).toMatchObject([{ type: 'epic.created', data: { summary: 'An epic' } }])
  expect(second.body.data).toMatchObject([{ type: 'epic.created', data: null }])
  // The first poll, and a look at what another waiter has found.
  expect(readClock() - began).toBeLessThanOrEqual(1_250)
  const empty = await clock.finish(Promise.all([elsewhere, unrelated]))
  expect(empty.map(({ body }) => body.data)).toEqual([[], []])
})

test('a key that is revoked during its wait is refused', async () => {
  const world = await createWorkspace()
  const made = await world.client<{ id: number; token: string }>('POST', '/api/v2/api-keys', {
    json: { name: 'Follows', scopes: ['events:read'] },
  })
  const { id, token } = made.body.data
  const after = (await world.client<Event[]>('GET', '/api/v2/events')).body.data.at(-1)?.id
  const clock = createFakeClock()
  const waiting = clock.follow(waitForEvents(`Bearer ${token}`, `wait=2&after=${after}`))
  await clock.idle()
  expect((await world.client('DELETE', `/api/v2/api-keys/${id}`)).status).toBe(200)
  const answer = await clock.finish(waiting)
  expect([answer.status, answer.body.error?.code]).toEqual([401, 'unauthorized'])
})

test('waiting requests are limited per key and per workspace, and a finished wait makes room', async () => {
  const [world, stranger] = [await createWorkspace(), await createWorkspace()]
  const keys = await createMany(MAX_WAITERS_PER_WORKSPACE / MAX_WAITERS_PER_KEY, () => world.key())
  const [first = '', next, strange] = [keys[0], await world.key(), await stranger.key()]
  const client = new AbortController()
  const clock = createFakeClock()
  const hold = (apiKey: string) =>
    createMany(MAX_WAITERS_PER_KEY, () =>
      clock.follow(call<Event[]>('GET', '/api/v2/events?wait=25', { apiKey, signal: client.signal })),
    )
  const ofFirst = hold(first)
  await clock.idle()
  const beyondKey = await waitForEvents(first, 'wait=2')
  expect([beyondKey.status, beyondKey.body.error?.code]).toEqual([429, 'rate_limited'])
  expect(beyondKey.body.message).toMatch(/API key.*without wait/)
  expect([beyondKey.headers.get('retry-after'), beyondKey.cost.roundTrips]).toEqual(['5', 0])
  expect((await waitForEvents(first, '')).status).toBe(200)
  const ofOthers = keys.slice(1).map(hold)
  await clock.idle()
  const beyondWorkspace = await waitForEvents(next, 'wait=2')
  expect([beyondWorkspace.status, beyondWorkspace.body.message]).toEqual([429, expect.stringMatching(/workspace/)])
  const wait = (apiKey: string) => clock.finish(clock.follow(waitForEvents(apiKey, 'wait=1')))
  expect((await wait(strange)).status).toBe(200)
  client.abort()
  const answers = (await clock.finish(Promise.all([ofFirst, ...ofOthers]))).flat()
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await wait(first)).status).toBe(200)
})

test('a disconnected waiter makes room at once, or after a few seconds without a signal', async () => {
  const world = await createWorkspace()
  const apiKey = await world.key()
  const client = new AbortController()
  const path = '/api/v2/events?wait=20'
  const clock = createFakeClock()
  const wait = () => clock.finish(clock.follow(waitForEvents(apiKey, 'wait=1')))
  const waiting = createMany(MAX_WAITERS_PER_KEY, () =>
    clock.follow(call('GET', path, { apiKey, signal: client.signal })),
  )
  await clock.idle()
  expect((await wait()).status).toBe(429)
  client.abort()
  const began = readClock()
  await clock.finish(waiting)
  expect(readClock() - began).toBeLessThanOrEqual(250)
  expect((await wait()).status).toBe(200)

  const { subscriptionId, userId } = world
  const actor = { subscriptionId, userId, jti: 'one', scopes: [], products: null }
  const { signal } = new AbortController()
  const enter = (read: () => Promise<{ newest: number }>) =>
    waitForEventPage({ actor, seconds: 1, signal, read, isAnswer: () => true })
  // The runtime ends a request of a disconnected client, and the request never runs its cleanup.
  for (let n = 0; n < MAX_WAITERS_PER_KEY; n++) void enter(() => new Promise(() => {}))
  await expect(enter(async () => ({ newest: 0 }))).rejects.toThrow('already wait for events')
  await clock.advance(3_000)
  expect(await enter(async () => ({ newest: 0 }))).toEqual({ newest: 0 })
})
