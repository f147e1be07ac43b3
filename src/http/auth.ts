import type { Actor } from '../db/sql/actor'
import { ApiError, unauthorizedError } from '../text/errors'
import { type Area, hasScope, type Scope, verifyKeyToken } from './token'

/** Verifies `x-api-key: Bearer <JWT>`. Every failure is a 401, and an invalid token does not reveal the cause. */
export async function authenticate(header: string | undefined, secrets: string, now: number): Promise<Actor> {
  if (!header) throw unauthorizedError('No API key. Send it in the header x-api-key: Bearer <API_KEY>.')
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (!token) throw unauthorizedError('The header x-api-key must read Bearer <API_KEY>.')
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
