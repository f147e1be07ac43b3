import { sql } from 'drizzle-orm'
import { log, users } from '../../db/schema/tenancy'
import { caller } from '../../db/sql/statement'

export const eventPersonJoin = sql`LEFT JOIN ${users} ON ${users.id} = ${log.personId}
  AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`
export const eventPersonColumns = sql`coalesce(${users.firstName}, '') AS "firstName",
  coalesce(${users.lastName}, '') AS "lastName", coalesce(${users.email}, '') AS "email"`
