import type { Actor } from '../db/sql/actor'
import { ApiError, invalidValueError, unauthorizedError } from '../text/errors'
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
  const token = readKeyToken(headers)
  const actor = await verifyKeyToken(secrets, token, now)
  if (!actor) throw unauthorizedError('This API key is malformed, expired or from another service. Use another key.')
  return actor
}

export function requireScope(actor: Actor, scope: Scope | '*' | undefined): void {
  if (scope === undefined || hasScope(actor.scopes, scope)) return
  throw new ApiError('insufficient_scope', `This API key lacks the scope ${scope}. Use a key with this scope.`)
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
