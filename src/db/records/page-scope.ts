import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { products } from '../schema/tenancy'
import { filterConditions, type GivenFilter } from '../sql/filter'
import { columnOf } from '../sql/record-scope'
import type { FieldLeaf } from '../sql/selection'
import { caller, inline, param } from '../sql/statement'
import { RESTORE_TTL_MS } from './lifecycle'
import type { SortKey } from './page-order'
import type { AnyRecord } from './record'

export interface PageShape {
  readonly record: Pick<
    AnyRecord,
    | 'table'
    | 'from'
    | 'notDeleted'
    | 'scope'
    | 'inScope'
    | 'columns'
    | 'idColumn'
    | 'items'
    | 'eventSource'
    | 'tenantNotDeleted'
  >
  readonly leaves: readonly FieldLeaf[]
  readonly value: FieldLeaf
  readonly id: FieldLeaf
  readonly column: SQLiteColumn
  /** True if the page has no record without a value, although the column may be null. */
  readonly leavesOutNulls: boolean
  readonly descending: boolean
  readonly start: 'start' | 'value' | 'null'
  /** Keys of the order, `column` first; empty for an order by `column` alone. */
  readonly keys: readonly SortKey[]
  /** True if the page begins after a record with a value for each of `keys`. */
  readonly continues: boolean
  readonly filters: readonly GivenFilter[]
  readonly products: number | undefined
  /** True if no index begins with the product: a key limited to products scans records of all products. */
  readonly scansProducts: boolean
  readonly isLarge: boolean
  /** Undefined without removed records. */
  readonly removed: 'include' | 'only' | undefined
}

export type PageFilters = PageShape['filters']

export function listUnindexedFilters(shape: PageShape): PageFilters {
  const { filters, column } = shape
  const driven = filters.some(({ name, filter, given }) => filter.source?.(name, given))
  return driven
    ? []
    : filters.filter(({ filter, given }) => filter.isUnindexed?.(column, hasProductRanges(shape), given as never))
}

/** With removed records, the filter of changes has a condition for each scope. */
function findChangeFilter(shape: PageShape): GivenFilter | undefined {
  if (!shape.removed) return undefined
  return shape.filters.find((one) => one.name === 'updatedSince' && !listUnindexedFilters(shape).includes(one))
}

/** A removal counts as a change. */
const orRemovedSince = ({ name, filter, given }: GivenFilter, deletedAt: SQLiteColumn): SQL =>
  sql`(${filter.where(name, given as never)} OR ${deletedAt} >= ${param(name)})`

export function scannedConditions(shape: PageShape): SQL {
  const { deletedAt } = shape.record.columns
  const filters = listUnindexedFilters(shape).map((one) => {
    if (one.name !== 'updatedSince' || !shape.removed || !deletedAt) return one
    return { ...one, filter: { ...one.filter, where: () => orRemovedSince(one, deletedAt) } }
  })
  return filterConditions(filters)
}

/** Filters of an index that have the same condition in each scope. */
export function listPlainFilters(shape: PageShape): PageFilters {
  const others = [...listUnindexedFilters(shape), findChangeFilter(shape)]
  return shape.filters.filter((one) => !others.includes(one))
}

export function hasProductRanges({ filters, products, scansProducts, record: { scope } }: PageShape): boolean {
  const each = typeof scope === 'object' && 'product' in scope && products !== undefined && !scansProducts
  return each && !filters.some(({ filter }) => filter.selectsProduct || filter.isUnique)
}

function visibleScopeConditions(shape: PageShape): SQL[] {
  const { record, products } = shape
  const { scope } = record
  if (shape.scansProducts) return [record.tenantNotDeleted]
  if (!hasProductRanges(shape) || products === undefined || typeof scope !== 'object' || !('product' in scope))
    return [record.notDeleted]
  const ofEach = productConditions(sql`${scope.product}`, products).map(
    (own) => sql`${record.tenantNotDeleted} AND ${own}`,
  )
  return scope.shared ? [...ofEach, sql`${record.tenantNotDeleted} AND ${scope.product} IS NULL`] : ofEach
}

export function scopeConditions(shape: PageShape): SQL[] {
  const changed = findChangeFilter(shape)
  const since = changed ? sql`AND ${changed.filter.where(changed.name, changed.given)}` : sql``
  const visible = shape.removed === 'only' ? [] : visibleScopeConditions(shape).map((scope) => sql`${scope} ${since}`)
  return shape.removed ? [...visible, removedScopeCondition(shape, changed)] : visible
}

// Removed records in a list: a bulk removal can remove more in a workspace.
const MAX_REMOVED_RECORDS = inline(10_000)

/** Content of a removed product returns with the product only. */
function standingProductCondition({ scope, idColumn }: PageShape['record']): SQL {
  if (typeof scope !== 'object' || !('product' in scope) || scope.product === idColumn) return sql``
  return sql`AND coalesce(${scope.product}, 0) NOT IN (SELECT ${products.id} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NOT NULL)`
}

const isRestorable = (deletedAt: SQLiteColumn) => sql`${deletedAt} > ${caller.now} - ${inline(RESTORE_TTL_MS)}`

/** The newest removed records. A removal is a change, but leaves the time of the last change. */
function removedScopeCondition({ record }: PageShape, changed: GivenFilter | undefined): SQL {
  const { table, idColumn, scope, columns } = record
  const deletedAt = columnOf(columns, 'deletedAt')
  const isOfKey = typeof scope === 'object' && 'product' in scope
  const indexed = isOfKey ? sql`${columnOf(columns, 'subscriptionId')} = ${caller.subscription}` : record.inScope
  const since = changed ? sql`AND ${deletedAt} >= ${param(changed.name)}` : sql``
  // IS TRUE keeps the planner from a walk of an index of the workspace: the ids find the rows.
  return sql`(${record.inScope} ${standingProductCondition(record)}) IS TRUE AND ${idColumn} IN (SELECT ${idColumn} FROM ${table}
    WHERE ${indexed} AND ${deletedAt} IS NOT NULL AND ${isRestorable(deletedAt)} ${since}
    ORDER BY ${deletedAt} DESC LIMIT ${MAX_REMOVED_RECORDS})`
}

/** Condition of the records of a search, which finds the ids. */
export function listedCondition(shape: PageShape): SQL {
  const { record, removed } = shape
  if (!removed) return record.notDeleted
  const deletedAt = columnOf(record.columns, 'deletedAt')
  const isVisible = removed === 'only' ? sql`false` : sql`${deletedAt} IS NULL`
  const changed = findChangeFilter(shape)
  const since = changed ? sql`AND ${orRemovedSince(changed, deletedAt)}` : sql``
  return sql`${record.inScope} ${standingProductCondition(record)} AND (${isVisible} OR ${isRestorable(deletedAt)}) ${since}`
}

/** Each condition is an index range. A key limited to no product finds nothing. */
export function productConditions(column: SQL, products: number): SQL[] {
  return Array.from(
    { length: Math.max(products, 1) },
    (_, n) => sql`${column} = (${caller.products} ->> ${inline(`$[${n}]`)})`,
  )
}
