import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Data } from './field'
import { param, type SqlValue } from './statement'

export interface Filter<Given = never> {
  /** The condition. `given` is used only if the SQL text depends on the value. */
  where(name: string, given: Given): SQL
  /** Part of the value deciding the SQL text. */
  variant?(given: Given): string
  /** Bound value; default: the given value. */
  value?(given: Given): SqlValue
  /** Source rows in place of the table's index: `… CROSS JOIN table ON …`. */
  from?(name: string, given: Given): SQL | undefined
  /** True if at most a single record of a workspace passes, and the page needs no byte limit. */
  single?: boolean
  /**
   * True if no index serves the filter together with this sort: a page scans a bounded number of records, and the next
   * page continues after the last scanned record. `limited` means a key limited to products, with an index range per
   * product.
   */
  walks?(sort: SQLiteColumn, limited: boolean, given: Given): boolean
  /** True if the filter selects records of a single product: a limited key needs no range per product. */
  narrows?: boolean
}

export interface Given {
  name: string
  filter: Filter<unknown>
  given: unknown
}

/** Collects the filters given by a query, the part of the values deciding the SQL text, and the values to bind. */
export function givenOf(all: readonly (readonly [name: string, filter: Filter<unknown>])[], asked: object) {
  const filters = all.flatMap(([name, filter]): Given[] => {
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

export const conditionsOf = (filters: readonly Given[]): SQL =>
  sql.join(
    filters.map(({ name, filter, given }) => sql`AND ${filter.where(name, given as never)}`),
    sql` `,
  )

export const walking = <G>(filter: Filter<G>): Filter<G> => ({ ...filter, walks: () => true })

/** Marks a filter as served by a workspace index for this sort only. */
export const indexedBy =
  (sort: SQLiteColumn) =>
  <G>(filter: Filter<G>): Filter<G> => ({
    ...filter,
    walks: (other, limited) => other !== sort || (limited && !filter.narrows),
  })

export function equals<C extends SQLiteColumn>(column: C): Filter<NonNullable<Data<C>>> {
  return { where: (name) => sql`${column} = ${param(name)}` }
}

/** Matches a column unique in the workspace. */
export function only<C extends SQLiteColumn>(column: C): Filter<NonNullable<Data<C>>> {
  return { ...equals(column), single: true }
}

/** Matches values from the given value on: an index range when the list is sorted by the column. */
export function since(column: SQLiteColumn): Filter<number> {
  return { where: (name) => sql`${column} >= ${param(name)}`, walks: (sort) => sort !== column }
}

export function choice<const V extends string>(conditions: Record<V, SQL>): Filter<V> {
  return { where: (_, given) => conditions[given], variant: (given) => given, value: () => null }
}
