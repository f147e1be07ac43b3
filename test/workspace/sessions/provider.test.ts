import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { deriveSignInCodes } from '../../../src/http/sign-in-token'
import { call, send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import {
  begin,
  CLIENT_ID,
  CLIENT_SECRET,
  claimsFor,
  comeBack,
  connectProvider,
  firstCookie,
  REDIRECT_URI,
  SETTINGS,
  type StubProvider,
  stubProvider,
} from './stub-provider'

afterEach(() => {
  vi.restoreAllMocks()
})

const SESSION = '__Host-groundwork-session'

interface Scene {
  here: Workspace
  domain: string
  provider: StubProvider
}

/** A workspace with a provider and a verified domain of its own. */
async function prepare(settings: object = {}, stub: object = {}): Promise<Scene> {
  const here = await createWorkspace()
  const domain = `w${here.subscriptionId}.example`
  const provider = await stubProvider({ issuer: `https://login.${domain}`, ...stub })
  await connectProvider(here, provider, { domain, ...settings })
  return { here, domain, provider }
}

const countRows = async ({ subscriptionId }: Workspace, table: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`).bind(subscriptionId).first<number>('n')

/** Everything that a refused sign-in could leave behind. */
const countTraces = async (here: Workspace) =>
  Promise.all(['users', 'api_keys', 'log'].map((one) => countRows(here, one)))

const meOf = async (headers: Headers) =>
  call<{ user: { email: string; role: string } }>('GET', '/api/v2/me', {
    headers: { cookie: firstCookie(headers, SESSION) },
  })

test('a person of a verified domain joins as a member, once, and signs in again later', async () => {
  const { here, domain, provider } = await prepare()
  const email = `ada@${domain}`
  const began = await begin(email, '/p/ideas')
  expect(began.location.href.split('?')[0]).toBe(`https://login.${domain}/authorize`)
  expect(Object.fromEntries(began.asked)).toMatchObject({
    ...{ response_type: 'code', client_id: CLIENT_ID, redirect_uri: REDIRECT_URI, scope: 'openid email profile' },
    ...{ login_hint: email, code_challenge_method: 'S256' },
  })
  provider.answers.idToken = await provider.signToken(
    claimsFor(provider, began, `Ada@${domain}`, { given_name: 'Ada', family_name: 'Lovelace' }),
  )
  const { response } = await comeBack(began)
  expect([response.status, response.headers.get('location')]).toEqual([303, '/p/ideas'])
  expect(response.headers.getSetCookie().filter((one) => one.startsWith('__Host-groundwork-provider=;'))).toHaveLength(
    1,
  )
  expect((await meOf(response.headers)).body.data.user).toMatchObject({ email, role: 'member', firstName: 'Ada' })
  const { body } = await here.client<{ type: string }[]>('GET', '/api/v2/events?order=newest')
  expect(body.data.map(({ type }) => type).slice(0, 2)).toEqual(['session.created', 'member.created'])
  const people = await countRows(here, 'users')
  const again = await begin(email)
  provider.answers.idToken = await provider.signToken(claimsFor(provider, again, email))
  expect((await comeBack(again)).response.status).toBe(303)
  expect(await countRows(here, 'users')).toBe(people)
})

test('the exchange proves the client and the verifier, and follows no redirect', async () => {
  const { domain, provider } = await prepare()
  const began = await begin(`ada@${domain}`)
  provider.answers.idToken = await provider.signToken(claimsFor(provider, began, `ada@${domain}`))
  await comeBack(began)
  const sent = provider.requests.find(({ url }) => url.endsWith('/token'))
  expect(Object.fromEntries(sent?.body ?? [])).toMatchObject({
    ...{ grant_type: 'authorization_code', code: 'code-1', redirect_uri: REDIRECT_URI },
  })
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(sent?.body.get('code_verifier') ?? undefined),
  )
  expect(base64url.encode(new Uint8Array(digest))).toBe(began.asked.get('code_challenge'))
  const [, basic = ''] = /^Basic (.*)$/.exec(sent?.headers.get('authorization') ?? '') ?? []
  expect(
    atob(basic)
      .split(':')
      .map((one) => new URLSearchParams(`v=${one}`).get('v')),
  ).toEqual([CLIENT_ID, CLIENT_SECRET])
  expect(provider.requests.map(({ redirect }) => redirect)).toEqual(provider.requests.map(() => 'manual'))
})

test('the role of new people comes from the settings, and known people keep theirs', async () => {
  const { here, domain, provider } = await prepare({ role: 'viewer' })
  const signIn = async (email: string) => {
    const began = await begin(email)
    provider.answers.idToken = await provider.signToken(claimsFor(provider, began, email))
    return (await meOf((await comeBack(began)).response.headers)).body.data.user.role
  }
  expect(await signIn(`new@${domain}`)).toBe('viewer')
  await here.client('POST', '/api/v2/users', { json: { email: `boss@${domain}`, role: 'admin' } })
  expect(await signIn(`boss@${domain}`)).toBe('admin')
})

test('a removed person does not return by the provider', async () => {
  const { here, domain, provider } = await prepare()
  const email = `gone@${domain}`
  const { body } = await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email, role: 'viewer' } })
  await here.client('DELETE', `/api/v2/users/${body.data.id}`)
  const before = await countTraces(here)
  const began = await begin(email)
  provider.answers.idToken = await provider.signToken(claimsFor(provider, began, email))
  expect((await comeBack(began)).response.status).toBe(400)
  expect(await countTraces(here)).toEqual(before)
})

const encode = (value: object) => base64url.encode(JSON.stringify(value))

/** Tokens that prove nothing. Each is right but for one thing. */
const WRONG_TOKENS: Record<string, (scene: Scene, claims: object, provider: StubProvider) => Promise<string> | string> =
  {
    'of another issuer': (_, claims, { signToken }) => signToken({ ...claims, iss: 'https://evil.example' }),
    'for another client': (_, claims, { signToken }) => signToken({ ...claims, aud: 'other' }),
    'for several clients, asked by another': (_, claims, { signToken }) =>
      signToken({ ...claims, aud: [CLIENT_ID, 'other'], azp: 'other' }),
    'for several clients, asked by nobody': (_, claims, { signToken }) =>
      signToken({ ...claims, aud: [CLIENT_ID, 'other'] }),
    'of another sign-in': (_, claims, { signToken }) => signToken({ ...claims, nonce: 'other' }),
    'without a nonce': (_, claims, { signToken }) => signToken({ ...claims, nonce: undefined }),
    'that has expired': (_, claims, { signToken }) =>
      signToken({ ...claims, exp: Math.floor(readClock() / 1000) - 61 }),
    'that is old': (_, claims, { signToken }) => signToken({ ...claims, iat: Math.floor(readClock() / 1000) - 700 }),
    'without an expiry': (_, claims, { signToken }) => signToken({ ...claims, exp: undefined } as never),
    'without an address': (_, claims, { signToken }) => signToken({ ...claims, email: undefined }),
    'with an address that is not verified': (_, claims, { signToken }) =>
      signToken({ ...claims, email_verified: false }),
    'with an address that may be verified': (_, claims, { signToken }) =>
      signToken({ ...claims, email_verified: undefined }),
    'with an address verified by a text': (_, claims, { signToken }) =>
      signToken({ ...claims, email_verified: 'true' }),
    'with the owner of another domain': (_, claims, { signToken }) =>
      signToken({ ...claims, email: 'owner@example.com' }),
    'with a domain below the own domain': ({ domain }, claims, { signToken }) =>
      signToken({ ...claims, email: `ada@sub.${domain}` }),
    'with two signs': ({ domain }, claims, { signToken }) =>
      signToken({ ...claims, email: `"owner@example.com"@${domain}` }),
    'without a signature': (_, claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    'signed with the client secret': async (_, claims, { signToken }) => {
      const bytes = new TextEncoder().encode(CLIENT_SECRET.padEnd(32, ' '))
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      return signToken({ ...claims }, { key, alg: 'HS256' })
    },
    'signed with the public key': async (_, claims, { signToken, jwk }) => {
      const bytes = new TextEncoder().encode(JSON.stringify(jwk))
      const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      return signToken({ ...claims }, { key, alg: 'HS256' })
    },
    'signed by a key of nobody': async (_, claims) =>
      (await stubProvider({ issuer: 'https://other.example' })).signToken({ ...claims }),
    'that is no token': () => 'nothing',
  }

test.each(Object.keys(WRONG_TOKENS))('a token %s signs nobody in, and leaves nothing', async (name) => {
  const scene = await prepare()
  const { here, domain, provider } = scene
  const began = await begin(`ada@${domain}`)
  const claims = claimsFor(provider, began, `ada@${domain}`)
  const fetchStub = vi.mocked(globalThis.fetch).getMockImplementation()
  provider.answers.idToken = (await WRONG_TOKENS[name]?.(scene, claims, provider)) ?? ''
  if (fetchStub) vi.mocked(globalThis.fetch).mockImplementation(fetchStub)
  const before = await countTraces(here)
  const { response } = await comeBack(began)
  expect(response.status).toBe(400)
  expect(firstCookie(response.headers, SESSION)).toBe('')
  expect(await response.text()).toContain('You are not signed in')
  expect(await countTraces(here)).toEqual(before)
  // The same sign-in with the right token works, so nothing else refused it.
  provider.answers.idToken = await provider.signToken(claims as never)
  expect((await comeBack(began)).response.status).toBe(303)
})

test('an answer works once, in the browser that began, and only with its state', async () => {
  const { here, domain, provider } = await prepare()
  const email = `ada@${domain}`
  const began = await begin(email)
  provider.answers.idToken = await provider.signToken(claimsFor(provider, began, email))
  const refuse = async (given: typeof began, query: Record<string, string> = {}) => {
    const before = await countTraces(here)
    const { response } = await comeBack(given, query)
    expect([response.status, firstCookie(response.headers, SESSION)]).toEqual([400, ''])
    expect(await countTraces(here)).toEqual(before)
  }
  const other = await begin(email)
  await refuse({ ...began, cookie: '' })
  await refuse({ ...began, cookie: other.cookie })
  await refuse(began, { state: '' })
  await refuse(began, { state: 'other' })
  await refuse({ ...began, cookie: began.cookie.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')) })
  const [name, value = ''] = began.cookie.split('=')
  const [text = '', signature = ''] = value.split('.')
  const forged = new TextDecoder().decode(base64url.decode(text)).replace('"next":"/"', '"next":"//evil.example"')
  await refuse({ ...began, cookie: `${name}=${base64url.encode(forged)}.${signature}` })
  expect((await comeBack(began)).response.status).toBe(303)
  await refuse(began)
  const late = await begin(email)
  vi.useFakeTimers({ toFake: ['Date'], now: readClock() + 10 * 60_000 + 1 })
  provider.answers.idToken = await provider.signToken(claimsFor(provider, late, email))
  await refuse(late).finally(() => vi.useRealTimers())
})

test('an answer of another issuer is refused', async () => {
  const { domain, provider } = await prepare({}, { metadata: { authorization_response_iss_parameter_supported: true } })
  const began = await begin(`ada@${domain}`)
  provider.answers.idToken = await provider.signToken(claimsFor(provider, began, `ada@${domain}`))
  expect((await comeBack(began)).response.status).toBe(400)
  expect((await comeBack(began, { iss: 'https://evil.example' })).response.status).toBe(400)
  expect((await comeBack(began, { iss: provider.issuer })).response.status).toBe(303)
})

test('a sign-in ends when the provider or the domain leaves the settings meanwhile', async () => {
  for (const change of [{ issuer: 'https://login.other.example' }, { domains: [] }, { issuer: null }]) {
    const { here, domain, provider } = await prepare()
    const began = await begin(`ada@${domain}`)
    provider.answers.idToken = await provider.signToken(claimsFor(provider, began, `ada@${domain}`))
    await here.client('PUT', SETTINGS, { json: change })
    const before = await countTraces(here)
    expect([change, (await comeBack(began)).response.status]).toEqual([change, 400])
    expect(await countTraces(here)).toEqual(before)
  }
})

test.each([
  ['an error', () => new Response('{}', { status: 500 })],
  ['a redirect', () => Response.redirect('https://internal.example/token')],
  ['no JSON', () => new Response('<html>')],
  ['nothing', () => Promise.reject(new Error('refused'))],
] as const)('a provider that answers %s is told as a sentence', async (_, answer) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  for (const path of ['/.well-known/openid-configuration', '/token', '/keys']) {
    const { here, domain, provider } = await prepare(
      {},
      {
        intercept: (url: URL) => (url.pathname === path ? answer() : undefined),
      },
    )
    const began = await begin(`ada@${domain}`)
    if (path === '/.well-known/openid-configuration') {
      expect(began.cookie).toBe('')
      continue
    }
    provider.answers.idToken = await provider.signToken(claimsFor(provider, began, `ada@${domain}`))
    const before = await countTraces(here)
    const { response } = await comeBack(began)
    expect([path, response.status]).toEqual([path, 400])
    expect(await response.text()).toContain('cannot be reached now')
    expect(await countTraces(here)).toEqual(before)
  }
})

test('an answer of more than 200 kB is no answer', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  for (const spaces of [0, 100_000, 300_000]) {
    const { domain, provider } = await prepare()
    const began = await begin(`ada@${domain}`)
    const idToken = await provider.signToken(claimsFor(provider, began, `ada@${domain}`))
    const stub = vi.mocked(globalThis.fetch).getMockImplementation() as typeof fetch
    vi.mocked(globalThis.fetch).mockImplementation(async (input, init) =>
      String(input).endsWith('/token')
        ? new Response(JSON.stringify({ id_token: idToken }) + ' '.repeat(spaces))
        : stub(input, init),
    )
    expect([spaces, (await comeBack(began)).response.status]).toEqual([spaces, spaces > 200_000 ? 400 : 303])
  }
})

test('a provider names no address of a private network, and no other issuer', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  for (const metadata of [
    { issuer: 'https://evil.example' },
    { token_endpoint: 'http://login.example/token' },
    { token_endpoint: 'https://169.254.169.254/token' },
    { token_endpoint: 'https://metadata.internal/token' },
    { token_endpoint: 'https://groundwork.test/api/v2/me' },
    { jwks_uri: 'https://localhost/keys' },
    { authorization_endpoint: 'javascript:alert(1)' },
  ]) {
    const { domain, provider } = await prepare({}, { metadata })
    const began = await begin(`ada@${domain}`)
    if (!began.cookie) continue
    const named = metadata.issuer === undefined ? {} : { iss: metadata.issuer }
    provider.answers.idToken = await provider.signToken(claimsFor(provider, began, `ada@${domain}`, named))
    expect([metadata, (await comeBack(began)).response.status]).toEqual([metadata, 400])
    const hosts = new Set(provider.requests.map(({ url }) => new URL(url).host))
    expect([...hosts].sort()).toEqual(['cloudflare-dns.com', `login.${domain}`].sort())
  }
})

const post = (path: string, fields: Record<string, string>) =>
  send('POST', path, { raw: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-origin' } })

test('the page offers the provider of a domain to every address, and mails a code on request', async () => {
  const { here, domain } = await prepare()
  await here.client('POST', '/api/v2/users', { json: { email: `known@${domain}`, role: 'member' } })
  const pageOf = async (email: string, fields: Record<string, string> = {}) => {
    const { response, cost } = await post('/sign-in', { email, next: '/p/ideas', ...fields })
    const text = (await response.text()).replaceAll(email, 'ADDRESS').replaceAll(encodeURIComponent(email), 'ADDRESS')
    return { status: response.status, text, statements: cost.statements, trips: cost.roundTrips }
  }
  const known = await pageOf(`known@${domain}`)
  expect(known.text).toContain(`Sign in at login.${domain}`)
  expect(known.text).toContain('next=%2Fp%2Fideas')
  expect(await pageOf(`other@${domain}`)).toEqual(known)
  expect(await countRows(here, 'emails')).toBe(0)
  expect((await pageOf('other@elsewhere.example')).text).toContain('Enter the code')
  const mailed = await pageOf(`known@${domain}`, { by: 'mail' })
  expect(mailed.text).toContain('Enter the code')
  expect(await countRows(here, 'emails')).toBe(1)
  expect(await pageOf(`other@${domain}`, { by: 'mail' })).toEqual(mailed)
})

test('with `onlyProvider` no code signs in people of the domain, and others still get one', async () => {
  const { here, domain } = await prepare()
  const create = (email: string, role = 'member') => here.client('POST', '/api/v2/users', { json: { email, role } })
  await create(`ada@${domain}`)
  const outside = `w${here.subscriptionId}@elsewhere.example`
  await create(outside)
  const ask = (email: string) => call('POST', '/api/v2/sign-in', { json: { email } })
  await ask(`ada@${domain}`)
  const { code } = await readCode(here)
  await here.client('PUT', SETTINGS, { json: { onlyProvider: true } })
  const tryCode = (email: string, code: string) => call('POST', '/api/v2/sign-in/code', { json: { email, code } })
  expect((await tryCode(`ada@${domain}`, code)).status).toBe(401)
  await ask(`ada@${domain}`)
  expect(await countRows(here, 'emails')).toBe(1)
  const page = await (await post('/sign-in', { email: `ada@${domain}`, by: 'mail' })).response.text()
  expect(page).toContain(`Sign in at login.${domain}`)
  expect(page).not.toContain('by mail instead')
  await ask(outside)
  expect((await tryCode(outside, (await readCode(here)).code)).status).toBe(200)
  await here.client('PUT', SETTINGS, { json: { issuer: null } })
  await ask(`ada@${domain}`)
  expect((await tryCode(`ada@${domain}`, (await readCode(here)).code)).status).toBe(200)
})

async function readCode({ subscriptionId }: Workspace) {
  const row = await env.DB.prepare(
    'SELECT variables FROM email_recipients WHERE subscription_id = ? ORDER BY email_id DESC LIMIT 1',
  )
    .bind(subscriptionId)
    .first<string>('variables')
  const { signIn: nonce } = JSON.parse(row ?? '{}') as { signIn: string }
  return { code: (await deriveSignInCodes(env.SIGNING_SECRETS, nonce))[0] ?? '' }
}
