import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../../client'
import { readClock } from '../../clock'
import { meteredDatabase } from '../../d1'
import { createWorkspace } from '../../factories'

interface Key {
  id: number
  name: string
  token: string
  scopes: string[]
  products: string[] | null
  revokedAt: string | null
  lastUsedAt: string | null
  expiresAt: string
}

test('a key works within its scopes and stops when it is revoked', async () => {
  const { client, product } = await createWorkspace()
  const created = await client<Key>('POST', '/api/v2/api-keys', { json: { name: 'ci', scopes: ['products:read'] } })
  expect([created.status, created.cost.roundTrips]).toEqual([201, 1])
  const apiKey = `Bearer ${created.body.data.token}`
  const path = `/api/initiatives/${product.externalKey}`
  expect((await call('GET', path, { apiKey })).status).toBe(200)
  expect((await call('GET', `${path}/epics`, { apiKey })).status).toBe(403)
  const listed = await client<Key[]>('GET', '/api/v2/api-keys')
  expect(listed.body.data[0]).toMatchObject({ id: created.body.data.id, lastUsedAt: expect.any(String) })
  expect(JSON.stringify(listed.body)).not.toContain(created.body.data.token)

  const revoked = await client<Key>('DELETE', `/api/v2/api-keys/${created.body.data.id}`)
  expect(revoked.body.data.revokedAt).not.toBeNull()
  expect((await call('GET', path, { apiKey })).status).toBe(401)
  const again = await client<Key>('DELETE', `/api/v2/api-keys/${created.body.data.id}`)
  expect([again.status, again.body.data.revokedAt]).toEqual([200, revoked.body.data.revokedAt])
})

test('the token is stored nowhere in the database', async () => {
  const { client } = await createWorkspace()
  const created = await client<Key>('POST', '/api/v2/api-keys', {
    json: { name: 'secret', scopes: ['*'] },
    headers: { 'idempotency-key': 'once' },
  })
  const signature = created.body.data.token.split('.')[2] ?? 'none'
  for (const table of ['api_keys', 'log', 'idempotency_keys']) {
    const rows = await env.DB.prepare(`SELECT * FROM ${table}`).all()
    expect(JSON.stringify(rows.results)).not.toContain(signature)
  }
})

test('a key cannot create a key with more permissions', async () => {
  const { key, product, row, subscriptionId } = await createWorkspace()
  const stamps = { created_at: 0, updated_at: 0 }
  await row('products', { subscription_id: subscriptionId, external_key: 'OT-1', name: 'Other', ...stamps })
  const keys = ['keys:read', 'keys:write'] as const
  const narrow = await key({ scopes: [...keys] })
  const refused = await call('POST', '/api/v2/api-keys', {
    apiKey: narrow,
    json: { name: 'x', scopes: ['backlog:write'] },
  })
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])

  const limited = await key({ scopes: ['*'], products: [product.id] })
  const make = (json: object) =>
    call<Key>('POST', '/api/v2/api-keys', { apiKey: limited, json: { name: 'x', scopes: ['*'], ...json } })
  expect((await make({ products: ['OT-1'] })).body.error?.code).toBe('unknown_reference')
  const inherited = await make({})
  expect(inherited.body.data.products).toEqual([product.externalKey])
  const child = `Bearer ${inherited.body.data.token}`
  expect((await call('GET', '/api/initiatives/OT-1', { apiKey: child })).status).toBe(403)
  const listed = await call<{ externalKey: string }[]>('GET', '/api/initiatives', { apiKey: child })
  expect(listed.body.data.map(({ externalKey }) => externalKey)).toEqual([product.externalKey])
})

test('a key cannot rotate or revoke a key with more permissions', async () => {
  const { client, key, product } = await createWorkspace()
  const mighty = await client<Key>('POST', '/api/v2/api-keys', { json: { name: 'm', scopes: ['*'] } })
  const path = `/api/v2/api-keys/${mighty.body.data.id}`
  for (const apiKey of [await key({ scopes: ['keys:write'] }), await key({ scopes: ['*'], products: [product.id] })]) {
    expect((await call('POST', `${path}/rotate`, { apiKey, json: {} })).status).toBe(403)
    expect((await call('DELETE', path, { apiKey })).status).toBe(403)
  }
})

test('a key that is limited to products lists only keys limited to those products', async () => {
  const { client, key, product, row, subscriptionId } = await createWorkspace()
  const stamps = { created_at: 0, updated_at: 0 }
  const fields = { subscription_id: subscriptionId, external_key: 'OT-1', name: 'Other' }
  const other = await row('products', { ...fields, ...stamps })
  const make = async (name: string, products?: string[]) => {
    const json = { name, scopes: ['*'], ...(products && { products }) }
    expect((await client('POST', '/api/v2/api-keys', { json })).status).toBe(201)
  }
  await make('unlimited')
  await make('ours', [product.externalKey])
  await make('theirs', ['OT-1'])
  await make('both', [product.externalKey, 'OT-1'])
  const names = async (products: number[] | null) => {
    const listed = await client<Key[]>('GET', '/api/v2/api-keys', { apiKey: await key({ products }) })
    expect(listed.cost.roundTrips).toBe(1)
    return listed.body.data.map(({ name }) => name).filter((name) => name !== 'test')
  }
  expect(await names([product.id])).toEqual(['ours'])
  expect(await names([product.id, other])).toEqual(['both', 'theirs', 'ours'])
  expect(await names(null)).toEqual(['both', 'theirs', 'ours', 'unlimited'])
})

test('a rotated key works beside its successor until its end', async () => {
  const { client } = await createWorkspace()
  const old = await client<Key>('POST', '/api/v2/api-keys', { json: { name: 'r', scopes: ['products:read'] } })
  const fresh = await client<Key>('POST', `/api/v2/api-keys/${old.body.data.id}/rotate`)
  expect(fresh.status).toBe(201)
  for (const { body } of [old, fresh]) {
    expect((await call('GET', '/api/initiatives', { apiKey: `Bearer ${body.data.token}` })).status).toBe(200)
  }
  await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ?')
    .bind(readClock() - 1, old.body.data.id)
    .run()
  expect((await call('GET', '/api/initiatives', { apiKey: `Bearer ${old.body.data.token}` })).status).toBe(401)
  const ended = await client('POST', `/api/v2/api-keys/${old.body.data.id}/rotate`)
  expect([ended.status, ended.body.error?.code]).toEqual([409, 'conflict'])
})

test('a second rotation of a rotated key is a 409 and does not delay its end', async () => {
  const { client } = await createWorkspace()
  const old = await client<Key>('POST', '/api/v2/api-keys', { json: { name: 'r', scopes: ['products:read'] } })
  const path = `/api/v2/api-keys/${old.body.data.id}`
  const rotate = (ahead: number) =>
    client('POST', `${path}/rotate`, { json: { oldKeyExpiresAt: new Date(readClock() + ahead) } })
  const named = async () =>
    (await client<Key[]>('GET', '/api/v2/api-keys')).body.data.filter(({ name }) => name === 'r')
  expect((await rotate(3_600_000)).status).toBe(201)
  const before = await named()
  const again = await rotate(9 * 365 * 86_400_000)
  expect([again.status, again.body.error?.code]).toEqual([409, 'conflict'])
  expect(again.body.message).toContain('Rotate its successor')
  expect(await named()).toEqual(before)
  expect(before).toHaveLength(2)

  const revoked = await client<Key>('DELETE', path)
  expect(Date.parse(revoked.body.data.revokedAt ?? '')).toBeLessThanOrEqual(readClock())
})

test("another user's key can be rotated only with every scope", async () => {
  const { client, key, row, subscriptionId } = await createWorkspace()
  const stamps = { created_at: 0, updated_at: 0 }
  const user = { subscription_id: subscriptionId, email: 'colleague@example.com', role: 'member', ...stamps }
  const scopes = ['keys:read', 'keys:write'] as const
  const colleague = await key({ userId: await row('users', user), scopes: [...scopes] })
  const make = async (apiKey: string) =>
    (await client<Key>('POST', '/api/v2/api-keys', { apiKey, json: { name: 'r', scopes: ['keys:read'] } })).body.data.id
  const mine = await make(await key())
  const theirs = await make(colleague)
  const rotate = (id: number, apiKey: string) => client<Key>('POST', `/api/v2/api-keys/${id}/rotate`, { apiKey })

  const refused = await rotate(mine, colleague)
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.message).toContain('another user')
  expect((await rotate(theirs, await key({ scopes: [...scopes] }))).status).toBe(403)
  const untouched = (await client<Key[]>('GET', '/api/v2/api-keys')).body.data.filter(({ name }) => name === 'r')
  expect(untouched.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
    [theirs, null],
    [mine, null],
  ])

  expect((await rotate(theirs, colleague)).status).toBe(201)
  expect((await rotate(mine, await key())).status).toBe(201)
  expect((await rotate(await make(colleague), await key())).status).toBe(201)
})

test('a retry with the same Idempotency-Key gets the same token', async () => {
  const { client } = await createWorkspace()
  const create = () =>
    client<Key>('POST', '/api/v2/api-keys', {
      json: { name: 'once', scopes: ['*'] },
      headers: { 'idempotency-key': 'same' },
    })
  const [first, second] = [await create(), await create()]
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await client<Key[]>('GET', '/api/v2/api-keys')).body.data).toHaveLength(2)
})

test('an expiry in the past or too far ahead is refused', async () => {
  const { client } = await createWorkspace()
  for (const expiresAt of ['2020-01-01', '2999-01-01']) {
    const answer = await client('POST', '/api/v2/api-keys', { json: { name: 'x', scopes: ['*'], expiresAt } })
    expect([answer.status, answer.body.error?.issues[0]?.path]).toEqual([400, '/expiresAt'])
  }
})

test('a key above its rate limit gets a 429', async () => {
  const { key } = await createWorkspace()
  const limit = { limit: async () => ({ success: false }) }
  const answer = await call('GET', '/api/initiatives', { apiKey: await key(), env: { KEY_RATE: limit } })
  expect([answer.status, answer.body.error?.code, answer.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '60',
  ])
})

test('the last use of a key is written once in 15 minutes without another query', async () => {
  const { key, subscriptionId, product } = await createWorkspace()
  const path = `/api/initiatives/${product.externalKey}`
  const usedAgo = async (minutes: number) => {
    const apiKey = await key()
    const before = readClock() - minutes * 60_000
    await env.DB.prepare('UPDATE api_keys SET last_used_at = ? WHERE subscription_id = ?')
      .bind(before, subscriptionId)
      .run()
    const { d1, cost } = meteredDatabase(env.DB)
    expect((await call('GET', path, { apiKey, env: { DB: d1 } })).status).toBe(200)
    const used = await env.DB.prepare('SELECT max(last_used_at) AS at FROM api_keys WHERE subscription_id = ?')
      .bind(subscriptionId)
      .first<number>('at')
    return { noted: used !== before, trips: cost.roundTrips, written: cost.rowsWritten }
  }
  expect(await usedAgo(14)).toEqual({ noted: false, trips: 1, written: 0 })
  expect(await usedAgo(16)).toEqual({ noted: true, trips: 2, written: 1 })
})

test('the first write of a key records its use', async () => {
  const { key, subscriptionId } = await createWorkspace()
  const apiKey = await key({ jti: 'writer' })
  const used = () =>
    env.DB.prepare("SELECT last_used_at AS at FROM api_keys WHERE subscription_id = ? AND jti = 'writer'")
      .bind(subscriptionId)
      .first<number | null>('at')
  await env.DB.prepare('UPDATE api_keys SET last_used_at = NULL WHERE subscription_id = ?').bind(subscriptionId).run()
  expect((await call('POST', '/api/initiatives', { apiKey, json: { name: 'Made' } })).status).toBe(201)
  expect(await used()).toBeGreaterThan(readClock() - 60_000)
})
