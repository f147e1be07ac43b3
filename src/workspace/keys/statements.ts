import { type SQL, sql } from 'drizzle-orm'
import { eventSql } from '../../db/events'
import { apiKeys } from '../../db/schema/tenancy'
import { caller, type Statement, statement, type Values } from '../../db/statement'

/** Ends the keys of a user at once. */
export function endKeysOf(user: SQL): (key: Values) => Statement<never>[] {
  const working = sql`${apiKeys.subscriptionId} = ${caller.subscription} AND ${apiKeys.userId} = ${user}
    AND (${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now})`
  const made = [
    eventSql({
      type: 'api_key.revoked',
      key: sql`${apiKeys.id}`,
      data: sql`json_object('id', ${apiKeys.id}, 'name', ${apiKeys.name})`,
      from: sql`FROM ${apiKeys} WHERE ${working}`,
      many: true,
    }),
    sql`UPDATE ${apiKeys} SET revoked_at = ${caller.now} WHERE ${working}`,
  ].map((source) => statement<never, Values>(source))
  return (key) => made.map((make) => make(key))
}
