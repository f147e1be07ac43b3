import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { type Actor, SESSION_LIFETIME_MS } from '../db/sql/actor'
import { ApiError } from '../text/errors'
import { findForeignOrigin } from './cors'
import type { AppEnv } from './response'
import { signKeyToken } from './token'

/** With this prefix a browser takes the cookie only from this host, over TLS or from this machine. */
const SESSION_COOKIE = '__Host-groundwork-session'

/** A cookie older than this is replaced. */
const COOKIE_RENEWAL_MS = 86_400_000

const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'

export const readSessionCookie = (c: Context<AppEnv>): string | undefined => getCookie(c, SESSION_COOKIE) || undefined

export const CLEARED_SESSION_COOKIE = `${SESSION_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`

export async function makeSessionCookie(secrets: string, actor: Actor, now: number): Promise<string> {
  const claims = { ...actor, kind: 'session' as const, issuedAt: now, expiresAt: now + SESSION_LIFETIME_MS }
  const token = await signKeyToken(secrets, claims)
  return `${SESSION_COOKIE}=${token}; Max-Age=${SESSION_LIFETIME_MS / 1000}; ${COOKIE_ATTRIBUTES}`
}

export const isCookieDue = (issuedAt: number, now: number): boolean => now - issuedAt >= COOKIE_RENEWAL_MS

/** A browser sends a cookie with the forms of other sites too, but always says where a request comes from. */
export function refuseOtherSites(c: Context<AppEnv>): void {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return
  const site = c.req.header('sec-fetch-site')
  const isOwnSite = site === undefined ? c.req.header('origin') !== undefined : site === 'same-origin'
  if (isOwnSite && findForeignOrigin(c) === undefined) return
  throw new ApiError(
    'origin_not_allowed',
    'A session changes something only from a page of this service: the request must carry Sec-Fetch-Site: same-origin, or the Origin of this service. A program sends an API key instead.',
  )
}
