import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { archiveDueLogs } from '../../../src/workspace/retention/archive'
import { readClock } from '../../clock'
import type { Workspace } from '../../factories'
import { createBox, createWebhookScenario, DAY, HOUR } from './scenario'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const OLD = readClock() - 400 * DAY

/** Spreads the events over days, one object of the archive each, and archives all events except the newest. */
async function archiveEvents({ subscriptionId }: Workspace, { perDay, from = 1 }: { perDay: number; from?: number }) {
  await env.DB.prepare('UPDATE log SET created_at = ? + (id / ?) * ? WHERE subscription_id = ? AND id >= ?')
    .bind(OLD, perDay, DAY, subscriptionId, from)
    .run()
  for (let size = Number.POSITIVE_INFINITY; ; ) {
    await env.DB.prepare('UPDATE log_keeping SET next_look_at = 0 WHERE subscription_id = ?').bind(subscriptionId).run()
    const settings = { ...env, EVENTS_KEPT_DAYS: '30' }
    await archiveDueLogs({ store: openStore(env.DB, readClock()), files: env.FILES, settings })
    const left = (await listLogIds(subscriptionId)).length
    if (left === size) return
    size = left
  }
}

async function listLogIds(subscriptionId: number) {
  const { results } = await env.DB.prepare('SELECT id FROM log WHERE subscription_id = ? ORDER BY id')
    .bind(subscriptionId)
    .all<{ id: number }>()
  return results.map(({ id }) => id)
}

async function insertEvents({ subscriptionId, product }: Workspace, count: number) {
  await env.DB.prepare(
    `INSERT INTO append_event (subscription_id, id, product_id, type, resource_key, data, created_at)
     SELECT ?1, (SELECT max(id) FROM log WHERE subscription_id = ?1) + 1 + value, ?2, 'epic.updated',
       'EP-' || value, json_object('externalKey', 'EP-' || value), ?3 FROM json_each(?4)`,
  )
    .bind(subscriptionId, product.id, readClock(), JSON.stringify(Array.from({ length: count }, (_, n) => n)))
    .run()
}

const idOf = (messageId: string) => Number(messageId.split('_').at(-1))

type Scenario = Awaited<ReturnType<typeof createWebhookScenario>>

async function setStatus({ client }: Scenario, { id }: { id: number }, status: 'active' | 'paused') {
  await client('PUT', `/api/v2/webhooks/${id}`, { json: { status } })
}

test('a paused webhook does not keep the log, and continues from the archive with its own filters', async () => {
  const it = await createWebhookScenario()
  const { space, client } = it
  const [all, epics] = [createBox(), createBox()]
  const webhooks = [await it.endpoint({ url: all.url }), await it.endpoint({ url: epics.url, events: ['epic.*'] })]
  await it.wakeWebhooks()
  for (const webhook of webhooks) await setStatus(it, webhook, 'paused')
  const first = (await listLogIds(space.subscriptionId)).length + 1
  const json = { email: 'grace@example.com', firstName: 'Grace', lastName: 'Murray' }
  const member = await client<{ id: number }>('POST', '/api/v2/idea-manager/members?invite=false', { json })
  for (let n = 0; n < 9; n++) await it.epic({ summary: `Epic ${n}` })
  const path = `/api/v2/idea-manager/members/${member.body.data.id}`
  await client('PUT', path, { json: { lastName: 'Hopper' } })
  await archiveEvents(space, { perDay: 3 })
  const [kept] = await listLogIds(space.subscriptionId)
  expect(kept).toBeGreaterThan(first + 9)
  for (let n = 9; n < 12; n++) await it.epic({ summary: `Epic ${n}` })

  for (const webhook of webhooks) await setStatus(it, webhook, 'active')
  // The queue delivers a message twice.
  it.office.enqueue({ kind: 'webhook.wake', subscriptionId: space.subscriptionId })
  await it.wakeWebhooks()
  await it.runFor(HOUR)
  const end = (await listLogIds(space.subscriptionId)).at(-1) ?? 0
  const received = (await all.received()).map(({ headers }) => idOf(headers['webhook-id'] ?? ''))
  // Four attempts run at the same time, and arrive in any order.
  const inPause = received.filter((id) => id >= first).sort((a, b) => a - b)
  expect(inPause).toEqual(Array.from({ length: end - first + 1 }, (_, n) => first + n))
  expect(new Set(received).size).toBe(received.length)
  const bodies = (await epics.received()).map(
    ({ body }) => JSON.parse(body) as { type: string; data: { summary: string } },
  )
  const summaries = bodies.map(({ data }) => data.summary).sort()
  expect(summaries).toEqual(Array.from({ length: 12 }, (_, n) => `Epic ${n}`).sort())
  const created = (await all.received()).find(({ body }) => JSON.parse(body).type === 'member.created')
  expect(JSON.parse(created?.body ?? '{}').data).toMatchObject({ ...json, lastName: 'Hopper' })
})

test('a delivery that is pending during a pause gets its event from the archive', async () => {
  const it = await createWebhookScenario()
  const box = createBox()
  const webhook = await it.endpoint({ url: box.url, events: ['epic.*'] })
  await box.answers({ status: 503 }, { status: 204 })
  await it.epic()
  await it.wakeWebhooks()
  await setStatus(it, webhook, 'paused')
  await archiveEvents(it.space, { perDay: 1 })
  expect(await listLogIds(it.space.subscriptionId)).toHaveLength(1)
  await setStatus(it, webhook, 'active')
  await it.runFor(HOUR)
  const [failed, delivered, ...more] = await box.received()
  expect(more).toEqual([])
  expect(delivered?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
  const { timestamp: _, ...first } = JSON.parse(failed?.body ?? '')
  expect(JSON.parse(delivered?.body ?? '')).toEqual({ ...first, timestamp: expect.any(String) })
  expect(first).toMatchObject({ actor: { keyName: 'test' }, origin: { via: 'api', id: null } })
  expect(await it.deliveries(webhook.id)).toMatchObject([{ status: 'delivered' }])
})

test('an archived event that the key of the webhook cannot read any more is not delivered', async () => {
  const it = await createWebhookScenario()
  const box = createBox()
  const webhook = await it.endpoint({ url: box.url, events: ['epic.*'] })
  await it.epic()
  await setStatus(it, webhook, 'paused')
  await archiveEvents(it.space, { perDay: 1 })
  expect(await listLogIds(it.space.subscriptionId)).toHaveLength(1)
  const { subscriptionId } = it.space
  await setStatus(it, webhook, 'active')
  const setScopes = (scopes: string) =>
    env.DB.prepare('UPDATE api_keys SET scopes = ? WHERE subscription_id = ?').bind(scopes, subscriptionId).run()
  // The deliveries exist, and the run ends before an attempt.
  it.office.kill = { at: 4, when: 'before' }
  it.office.enqueue({ kind: 'webhook.wake', subscriptionId })
  await it.handleDueMessages()
  it.office.killed = false
  it.office.kill = {}
  await setScopes('["feedback:read"]')
  await it.runFor(HOUR)
  expect(await box.received()).toEqual([])
  await setScopes('["*"]')
  expect(await it.deliveries(webhook.id)).toMatchObject([
    { status: 'failed', attempts: [{ error: 'The API key of the webhook cannot read this event.' }] },
  ])
})

// The archive reader takes two pages, because a page ends after ten objects.
test.each([1, 2, 3, 4, 5, 6].flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
  'a process that dies at its action %i, %s it, delivers each archived event once',
  async (at, when) => {
    const received: number[] = []
    const receive: typeof fetch = async (_input, init) => {
      received.push(idOf(new Headers(init?.headers).get('webhook-id') ?? ''))
      return new Response(null, { status: 204 })
    }
    const it = await createWebhookScenario({}, receive)
    const webhook = await it.endpoint({ url: 'https://one.example/', events: ['epic.updated'] })
    await setStatus(it, webhook, 'paused')
    const { subscriptionId } = it.space
    const before = (await listLogIds(subscriptionId)).length
    await insertEvents(it.space, 72)
    await archiveEvents(it.space, { perDay: 6 })
    await insertEvents(it.space, 3)
    await setStatus(it, webhook, 'active')
    it.office.actionCount = 0
    it.office.kill = { at, when }
    it.office.enqueue({ kind: 'webhook.wake', subscriptionId })
    await it.handleDueMessages()
    expect(it.office.killed).toBe(true)
    const sentBefore = received.length
    it.office.killed = false
    it.office.kill = {}
    await it.runFor(HOUR)
    const all = Array.from({ length: 75 }, (_, n) => before + 1 + n)
    expect([...new Set(received)].sort((a, b) => a - b)).toEqual(all)
    // Only an attempt without a recorded outcome is repeated.
    if (sentBefore === 0) expect(received).toHaveLength(all.length)
    expect((await it.read(webhook.id)).failures).toBe(0)
  },
)

test('a webhook skips only the events of a deleted archive object', async () => {
  const it = await createWebhookScenario()
  const box = createBox()
  const webhook = await it.endpoint({ url: box.url, events: ['epic.updated'] })
  await setStatus(it, webhook, 'paused')
  const { subscriptionId } = it.space
  const before = (await listLogIds(subscriptionId)).length
  await insertEvents(it.space, 9)
  await archiveEvents(it.space, { perDay: 3 })
  const { objects } = await env.FILES.list({ prefix: `archive/${subscriptionId}/` })
  const [, second] = objects.map(({ key }) => key)
  await env.FILES.delete(second ?? '')
  const from = Number(second?.match(/(\d+)\.ndjson$/)?.[1])
  await setStatus(it, webhook, 'active')
  await it.runFor(HOUR)
  const received = (await box.received()).map(({ headers }) => idOf(headers['webhook-id'] ?? ''))
  const kept = Array.from({ length: 9 }, (_, n) => before + 1 + n).filter((id) => id <= from - 3 || id > from)
  expect(kept.at(-1)).toBeGreaterThan(from)
  expect(received.sort((a, b) => a - b)).toEqual(kept)
})

test('a webhook does not receive the origins that it excludes, from the log, the archive and a replay', async () => {
  const it = await createWebhookScenario()
  const { client, space } = it
  const box = createBox()
  const webhook = await it.endpoint({ url: box.url, events: ['epic.*', 'import.*', 'team.*'], except: ['import'] })
  expect(await it.read(webhook.id)).toMatchObject({ except: ['import'] })
  const importOne = (summary: string) =>
    client('POST', `${it.at}/backlog/import`, { json: [{ type: 'epic', summary, externalId: summary }] })
  const receivedTypes = async () => (await box.received()).map(({ body }) => JSON.parse(body).type)

  await importOne('First')
  await it.epic()
  await it.wakeWebhooks()
  expect(await receivedTypes()).toEqual(['epic.created'])

  await setStatus(it, webhook, 'paused')
  await importOne('Second')
  await it.epic()
  await client('POST', '/api/v2/teams', { json: { name: 'Last' } })
  await archiveEvents(space, { perDay: 1 })
  await setStatus(it, webhook, 'active')
  await it.wakeWebhooks()
  expect((await receivedTypes()).slice(1).sort()).toEqual(['epic.created', 'team.created'])

  const modified = await client('PUT', `/api/v2/webhooks/${webhook.id}`, { json: { except: [] } })
  expect([modified.status, modified.body.data]).toMatchObject([200, { except: [] }])
  await importOne('Third')
  await it.wakeWebhooks()
  expect((await receivedTypes()).slice(3)).toContain('import.completed')
  const before = (await box.received()).length
  await client('PUT', `/api/v2/webhooks/${webhook.id}`, { json: { except: ['import', 'api'] } })
  await client('POST', `/api/v2/webhooks/${webhook.id}/replay`, { json: { from: '2020-01-31' } })
  await it.runFor(HOUR)
  expect((await box.received()).length).toBe(before)
  const unknown = await client('POST', '/api/v2/webhooks', { json: { url: box.url, except: ['nobody'] } })
  expect([unknown.status, unknown.body.error?.issues?.[0]?.path]).toEqual([400, '/except/0'])
})

test('an archived event keeps the counts of the content, and an older line of the archive has none', async () => {
  const it = await createWebhookScenario()
  const { space, client } = it
  const box = createBox()
  const webhook = await it.endpoint({ url: box.url, events: ['epic.*'] })
  await it.wakeWebhooks()
  await setStatus(it, webhook, 'paused')
  const { externalKey } = await it.epic()
  await client('POST', `${it.at}/backlog/${externalKey}/comments`, { json: { text: '<p>Why?</p>' } })
  await client('DELETE', `${it.at}/epics/${externalKey}`)
  await it.epic()
  await archiveEvents(space, { perDay: 100 })
  const path = `/api/v2/events?key=${externalKey}`
  const read = async () =>
    (await client<{ type: string; cascade: object | null }[]>('GET', path)).body.data.map(({ type, cascade }) => [
      type,
      cascade,
    ])
  const expected = [
    ['epic.created', null],
    ['epic.deleted', { work_item_comment: 1 }],
  ]
  expect(await read()).toEqual(expected)

  await setStatus(it, webhook, 'active')
  await it.wakeWebhooks()
  const delivered = (await box.received()).map(({ body }) => JSON.parse(body))
  // Deliveries that run at once arrive in any order.
  expect(delivered.map(({ type, cascade = null }) => [type, cascade])).toEqual(expect.arrayContaining(expected))

  const { objects } = await env.FILES.list({ prefix: `archive/${space.subscriptionId}/events/` })
  for (const { key } of objects) {
    const lines = (await (await env.FILES.get(key))?.text())?.trimEnd().split('\n') ?? []
    const older = lines.map((line) => JSON.stringify({ ...JSON.parse(line), cascade: undefined }))
    await env.FILES.put(key, `${older.join('\n')}\n`)
  }
  expect(await read()).toEqual(expected.map(([type]) => [type, null]))
})
