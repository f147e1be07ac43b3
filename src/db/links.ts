import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { caller, type Statement, statement, type Values } from './statement'

interface Linked {
  /** Rows of (tenant, holder, target). */
  table: SQLiteTable & { subscriptionId: SQLiteColumn }
  holder: SQLiteColumn
  target: SQLiteColumn
  /** The id of the record that holds them. */
  of: SQL
  /** A query of the ids that it is to hold. */
  given: SQL
}

/** The statements that make a record hold just the given others: the rest goes, what is missing comes. */
export function replaceLinks({ table, holder, target, of, given }: Linked): (values: Values) => Statement<never>[] {
  const unlink = statement<never, Values>(
    sql`DELETE FROM ${table} WHERE ${table.subscriptionId} = ${caller.subscription} AND ${holder} = ${of}
      AND ${target} NOT IN (${given})`,
  )
  const link = statement<never, Values>(
    sql`INSERT OR IGNORE INTO ${table} (subscription_id, ${sql.identifier(holder.name)}, ${sql.identifier(target.name)})
      SELECT ${caller.subscription}, ${of}, given.id FROM (${given}) given`,
  )
  return (values) => [unlink(values), link(values)]
}
