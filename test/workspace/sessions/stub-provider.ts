import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { vi } from 'vitest'
import { send } from '../../client'
import { readClock } from '../../clock'
import type { Workspace } from '../../factories'

export const CLIENT_ID = 'groundwork'
export const CLIENT_SECRET = 'top secret/&+'
const REDIRECT_URI = 'https://groundwork.test/sign-in/oidc/callback'

interface StubOptions {
  issuer: string
  metadata?: object
  /** Answers in place of the provider. */
  intercept?: (url: URL, init: RequestInit | undefined) => Response | Promise<Response> | undefined
}

export interface SentRequest {
  url: string
  headers: Headers
  body: URLSearchParams
  redirect: string | undefined
}

/** A provider that answers in place of the network until the end of the test. */
export async function stubProvider({ issuer, metadata = {}, intercept }: StubOptions) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const requests: SentRequest[] = []
  const answers = { idToken: '', txt: [] as string[] }
  const stub: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const body = init?.body instanceof URLSearchParams ? init.body : new URLSearchParams()
    requests.push({ url: url.href, headers: new Headers(init?.headers), body, redirect: init?.redirect })
    const intercepted = await intercept?.(url, init)
    if (intercepted) return intercepted
    if (url.hostname === 'cloudflare-dns.com')
      return Response.json({ Answer: answers.txt.map((data) => ({ type: 16, data })) })
    if (url.pathname.endsWith('/.well-known/openid-configuration'))
      return Response.json({
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, ...metadata },
      })
    if (url.pathname.endsWith('/token')) return Response.json({ id_token: answers.idToken })
    if (url.pathname.endsWith('/keys')) return Response.json({ keys: [jwk] })
    return new Response('nothing here', { status: 404 })
  }
  vi.spyOn(globalThis, 'fetch').mockImplementation(stub)
  const signToken = (claims: JWTPayload, { key = privateKey as CryptoKey, alg = 'RS256' } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: 'one' }).sign(key)
  return { issuer, requests, answers, jwk, signToken }
}

export type StubProvider = Awaited<ReturnType<typeof stubProvider>>

const SETTINGS = '/api/v2/settings/sign-in'

/** Connects the workspace, and publishes the record of the domain. */
export async function connectProvider(
  here: Workspace,
  provider: StubProvider,
  { domain, ...json }: { domain: string; [member: string]: unknown },
) {
  provider.answers.txt = [`"groundwork-verification=groundwork.test/${here.subscriptionId}"`]
  const body = { issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, domains: [domain], ...json }
  return here.client<{ verifiedDomains: string[] }>('PUT', SETTINGS, { json: body })
}

export const firstCookie = (headers: Headers, name: string) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith(name))
    ?.split(';')[0] ?? ''

export interface Began {
  cookie: string
  /** Query of the page of the provider. */
  asked: URLSearchParams
  location: URL
}

export async function begin(email: string, next = '/'): Promise<Began> {
  const { response } = await send('GET', `/sign-in/oidc/start?${new URLSearchParams({ email, next })}`)
  const location = new URL(response.headers.get('location') ?? 'https://nowhere.test')
  return { cookie: firstCookie(response.headers, '__Host-groundwork-provider'), asked: location.searchParams, location }
}

export const claimsFor = (
  provider: StubProvider,
  { asked }: Began,
  email: string,
  more: JWTPayload = {},
): JWTPayload => {
  const now = Math.floor(readClock() / 1000)
  return {
    ...{
      iss: provider.issuer,
      aud: CLIENT_ID,
      sub: 'person-1',
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce') ?? '',
    },
    ...{ email, email_verified: true, ...more },
  }
}

/** The browser comes back from the provider. */
export async function comeBack({ cookie, asked }: Began, query: Record<string, string> = {}) {
  const answer = { code: 'code-1', state: asked.get('state') ?? '', ...query }
  return send('GET', `/sign-in/oidc/callback?${new URLSearchParams(answer)}`, { headers: { cookie } })
}

export { REDIRECT_URI, SETTINGS }
