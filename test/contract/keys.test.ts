import { env } from 'cloudflare:workers'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { call } from '../client'
import { readClock } from '../clock'
import { createUniqueId } from '../unique'
import { expectFailure } from './document'
import { createScenario, operationTable, validPath, validRequest } from './table'

const { here, records } = await createScenario()

async function forgeKey(header: object, claims: object): Promise<string> {
  const part = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  return `Bearer ${part(header)}.${part(claims)}.`
}

const invalidKeys: [string, () => Promise<string | null>][] = [
  ['no key', async () => null],
  ['an empty key', async () => 'Bearer '],
  ['a key without Bearer', async () => (await here.key()).replace('Bearer ', '')],
  ['garbage', async () => 'Bearer a.b.c'],
  [
    'alg none',
    async () => {
      const now = Math.floor(readClock() / 1000)
      const claims = {
        iss: 'groundwork',
        aud: 'groundwork-api',
        sub: '1',
        jti: 'x',
        iat: now,
        exp: now + 99,
        sid: 1,
        scp: ['*'],
      }
      return forgeKey({ alg: 'none', kid: 'test-new' }, claims)
    },
  ],
  [
    'a wrong secret under a known name',
    () => here.key({}, { secrets: `test-new:${btoa('another secret, of thirty-two bytes')}` }),
  ],
  ['an unknown secret', () => here.key({}, { secrets: `stranger:${btoa('another secret, of thirty-two bytes')}` })],
  ['an expired key', () => here.key({ issuedAt: readClock() - 9e6, expiresAt: readClock() - 9e5 })],
  [
    'a key without exp',
    async () => {
      const secret = (env.SIGNING_SECRETS.split(',')[0] ?? '').split(':')[1] ?? ''
      const token = await new SignJWT({ sid: here.subscriptionId, scp: ['*'] })
        .setProtectedHeader({ alg: 'HS256', kid: 'test-new' })
        .setIssuer('groundwork')
        .setAudience('groundwork-api')
        .setSubject(String(here.userId))
        .setJti('without-exp')
        .setIssuedAt()
        .sign(Uint8Array.from(atob(secret), (c) => c.charCodeAt(0)))
      return `Bearer ${token}`
    },
  ],
]

test.each(invalidKeys)('%s gets a 401 without a database query', async (_, makeKey) => {
  const apiKey = await makeKey()
  // Without a key, a reader of a portal is a visitor.
  for (const op of operationTable.filter(({ access }) => access !== 'portal' || apiKey !== null)) {
    const path = await records.path(op.path)
    const answer = await call(op.method.toUpperCase(), path, { ...(await validRequest(op, records)), apiKey })
    expectFailure(answer, 401, 'unauthorized')
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(answer.cost.roundTrips).toBe(0)
  }
})

test('a missing or revoked key is refused by every operation', async () => {
  const unknown = await here.key({}, { stored: false })
  const jti = createUniqueId()
  const revoked = await here.key({ jti })
  await env.DB.prepare('UPDATE api_keys SET revoked_at = ? WHERE jti = ?')
    .bind(readClock() - 1, jti)
    .run()
  for (const op of operationTable) {
    const path = await validPath(op, records)
    for (const apiKey of [unknown, revoked]) {
      const answer = await call(op.method.toUpperCase(), path, { ...(await validRequest(op, records)), apiKey })
      expectFailure(answer, 401, 'unauthorized')
    }
  }
})

test('a key that is signed with the older of two secrets works', async () => {
  const apiKey = await here.key({}, { secrets: env.SIGNING_SECRETS.split(',').reverse().join(',') })
  expect((await call('GET', '/api/initiatives', { apiKey })).status).toBe(200)
})
