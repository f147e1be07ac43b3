import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call, send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'

const DAY = 86_400_000
const COOKIE = '__Host-groundwork-session='

interface Session {
  id: number
  name: string
  userId: number
  revokedAt: string | null
  current: boolean
}

const createUser = async ({ client }: Workspace, role: string) =>
  (
    await client<{ id: number }>('POST', '/api/v2/users', {
      json: { email: `${createUniqueId()}@example.com`, role },
    })
  ).body.data.id

const sessionsOf = async ({ client }: Workspace, userId: number) =>
  (await client<Session[]>('GET', `/api/v2/sessions?userId=${userId}`)).body.data

const eventTypesOf = async ({ client }: Workspace) =>
  (await client<{ type: string }[]>('GET', '/api/v2/events?order=newest')).body.data.map(({ type }) => type)

test('a session reads and writes like a key, and a key wins over a cookie', async () => {
  const here = await createWorkspace()
  const { headers } = await here.session({ scopes: ['products:read', 'backlog:write'] })
  const path = `/api/initiatives/${here.product.externalKey}/epics`
  expect((await call('GET', '/api/initiatives', { headers })).status).toBe(200)
  expect((await call('POST', path, { headers, json: { summary: 'From a page' } })).status).toBe(200)
  const denied = await call('GET', '/api/v2/segments', { headers })
  expect([denied.status, denied.body.message]).toEqual([
    403,
    'Your role does not include segments:read. Ask an owner or admin of the workspace.',
  ])
  const asKey = await call('GET', '/api/v2/segments', { headers, apiKey: await here.key() })
  expect(asKey.status).toBe(200)
  const basic = { ...headers, authorization: 'Basic cHJveHk6cGFzc3dvcmQ=' }
  expect((await call('GET', '/api/initiatives', { headers: basic })).status).toBe(200)
})

test('a token works only in its own place: a session in the cookie, a key in a header', async () => {
  const here = await createWorkspace()
  const { headers } = await here.session()
  const token = headers.cookie.slice(COOKIE.length)
  const asKey = await call('GET', '/api/v2/me', { apiKey: `Bearer ${token}` })
  expect(asKey.status).toBe(401)
  const key = (await here.key()).slice('Bearer '.length)
  const asCookie = await call('GET', '/api/v2/me', { headers: { cookie: COOKIE + key } })
  expect([asCookie.status, asCookie.body.message]).toEqual([401, 'This session has ended. Sign in again.'])
})

const SITES: [string, Record<string, string>, boolean][] = [
  ['of the service', { 'sec-fetch-site': 'same-origin' }, true],
  ['of the service, with its origin', { 'sec-fetch-site': 'same-origin', origin: 'https://groundwork.test' }, true],
  ['of the service, in a form without a referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
  ['of the service, in an old browser', { origin: 'https://groundwork.test' }, true],
  ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
  [
    'of another host of the same site',
    { 'sec-fetch-site': 'same-site', origin: 'https://evil.groundwork.test' },
    false,
  ],
  ['of another site, in an old browser', { origin: 'https://evil.example' }, false],
  ['without an origin', { origin: 'null' }, false],
  ['with contradicting headers', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, false],
  ['typed by the user', { 'sec-fetch-site': 'none' }, false],
  ['unknown', {}, false],
]

test.each(SITES)('a page %s changes something with a cookie: %j %s', async (_, site, isAllowed) => {
  const here = await createWorkspace()
  // A listed origin may call with a key only.
  await here.client('PUT', '/api/v2/settings', { json: { cors: ['https://evil.example'] } })
  const { cookie } = (await here.session()).headers
  for (const [method, path, json] of [
    ['POST', '/api/v2/teams', { name: 'Team' }],
    ['PUT', '/api/v2/settings', { feedback: { moderation: true } }],
    ['DELETE', `/api/initiatives/${here.product.externalKey}`, undefined],
    ['POST', '/api/v2/sign-out', undefined],
  ] as const) {
    const answer = await call(method, path, { headers: { cookie, ...site }, ...(json && { json }) })
    expect([path, answer.status < 300, answer.cost.roundTrips > 0]).toEqual([path, isAllowed, isAllowed])
    if (!isAllowed) expect([answer.status, answer.body.error?.code]).toEqual([403, 'origin_not_allowed'])
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  }
})

test('a person lists the own sessions, and an owner the sessions of anybody', async () => {
  const here = await createWorkspace()
  const userId = await createUser(here, 'member')
  const { id, headers } = await here.session({ userId, scopes: ['backlog:read'] })
  await here.session()
  const elsewhere = await here.session({ userId, scopes: ['backlog:read'] })
  const own = await call<Session[]>('GET', '/api/v2/sessions', { headers })
  expect(own.body.data).toMatchObject([
    { id: elsewhere.id, userId, current: false },
    { id, userId, revokedAt: null, current: true },
  ])
  expect((await sessionsOf(here, userId)).map(({ current }) => current)).toEqual([false, false])
  expect((await call('GET', `/api/v2/sessions?userId=${here.userId}`, { headers })).status).toBe(403)
  expect((await sessionsOf(here, userId)).map((one) => one.id)).toEqual([elsewhere.id, id])
  const keys = await here.client<{ id: number }[]>('GET', '/api/v2/api-keys')
  expect(keys.body.data.map((one) => one.id)).not.toContain(id)
  for (const method of ['GET', 'DELETE'])
    expect((await here.client(method, `/api/v2/api-keys/${id}`)).body.error?.code).toBe('api_key_not_found')
})

test('a person ends an own session at once, and no session of another person', async () => {
  const here = await createWorkspace()
  const userId = await createUser(here, 'member')
  const [one, two, other] = [
    await here.session({ userId, scopes: ['backlog:read'] }),
    await here.session({ userId, scopes: ['backlog:read'] }),
    await here.session(),
  ]
  const end = (id: number) => call<Session>('DELETE', `/api/v2/sessions/${id}`, { headers: one.headers })
  expect((await end(other.id)).body.error?.code).toBe('session_not_found')
  expect((await end(two.id)).body.data).toMatchObject({ id: two.id, revokedAt: expect.any(String) })
  expect((await call('GET', '/api/v2/me', { headers: two.headers })).status).toBe(401)
  expect((await call('GET', '/api/v2/me', { headers: one.headers })).status).toBe(200)
  expect((await end(two.id)).status).toBe(200)
  expect((await eventTypesOf(here)).filter((type) => type.startsWith('session.'))).toEqual(['session.revoked'])
  expect((await here.client('DELETE', `/api/v2/sessions/${one.id}`)).status).toBe(200)
  expect((await call('GET', '/api/v2/me', { headers: one.headers })).status).toBe(401)
})

test('a sign-out ends the session and clears the cookie; with a key nothing changes', async () => {
  const here = await createWorkspace()
  const { headers, id } = await here.session({ scopes: ['backlog:read'] })
  const out = await call('POST', '/api/v2/sign-out', { headers })
  expect([out.status, out.headers.get('set-cookie')]).toEqual([
    200,
    `${COOKIE}; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ])
  expect((await call('GET', '/api/v2/me', { headers })).status).toBe(401)
  expect((await sessionsOf(here, here.userId)).find((one) => one.id === id)?.revokedAt).not.toBeNull()
  expect((await here.client('POST', '/api/v2/sign-out')).status).toBe(200)
  expect((await here.client('GET', '/api/v2/me')).status).toBe(200)
  expect((await eventTypesOf(here)).filter((type) => type.startsWith('session.'))).toEqual(['session.revoked'])
})

test('a cookie is renewed at most once a day, and the session slides with its use', async () => {
  const here = await createWorkspace()
  const now = readClock()
  const fresh = await here.session({ issuedAt: now - DAY + 60_000 })
  expect((await call('GET', '/api/v2/me', { headers: fresh.headers })).headers.get('set-cookie')).toBeNull()
  const old = await here.session({ issuedAt: now - DAY - 1000, expiresAt: now + 1000 })
  await env.DB.prepare('UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2')
    .bind(now - DAY, old.id)
    .run()
  const { response } = await send('GET', '/api/v2/me', { headers: old.headers })
  const renewed = response.headers.get('set-cookie') ?? ''
  expect(renewed).toMatch(
    /^__Host-groundwork-session=[\w.-]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  expect(JSON.parse(atob(renewed.split('.')[1] ?? ''))).toMatchObject({
    sub: String(here.userId),
    jti: old.jti,
    exp: expect.toSatisfy((exp: number) => Math.abs(exp * 1000 - now - 30 * DAY) < 60_000),
  })
  const stored = await env.DB.prepare('SELECT expires_at FROM api_keys WHERE id = ?').bind(old.id).first('expires_at')
  expect(stored).toBeGreaterThan(now + 29 * DAY)
  const cookie = renewed.slice(0, renewed.indexOf(';'))
  const again = await call('GET', '/api/v2/me', { headers: { cookie } })
  expect([again.status, again.headers.get('set-cookie')]).toEqual([200, null])
  expect((await here.client('GET', '/api/v2/me')).headers.get('set-cookie')).toBeNull()
})

test('an expired session is refused without a database query', async () => {
  const here = await createWorkspace()
  const { headers } = await here.session({ issuedAt: readClock() - DAY, expiresAt: readClock() - 1000 })
  const answer = await call('GET', '/api/v2/me', { headers })
  expect([answer.status, answer.cost.roundTrips]).toEqual([401, 0])
})

test.each([
  ['PUT', { role: 'idm_member' }],
  ['DELETE', undefined],
])('a new role and a removal end the sessions of the person: %s', async (method, json) => {
  const here = await createWorkspace()
  const userId = await createUser(here, 'member')
  const { headers, id } = await here.session({ userId })
  const other = await here.session()
  const path = `/api/v2/users/${userId}`
  await here.client('PUT', path, { json: { firstName: 'Kim', role: 'member' } })
  expect((await call('GET', '/api/v2/me', { headers })).status).toBe(200)
  expect((await here.client(method, path, { ...(json && { json }) })).status).toBe(200)
  expect((await call('GET', '/api/v2/me', { headers })).status).toBe(401)
  expect((await call('GET', '/api/v2/me', { headers: other.headers })).status).toBe(200)
  const ended = await env.DB.prepare('SELECT revoked_at FROM api_keys WHERE id = ?').bind(id).first('revoked_at')
  expect(ended).toBeGreaterThan(0)
  expect((await eventTypesOf(here)).filter((type) => type === 'session.revoked')).toHaveLength(1)
})

test('keys that were created in a session outlive it, and end with the person', async () => {
  const here = await createWorkspace()
  const userId = await createUser(here, 'admin')
  const { headers, id } = await here.session({ userId, scopes: ['keys:write', 'keys:read', 'backlog:read'] })
  const json = { name: 'mine', scopes: ['backlog:read'] }
  const made = await call<{ id: number; token: string; expiresAt: string; issuedBy: number }>(
    'POST',
    '/api/v2/api-keys',
    {
      headers,
      json,
    },
  )
  expect(made.body.data.issuedBy).toBe(id)
  expect(Date.parse(made.body.data.expiresAt)).toBeGreaterThan(readClock() + 364 * DAY)
  const excess = await call('POST', '/api/v2/api-keys', { headers, json: { ...json, scopes: ['backlog:write'] } })
  expect([excess.status, excess.body.error?.code]).toEqual([403, 'insufficient_scope'])
  await call('POST', '/api/v2/sign-out', { headers })
  const apiKey = `Bearer ${made.body.data.token}`
  expect((await call('GET', '/api/v2/work-items', { apiKey })).status).toBe(200)
  await here.client('DELETE', `/api/v2/users/${userId}`)
  expect((await call('GET', '/api/v2/work-items', { apiKey })).status).toBe(401)
})
