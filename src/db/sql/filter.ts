import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ColumnData } from './field'
import type { Reference, ReferenceKind } from './references'
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
  /** Records that the value names: unknown records are a 400. */
  references?(given: Given, asked: object): readonly Omit<Reference, 'path'>[]
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

export const listFilterReferences = (
  all: readonly (readonly [name: string, filter: Filter<unknown>])[],
  asked: object,
): Reference[] =>
  collectFilters(all, asked).filters.flatMap(({ name, filter, given }) =>
    (filter.references?.(given, asked) ?? []).map((reference) => ({ ...reference, path: `/query/${name}` })),
  )

/** An unknown record is a 400 that names the parameter. */
export const namesRecord = <G extends string | number>(kind: ReferenceKind, filter: Filter<G>): Filter<G> => ({
  ...filter,
  references: (value) => [{ kind, value }],
})

/** Like `namesRecord`, for a filter that accepts 0 for no record. */
export const namesRecordOrNone = (kind: ReferenceKind, filter: Filter<number>): Filter<number> => ({
  ...filter,
  references: (value) => (value === 0 ? [] : [{ kind, value }]),
})

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
    isUnindexed: (other, limited, given) =>
      other !== sort || (limited && !filter.selectsProduct) || filter.isUnindexed?.(other, limited, given) === true,
  })

/** For a filter with an index for each other order: the index of changes begins with the tenant and the time. */
export const unindexedWithSort =
  (sort: SQLiteColumn) =>
  <G>(filter: Filter<G>): Filter<G> => ({
    ...filter,
    isUnindexed: (other, limited, given) => other === sort || filter.isUnindexed?.(other, limited, given) === true,
  })

export function equals<C extends SQLiteColumn>(column: C): Filter<NonNullable<ColumnData<C>>> {
  return { where: (name) => sql`${column} = ${param(name)}` }
}

/** All attributes of the filter, compared as texts with a column of JSON. */
export const hasAttributes = (column: SQLiteColumn): Filter<Readonly<Record<string, string>>> =>
  unindexed({
    where: (name) => sql`NOT EXISTS (SELECT 1 FROM json_each(${param(name)}) wanted WHERE NOT EXISTS (
      SELECT 1 FROM json_each(${column}) own WHERE own.key = wanted.key
        AND iif(own.type IN ('true', 'false'), own.type, CAST(own.value AS TEXT)) = wanted.value))`,
    value: (given) => JSON.stringify(given),
  })

const hasSeveralValues = (_sort: SQLiteColumn, _limited: boolean, given: readonly unknown[]) => given.length > 1

/** A text for a single value, which an index serves, and a text for several values in a JSON array. */
export const severalValues = {
  variant: (given: readonly unknown[]) => (given.length > 1 ? 'several' : ''),
  isUnindexed: hasSeveralValues,
}

/** Any of the values. An index serves a single value. */
export function equalsAny<C extends SQLiteColumn>(column: C): Filter<readonly NonNullable<ColumnData<C>>[]> {
  return {
    where: (name, given) =>
      given.length > 1
        ? sql`${column} IN (SELECT value FROM json_each(${param(name)}))`
        : sql`${column} = ${param(name)}`,
    value: (given) => (given.length > 1 ? JSON.stringify(given) : (given[0] as SqlValue)),
    ...severalValues,
  }
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

/** Any of the conditions. An index serves a single condition. */
export function anyChoice<const V extends string>(conditions: Record<V, SQL>): Filter<readonly V[]> {
  return {
    where: (_, given) =>
      sql`(${sql.join(
        given.map((one) => conditions[one]),
        sql` OR `,
      )})`,
    variant: (given) => given.toSorted().join('+'),
    value: () => null,
    isUnindexed: hasSeveralValues,
  }
}
