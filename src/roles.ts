import { type GrantedScope, SCOPE_AREAS, type Scope } from './http/token'

/** Roles of a user in a workspace, most powerful first: each role includes the scopes of the next. */
export const USER_ROLES = ['owner', 'admin', 'member', 'idm_member'] as const
export type UserRole = (typeof USER_ROLES)[number]

const READ_SCOPES = SCOPE_AREAS.map((area): Scope => `${area}:read`)
const CONTENT_AREAS = ['backlog', 'kpis', 'feedback', 'segments', 'personas', 'files'] as const

/** Scopes of a session by the person's role (docs/api-conventions.md). */
export const ROLE_SCOPES: Readonly<Record<UserRole, readonly GrantedScope[]>> = {
  owner: ['*'],
  admin: SCOPE_AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  member: [...READ_SCOPES, ...CONTENT_AREAS.map((area): Scope => `${area}:write`)],
  idm_member: [],
}

/** Roles that sign in to the workspace. */
export const SIGN_IN_ROLES = USER_ROLES.filter((role) => ROLE_SCOPES[role].length > 0)
