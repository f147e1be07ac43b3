import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ResourceEvent, ResourceName } from '../../resources'
import type { Database } from '../client/client'
import { type Guard, guard } from '../client/refuse'
import { products } from '../schema/tenancy'
import type { Shape } from '../sql/field'
import { type Returning, returning } from '../sql/returning'
import { caller, inline, param, type Statement, statement, type Values } from '../sql/statement'
import type { AnyRecord, KeyColumns, RecordOf } from './record'
import { makeUniqueRestoreGuards } from './unique'
import { makeWorkspaceLimitGuards, nounOfRecord } from './workspace-limit'

/** Time to restore a removed record, in milliseconds (docs/api-conventions.md). */
export const RESTORE_TTL_MS = 30 * 86_400_000

export const returningDone = returning<{ done: number }>({ done: sql`1` }, sql``)

/** Tables of records with soft-delete for the purge, each with the column of the product if the record has a product. */
export const productColumnByRemovableTable = new Map<SQLiteTable, SQLiteColumn | undefined>()

export interface RecordRemoval {
  guards: Guard[]
  statements: Statement<never>[]
  returning: Returning<{ done: number }>
}

export interface RecordRestoration<A> {
  guards: Guard[]
  statements: Statement<never>[]
  returning: A
}

const isWithinRestoreTime = (deletedAt: SQL) => sql`${deletedAt} > ${caller.now} - ${inline(RESTORE_TTL_MS)}`

/** Records below a path need no check, because the path of a removed product already fails. */
function makeProductRemovedGuard(record: AnyRecord): (key: Values) => Guard[] {
  const { scope, table, idColumn, deletedByKey } = record
  if (typeof scope !== 'object' || !('product' in scope) || scope.product === idColumn) return () => []
  const refuse = guard<Values>(
    `conflict:The product of this ${nounOfRecord(record)} is removed. Restore the product first.`,
    sql`EXISTS (SELECT 1 FROM ${table} CROSS JOIN ${products} ON ${products.id} = ${scope.product}
      WHERE ${deletedByKey} AND ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NOT NULL)`,
  )
  return (key) => [refuse(key)]
}

export function makeLifecycle<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  record: RecordOf<R, K, F, D>,
) {
  type RecordKey = Parameters<typeof record.returningByKey>[0]
  const { table, columns, scope, idColumn, byKey, deletedByKey, missing } = record
  const { deletedAt, version } = columns
  if (!deletedAt) throw new Error('A record without deleted_at cannot be removed')
  const isOfProduct = scope === 'product' || (typeof scope === 'object' && 'product' in scope)
  productColumnByRemovableTable.set(
    table,
    isOfProduct && columns.productId !== idColumn ? columns.productId : undefined,
  )
  const versionIncrement = version ? sql`, version = version + 1` : sql``
  const emitEvents = {
    deleted: record.emit('deleted' as ResourceEvent<R>, byKey),
    restored: record.emit('restored' as ResourceEvent<R>, deletedByKey),
  }
  const setDeletedAt = statement<never, Values>(
    sql`UPDATE ${table} SET deleted_at = ${caller.now} ${versionIncrement} WHERE ${byKey}`,
  )
  const clearDeletedAt = statement<never, Values>(
    sql`UPDATE ${table} SET deleted_at = NULL ${versionIncrement} WHERE ${deletedByKey}`,
  )
  const notRestorable = guard<Values>(
    missing,
    sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${byKey})
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${deletedByKey} AND ${isWithinRestoreTime(sql`${deletedAt}`)})`,
  )
  const valueTaken = makeUniqueRestoreGuards(record)
  const productRemoved = makeProductRemovedGuard(record)
  const { onRestore: limitReached } = makeWorkspaceLimitGuards(record)
  const isTarget = sql`${record.notDeleted} AND ${idColumn} = ${param('into')}`
  const ofProduct = scope === 'product' ? ' of this product' : ''
  const targetNotFound = guard<Values>(
    `validation_failed:/into:Must be the id of another ${nounOfRecord(record)}${ofProduct}.`,
    sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${isTarget} AND NOT (${byKey}))`,
  )
  const returningTarget = record.returningWhere(isTarget)
  const removal = (key: RecordKey, ifMatch: string | null): RecordRemoval => ({
    guards: record.writeGuards(key, ifMatch),
    statements: [emitEvents.deleted(key), setDeletedAt(key)],
    returning: returningDone({}),
  })
  const restoration = (key: RecordKey): RecordRestoration<ReturnType<typeof record.returningByKey>> => ({
    guards: [
      ...record.restoreGuards(key),
      notRestorable(key),
      ...productRemoved(key),
      ...limitReached(key),
      ...valueTaken(key),
    ],
    statements: [emitEvents.restored(key), clearDeletedAt(key)],
    returning: record.returningByKey(key),
  })
  return {
    removal,
    /** Changes nothing if the record is not removed. */
    restoration,
    remove: (db: Database, key: RecordKey, ifMatch: string | null) => db.write(removal(key, ifMatch)),
    restore: (db: Database, key: RecordKey) => record.save(db, restoration(key)),
    /** Removes a record, and returns the record `into`. The caller moves the links. */
    merging(key: RecordKey, into: number) {
      const { guards, statements } = removal(key, null)
      const values = { ...key, into }
      return { guards: [...guards, targetNotFound(values)], statements, returning: returningTarget(values) }
    },
  }
}
