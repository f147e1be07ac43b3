import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { base64url } from 'jose'
import * as z from 'zod'
import type { AppEnv } from '../../../http/response'
import { computeMacs } from '../../../http/token'

const STATE_COOKIE = '__Host-groundwork-provider'
const STATE_TTL_MS = 10 * 60_000
const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'

const SignInState = z.object({
  subscriptionId: z.int().positive(),
  issuer: z.string(),
  /** Comes back with the answer of the provider. */
  state: z.string(),
  /** Comes back in the ID token. */
  nonce: z.string(),
  /** Of PKCE (RFC 7636). */
  verifier: z.string(),
  /** Id of the session to create: a sign-in creates one session, also when its answer is repeated. */
  jti: z.string(),
  next: z.string(),
  /** Slug of the portal whose page began. */
  portal: z.string().optional(),
  expiresAt: z.number(),
})
export type SignInState = z.output<typeof SignInState>

const RANDOM_BYTES = 32
const makeRandomText = () => base64url.encode(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))

export const startState = (
  { subscriptionId, issuer, next, portal }: Pick<SignInState, 'subscriptionId' | 'issuer' | 'next' | 'portal'>,
  now: number,
): SignInState => ({
  ...{ subscriptionId, issuer, next, portal, state: makeRandomText(), nonce: makeRandomText() },
  ...{ verifier: makeRandomText(), jti: crypto.randomUUID(), expiresAt: now + STATE_TTL_MS },
})

export async function makeChallenge(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url.encode(new Uint8Array(digest))
}

const signaturesOf = async (secrets: string, text: string) =>
  (await computeMacs(secrets, `provider-state:${text}`)).map((mac) => base64url.encode(mac))

/** The state stays in the browser, so that nothing is stored before a sign-in succeeds. */
export async function makeStateCookie(secrets: string, state: SignInState): Promise<string> {
  const text = base64url.encode(JSON.stringify(state))
  const [signature] = await signaturesOf(secrets, text)
  return `${STATE_COOKIE}=${text}.${signature}; Max-Age=${STATE_TTL_MS / 1000}; ${COOKIE_ATTRIBUTES}`
}

export const CLEARED_STATE_COOKIE = `${STATE_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`

/** Undefined without a state of this browser, of this service and of the last ten minutes. */
export async function readState(c: Context<AppEnv>, now: number): Promise<SignInState | undefined> {
  const [text = '', signature = ''] = (getCookie(c, STATE_COOKIE) ?? '').split('.')
  if (!(await signaturesOf(c.env.SIGNING_SECRETS, text)).includes(signature)) return undefined
  const state = SignInState.parse(JSON.parse(new TextDecoder().decode(base64url.decode(text))))
  return state.expiresAt > now ? state : undefined
}
