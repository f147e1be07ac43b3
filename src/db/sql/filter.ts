import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ColumnData } from './field'
import { param, type SqlValue } from './statement'

export interface Filter<Given = never> {
  /** The condition. `given` is used only if the SQL text depends on the value. */
  where(name: string, given: Given): SQL
  variant?(given: Given): string
  value?(given: Given): SqlValue
  /** Source rows in place of the table's index: `… CROSS JOIN table ON …`. */
  source?(name: string, given: Given): SQL | undefined
  /** True if at most a single record of a workspace passes, and the page needs no byte limit. */
  isUnique?: boolean
  /**
   * True if no index serves the filter together with this sort: a page then scans a bounded number of records.
   * `limited` means a key limited to products, with an index range per product.
   */
  isUnindexed?(sort: SQLiteColumn, limited: boolean, given: Given): boolean
  /** True if the filter selects records of a single product: a limited key needs no range per product. */
  selectsProduct?: boolean
}

export interface GivenFilter {
  name: string
  filter: Filter<unknown>
  given: unknown
}

export function collectFilters(all: readonly (readonly [name: string, filter: Filter<unknown>])[], asked: object) {
  const filters = all.flatMap(([name, filter]): GivenFilter[] => {
    const given = (asked as Record<string, unknown>)[name]
    return given === undefined ? [] : [{ name, filter, given }]
  })
  return {
    filters,
    text: filters.map(({ name, filter, given }) => `${name}:${filter.variant?.(given) ?? ''}`).join('|'),
    values: Object.fromEntries(
      filters.map(({ name, filter, given }): [string, SqlValue] => [
        name,
        filter.value ? filter.value(given) : (given as SqlValue),
      ]),
    ),
  }
}

export const filterConditions = (filters: readonly GivenFilter[]): SQL =>
  sql.join(
    filters.map(({ name, filter, given }) => sql`AND ${filter.where(name, given as never)}`),
    sql` `,
  )

export const unindexed = <G>(filter: Filter<G>): Filter<G> => ({ ...filter, isUnindexed: () => true })

export const indexedWithSort =
  (sort: SQLiteColumn) =>
  <G>(filter: Filter<G>): Filter<G> => ({
    ...filter,
    isUnindexed: (other, limited) => other !== sort || (limited && !filter.selectsProduct),
  })

export function equals<C extends SQLiteColumn>(column: C): Filter<NonNullable<ColumnData<C>>> {
  return { where: (name) => sql`${column} = ${param(name)}` }
}

export function equalsUnique<C extends SQLiteColumn>(column: C): Filter<NonNullable<ColumnData<C>>> {
  return { ...equals(column), isUnique: true }
}

export function atLeast(column: SQLiteColumn): Filter<number> {
  return { where: (name) => sql`${column} >= ${param(name)}`, isUnindexed: (sort) => sort !== column }
}

export function choice<const V extends string>(conditions: Record<V, SQL>): Filter<V> {
  return { where: (_, given) => conditions[given], variant: (given) => given, value: () => null }
}
