import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Elsewhere } from './change'
import { caller, param, type Statement, statement, type Values } from './statement'

interface Linked {
  /** Rows of (tenant, holder, target). */
  table: SQLiteTable & { subscriptionId: SQLiteColumn }
  holder: SQLiteColumn
  target: SQLiteColumn
  of: SQL
  given: SQL
}

/** Makes the statements to replace a record's links: unlinks missing targets, links new targets. */
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

/** Links to records named by external keys in a body. Links to removed records stay, hidden. */
interface LinkedByKey {
  /** Rows of (tenant, holder, target). */
  table: SQLiteTable
  holder: SQLiteColumn
  target: SQLiteColumn
  targets: SQLiteTable
  of: SQLiteColumn
  /** Column of the holding record, copied into the link. */
  also?: SQLiteColumn
}

const named = ({ name }: SQLiteColumn) => sql.identifier(name)
const tenant = sql`t.subscription_id = ${caller.subscription}`
const there = sql`${tenant} AND t.deleted_at IS NULL`

export const linkedKeys = ({ table, holder, target, targets, of }: LinkedByKey) => sql`(SELECT json_group_array(key)
  FROM (SELECT t.external_key AS key FROM ${table} l CROSS JOIN ${targets} t ON t.id = l.${named(target)} AND ${there}
    WHERE l.subscription_id = ${caller.subscription} AND l.${named(holder)} = ${of} ORDER BY l.${named(target)}))`

/** Parts of a write to links by key. `name` is the body member with the keys. */
export function linksByKey(name: string, linked: LinkedByKey) {
  const { table, holder, target, targets, of, also } = linked
  const keys = sql`(SELECT value FROM json_each(${param(`=${name}`)}))`
  const [column, value] = also ? [sql`, ${named(also)}`, sql`, ${also}`] : [sql``, sql``]
  const becomes = sql`(SELECT json_group_array(t.external_key ORDER BY t.id) FROM ${targets} t
    WHERE ${tenant} AND t.external_key IN ${keys})`
  const json = linkedKeys(linked)
  const bind = (given: readonly string[]): Values => ({ [`=${name}`]: JSON.stringify(given) })
  const change: Elsewhere = { name, json, differs: sql`${json} IS NOT ${becomes}`, becomes }
  return {
    bind,
    change,
    /** Makes the statements to link exactly the named records to the record in `where`. */
    linking(where: SQL): (given: readonly string[] | undefined, values: Values) => Statement<never>[] {
      const make = [
        sql`DELETE FROM ${table} WHERE subscription_id = ${caller.subscription}
          AND ${named(holder)} = (SELECT ${of} FROM ${of.table} WHERE ${where})
          AND EXISTS (SELECT 1 FROM ${targets} t WHERE ${there} AND t.id = ${named(target)} AND t.external_key NOT IN ${keys})`,
        sql`INSERT OR IGNORE INTO ${table} (subscription_id, ${named(holder)}, ${named(target)}${column})
          SELECT ${caller.subscription}, ${of}, t.id${value} FROM ${of.table} CROSS JOIN ${targets} t
            ON ${there} AND t.external_key IN ${keys} WHERE ${where}`,
      ].map((source) => statement<never, Values>(source))
      return (given, values) => (given ? make.map((one) => one({ ...values, ...bind(given) })) : [])
    },
  }
}
