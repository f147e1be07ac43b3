import type { Actor } from '../../db/sql/actor'
import { hasScope, type Scope } from '../../http/token'
import { ApiError } from '../../text/errors'

export function refuseExcessScopes(actor: Actor, scopes: readonly (Scope | '*')[]): void {
  const excess = scopes.find((scope) => !hasScope(actor.scopes, scope))
  if (!excess) return
  throw new ApiError('insufficient_scope', `This API key lacks the scope ${excess} and cannot grant the scope.`)
}
