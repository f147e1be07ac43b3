import type { Actor } from '../../db/sql/actor'
import { coversRole, type UserRole } from '../../roles'
import { ApiError } from '../../text/errors'

/** Nobody gives a role with more scopes than the own scopes, because the person could sign in and use them. */
export function requireCoveredRole(actor: Actor, role: UserRole | undefined): void {
  if (role === undefined || coversRole(actor.scopes, role)) return
  const whose = actor.kind === 'session' ? 'Your role' : 'This API key'
  const remedy = actor.kind === 'session' ? 'Ask an owner.' : 'Use a key with the scopes of the role.'
  throw new ApiError(
    'insufficient_scope',
    `${whose} lacks scopes of the role ${role}, and cannot give the role. ${remedy}`,
  )
}
