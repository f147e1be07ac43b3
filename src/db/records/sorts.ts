import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { CursorPosition } from '../sql/cursor'
import { atLeast, type Filter, type GivenFilter, unindexed } from '../sql/filter'
import type { AnyRecord } from './record'

interface DescendingSort {
  readonly descending: SQLiteColumn
}

export const sortDescending = (column: SQLiteColumn): DescendingSort => ({ descending: column })

interface OptionalSort {
  readonly optional: SQLiteColumn
  readonly otherwise: SQLiteColumn
}

/** A partial index serves the records with a value. Records without a value have the order of another column. */
export const sortOptional = (optional: SQLiteColumn, otherwise: SQLiteColumn): OptionalSort => ({ optional, otherwise })

interface WorkspaceSort {
  readonly inWorkspace: SQLiteColumn | DescendingSort
}

/** No index begins with the product: a page of a key that is limited to products looks at a bounded number of records. */
export const sortInWorkspace = (inWorkspace: SQLiteColumn | DescendingSort): WorkspaceSort => ({ inWorkspace })

export type Sort = SQLiteColumn | DescendingSort | OptionalSort | WorkspaceSort

export function columnOfSort(sort: Sort): SQLiteColumn {
  if ('inWorkspace' in sort) return columnOfSort(sort.inWorkspace)
  if ('descending' in sort) return sort.descending
  return 'optional' in sort ? sort.otherwise : sort
}

export const isDescending = (sort: Sort, name: string): boolean =>
  'inWorkspace' in sort ? isDescending(sort.inWorkspace, name) : name.startsWith('-') || 'descending' in sort

/** Consecutive records of a list, in the order of an index. */
export interface ListPart {
  column: SQLiteColumn
  descending: boolean
  after?: CursorPosition | undefined
  leavesOutNulls?: boolean
  scansProducts?: boolean
  /** Condition of the records without a value. */
  isUnset?: GivenFilter
  /** Conditions of the records of a group, in an order of several keys. */
  members?: readonly GivenFilter[]
  /** True if a page of several keys begins after a record. */
  continues?: boolean
}

export function partsOf(sorted: Sort, sort: string, after: CursorPosition | undefined): [ListPart, ListPart?] {
  if ('inWorkspace' in sorted) return [{ ...partsOf(sorted.inWorkspace, sort, after)[0], scansProducts: true }]
  const descending = isDescending(sorted, sort)
  if (!('optional' in sorted))
    return [{ column: 'descending' in sorted ? sorted.descending : sorted, descending, after }]
  const { optional, otherwise } = sorted
  const filter = unindexed<unknown>({ where: () => sql`${optional} IS NULL` })
  const set: ListPart = { column: optional, descending, leavesOutNulls: true }
  const unset: ListPart = { column: otherwise, descending, isUnset: { name: '@unset', filter, given: null } }
  const isInUnset = after?.otherwise !== undefined
  if (isInUnset) unset.after = { value: after.otherwise, id: after.id }
  else set.after = after
  if (descending) return after && !isInUnset ? [set] : [unset, set]
  return isInUnset ? [unset] : [set, unset]
}

interface ChangeOrder {
  sorts: { updatedAt?: Sort }
  filters: { updatedSince: Filter<number> }
}

/**
 * Sort and filter of the last change, for a record with `updatedAt`. A list of links has the filter only, because the
 * time belongs to the linked records. No index of changes begins with the products of a key.
 */
export function makeChangeOrder({ items, table, scope, idColumn }: AnyRecord): ChangeOrder | undefined {
  const column = items.find(({ name }) => name === 'updatedAt' || name === 'updated_at')?.field.column
  if (!column) return undefined
  if (column.table !== table) return { sorts: {}, filters: { updatedSince: unindexed(atLeast(column)) } }
  const ofKey = typeof scope === 'object' && 'product' in scope && scope.product !== idColumn
  return { sorts: { updatedAt: ofKey ? sortInWorkspace(column) : column }, filters: { updatedSince: atLeast(column) } }
}
