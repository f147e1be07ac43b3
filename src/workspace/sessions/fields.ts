import { type SQLWrapper, sql } from 'drizzle-orm'
import { inline } from '../../db/sql/statement'
import { ROLE_SCOPES, USER_ROLES } from '../../roles'

const scopesByRole = sql.join(
  USER_ROLES.map((role) => sql`WHEN ${inline(role)} THEN ${inline(JSON.stringify(ROLE_SCOPES[role]))}`),
  sql` `,
)

/** Scopes of a role as a JSON array. */
export const scopesOfRole = (role: SQLWrapper) => sql`CASE ${role} ${scopesByRole} END`

const ranksByRole = sql.join(
  USER_ROLES.map((role, n) => sql`WHEN ${inline(role)} THEN ${inline(USER_ROLES.length - n)}`),
  sql` `,
)

/** A number that is higher for a more powerful role. */
export const rankOfRole = (role: SQLWrapper) => sql`CASE ${role} ${ranksByRole} ELSE 0 END`
