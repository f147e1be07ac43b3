import { getTableColumns, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { toDecimalText } from '../../text/decimals'
import { toIso } from '../../text/moments'
import { caller, inline, type SqlValue } from './statement'

export interface Field<Stored = unknown, Shown = unknown, Given = unknown> {
  readonly sql: SQL
  show?(stored: Stored): Shown
  /** The API's value computed in SQL, as an argument of `json_object`. */
  json(): SQL
  /** The value as a reply shows it, if the log stores another one. */
  shownJson?(): SQL
  /** Target column of a write; a field without a column is read-only. */
  readonly column?: SQLiteColumn
  store?(given: Given): SqlValue
  setSql?(given: SQL): SQL
  /** True if the value may be long: counted for a page's byte limit, truncated in the log. */
  readonly isLong?: boolean
  /** Estimated bytes of a field from further tables, which a page reads only after the records are chosen. */
  readonly weight?: SQL
  readonly constant?: string | number | null
  /** Kind of personal data (name or address). The log stores a placeholder and the person's id. */
  readonly personalData?: string
  /** True if a link to a removed record shows null. Sending null for a hidden link keeps the link. */
  readonly hidesRemoved?: boolean
}

export type ColumnData<C extends SQLiteColumn> = C['_']['notNull'] extends true ? C['_']['data'] : C['_']['data'] | null

/** Fields by name. A plain column is a field, and an object of fields is a nested object. */
export interface Shape {
  readonly [name: string]: SQLiteColumn | Field | Shape
}

export type ShownData<S> = {
  -readonly [K in keyof S]: S[K] extends SQLiteColumn
    ? ColumnData<S[K]>
    : S[K] extends { json(): SQL }
      ? S[K] extends Field<infer _, infer T>
        ? T
        : never
      : ShownData<S[K]>
}

export const isColumn = (value: unknown): value is SQLiteColumn => is(value, SQLiteColumn)

export function isField(value: SQLiteColumn | Field | Shape): value is Field {
  return 'json' in value && typeof value.json === 'function'
}

export function plainField<C extends SQLiteColumn>(column: C): Field<ColumnData<C>, ColumnData<C>, ColumnData<C>> {
  return { sql: sql`${column}`, json: () => sql`${column}`, column }
}

export const toField = (value: SQLiteColumn | Field): Field => (isColumn(value) ? plainField(value) : value)

export function enumField<T extends string>(column: SQLiteColumn): Field<T, T, T> {
  return { sql: sql`${column}`, json: () => sql`${column}`, column }
}

type Nullable<C extends SQLiteColumn, T> = C['_']['notNull'] extends true ? T : T | null

export const momentJson = (at: SQLWrapper) => sql`strftime('%FT%R:%fZ', ${at} / 1000.0, 'unixepoch')`

export function moment<C extends SQLiteColumn>(
  column: C,
): Field<ColumnData<C>, Nullable<C, string>, Nullable<C, number>> {
  return {
    sql: sql`${column}`,
    show: (at) => toIso(at as number | null) as Nullable<C, string>,
    json: () => momentJson(column),
    column,
  }
}

export function computedMoment(value: SQL): Field<number, string, never> {
  return { sql: value, show: toIso, json: () => momentJson(value) }
}

export function flag(column: SQLiteColumn): Field<number, boolean, boolean> {
  return {
    sql: sql`${column}`,
    show: (stored) => stored === 1,
    json: () => sql`json(iif(${column}, 'true', 'false'))`,
    column,
    store: (given) => (given ? 1 : 0),
  }
}

export function computedFlag(value: SQL): Field<number, boolean, never> {
  return { sql: value, show: (stored) => stored === 1, json: () => sql`json(iif(${value}, 'true', 'false'))` }
}

export function nullableFlag(column: SQLiteColumn): Field<number | null, boolean | null, boolean | null> {
  return {
    sql: sql`${column}`,
    show: (stored) => (stored === null ? null : stored === 1),
    json: () => sql`json(CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`,
    column,
    store: (given) => (given ? 1 : 0),
  }
}

export function trueOrNull(column: SQLiteColumn): Field<number | null, true | null, boolean | null> {
  return {
    sql: sql`${column}`,
    show: (stored) => (stored === 1 ? true : null),
    json: () => sql`json(CASE WHEN ${column} IS 1 THEN 'true' ELSE 'null' END)`,
    column,
    store: (given) => (given ? 1 : null),
  }
}

export const decimalTextSql = (value: SQLWrapper) =>
  sql`printf('%s%d.%02d', CASE WHEN ${value} < 0 THEN '-' ELSE '' END, abs(${value}) / 100, abs(${value}) % 100)`

export function decimal(column: SQLiteColumn): Field<number, string, number> {
  return { sql: sql`${column}`, show: toDecimalText, json: () => decimalTextSql(column), column }
}

export function nullableDecimal(column: SQLiteColumn): Field<number | null, string | null, number | null> {
  return {
    ...{ sql: sql`${column}`, show: (stored) => (stored === null ? null : toDecimalText(stored)), column },
    json: () => sql`CASE WHEN ${column} IS NOT NULL THEN ${decimalTextSql(column)} END`,
  }
}

export function hundredths(column: SQLiteColumn): Field<number, number, number> {
  return { sql: sql`${column}`, show: (stored) => stored / 100, json: () => sql`${column} / 100.0`, column }
}

export function json<T>(column: SQLiteColumn): Field<string, T, T> {
  return {
    sql: sql`${column}`,
    show: (stored) => JSON.parse(stored) as T,
    json: () => sql`json(${column})`,
    column,
    store: (given) => JSON.stringify(given),
  }
}

export function nullableJson<T>(column: SQLiteColumn): Field<string | null, T | null, T | null> {
  return { ...json<T | null>(column), show: (stored) => (stored === null ? null : (JSON.parse(stored) as T)) }
}

/** A JSON list of any length; the log may keep only the first items. */
export function longJson<T>(column: SQLiteColumn): Field<string, T, T> {
  return { ...json<T>(column), isLong: true }
}

export function nullableLongJson<T>(column: SQLiteColumn): Field<string | null, T | null, T | null> {
  return { ...nullableJson<T>(column), isLong: true }
}

export function longText<C extends SQLiteColumn>(column: C): Field<ColumnData<C>, ColumnData<C>, ColumnData<C>> {
  return { ...plainField(column), json: () => truncatedText(sql`${column}`), isLong: true }
}

export function computedLongText(value: SQL): Field<string, string, never> {
  return { sql: value, json: () => truncatedText(value), isLong: true }
}

/** Shows the name (or key) of a linked record for the stored id; a write gives the name and stores the id. */
export function linkedName<C extends SQLiteColumn>(
  column: C,
  name: SQLiteColumn,
): Field<Nullable<C, string>, Nullable<C, string>, Nullable<C, string>> {
  const { id, subscriptionId, deletedAt }: Record<string, SQLiteColumn> = getTableColumns(name.table)
  const linkedRows = sql`${name.table} WHERE ${subscriptionId} = ${caller.subscription}`
  const isNotRemoved = deletedAt ? sql`AND ${deletedAt} IS NULL` : sql``
  const shown = sql`(SELECT ${name} FROM ${linkedRows} AND ${id} = ${column})`
  const set = (given: SQL) => sql`(SELECT ${id} FROM ${linkedRows} AND ${name} = ${given} ${isNotRemoved})`
  return { sql: shown, json: () => shown, column, setSql: set }
}

export function linkedNameUnlessRemoved<C extends SQLiteColumn>(
  column: C,
  name: SQLiteColumn,
): ReturnType<typeof linkedName<C>> {
  const { id, subscriptionId, deletedAt }: Record<string, SQLiteColumn> = getTableColumns(name.table)
  const shown = sql`(SELECT ${name} FROM ${name.table}
    WHERE ${subscriptionId} = ${caller.subscription} AND ${id} = ${column} AND ${deletedAt} IS NULL)`
  return { ...linkedName(column, name), sql: shown, json: () => shown, hidesRemoved: true }
}

export function computedValue<T extends SqlValue>(value: SQL): Field<T, T, never> {
  return { sql: value, json: () => value }
}

/** Skips parsing `[]`, because most lists of a page are empty. */
export const parseList = <T>(stored: string): T[] => (stored === '[]' ? [] : (JSON.parse(stored) as T[]))

export function computedList<T>(value: SQL): Field<string, T[], never> {
  return { sql: value, show: parseList, json: () => sql`json(${value})` }
}

/** A list of any length, counted for a page's byte limit. */
export const computedLongList = <T>(value: SQL): Field<string, T[], never> => ({
  ...computedList<T>(value),
  isLong: true,
})

export function computedJson<T extends object>(value: SQL): Field<string, T, never> {
  return { sql: value, show: (stored) => JSON.parse(stored) as T, json: () => sql`json(${value})` }
}

export function withDefault<C extends SQLiteColumn>(
  column: C,
  none: 0 | "''",
): Field<NonNullable<ColumnData<C>>, NonNullable<ColumnData<C>>, ColumnData<C>> {
  const value = sql`coalesce(${column}, ${sql.raw(String(none))})`
  return { sql: value, json: () => value, column }
}

export function constantField<const T extends string | number | null>(value: T): Field<T, T, never> {
  const literal = sql.raw(typeof value === 'string' ? `'${value}'` : String(value))
  return { sql: literal, json: () => literal, constant: value }
}

/** Begins a personal value in a comparison: a reader who may not see it is shown an empty text. */
export const PERSONAL_MARK = sql.raw('char(65535)')

// A reader of the log replaces the placeholder by the name (`people.ts`); user text never contains NUL.
const personPlaceholder = (what: 'firstName' | 'lastName' | 'email') => sql.raw(`json('"\\u0000${what}"')`)

export function personalField<F extends Field>(field: F, what: 'firstName' | 'lastName' | 'email'): F {
  const shownJson = () => sql`json_quote(${PERSONAL_MARK} || (${field.sql}))`
  return { ...field, json: () => personPlaceholder(what), shownJson, personalData: what }
}

/** The log stores the product beside a key of another product, because readers need access to both products. */
export const keyAcrossProducts = ({ key, product }: { key: SQL; product: SQL }, own: SQL) =>
  sql`json(CASE WHEN ${product} IS ${own} THEN json_quote(${key})
    ELSE ${inline('"\\u0000key:')} || ${product} || ':' || ${key} || '"' END)`

/** A key in a list of the log: readers without access to the record's product do not see the key. */
export const listedKey = ({ key, product }: { key: SQL; product: SQL }) =>
  sql`json(${inline('"\\u0000listed:')} || ${product} || ':' || ${key} || '"')`

// The log truncates longer texts anyway; cutting here keeps intermediate values below D1's limit of 2 MB.
const truncatedText = (value: SQL) => sql`substr(${value}, 1, 250000)`
