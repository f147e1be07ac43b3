import { type GrantedScope, hasScope, SCOPE_AREAS, type Scope } from './http/token'

/** Roles of a user in a workspace, most powerful first: each role includes the scopes of the next. */
export const USER_ROLES = ['owner', 'admin', 'member', 'viewer', 'idm_member'] as const
export type UserRole = (typeof USER_ROLES)[number]

export const USER_ROLE_MESSAGE = 'Must be "owner", "admin", "member", "viewer" or "idm_member"'

const CONTENT_AREAS = ['backlog', 'kpis', 'feedback', 'segments', 'personas', 'files'] as const
const CONTENT_READ_SCOPES = (['products', ...CONTENT_AREAS] as const).map((area): Scope => `${area}:read`)

/** Scopes of a session by the role of the person (docs/api-conventions.md#roles). */
export const ROLE_SCOPES: Readonly<Record<UserRole, readonly GrantedScope[]>> = {
  owner: ['*'],
  admin: SCOPE_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  member: [...SCOPE_AREAS.map((area): Scope => `${area}:read`), ...CONTENT_AREAS.map((area): Scope => `${area}:write`)],
  viewer: CONTENT_READ_SCOPES,
  // Of the portal, not of the team.
  idm_member: [],
}

/** Whether a caller with these scopes may give the role: nobody gives more than the own scopes. */
export const coversRole = (scopes: readonly string[], role: UserRole): boolean =>
  ROLE_SCOPES[role].every((scope) => hasScope(scopes, scope))

export const listRolesBeyond = (scopes: readonly string[]): UserRole[] =>
  USER_ROLES.filter((role) => !coversRole(scopes, role))

/** The role of a new person: a member, or less where the scopes do not cover a member. */
export const newRoleWithin = (scopes: readonly string[]): UserRole =>
  (['member', 'viewer'] as const).find((role) => coversRole(scopes, role)) ?? 'idm_member'
