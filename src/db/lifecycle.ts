import { type SQL, sql } from 'drizzle-orm'
import type { Happening, ResourceName } from '../resources'
import { type Answer, answer } from './answer'
import type { Shape } from './field'
import type { AnyRecord, KeyColumns, RecordOf } from './record'
import { type Guard, guard } from './refuse'
import { nameOf, room } from './room'
import { products } from './schema/tenancy'
import { caller, inline, type Statement, statement, type Values } from './statement'
import { uniqueness } from './unique'

/** Time to restore a removed record, in milliseconds (docs/api-conventions.md). */
export const RESTORABLE = 30 * 86_400_000

/** Reply of a write without data. */
export const done = answer<{ done: number }>({ done: sql`1` }, sql``)

export interface Removal {
  guards: Guard[]
  statements: Statement<never>[]
  answer: Answer<{ done: number }>
}

export interface Restoration<A> {
  guards: Guard[]
  statements: Statement<never>[]
  answer: A
}

const restorable = (deletedAt: SQL) => sql`${deletedAt} > ${caller.now} - ${inline(RESTORABLE)}`

/**
 * Refuses to restore a record of a removed product. Records below a path need no check, because the path already fails.
 */
function homeless(record: AnyRecord): (key: Values) => Guard[] {
  const { within, table, idColumn, removed } = record
  if (typeof within !== 'object' || !('product' in within) || within.product === idColumn) return () => []
  const refuse = guard<Values>(
    inline(`conflict:The product of this ${nameOf(record)} is removed. Restore the product first.`),
    sql`EXISTS (SELECT 1 FROM ${table} CROSS JOIN ${products} ON ${products.id} = ${within.product}
      WHERE ${removed} AND ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NOT NULL)`,
  )
  return (key) => [refuse(key)]
}

/** Removal and restoration of a resource's records, as writes for callers to extend. */
export function lifecycle<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  record: RecordOf<R, K, F, D>,
) {
  const { table, columns, addressed, removed, missing } = record
  const { deletedAt, version } = columns
  if (!deletedAt) throw new Error('A record without deleted_at is not removed')
  const rise = version ? sql`, version = version + 1` : sql``
  const told = {
    deleted: record.event('deleted' as Happening<R>, addressed),
    restored: record.event('restored' as Happening<R>, removed),
  }
  const remove = statement<never, Values>(
    sql`UPDATE ${table} SET deleted_at = ${caller.now} ${rise} WHERE ${addressed}`,
  )
  const restore = statement<never, Values>(sql`UPDATE ${table} SET deleted_at = NULL ${rise} WHERE ${removed}`)
  const gone = guard<Values>(
    missing,
    sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${addressed})
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${removed} AND ${restorable(sql`${deletedAt}`)})`,
  )
  const unique = uniqueness(record)
  const withoutProduct = homeless(record)
  const { onRestore: full } = room(record)
  return {
    /** Soft-deletes a record. Checks `If-Match`; a missing record is a 404. */
    removal: (key: Parameters<typeof record.reply>[0], ifMatch: string | null): Removal => ({
      guards: record.writable(key, ifMatch),
      statements: [told.deleted(key), remove(key)],
      answer: done({}),
    }),
    /** Restores a removed record; changes nothing if the record is not removed. */
    restoration: (key: Parameters<typeof record.reply>[0]): Restoration<ReturnType<typeof record.reply>> => ({
      guards: [...record.restorable(key), gone(key), ...withoutProduct(key), ...full(key), ...unique.onRestore(key)],
      statements: [told.restored(key), restore(key)],
      answer: record.reply(key),
    }),
  }
}
