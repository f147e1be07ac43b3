/** What a person may be in a workspace, whoever may do most first. Roles limit nothing; scopes of keys do. */
export const ROLES = ['owner', 'admin', 'member', 'idm_member'] as const
