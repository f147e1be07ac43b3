import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { readClock } from '../../clock'
import { createWebhookScenario, HOUR } from './scenario'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

async function insertEvents(subscriptionId: number, productId: number, count: number) {
  await env.DB.prepare(
    `INSERT INTO append_event (subscription_id, id, product_id, type, resource_key, data, created_at)
     SELECT ?1, (SELECT coalesce(max(id), 0) FROM log WHERE subscription_id = ?1) + 1 + value, ?2, 'epic.updated',
       'EP-' || value, json_object('externalKey', 'EP-' || value), ?3 FROM json_each(?4)`,
  )
    .bind(subscriptionId, productId, readClock(), JSON.stringify(Array.from({ length: count }, (_, n) => n)))
    .run()
}

function seededRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}

test('a process that is killed at any point delivers every event to every endpoint under one id', async () => {
  const chance = seededRandom(11)
  const received = new Map<string, Map<string, string>>()
  const receive: typeof fetch = async (input, init) => {
    const box = received.get(String(input)) ?? new Map<string, string>()
    received.set(String(input), box)
    const fault = chance()
    if (fault < 0.05) return new Response('busy', { status: 503 })
    const id = new Headers(init?.headers).get('webhook-id') ?? ''
    const { data } = JSON.parse(String(init?.body)) as { data: { externalKey: string } }
    // An id must always belong to the same event.
    expect(box.get(id) ?? data.externalKey).toBe(data.externalKey)
    box.set(id, data.externalKey)
    if (fault < 0.08) throw new TypeError('connection reset')
    return new Response(null, { status: 204 })
  }
  const { endpoint, runFor, office: simulation, space, handleDueMessages } = await createWebhookScenario({}, receive)
  const { subscriptionId, product } = space
  const urls = ['https://one.example.com/', 'https://two.example.com/']
  for (const url of urls) await endpoint({ url, events: ['epic.*'] })
  for (let n = 0; n < 10; n++) {
    await insertEvents(subscriptionId, product.id, 50)
    simulation.now += 1_000
    // The write's message is lost at random, and the process dies before or after a random action.
    if (chance() < 0.7) simulation.enqueue({ kind: 'webhook.wake', subscriptionId })
    simulation.actionCount = 0
    simulation.kill = { at: 1 + Math.floor(chance() * 60), when: chance() < 0.5 ? 'before' : 'after' }
    await handleDueMessages()
    simulation.killed = false
  }
  simulation.kill = {}
  await runFor(12 * HOUR)
  for (const url of urls) {
    const box = received.get(url)
    expect(box?.size).toBe(500)
  }
  const ids = urls.map((url) => [...(received.get(url)?.keys() ?? [])].sort())
  expect(ids[0]).toEqual(ids[1])
})

test('1,000 events to ten endpoints take 73 round trips for 10,000 deliveries', async () => {
  const counts = new Map<string, number>()
  const receive: typeof fetch = async (input) => {
    counts.set(String(input), (counts.get(String(input)) ?? 0) + 1)
    return new Response(null, { status: 204 })
  }
  const { endpoint, office: simulation, space, wakeWebhooks } = await createWebhookScenario({}, receive)
  for (let n = 0; n < 10; n++) await endpoint({ url: `https://n${n}.example.com/`, events: ['epic.*'] })
  await insertEvents(space.subscriptionId, space.product.id, 1_000)
  const before = simulation.cost.roundTrips
  await wakeWebhooks()
  expect([...counts.values()]).toEqual(Array(10).fill(1_000))
  // Three round trips start the endpoints. Each endpoint needs a round trip per 200 deliveries, and two to find no more
  // events.
  expect(simulation.cost.roundTrips - before).toBe(3 + 10 * (1_000 / 200 + 2))
})
