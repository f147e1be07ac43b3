import type { Actor } from '../db/actor'
import { ApiError, unauthorized } from '../text/errors'
import { type Area, allows, type Scope, verifyKey } from './token'

/** Reads `x-api-key: Bearer <JWT>`. Any failing is a 401 that does not say which. */
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

/** Whether the key sees what one of the areas holds. */
export const reads = (actor: Pick<Actor, 'scopes'>, ...areas: readonly Area[]): boolean =>
  areas.some((area) => allows(actor.scopes, `${area}:read`))

/** Which areas show who the people of the workspace are: as its users, and as members of segments. */
export const PEOPLE = ['products', 'segments'] as const satisfies readonly Area[]

/** A key that is limited to products reads what belongs to the whole workspace, but writes only in its products. */
export function requireWorkspace(actor: Actor, remedy = 'Use a key without that limit.'): void {
  if (!actor.products) return
  const message = `This API key is limited to products, so it cannot change what belongs to the whole workspace. ${remedy}`
  throw new ApiError('insufficient_scope', message)
}
