import { env } from 'cloudflare:workers'
import { Webhook as Standard } from 'standardwebhooks'
import { beforeEach, expect, test, vi } from 'vitest'
import { readClock } from '../../clock'
import { insertSecondProduct } from '../../contract/table'
import { holdTimers } from '../../fake-clock'
import { pollUntil } from '../../poll'
import { createUniqueId } from '../../unique'
import { createBox, createWebhookScenario, DAY, HOUR, MINUTE, SECOND, verifyDelivery } from './scenario'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('an event is delivered like the record with a signature, and a changed or stale delivery fails the check', async () => {
  const { endpoint, epic, wakeWebhooks, client, at, deliveries } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  const { externalKey } = await epic({ summary: 'Ünïcode ✓', tags: '["a"]' })
  await client('PUT', `${at}/epics/${externalKey}`, { json: { summary: 'Renamed' } })
  await client('POST', `${at}/kpi`, { json: { title: 'Not asked for' } })
  await wakeWebhooks()

  const received = await there.received()
  const [first, second] = received
  if (!first || !second) throw new Error('Nothing was received')
  expect(received.length).toBe(2)
  const { body } = await client<object>('GET', `${at}/epics/${externalKey}`)
  const log = await client<{ id: number; createdAt: string; previous: object; actor: object }[]>(
    'GET',
    '/api/v2/events?type=epic.updated',
  )
  expect(verifyDelivery(hook, first)).toMatchObject({ type: 'epic.created', data: { summary: 'Ünïcode ✓' } })
  expect(Object.keys(verifyDelivery(hook, first))).toEqual(['type', 'timestamp', 'actor', 'origin', 'data'])
  expect(verifyDelivery(hook, second)).toEqual({
    type: 'epic.updated',
    timestamp: log.body.data[0]?.createdAt,
    actor: log.body.data[0]?.actor,
    origin: { via: 'api', id: null },
    data: body.data,
    previous: { summary: 'Ünïcode ✓' },
  })
  expect(first.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Groundwork-Webhooks/1.0' })
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)

  expect(() => verifyDelivery(hook, { ...second, body: second.body.replace('Renamed', 'renamed') })).toThrow(
    /signature/i,
  )
  expect(() => verifyDelivery(hook, { ...second, headers: { ...second.headers, 'webhook-id': 'evt_1_1' } })).toThrow(
    /signature/i,
  )
  const stamp = String(Math.floor(readClock() / 1000) - 301)
  expect(() => verifyDelivery(hook, { ...second, headers: { ...second.headers, 'webhook-timestamp': stamp } })).toThrow(
    /old/i,
  )

  expect(await deliveries(hook.id)).toMatchObject([
    {
      type: 'epic.created',
      status: 'delivered',
      attempts: [{ status: 200, response: 'ok', error: null }],
      nextAttemptAt: null,
    },
    { eventId: log.body.data[0]?.id, type: 'epic.updated', status: 'delivered' },
  ])
})

test('a failed delivery is tried ten times in three days under one id, and only 2xx is a success', async () => {
  const { endpoint, epic, wakeWebhooks, runFor, deliveries, read, office: simulation } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.created'] })
  await there.answers({ status: 500, body: 'broken <b>\u0007' })
  await epic()
  await wakeWebhooks()
  const began = simulation.now
  expect(await deliveries(hook.id)).toMatchObject([
    { status: 'pending', attempts: [{ status: 500, response: 'broken <b> ', error: 'The receiver answered 500.' }] },
  ])
  expect(await read(hook.id)).toMatchObject({ status: 'active', failures: 1, lastError: 'The receiver answered 500.' })
  await runFor(4 * DAY)
  const [delivery] = await deliveries(hook.id)
  expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
  const waits = delivery?.attempts.map(({ at }, n, all) => Date.parse(at) - Date.parse(all[n - 1]?.at ?? at))
  const planned = [
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ]
  expect(waits?.length).toBe(10)
  waits?.forEach((wait, n) => {
    expect(wait).toBeGreaterThanOrEqual(planned[n] ?? 0)
    expect(wait).toBeLessThanOrEqual((planned[n] ?? 0) * 1.2 + MINUTE)
  })
  expect(Date.parse(delivery?.attempts[0]?.at ?? '')).toBe(began)

  const received = await there.received()
  expect(received.length).toBe(10)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10)
  for (const { headers, body } of received) {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(new Standard(hook.secret).sign(headers['webhook-id'] ?? '', at, body)).toBe(headers['webhook-signature'])
  }
  await there.answers({ status: 204 })
  await epic()
  await wakeWebhooks()
  // After many failures, the service waits some minutes before the next attempt.
  expect((await there.received()).length).toBe(10)
  await runFor(6 * MINUTE)
  expect(await read(hook.id)).toMatchObject({ failures: 0, lastError: null })
})

test('a redirect is a failure and is not followed', async () => {
  const { endpoint, epic, wakeWebhooks, deliveries } = await createWebhookScenario()
  const [there, elsewhere] = [createBox(), createBox()]
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  await there.answers({ status: 307, headers: { location: elsewhere.url } })
  await epic()
  await wakeWebhooks()
  expect(await elsewhere.received()).toEqual([])
  expect((await deliveries(hook.id))[0]?.attempts).toMatchObject([
    { status: 307, error: 'The receiver answered 307; redirects are not followed.' },
  ])
})

test('the service honors Retry-After and sends nothing else to the endpoint meanwhile', async () => {
  const { endpoint, epic, wakeWebhooks, runFor, deliveries, office: simulation } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  await there.answers({ status: 429, headers: { 'retry-after': '1800' } }, { status: 200 })
  await epic()
  await wakeWebhooks()
  const [delivery] = await deliveries(hook.id)
  const wait = Date.parse(delivery?.nextAttemptAt ?? '') - simulation.now
  expect(wait).toBeGreaterThanOrEqual(1_800 * SECOND)
  expect(wait).toBeLessThan(1_860 * SECOND)
  await runFor(29 * MINUTE)
  expect((await there.received()).length).toBe(1)
  await runFor(5 * MINUTE)
  expect((await deliveries(hook.id))[0]?.status).toBe('delivered')
})

test('a 410 disables the endpoint with an event, mails its owners and discards waiting deliveries', async () => {
  const { endpoint, epic, wakeWebhooks, client, deliveries, read, space, runFor } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  await there.answers({ status: 500 }, { status: 410 })
  await epic()
  await wakeWebhooks()
  await epic()
  await wakeWebhooks()
  expect((await there.received()).length).toBe(1)
  await runFor(2 * MINUTE)
  expect(await read(hook.id)).toMatchObject({ status: 'disabled', lastError: 'The receiver answered 410.' })
  expect((await deliveries(hook.id)).map(({ status }) => status).sort()).toEqual(['discarded', 'failed'])
  const eventList = await client<{ data: object; previous: object; actor: object; origin: object }[]>(
    'GET',
    '/api/v2/events?type=webhook.disabled',
  )
  expect(eventList.body.data).toMatchObject([
    {
      data: { id: hook.id, status: 'disabled' },
      previous: { status: 'active' },
      actor: { userId: null, keyId: null, keyName: null },
      origin: { via: 'queue', id: null },
    },
  ])
  const { results } = await env.DB.prepare(
    'SELECT e.kind, r.email FROM emails e JOIN email_recipients r ON r.email_id = e.id WHERE e.subscription_id = ?',
  )
    .bind(space.subscriptionId)
    .all()
  expect(results).toEqual([{ kind: 'notice', email: 'owner@example.com' }])
  await epic()
  await wakeWebhooks()
  expect((await there.received()).length).toBe(2)

  const refused = await client('POST', `/api/v2/webhooks/${hook.id}/test`)
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  await there.answers({ status: 200 })
  const back = await client('PUT', `/api/v2/webhooks/${hook.id}`, { json: { status: 'active' } })
  expect(back.body.data).toMatchObject({ status: 'active', failures: 0, lastError: null })
  await epic()
  await wakeWebhooks()
  expect((await there.received()).length).toBe(3)
})

test('an endpoint without a success for five days is disabled', async () => {
  const { endpoint, epic, wakeWebhooks, runFor, read, client } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  await there.answers({ status: 503 })
  await epic()
  await wakeWebhooks()
  await runFor(4 * DAY)
  await epic()
  await runFor(12 * HOUR)
  expect((await read(hook.id)).status).toBe('active')
  await runFor(2 * DAY)
  expect((await read(hook.id)).status).toBe('disabled')
  expect((await client<object[]>('GET', '/api/v2/events?type=webhook.disabled')).body.data.length).toBe(1)
})

test('a slow endpoint does not delay other endpoints and is canceled after its timeout', async () => {
  const timeouts = holdTimers(15 * SECOND)
  const { endpoint, epic, office: simulation, handleDueMessages, space, deliveries } = await createWebhookScenario()
  const [slow, quick] = [createBox(), createBox()]
  const first = await endpoint({ url: slow.url, events: ['epic.*'] })
  await endpoint({ url: quick.url, events: ['epic.*'] })
  await slow.answers({ status: 200, isSilent: true })
  for (let n = 0; n < 12; n++) await epic()
  simulation.enqueue({ kind: 'webhook.wake', subscriptionId: space.subscriptionId })
  const done = handleDueMessages()
  await pollUntil('The last quick delivery', async () => (await quick.received()).length === 12)
  await pollUntil('The fourth slow delivery', async () => (await slow.received()).length === 4)
  timeouts.elapse()
  await done
  // At most four requests to an endpoint run at once, and no request follows the four timeouts.
  expect((await slow.received()).length).toBe(4)
  const attempts = (await deliveries(first.id)).flatMap(({ attempts }) => attempts)
  expect(attempts.map(({ error }) => error)).toEqual(Array(4).fill('No answer within 15 seconds.'))
})

test('deliveries have two signatures for a day after a rotation', async () => {
  const { endpoint, epic, wakeWebhooks, client, office: simulation } = await createWebhookScenario()
  const there = createBox()
  const old = await endpoint({ url: there.url, events: ['epic.*'] })
  const { body } = await client<{ secret: string }>('POST', `/api/v2/webhooks/${old.id}/rotate`)
  expect(body.data.secret).toMatch(/^whsec_/)
  expect(body.data.secret).not.toBe(old.secret)
  await epic()
  await wakeWebhooks()
  const [received] = await there.received()
  if (!received) throw new Error('Nothing was received')
  expect(received.headers['webhook-signature']?.split(' ').length).toBe(2)
  for (const secret of [old.secret, body.data.secret])
    expect(verifyDelivery({ secret }, received).type).toBe('epic.created')

  simulation.now += DAY + SECOND
  await epic()
  await wakeWebhooks()
  const later = (await there.received())[1]
  expect(later?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
  const at = new Date(Number(later?.headers['webhook-timestamp']) * 1000)
  expect(new Standard(body.data.secret).sign(later?.headers['webhook-id'] ?? '', at, later?.body ?? '')).toBe(
    later?.headers['webhook-signature'],
  )
})

test('a single delivery and a time range are replayed under their ids', async () => {
  const { endpoint, epic, wakeWebhooks, client, deliveries } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  const began = new Date(readClock()).toISOString()
  for (let n = 0; n < 3; n++) await epic()
  await wakeWebhooks()
  const at = `/api/v2/webhooks/${hook.id}`
  const [first] = await deliveries(hook.id)
  const again = await client<{ status: string; attempts: object[] }>('POST', `${at}/deliveries/${first?.id}/replay`)
  expect(again.body.data).toMatchObject({ id: first?.id, status: 'pending', attempts: first?.attempts })
  await wakeWebhooks()
  const all = await client('POST', `${at}/replay`, { json: { from: began } })
  expect(all.body).toMatchObject({ message: '3 events are on the way once more.', data: { id: hook.id } })
  await wakeWebhooks()
  const none = await client('POST', `${at}/replay`, { json: { from: '2020-01-01', to: '2020-01-02' } })
  expect(none.body.message).toBe('0 events are on the way once more.')

  const ids = (await there.received()).map(({ headers }) => headers['webhook-id'])
  expect(ids.length).toBe(7)
  expect(new Set(ids).size).toBe(3)
  expect((await deliveries(hook.id)).map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['delivered', 3],
    ['delivered', 2],
    ['delivered', 2],
  ])
  const wrong = await client('POST', `${at}/replay`, { json: { from: '2026-02-01', to: '2026-01-01' } })
  expect(wrong.body.error?.issues[0]?.path).toBe('/to')
  expect((await client('POST', `${at}/deliveries/999/replay`)).body.error?.code).toBe('webhook_delivery_not_found')
})

test('deliveries are listed by status, and a range replays the failed deliveries alone', async () => {
  const { endpoint, epic, wakeWebhooks, client, deliveries } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  const began = new Date(readClock()).toISOString()
  await epic()
  await wakeWebhooks()
  await there.answers({ status: 503 })
  await epic()
  await wakeWebhooks()
  const at = `/api/v2/webhooks/${hook.id}`
  const list = async (status: string) =>
    (await client<{ id: number; status: string }[]>('GET', `${at}/deliveries?status=${status}`)).body.data
  const [waiting] = await list('pending')
  expect(waiting?.status).toBe('pending')
  expect((await list('delivered')).map(({ id }) => id)).not.toContain(waiting?.id)
  expect((await list('pending,delivered')).length).toBe((await deliveries(hook.id)).length)
  expect((await list('failed')).length).toBe(0)
  const replay = async (status: string) =>
    (await client('POST', `${at}/replay`, { json: { from: began, status } })).body.message
  expect(await replay('failed')).toBe('0 events are on the way once more.')
  expect(await replay('delivered')).toBe('1 event is on the way once more.')
  expect((await client('POST', `${at}/replay`, { json: { from: began, status: 'lost' } })).status).toBe(400)
})

test('a test event reaches the endpoint once, whatever its event patterns are', async () => {
  const { endpoint, wakeWebhooks, client } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['kpi.created'] })
  const { body } = await client<{ status: string; type: string }>('POST', `/api/v2/webhooks/${hook.id}/test`)
  expect(body.data).toMatchObject({ status: 'pending', type: 'webhook.tested', attempts: [] })
  await wakeWebhooks()
  const received = await there.received()
  expect(received.map((one) => verifyDelivery(hook, one))).toMatchObject([
    { type: 'webhook.tested', data: { id: hook.id } },
  ])
  expect(JSON.stringify(received)).not.toContain(hook.secret.slice(6))
})

test('an endpoint gets the events of its patterns, products and key, with present names of people', async () => {
  const { endpoint, epic, wakeWebhooks, client, space } = await createWebhookScenario()
  const other = await insertSecondProduct(space)
  const [all, ofProduct, ofOther, narrow] = [createBox(), createBox(), createBox(), createBox()]
  const key = space.product.externalKey
  const otherKey = (
    await env.DB.prepare('SELECT external_key AS k FROM products WHERE id = ?').bind(other).first<{ k: string }>()
  )?.k
  await endpoint({ url: all.url })
  await endpoint({ url: ofProduct.url, products: [key] })
  await endpoint({ url: ofOther.url, products: [otherKey] })
  const jti = createUniqueId()
  const few = await space.key({ jti, scopes: ['backlog:read', 'kpis:read', 'webhooks:write'] })
  await endpoint({ url: narrow.url, events: ['epic.*', 'kpi.*'] }, few)
  // The key loses a scope after the endpoint was created.
  await env.DB.prepare('UPDATE api_keys SET scopes = \'["backlog:read"]\' WHERE jti = ?').bind(jti).run()
  const { body } = await client<{ id: number }>('POST', '/api/v2/users', {
    json: { email: 'ada@example.com', firstName: 'Ada' },
  })
  await client('PUT', `/api/v2/users/${body.data.id}`, { json: { firstName: 'Augusta' } })
  await epic()
  await client('POST', `/api/initiatives/${key}/kpi`, { json: { title: 'A KPI' } })
  await wakeWebhooks()
  const types = async (one: typeof all) => (await one.received()).map(({ body }) => JSON.parse(body).type)
  expect((await types(all)).sort()).toEqual(
    ['epic.created', 'kpi.created', 'user.created', 'user.updated', ...Array(3).fill('webhook.created')].sort(),
  )
  expect((await types(ofProduct)).sort()).toEqual(['epic.created', 'kpi.created'])
  expect(await types(ofOther)).toEqual([])
  expect(await types(narrow)).toEqual(['epic.created'])
  const people = (await all.received())
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === 'user.created')
  expect(people[0].data).toMatchObject({ email: 'ada@example.com', firstName: 'Augusta' })
})

test('a delivery counts the content of a removed record, in the areas of the key', async () => {
  const { endpoint, epic, wakeWebhooks, client, at, space } = await createWebhookScenario()
  const scopes = ['products:read', 'feedback:read', 'webhooks:read', 'webhooks:write'] as const
  const narrow = await space.key({ scopes: [...scopes], expiresAt: readClock() + DAY })
  const [all, some] = [createBox(), createBox()]
  const hook = await endpoint({ url: all.url, events: ['product.deleted', 'epic.*'] })
  const narrowHook = await endpoint({ url: some.url, events: ['product.deleted'] }, narrow)
  const { externalKey } = await epic()
  await client('POST', `${at}/backlog/${externalKey}/comments`, { json: { text: '<p>Why?</p>' } })
  await client('DELETE', `${at}/epics/${externalKey}`)
  await client('POST', `${at}/epics/${externalKey}/restore`)
  await client('POST', `${at}/tags`, { json: { name: 'ui' } })
  await client('DELETE', at)
  await wakeWebhooks()
  const received = (await all.received()).map((one) => verifyDelivery(hook, one))
  const cascadeByType = Object.fromEntries(received.map(({ type, cascade }) => [type, cascade]))
  expect(cascadeByType).toEqual({
    'epic.created': undefined,
    'epic.deleted': { work_item_comment: 1 },
    'epic.restored': { work_item_comment: 1 },
    'product.deleted': { epic: 1, work_item_comment: 1, tag: 1 },
  })
  const [seen] = (await some.received()).map((one) => verifyDelivery(narrowHook, one))
  expect(seen).toMatchObject({ type: 'product.deleted', cascade: { tag: 1 } })
  expect(Object.keys(seen?.cascade ?? {})).toEqual(['tag'])
})

test('a waiting or replayed delivery is checked against the present key', async () => {
  const { endpoint, epic, wakeWebhooks, client, deliveries, space } = await createWebhookScenario()
  const [first, second] = [createBox(), createBox()]
  const hook = await endpoint({ url: first.url })
  const at = `/api/v2/webhooks/${hook.id}`
  const user = (email: string) => client('POST', '/api/v2/users', { json: { email } })
  await user('ada@example.com')
  await first.answers({ status: 500 }, { status: 200 })
  await wakeWebhooks()
  const scopes = ['backlog:read', 'webhooks:read', 'webhooks:write'] as const
  const narrow = await space.key({ scopes: [...scopes], expiresAt: readClock() + DAY })
  const json = { url: second.url, events: ['epic.*'] }
  expect((await client('PUT', at, { json, apiKey: narrow })).status).toBe(200)
  for (const { id } of await deliveries(hook.id))
    await client('POST', `${at}/deliveries/${id}/replay`, { apiKey: narrow })
  await client('POST', `${at}/test`, { apiKey: narrow })
  await epic()
  await wakeWebhooks()
  const types = (await second.received()).map(({ body }) => JSON.parse(body).type)
  expect(types.sort()).toEqual(['epic.created', 'webhook.tested'])
  const [refused] = (await deliveries(hook.id)).filter(({ type }) => type === 'user.created')
  expect(refused).toMatchObject({ status: 'failed', nextAttemptAt: null })
  expect(refused?.attempts.at(-1)?.error).toContain('cannot read')
})

test('a long record is cut below 20 kB and marked as truncated', async () => {
  const { endpoint, epic, wakeWebhooks, client, at } = await createWebhookScenario()
  const there = createBox()
  const hook = await endpoint({ url: there.url, events: ['epic.*'] })
  const { externalKey } = await epic({ summary: 'Long', description: `<p>${'ä'.repeat(100_000)}</p>` })
  await client('PUT', `${at}/epics/${externalKey}`, { json: { description: `<p>${'ö😀'.repeat(60_000)}</p>` } })
  await wakeWebhooks()
  for (const received of await there.received()) {
    expect(new TextEncoder().encode(received.body).length).toBeLessThan(20_000)
    const { data, previous } = verifyDelivery(hook, received)
    expect(data).toMatchObject({ summary: 'Long', externalKey, truncated: true })
    expect(String(data.description)).toMatch(/^<p>[äö😀]+…$/u)
    if (previous) expect(previous).toMatchObject({ truncated: true })
  }
})

test('a paused endpoint gets nothing, and receives all events when it is active again', async () => {
  const { endpoint, epic, wakeWebhooks, client } = await createWebhookScenario()
  const there = createBox()
  const { id } = await endpoint({ url: there.url, events: ['epic.*'] })
  await client('PUT', `/api/v2/webhooks/${id}`, { json: { status: 'paused' } })
  for (let n = 0; n < 3; n++) await epic()
  await wakeWebhooks()
  expect(await there.received()).toEqual([])
  await client('PUT', `/api/v2/webhooks/${id}`, { json: { status: 'active' } })
  await wakeWebhooks()
  expect((await there.received()).length).toBe(3)
})

test('the target is checked before every attempt', async () => {
  const { endpoint, epic, wakeWebhooks, deliveries } = await createWebhookScenario({ WEBHOOK_LOOPBACK: '' })
  const there = createBox()
  const { id } = await endpoint({ url: there.url, events: ['epic.*'] })
  await epic()
  await wakeWebhooks()
  expect(await there.received()).toEqual([])
  expect((await deliveries(id))[0]?.attempts[0]).toMatchObject({
    status: null,
    error: 'Nothing was sent: Must begin with https://.',
  })
})

test('a secret that cannot be decrypted stops deliveries with a remedy', async () => {
  const { endpoint, epic, wakeWebhooks, deliveries } = await createWebhookScenario({
    SIGNING_SECRETS: `newest:${btoa('0123456789abcdefghijklmnopqrstuvwxyz')}`,
  })
  const there = createBox()
  const { id } = await endpoint({ url: there.url, events: ['epic.*'] })
  await epic()
  await wakeWebhooks()
  expect(await there.received()).toEqual([])
  expect((await deliveries(id))[0]?.attempts[0]?.error).toContain('rotate the secret')
})
