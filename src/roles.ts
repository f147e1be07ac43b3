/** Roles of a user in a workspace, most powerful first. Roles restrict nothing; the scopes of API keys do. */
export const USER_ROLES = ['owner', 'admin', 'member', 'idm_member'] as const
