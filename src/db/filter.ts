import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Data } from './field'
import { param, type SqlValue } from './statement'

/** What a parameter of a list's query leaves of it. */
export interface Filter<Given = never> {
  /** The condition; `given` only where the text itself depends on it. */
  where(name: string, given: Given): SQL
  /** What of the value decides the text. */
  variant?(given: Given): string
  /** What is bound; without it, the very value. */
  value?(given: Given): SqlValue
  /** Rows to begin with instead of the table's index: `… CROSS JOIN table ON …`. */
  from?(name: string, given: Given): SQL | undefined
  /** No two records of a workspace pass it: nothing bounds the page of one. */
  single?: boolean
  /**
   * Whether no index serves it beside this sort: a page looks at `MAX_WALKED` records at most, and the next one goes on
   * behind them. `limited`: the key is limited to products, of which each is a range of its own.
   */
  walks?(sort: SQLiteColumn, limited: boolean, given: Given): boolean
  /** It leaves the records of one product: a key that is limited to some needs no range for each of them. */
  narrows?: boolean
}

/** A filter with what a query gives it. */
export interface Given {
  name: string
  filter: Filter<unknown>
  given: unknown
}

/** The filters that a query gives something, what of that decides their text, and what they bind. */
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

/** What they leave, behind a condition. */
export const conditionsOf = (filters: readonly Given[]): SQL =>
  sql.join(
    filters.map(({ name, filter, given }) => sql`AND ${filter.where(name, given as never)}`),
    sql` `,
  )

/** The filter as one that no index serves. */
export const walking = <G>(filter: Filter<G>): Filter<G> => ({ ...filter, walks: () => true })

/** The filter as one that an index of the workspace serves beside this sort alone. */
export const indexedBy =
  (sort: SQLiteColumn) =>
  <G>(filter: Filter<G>): Filter<G> => ({
    ...filter,
    walks: (other, limited) => other !== sort || (limited && !filter.narrows),
  })

/** Records whose column has the value. */
export function equals<C extends SQLiteColumn>(column: C): Filter<NonNullable<Data<C>>> {
  return { where: (name) => sql`${column} = ${param(name)}` }
}

/** The one record whose column, unique in its workspace, has the value. */
export function only<C extends SQLiteColumn>(column: C): Filter<NonNullable<Data<C>>> {
  return { ...equals(column), single: true }
}

/** Records whose column has at least the value: a range of the index where they are sorted by it. */
export function since(column: SQLiteColumn): Filter<number> {
  return { where: (name) => sql`${column} >= ${param(name)}`, walks: (sort) => sort !== column }
}

/** A condition of its own for each value. */
export function choice<const V extends string>(conditions: Record<V, SQL>): Filter<V> {
  return { where: (_, given) => conditions[given], variant: (given) => given, value: () => null }
}
