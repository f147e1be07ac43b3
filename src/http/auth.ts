import type { Context } from 'hono'
import type { Actor } from '../db/sql/actor'
import { ApiError, invalidValueError, unauthorizedError } from '../text/errors'
import type { AnyOperation } from './operation'
import { isPublishableKey } from './publishable-key'
import type { AppEnv } from './response'
import { isCookieDue, readSessionCookie, refuseOtherSites } from './session-cookie'
import { type Area, hasScope, type Scope, verifyKeyToken } from './token'

interface KeyHeaders {
  apiKey: string | undefined
  authorization: string | undefined
}

const readBearerToken = (header: string) => /^Bearer +(\S+)$/i.exec(header)?.[1]

/** `Authorization` with another scheme, such as the password of a proxy, is no API key. */
function readKeyToken({ apiKey, authorization = '' }: KeyHeaders): string {
  const bearer = readBearerToken(authorization)
  if (!apiKey) {
    if (bearer) return bearer
    const message = authorization
      ? 'The header Authorization must read Bearer <API_KEY>.'
      : 'No API key. Send it in the header x-api-key: Bearer <API_KEY>.'
    throw unauthorizedError(message)
  }
  const token = readBearerToken(apiKey)
  if (!token) throw unauthorizedError('The header x-api-key must read Bearer <API_KEY>.')
  if (bearer && bearer !== token)
    throw invalidValueError('/header/authorization', 'Holds another key than x-api-key. Send one of the two headers.')
  return token
}

/** Every failure of a key is a 401, and an invalid token does not reveal the cause. */
export async function authenticate(headers: KeyHeaders, secrets: string, now: number): Promise<Actor> {
  if (isPublishableKey(headers.apiKey) || isPublishableKey(headers.authorization))
    throw new ApiError(
      'insufficient_scope',
      'This is a publishable key, which calls /api/v2/portal/ only. Use a secret key, and keep it on your server.',
    )
  const token = readKeyToken(headers)
  const actor = (await verifyKeyToken(secrets, token, now))?.actor
  if (!actor || actor.kind === 'session')
    throw unauthorizedError('This API key is malformed, expired or from another service. Use another key.')
  return actor
}

interface Caller {
  actor: Actor
  /** True if the session needs a newer cookie. */
  renewsCookie: boolean
}

/** The key of a program, or the session of a person. A request with both acts as the key. */
export async function identifyCaller(c: Context<AppEnv>, now: number): Promise<Caller> {
  const headers = { apiKey: c.req.header('x-api-key'), authorization: c.req.header('authorization') }
  const cookie = readSessionCookie(c)
  const hasKey = Boolean(headers.apiKey) || readBearerToken(headers.authorization ?? '') !== undefined
  if (hasKey || cookie === undefined)
    return { actor: await authenticate(headers, c.env.SIGNING_SECRETS, now), renewsCookie: false }
  const session = await verifyKeyToken(c.env.SIGNING_SECRETS, cookie, now)
  if (session?.actor.kind !== 'session') throw unauthorizedError('This session has ended. Sign in again.')
  refuseOtherSites(c)
  return { actor: session.actor, renewsCookie: isCookieDue(session.issuedAt, now) }
}

export function requireScope(actor: Actor, scope: Scope | '*' | undefined): void {
  if (scope === undefined || hasScope(actor.scopes, scope)) return
  const message =
    actor.kind === 'session'
      ? `Your role does not include ${scope}. Ask an owner or admin of the workspace.`
      : `This API key lacks the scope ${scope}. Use a key with this scope.`
  throw new ApiError('insufficient_scope', message)
}

/** A session calls its own operations whatever the role, and without a scope nothing else. */
export function requireAccess(actor: Actor, op: Pick<AnyOperation, 'scope' | 'isOpenToSessions'>): void {
  if (actor.kind === 'session') {
    if (op.isOpenToSessions) return
    if (!actor.scopes.length)
      throw new ApiError(
        'insufficient_scope',
        'Your role does not include the API of the team. Ask an owner or admin of the workspace.',
      )
  }
  requireScope(actor, op.scope)
}

export const canRead = (actor: Pick<Actor, 'scopes'>, ...areas: readonly Area[]): boolean =>
  areas.some((area) => hasScope(actor.scopes, `${area}:read`))

export const PEOPLE_AREAS = ['products', 'segments'] as const satisfies readonly Area[]

/** A limited key reads workspace data, but writes only in the key's products. */
export function requireUnlimitedKey(actor: Actor, remedy = 'Use a key without that limit.'): void {
  if (!actor.products) return
  const message = `This API key is limited to products, and cannot change records of the whole workspace. ${remedy}`
  throw new ApiError('insufficient_scope', message)
}
