import { env } from 'cloudflare:workers'
import { base64url, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { resealEndUserSecrets } from '../../../src/portal/settings/reseal'
import { readClock } from '../../clock'
import { interleave, interruptedDatabase } from '../../interleaving'
import { seededRandom } from '../../random'
import { createClaims, listMembers, openProductPage, secondsFromNow, signToken } from './pages'

const page = await openProductPage()
const { secret } = page
const ada = createClaims('Ada')
const { sub, email } = ada
const encode = (value: unknown) => base64url.encode(JSON.stringify(value))

const unsigned = () => new UnsecuredJWT({ sub, email }).setExpirationTime('1h').encode()
const changed = async () => {
  const [header, , signature] = (await signToken(secret, ada)).split('.')
  return `${header}.${encode({ ...ada, sub: 'somebody-else', exp: secondsFromNow(60) })}.${signature}`
}

/** Each refused token, with a word of the remedy. */
const REFUSED: readonly [name: string, token: () => string | Promise<string>, message: RegExp][] = [
  ['empty', () => '', /is no JWT/],
  ['no JWT', () => 'a.b.c', /is no JWT/],
  ['two parts', async () => (await signToken(secret, ada)).split('.').slice(0, 2).join('.'), /JWT/],
  ['unsigned', unsigned, /HS256/],
  [
    'alg none with a signature',
    async () => `${encode({ alg: 'none' })}.${(await signToken(secret, ada)).split('.').slice(1).join('.')}`,
    /HS256/,
  ],
  ['another algorithm', () => signToken(secret, ada, 'HS512'), /HS256/],
  ['another secret', () => signToken('eus_another', ada), /not signed with the secret/],
  [
    'no signature',
    async () => `${(await signToken(secret, ada)).split('.').slice(0, 2).join('.')}.`,
    /not signed with the secret/,
  ],
  ['changed claims', changed, /not signed with the secret/],
  ['expired', () => signToken(secret, { ...ada, exp: secondsFromNow(-120) }), /expired.*Sign a new token/],
  ['no end', () => signToken(secret, { ...ada, exp: undefined }), /claim exp/],
  ['an end that is a text', () => signToken(secret, { ...ada, exp: 'tomorrow' }), /claim exp/],
  ['an end after two days', () => signToken(secret, { ...ada, exp: secondsFromNow(172_800) }), /claim exp.*24 hours/],
  ['not valid yet', () => signToken(secret, { ...ada, nbf: secondsFromNow(600) }), /nbf/],
  ['no sub', () => signToken(secret, { email }), /claim sub/],
  ['an empty sub', () => signToken(secret, { sub: '', email }), /claim sub/],
  ['a sub that is a number', () => signToken(secret, { sub: 7, email }), /claim sub/],
  ['a long sub', () => signToken(secret, { sub: 'x'.repeat(201), email }), /claim sub/],
  ['a sub with a control character', () => signToken(secret, { sub: 'a\u0000', email }), /claim sub/],
  ['no email', () => signToken(secret, { sub }), /claim email/],
  ['no address', () => signToken(secret, { sub, email: 'ada' }), /claim email/],
  ['a list of addresses', () => signToken(secret, { sub, email: [email] }), /claim email/],
  ['a name that is a number', () => signToken(secret, { sub, email, name: 7 }), /claim name/],
  ['a long name', () => signToken(secret, { sub, email, name: 'x'.repeat(201) }), /claim name/],
  ['too large', () => signToken(secret, { ...ada, picture: 'x'.repeat(5_000) }), /4,096 characters/],
]

test.each(REFUSED)('a token is a 401 on reads and writes: %s', async (_, make, message) => {
  const token = await make()
  const json = { product: page.product.externalKey, title: 'Refused' }
  for (const [method, options] of [
    ['GET', {}],
    ['POST', { json }],
  ] as const) {
    const refused = await page.sendAs(token, method, '/ideas', options)
    expect([refused.status, refused.body.error?.code]).toEqual([401, 'unauthorized'])
    expect(refused.body.message).toMatch(message)
    expect(refused.body.message).not.toContain(secret)
    expect(refused.cost.roundTrips).toBeLessThanOrEqual(1)
  }
  expect(await listMembers(page)).toEqual([])
})

test('a token within the tolerance of clocks, and with other claims, is accepted', async () => {
  for (const claims of [{ exp: secondsFromNow(-30) }, { exp: secondsFromNow(86_400) }, { iat: 1, aud: 'x', iss: 'y' }])
    expect((await page.sendAs(await signToken(secret, { ...ada, ...claims }), 'GET', '/me')).status).toBe(200)
})

test('a portal without a secret accepts no token', async () => {
  const other = await openProductPage()
  await env.DB.prepare('UPDATE portals SET end_user_secret = NULL WHERE subscription_id = ?')
    .bind(other.subscriptionId)
    .run()
  const refused = await other.sendAs(await signToken(other.secret, ada), 'GET', '/ideas')
  expect([refused.status, refused.body.message]).toMatchObject([401, expect.stringContaining('has no secret')])
})

test('the secret is shown once, and the settings show when it was rotated', async () => {
  const { client, subscriptionId } = await openProductPage()
  const settings = async () =>
    (await client<{ endUserSecretRotatedAt: string | null }>('GET', '/api/v2/settings/portal')).body.data
  const rotated = await client<{ secret: string }>('POST', '/api/v2/settings/portal/rotate', {
    headers: { 'idempotency-key': 'once' },
  })
  expect(rotated.body.data.secret).toMatch(/^eus_[\w-]{43}$/)
  const again = await client<{ secret: string }>('POST', '/api/v2/settings/portal/rotate', {
    headers: { 'idempotency-key': 'once' },
  })
  expect(again.body.data.secret).toBe(rotated.body.data.secret)
  const shown = await settings()
  expect(Math.abs(Date.parse(shown.endUserSecretRotatedAt ?? '') - readClock())).toBeLessThan(60_000)
  expect(JSON.stringify(shown)).not.toContain('eus_')
  const log = await env.DB.prepare("SELECT data FROM log WHERE subscription_id = ? AND type = 'portal.secret_rotated'")
    .bind(subscriptionId)
    .all<{ data: string }>()
  expect(log.results).toHaveLength(2)
  expect(JSON.stringify(log.results)).not.toContain(rotated.body.data.secret)
  const stored = await env.DB.prepare('SELECT end_user_secret AS s FROM portals WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first<{ s: string }>()
  expect(stored?.s).not.toContain(rotated.body.data.secret)
})

test('a rotation takes effect at once, and the old secret works for a day', async () => {
  const other = await openProductPage()
  const [old, claims] = [await signToken(other.secret, ada), createClaims()]
  expect((await other.sendAs(old, 'GET', '/me')).status).toBe(200)
  const second = await other.rotate()
  const json = { product: other.product.externalKey, title: 'Between' }
  for (const token of [old, await signToken(second, claims)])
    expect((await other.sendAs(token, 'POST', '/ideas', { json })).status).toBe(201)
  const expire = () =>
    env.DB.prepare('UPDATE portals SET previous_until = ? WHERE subscription_id = ?')
      .bind(readClock() - 1, other.subscriptionId)
      .run()
  await expire()
  for (const method of ['GET', 'POST'])
    expect((await other.sendAs(old, method, '/ideas', method === 'GET' ? {} : { json })).status).toBe(401)
  await other.rotate()
  expect((await other.sendAs(await signToken(second, claims), 'GET', '/me')).status).toBe(200)
  await other.rotate()
  expect((await other.sendAs(await signToken(second, claims), 'GET', '/me')).status).toBe(401)
})

test('a secret that is encrypted again verifies the same tokens', async () => {
  const other = await openProductPage()
  const token = await signToken(other.secret, ada)
  await other.rotate()
  expect((await other.sendAs(token, 'GET', '/me')).status).toBe(200)
  const newer = `newer:${base64url.encode(seededRandom(139).bytes(32))}`
  const SIGNING_SECRETS = `${newer},${env.SIGNING_SECRETS}`
  await resealEndUserSecrets({ store: openStore(env.DB, readClock()), settings: { ...env, SIGNING_SECRETS } })
  const row = await env.DB.prepare('SELECT sealed_by AS sealer FROM portals WHERE subscription_id = ?')
    .bind(other.subscriptionId)
    .first<{ sealer: string }>()
  expect(row?.sealer).toBe('newer')
  const json = { product: other.product.externalKey, title: 'Resealed' }
  expect((await other.sendAs(token, 'POST', '/ideas', { json, env: { SIGNING_SECRETS } })).status).toBe(201)
})

test('a secret that is rotated while secrets are encrypted again stays', async () => {
  const newer = `newer:${base64url.encode(seededRandom(154).bytes(32))}`
  const SIGNING_SECRETS = `${newer},${env.SIGNING_SECRETS}`
  const attempts = await interleave(async (interruption) => {
    const other = await openProductPage()
    let present = other.secret
    interruption.write = async () => {
      present = await other.rotate()
    }
    const store = openStore(interruptedDatabase(env.DB, interruption), readClock())
    await resealEndUserSecrets({ store, settings: { ...env, SIGNING_SECRETS } })
    const statusOf = async (token: string) =>
      (await other.sendAs(token, 'GET', '/me', { env: { SIGNING_SECRETS } })).status
    expect(await statusOf(await signToken(present, ada))).toBe(200)
    // The former secret is accepted for a time.
    expect(await statusOf(await signToken(other.secret, ada))).toBe(200)
    await resealEndUserSecrets({ store: openStore(env.DB, readClock()), settings: { ...env, SIGNING_SECRETS } })
  })
  expect(attempts).toBeGreaterThan(2)
})
