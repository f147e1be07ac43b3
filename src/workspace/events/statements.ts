import { sql } from 'drizzle-orm'
import { log, users } from '../../db/schema/tenancy'
import { caller } from '../../db/statement'

/** SQL: whose name and address the data of an event leaves out, unless removed; a join, and what it selects. */
export const people = sql`LEFT JOIN ${users} ON ${users.id} = ${log.personId}
  AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`
export const names = sql`coalesce(${users.firstName}, '') AS "firstName",
  coalesce(${users.lastName}, '') AS "lastName", coalesce(${users.email}, '') AS "email"`
