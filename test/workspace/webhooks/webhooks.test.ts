import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { sealerIdOf, sealSecret, unsealSecret } from '../../../src/http/sealed-secret'
import { readClock } from '../../clock'
import { countEvents, insertSecondProduct } from '../../contract/table'
import { createWorkspace, type Workspace } from '../../factories'
import { freezeTime } from '../../fake-clock'
import { createUniqueId } from '../../unique'

interface Webhook {
  id: number
  name: string
  url: string
  events: string[]
  products: string[] | null
  status: string
  secret?: string
  failures: number
  lastError: string | null
  apiKeyId?: number
}

const URL = 'https://example.com/hooks'

const createEndpoint = (space: Workspace, json: object, apiKey?: string) =>
  space.client<Webhook>('POST', '/api/v2/webhooks', { json: { url: URL, ...json }, ...(apiKey && { apiKey }) })
const readEndpoint = async (space: Workspace, id: number) =>
  (await space.client<Webhook>('GET', `/api/v2/webhooks/${id}`)).body.data

test('the secret is shown once and stored sealed', async () => {
  const space = await createWorkspace()
  const { status, body, headers } = await createEndpoint(space, {
    events: ['epic.*'],
    products: [space.product.externalKey],
  })
  expect(status).toBe(201)
  const { secret, apiKeyId, id, ...shown } = body.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(apiKeyId).toBeGreaterThan(0)
  expect(headers.get('location')).toBe(`/api/v2/webhooks/${id}`)
  expect(shown).toMatchObject({
    name: 'example.com',
    url: URL,
    events: ['epic.*'],
    products: [space.product.externalKey],
    status: 'active',
    failures: 0,
    lastError: null,
  })
  expect(await readEndpoint(space, id)).toEqual({ id, ...shown })

  const row = await env.DB.prepare('SELECT * FROM webhooks WHERE id = ?').bind(id).first<Record<string, string>>()
  expect(JSON.stringify(row)).not.toContain(secret?.slice(6))
  expect(row?.sealed_by).toBe('test-new')
  expect(await unsealSecret(env.SIGNING_SECRETS, space.subscriptionId, row?.secret ?? '')).toBe(secret)
  const { results } = await env.DB.prepare('SELECT data FROM log WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .all<{ data: string }>()
  expect(results.length).toBe(1)
  expect(results[0]?.data).not.toContain('whsec')
})

test('a retry under the same Idempotency-Key returns the same webhook and secret', async () => {
  const space = await createWorkspace()
  const options = { json: { url: URL }, headers: { 'idempotency-key': 'once' } }
  const first = await space.client<Webhook>('POST', '/api/v2/webhooks', options)
  const again = await space.client<Webhook>('POST', '/api/v2/webhooks', options)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body.data).toEqual(first.body.data)
  expect((await space.client<Webhook[]>('GET', '/api/v2/webhooks')).body.data.length).toBe(1)
})

test('a sealed secret opens only with its signing secret and for its workspace', async () => {
  const [newer = '', older = ''] = env.SIGNING_SECRETS.split(',')
  const sealed = await sealSecret(older, 7, 'whsec_AAAA')
  expect(sealerIdOf(sealed)).toBe('test-old')
  expect(await unsealSecret(env.SIGNING_SECRETS, 7, sealed)).toBe('whsec_AAAA')
  expect(await unsealSecret(newer, 7, sealed)).toBeUndefined()
  expect(await unsealSecret(env.SIGNING_SECRETS, 8, sealed)).toBeUndefined()
})

const WRONG_BODIES: [object, string][] = [
  [{ url: 'http://example.com/hooks' }, '/url'],
  [{ url: 'https://127.0.0.1/hooks' }, '/url'],
  [{ url: 'https://groundwork.test/hooks' }, '/url'],
  [{ url: 7 }, '/url'],
  [{ events: [] }, '/events'],
  [{ events: ['epic'] }, '/events/0'],
  [{ events: ['epic.*', 'nothing.*'] }, '/events/1'],
  [{ events: ['*.created'] }, '/events/0'],
  [{ events: ['__proto__.*'] }, '/events/0'],
  [{ events: 'epic.*' }, '/events'],
  [{ products: ['NO-1'] }, '/products/0'],
  [{ products: [] }, '/products'],
  [{ status: 'disabled' }, '/status'],
  [{ name: ' ' }, '/name'],
]

test.each(WRONG_BODIES)('%j is a 400 that names the field, on create and update', async (json, path) => {
  const space = await createWorkspace()
  const { id } = (await createEndpoint(space, {})).body.data
  const before = await countEvents(space)
  const refused = [await createEndpoint(space, json), await space.client('PUT', `/api/v2/webhooks/${id}`, { json })]
  for (const { status, body } of refused) {
    expect(status).toBe(400)
    expect(body.error?.issues.map((issue) => issue.path)).toEqual([path])
  }
  expect(await countEvents(space)).toBe(before)
})

test('event patterns and products are limited to the permissions of the key', async () => {
  const space = await createWorkspace()
  const other = await insertSecondProduct(space)
  const narrow = await space.key({ scopes: ['backlog:read', 'webhooks:read', 'webhooks:write'] })
  for (const events of [['*'], ['kpi.*'], ['epic.*', 'kpi.created'], undefined, ['import.*'], ['api_key.revoked']]) {
    const refused = await createEndpoint(space, { events }, narrow)
    expect([events, refused.status, refused.body.error?.code]).toEqual([events, 403, 'insufficient_scope'])
    expect(refused.body.message).toContain(':read')
  }
  expect((await createEndpoint(space, { events: ['epic.*', 'userstory.created'] }, narrow)).status).toBe(201)

  const limited = await space.key({ products: [space.product.id] })
  const key = space.product.externalKey
  const otherKey = (
    await env.DB.prepare('SELECT external_key AS key FROM products WHERE id = ?').bind(other).first<{ key: string }>()
  )?.key
  for (const products of [undefined, null, [otherKey], [key, otherKey]])
    expect([products, (await createEndpoint(space, { products }, limited)).status]).toEqual([products, 403])
  const own = await createEndpoint(space, { products: [key] }, limited)
  expect(own.status).toBe(201)
  const foreign = (await createEndpoint(space, { products: [otherKey] })).body.data
  const all = (await createEndpoint(space, {})).body.data
  const seen = await space.client<Webhook[]>('GET', '/api/v2/webhooks', { apiKey: limited })
  expect(seen.body.data.map(({ id }) => id)).toEqual([own.body.data.id])
  for (const { id } of [foreign, all]) {
    for (const [method, at, json] of [
      ['GET', ''],
      ['PUT', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['POST', '/replay', { from: '2026-01-01' }],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await space.client(method, `/api/v2/webhooks/${id}${at}`, { apiKey: limited, json })
      expect([at, answer.status, answer.body.error?.code]).toEqual([at, 404, 'webhook_not_found'])
    }
  }
  const wider = await space.client('PUT', `/api/v2/webhooks/${own.body.data.id}`, {
    apiKey: limited,
    json: { products: null },
  })
  expect(wider.status).toBe(403)
})

test('a key cannot redirect events that it may not read', async () => {
  const space = await createWorkspace()
  const { id } = (await createEndpoint(space, { events: ['kpi.*'] })).body.data
  const narrow = await space.key({ scopes: ['backlog:read', 'webhooks:write'] })
  const put = (json: object) => space.client<Webhook>('PUT', `/api/v2/webhooks/${id}`, { apiKey: narrow, json })
  for (const json of [
    { url: 'https://elsewhere.example/' },
    { status: 'active' },
    { events: ['*'] },
    { products: null },
  ])
    expect([json, (await put(json)).status]).toEqual([json, 403])
  expect((await readEndpoint(space, id)).url).toBe(URL)
  // A key may change the name, because the name has no effect on the delivered data.
  expect((await put({ name: 'Numbers' })).status).toBe(200)
  expect((await put({ events: ['epic.*'], url: 'https://elsewhere.example/' })).status).toBe(200)
})

test('a key cannot see the secret of, or send to, an endpoint with events that it may not read', async () => {
  const space = await createWorkspace()
  const { id } = (await createEndpoint(space, { events: ['*'] })).body.data
  const tested = await space.client<{ id: number }>('POST', `/api/v2/webhooks/${id}/test`)
  const post = (at: string, scopes: string[], json?: object) =>
    space.client<Webhook>('POST', `/api/v2/webhooks/${id}${at}`, {
      apiKey: keys.get(scopes.join()) ?? null,
      ...(json && { json }),
    })
  const [narrow, wide] = [['webhooks:write'], ['webhooks:write', 'webhooks:read', 'kpis:read']]
  const keys = new Map<string, string>()
  for (const scopes of [narrow, wide]) keys.set(scopes.join(), await space.key({ scopes: scopes as never }))
  const acts = [
    ['/rotate', undefined],
    ['/replay', { from: '2026-01-01' }],
    [`/deliveries/${tested.body.data.id}/replay`, undefined],
  ] as const
  const before = await countEvents(space)
  for (const [at, json] of acts) {
    const refused = await post(at, narrow, json)
    expect([at, refused.status, refused.body.error?.code]).toEqual([at, 403, 'insufficient_scope'])
    expect(refused.body.data.secret).toBeUndefined()
  }
  await space.client('DELETE', `/api/v2/webhooks/${id}`)
  expect((await post('/restore', narrow)).status).toBe(403)
  expect((await space.client('GET', `/api/v2/webhooks/${id}`)).status).toBe(404)
  expect(await countEvents(space)).toBe(before + 1)

  await space.client('POST', `/api/v2/webhooks/${id}/restore`)
  await space.client('PUT', `/api/v2/webhooks/${id}`, { json: { events: ['kpi.*'] } })
  for (const [at, json] of acts) expect([at, (await post(at, wide, json)).status]).toEqual([at, 200])
  await space.client('DELETE', `/api/v2/webhooks/${id}`)
  expect((await post('/restore', wide)).status).toBe(200)
})

test('a webhook pauses when its key ends, and another key can take it over', async () => {
  const space = await createWorkspace()
  const jti = createUniqueId()
  const apiKey = await space.key({ jti })
  const { id } = (await createEndpoint(space, {}, apiKey)).body.data
  const etag = async () => (await space.client('GET', `/api/v2/webhooks/${id}`)).headers.get('etag')
  const before = await etag()
  await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE jti = ?')
    .bind(readClock() - 1, jti)
    .run()
  expect((await readEndpoint(space, id)).status).toBe('paused')
  expect(await etag()).not.toBe(before)
  const test = await space.client('POST', `/api/v2/webhooks/${id}/test`)
  expect([test.status, test.body.error?.code]).toEqual([409, 'conflict'])
  await space.client('PUT', `/api/v2/webhooks/${id}`, { json: { name: 'Renamed' } })
  expect((await readEndpoint(space, id)).status).toBe('paused')
  await space.client('PUT', `/api/v2/webhooks/${id}`, { json: { status: 'active' } })
  expect((await readEndpoint(space, id)).status).toBe('active')
})

test('a webhook continues with the successor of its key', async () => {
  const space = await createWorkspace()
  const made = await space.client<{ id: number; token: string }>('POST', '/api/v2/api-keys', {
    json: { name: 'hooks', scopes: ['*'] },
  })
  const { id } = (await createEndpoint(space, {}, `Bearer ${made.body.data.token}`)).body.data
  freezeTime()
  const soon = new Date(readClock() + 50).toISOString()
  await space.client('POST', `/api/v2/api-keys/${made.body.data.id}/rotate`, { json: { oldKeyExpiresAt: soon } })
  vi.setSystemTime(readClock() + 51)
  expect((await readEndpoint(space, id)).status).toBe('active')
})

test('a webhook of a leaked and rotated key pauses when the leaked key is revoked', async () => {
  const space = await createWorkspace()
  const keys = '/api/v2/api-keys'
  const made = await space.client<{ id: number; token: string }>('POST', keys, {
    json: { name: 'hooks', scopes: ['*'] },
  })
  const leaked = made.body.data
  const [one, two] = [
    (await createEndpoint(space, {}, `Bearer ${leaked.token}`)).body.data,
    (await createEndpoint(space, {}, `Bearer ${leaked.token}`)).body.data,
  ]
  const statuses = async () => [(await readEndpoint(space, one.id)).status, (await readEndpoint(space, two.id)).status]
  await space.client('POST', `${keys}/${leaked.id}/rotate`, { json: {} })
  // A key that changes a webhook takes the webhook over.
  await space.client('PUT', `/api/v2/webhooks/${two.id}`, { json: { events: ['epic.*'] } })
  await space.client('DELETE', `${keys}/${leaked.id}?keepIssued=true`)
  expect(await statuses()).toEqual(['active', 'active'])
  await space.client('DELETE', `${keys}/${leaked.id}`)
  expect(await statuses()).toEqual(['paused', 'active'])
  // Another revocation does not stop a webhook that another key has taken over since.
  await space.client('PUT', `/api/v2/webhooks/${one.id}`, { json: { status: 'active' } })
  await space.client('DELETE', `${keys}/${leaked.id}`)
  expect(await statuses()).toEqual(['active', 'active'])
})
