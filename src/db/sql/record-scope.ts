import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { coversProduct, productId } from './access'
import { caller } from './statement'

type RecordScopeParts =
  | 'workspace'
  | 'product'
  | { readonly product: SQLiteColumn; readonly shared?: boolean }
  | { readonly parent: ParentRecordParts; readonly by: SQLiteColumn }
  | { readonly below: ParentRecordParts; readonly by: SQLiteColumn }

interface ParentRecordParts {
  readonly id: SQL
  readonly notDeleted: SQL
  readonly idColumn: SQLiteColumn
  readonly table: SQLiteTable
  readonly columns: Readonly<Record<string, SQLiteColumn>>
  readonly product: SQL | undefined
}

export function columnOf(columns: Readonly<Record<string, SQLiteColumn>>, name: string): SQLiteColumn {
  const column = columns[name]
  if (!column) throw new Error(`The table has no column ${name}`)
  return column
}

export function scopeCondition(within: RecordScopeParts, columns: Readonly<Record<string, SQLiteColumn>>): SQL {
  if (within === 'workspace') return sql``
  if (within === 'product') return sql`AND ${columnOf(columns, 'productId')} = ${productId}`
  if ('parent' in within) return sql`AND ${within.by} = ${within.parent.id}`
  if ('below' in within) {
    const { table, notDeleted, idColumn } = within.below
    return sql`AND EXISTS (SELECT 1 FROM ${table} WHERE ${idColumn} = ${within.by} AND ${notDeleted})`
  }
  const own = coversProduct(sql`${within.product}`)
  return within.shared ? sql`AND (${within.product} IS NULL OR ${own})` : sql`AND ${own}`
}

export function productIdOfRecord(
  within: RecordScopeParts,
  columns: Readonly<Record<string, SQLiteColumn>>,
): SQL | undefined {
  if (columns.productId) return sql`${columns.productId}`
  if (typeof within !== 'object') return undefined
  if ('product' in within) return sql`${within.product}`
  const { table, product, columns: above } = 'below' in within ? within.below : within.parent
  return (
    product &&
    sql`(SELECT ${product} FROM ${table} WHERE ${above.subscriptionId} = ${caller.subscription} AND ${above.id} = ${within.by})`
  )
}
