import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type CallOptions, call, send } from '../client'
import { createWorkspace } from '../factories'
import { createClaims, signToken } from '../portal/end-users/pages'
import { createUniqueId } from '../unique'
import { expectFailure } from './document'
import { createScenario, eachOperation, isWrite, UNLIMITED, validPath, validRequest } from './table'

const ORIGIN = 'https://app.example.com'
const { here, records } = await createScenario()

interface Created {
  id: number
  token: string
  publishableKey: string
}

const makeKey = async (workspace = here, body: object = {}) => {
  const json = { name: 'Page', kind: 'publishable', scopes: ['feedback:read'], origins: [ORIGIN], ...body }
  return workspace.client<Created>('POST', '/api/v2/api-keys', { json })
}

const { id, token, publishableKey } = (await makeKey()).body.data
const portal = await records.path('/api/v2/portal/{portal}')
const read = (path: string, apiKey: string, origin: string | undefined = ORIGIN) =>
  call('GET', path, { apiKey, headers: { origin } })

/** A reader of a portal. A key that everybody can read calls nothing else. */
test.each(eachOperation())('%s is for readers of a portal, or refuses a publishable key', async (_, op) => {
  const path = await validPath(op, records)
  const options: CallOptions = { ...(await validRequest(op, records)), apiKey: token, headers: { origin: ORIGIN } }
  const { response, cost } = await send(op.method.toUpperCase(), path, { ...options, env: UNLIMITED })
  const status = op.access !== 'portal' ? 403 : isWrite(op) ? 401 : 200
  expect(response.status).toBe(status)
  if (op.access === 'portal') return void (await response.body?.cancel())
  expect(await response.json()).toMatchObject({ error: { code: 'insufficient_scope' } })
  expect(cost.roundTrips).toBe(0)
})

const rotated = await here.client<{ secret: string }>('POST', '/api/v2/settings/portal/rotate')
const endUser = await signToken(rotated.body.data.secret, createClaims('Reader'))

/** Operations that change only what is of the caller, with records of others. */
const OF_OTHERS = ['modifyPortalIdea', 'modifyPortalComment', 'removePortalComment']

/** An end user is a person of a portal, and nothing of the API of the team. */
test.each(eachOperation())('%s is for end users of a portal, or refuses the token of an end user', async (_, op) => {
  const path = await validPath(op, records)
  const options: CallOptions = {
    ...{ ...(await validRequest(op, records)), apiKey: token },
    headers: { origin: ORIGIN, 'x-end-user': endUser },
  }
  const { response, cost } = await send(op.method.toUpperCase(), path, { ...options, env: UNLIMITED })
  if (op.access === 'portal' && !OF_OTHERS.includes(op.id)) {
    expect(response.status).toBe(op.status ?? 200)
    return void (await response.body?.cancel())
  }
  const answer = await response.json()
  // An idea of others that waits for an approval is hidden.
  const expected = op.id === 'modifyPortalIdea' ? [404, 'feedback_item_not_found'] : [403, 'insufficient_scope']
  expect([response.status, answer]).toMatchObject([expected[0], { error: { code: expected[1] } }])
  if (op.access !== 'portal') expect(cost.roundTrips).toBe(0)
})

test('a publishable key is shown again, has no rotation and ends at once', async () => {
  expect(token).toMatch(/^pk_[0-9a-f]{32}$/)
  expect(publishableKey).toBe(token)
  const shown = await here.client<object>('GET', `/api/v2/api-keys/${id}`)
  expect(shown.body.data).toMatchObject({ kind: 'publishable', origins: [ORIGIN], publishableKey: token })
  const secret = await here.client<Created>('POST', '/api/v2/api-keys', { json: { name: 'S', scopes: ['kpis:read'] } })
  expect(secret.body.data).toMatchObject({ kind: 'secret', origins: null, publishableKey: null })
  expect((await here.client('POST', `/api/v2/api-keys/${id}/rotate`, { json: {} })).status).toBe(409)
  const other = (await makeKey()).body.data
  expect((await read(portal, other.token)).status).toBe(200)
  await here.client('DELETE', `/api/v2/api-keys/${other.id}`)
  expectFailure(await read(portal, other.token), 401, 'unauthorized')
  expect((await read(portal, token)).status).toBe(200)
})

test.each([
  ['/origins', { origins: undefined }],
  ['/origins/0', { origins: ['https://app.example.com/path'] }],
  ['/origins', { kind: 'secret' }],
  ['/scopes/0', { scopes: ['backlog:read'] }],
  ['/scopes/1', { scopes: ['feedback:read', '*'] }],
  ['/products', { products: [here.product.externalKey] }],
])('a publishable key with a wrong %s is a 400', async (path, body) => {
  const { status, body: answer } = await makeKey(here, body)
  expect([status, answer.error?.issues[0]?.path]).toEqual([400, path])
})

test('a key that is limited to products makes no publishable key', async () => {
  const apiKey = await here.key({ products: [here.product.id] })
  const json = { name: 'Page', kind: 'publishable', scopes: ['feedback:read'], origins: [ORIGIN] }
  expectFailure(await call('POST', '/api/v2/api-keys', { apiKey, json }), 403, 'insufficient_scope')
})

test('only pages of the origins of the key use the key, in the same round trip', async () => {
  await read(portal, token)
  const allowed = await read(portal, token)
  expect([allowed.status, allowed.cost.roundTrips]).toEqual([200, 1])
  expect(allowed.headers.get('access-control-allow-origin')).toBe(ORIGIN)
  expect(allowed.headers.get('cache-control')).toBe('private, no-store')
  for (const origin of [
    'https://evil.example.com',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'null',
  ]) {
    const refused = await read(portal, token, origin)
    expectFailure(refused, 403, 'origin_not_allowed')
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect(refused.cost.roundTrips).toBe(1)
  }
  expectFailure(await call('GET', portal, { apiKey: token }), 403, 'origin_not_allowed')
})

test('a key of another workspace, a malformed key and the id of a secret key are a 401', async () => {
  const stranger = await createWorkspace()
  const foreign = (await makeKey(stranger)).body.data.token
  const jti = createUniqueId().replaceAll('-', '')
  await here.key({ jti })
  await env.DB.prepare('UPDATE api_keys SET origins = ? WHERE jti = ?')
    .bind(JSON.stringify([ORIGIN]), jti)
    .run()
  const expired = (await makeKey()).body.data
  await env.DB.prepare('UPDATE api_keys SET expires_at = 1 WHERE id = ?').bind(expired.id).run()
  for (const apiKey of [foreign, 'pk_', 'pk_1', `${token}0`, `pk_${jti}`, expired.token])
    expectFailure(await read(portal, apiKey), 401, 'unauthorized')
})

test('a private portal is closed for a publishable key', async () => {
  const workspace = await createWorkspace()
  const json = {
    slug: `k-${createUniqueId().slice(0, 12)}`,
    visibility: 'private',
    products: [workspace.product.externalKey],
  }
  await workspace.client('PUT', '/api/v2/settings/portal', { json })
  const key = (await makeKey(workspace)).body.data.token
  expectFailure(await read(`/api/v2/portal/${json.slug}`, key), 401, 'unauthorized')
})
