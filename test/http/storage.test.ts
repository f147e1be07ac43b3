import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../src/background'
import { runCronJobs } from '../../src/cron'
import type { DataPoint } from '../../src/http/telemetry'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'

// The test database is larger.
const FULL = { DATABASE_BYTES: '1000' }

async function createScenario() {
  const space = await createWorkspace()
  const { client } = space
  const at = `/api/initiatives/${space.product.externalKey}`
  const create = async <D>(path: string, json: object) => (await client<D>('POST', path, { json })).body.data
  const epic = await create<{ externalKey: string }>(`${at}/epics`, { summary: 'Kept' })
  const idea = await create<{ external_key: string }>('/api/feedback-items', {
    title: 'Kept',
    product: space.product.externalKey,
  })
  const kpi = await create<{ externalKey: string }>(`${at}/kpi`, { title: 'Visits' })
  await client('PUT', `${at}/backlog/external/asana/1`, { json: { type: 'epic', summary: 'Known' } })
  const upload = () => {
    const form = new FormData()
    form.set('file', new File(['text'], 'a.txt', { type: 'text/plain' }))
    return form
  }
  const vote = `/api/feedback-items/${idea.external_key}/vote`
  await client('POST', vote, { json: { type: 'up' } })
  return { ...space, at, epic, kpi, vote, upload }
}

test('a full database refuses creates, imports and uploads without a round trip', async () => {
  const { client, at, kpi, vote, upload, product } = await createScenario()
  const created = { op: 'create', type: 'epic', body: { summary: 'New' } }
  const storing: [path: string, body: { json?: unknown; raw?: FormData }, trips?: number][] = [
    [`${at}/epics`, { json: { summary: 'New' } }],
    ['/api/initiatives', { json: { name: 'New' } }],
    ['/api/feedback-items/bulk-create', { json: [{ title: 'New', product: product.externalKey }] }],
    [`${at}/backlog/import`, { json: [{ type: 'epic', summary: 'New' }] }],
    ['/api/v2/idea-manager/members/import-users', { json: [{ email: 'new@example.com' }] }],
    [`${at}/kpi/${kpi.externalKey}/insert-kpi-records`, { json: [{ value: 1, createdAt: 1_700_000_000_000 }] }],
    [`${at}/assets`, { raw: upload() }],
    // Some writes create only with certain bodies, and are refused in their batch.
    [`${at}/backlog/bulk`, { json: [created] }, 1],
    [vote, { json: { type: 'down' } }, 1],
  ]
  for (const [path, body, trips = 0] of storing) {
    const { status, body: refusal, headers, cost } = await client('POST', path, { ...body, env: FULL })
    expect([path, status, refusal.error?.code, cost.roundTrips]).toEqual([path, 503, 'storage_full', trips])
    expect(headers.get('retry-after')).toBe('3600')
  }
  const unknown = { json: { type: 'epic', summary: 'New' }, env: FULL }
  expect((await client('PUT', `${at}/backlog/external/asana/2`, unknown)).body.error?.code).toBe('storage_full')
  const epics = await client<{ summary: string }[]>('GET', `${at}/epics`, { env: FULL })
  expect(epics.body.data.map(({ summary }) => summary).sort()).toEqual(['Kept', 'Known'])
})

test('a full database still changes, removes and restores records', async () => {
  const { client, at, epic, vote } = await createScenario()
  const one = `${at}/epics/${epic.externalKey}`
  const changes: [method: string, path: string, json?: unknown][] = [
    ['PUT', one, { summary: 'Changed' }],
    ['PUT', `${at}/backlog/external/asana/1`, { type: 'epic', summary: 'Changed too' }],
    [
      'POST',
      `${at}/backlog/bulk`,
      [{ op: 'update', type: 'epic', externalKey: epic.externalKey, body: { summary: 'Twice' } }],
    ],
    ['POST', vote, { type: 'none' }],
    ['DELETE', one],
    ['POST', `${one}/restore`],
  ]
  for (const [method, path, json] of changes) {
    const { status, body } = await client(method, path, { ...(json !== undefined && { json }), env: FULL })
    expect([method, path, status, body.error?.code]).toEqual([method, path, 200, undefined])
  }
})

test('a repeated request returns its stored response while the database is full', async () => {
  const { client, at } = await createScenario()
  const ask = (key: string, settings: object) =>
    client('POST', `${at}/epics`, { json: { summary: 'Once' }, headers: { 'idempotency-key': key }, env: settings })
  const first = await ask('same', {})
  const again = await ask('same', FULL)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([first.status, 'true'])
  const other = await ask('other', FULL)
  expect([other.body.error?.code, other.cost.roundTrips]).toEqual(['storage_full', 1])
})

test('an isolate asks the database again when it has seen no size for a minute', async () => {
  const { client, at, key } = await createScenario()
  const apiKey = await key({ expiresAt: readClock() + 3_600_000 })
  const create = () => client('POST', `${at}/epics`, { json: { summary: 'New' }, apiKey, env: FULL })
  expect((await create()).status).toBe(503)
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(readClock() + 61_000)
  const [next, after] = [await create(), await create()]
  vi.useRealTimers()
  expect([next.status, after.status, after.cost.roundTrips]).toEqual([200, 503, 0])
})

test('an incoming webhook is refused before its payload is stored', async () => {
  const { client, product, subscriptionId } = await createScenario()
  const json = {
    product: product.externalKey,
    provider: 'generic',
    action: 'create_feedback',
    mapping: { title: '$.t' },
  }
  const { body } = await client<{ url: string }>('POST', '/api/v2/incoming-webhooks', { json })
  const sent = await client('POST', new URL(body.data.url).pathname, { raw: '{"t":"New"}', apiKey: null, env: FULL })
  expect([sent.status, sent.body.error?.code]).toEqual([503, 'storage_full'])
  const stored = env.DB.prepare('SELECT count(*) AS n FROM incoming_receipts WHERE subscription_id = ?')
  expect(await stored.bind(subscriptionId).first('n')).toBe(0)
})

test('the cron alerts when the database is nearly full', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { meta } = await env.DB.prepare('SELECT 1').run()
  const alertsAt = async (share: number) => {
    const points: DataPoint[] = []
    const settings = { ...env, DATABASE_BYTES: String(Math.round(meta.size_after / share)) }
    await runCronJobs({
      ...createBackgroundDeps(settings, createExecutionContext()),
      record: (point) => void points.push(point),
    })
    return points.filter(({ kind }) => kind === 'alert').map(({ operation, bytes }) => [operation, bytes])
  }
  expect(await alertsAt(0.79)).toEqual([])
  expect(error).not.toHaveBeenCalled()
  expect(await alertsAt(0.81)).toEqual([['database_nearly_full', expect.any(Number)]])
  expect(error.mock.calls[0]?.[0]).toMatchObject({ alert: 'database_nearly_full' })
  error.mockRestore()
})
