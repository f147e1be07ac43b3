import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { users } from '../../../db/schema/tenancy'
import { caller, statement } from '../../../db/sql/statement'
import { personFollowsChangelog } from '../../../feedback/changelog/following/statements'

interface VisitorRow {
  id: number
  firstName: string
  lastName: string
  email: string
  followsChangelog: 0 | 1
}

const selectVisitor = statement<VisitorRow>(sql`SELECT ${users.id} AS "id", ${users.firstName} AS "firstName",
    ${users.lastName} AS "lastName", ${users.email} AS "email", ${personFollowsChangelog(sql`${users.id}`)} AS "followsChangelog"
  FROM ${users} WHERE ${users.id} = ${caller.user} AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`)

/** The caller, with the own address. Undefined for a reader whom nobody knows. */
export async function getVisitor(db: Database) {
  const [[row]] = await db.read(selectVisitor({}))
  return row && { ...row, followsChangelog: row.followsChangelog === 1 }
}
