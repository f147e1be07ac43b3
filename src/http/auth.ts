import type { Actor } from '../db/actor'
import { ApiError, unauthorized } from '../text/errors'
import { type Area, allows, type Scope, verifyKey } from './token'

/** Verifies `x-api-key: Bearer <JWT>`. Every failure is a 401, and an invalid token does not reveal the cause. */
export async function authenticate(header: string | undefined, secrets: string, now: number): Promise<Actor> {
  if (!header) throw unauthorized('No API key. Send it in the header x-api-key: Bearer <API_KEY>.')
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (!token) throw unauthorized('The header x-api-key must read Bearer <API_KEY>.')
  const actor = await verifyKey(secrets, token, now)
  if (!actor) throw unauthorized('This API key is not valid: it is malformed, expired or not ours. Use another key.')
  return actor
}

export function requireScope(actor: Actor, scope: Scope | undefined): void {
  if (scope === undefined || allows(actor.scopes, scope)) return
  throw new ApiError('insufficient_scope', `This API key lacks the scope ${scope}. Use a key that has it.`)
}

/** True if the key may read any of the areas. */
export const reads = (actor: Pick<Actor, 'scopes'>, ...areas: readonly Area[]): boolean =>
  areas.some((area) => allows(actor.scopes, `${area}:read`))

/** Areas showing the people of the workspace: users, and members of segments. */
export const PEOPLE = ['products', 'segments'] as const satisfies readonly Area[]

/**
 * Refuses a write to the whole workspace by a key limited to products. A limited key reads workspace data, but writes
 * only in the key's products.
 */
export function requireWorkspace(actor: Actor, remedy = 'Use a key without that limit.'): void {
  if (!actor.products) return
  const message = `This API key is limited to products, so it cannot change what belongs to the whole workspace. ${remedy}`
  throw new ApiError('insufficient_scope', message)
}
