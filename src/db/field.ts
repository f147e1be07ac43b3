import { getTableColumns, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { decimalText } from '../text/decimals'
import { iso } from '../text/moments'
import { caller, inline, type SqlValue } from './statement'

/** A member of a record: how it is read, shown, told in the log, and written. */
export interface Field<Stored = unknown, Shown = unknown, Given = unknown> {
  readonly sql: SQL
  /** What the API shows of what is stored; without it, the very value. */
  show?(stored: Stored): Shown
  /** The same made by the database, as an argument of `json_object`. */
  json(): SQL
  /** Where a write puts it; a field without one is read alone. */
  readonly column?: SQLiteColumn
  /** What a write binds; without it, the very value. */
  store?(given: Given): SqlValue
  /** What is put into the column, made from what is bound; without it, just that. */
  set?(given: SQL): SQL
  /** Whether it may be long: such fields are counted where a page is bounded, and cut in the log. */
  readonly long?: boolean
  /**
   * Bytes that a field from other rows counts for in a page of more than `MAX_PAGE` records, estimated from counters of the
   * record's own row: the other rows are read only for records that fit.
   */
  readonly weight?: SQL
  /** What it always shows; `sql` is not read then. */
  readonly constant?: string | number | null
  /** Whether it names or addresses a person: the log keeps no more than whom. */
  readonly person?: string
  /** Whether null is shown although a removed record is linked. Null where null is shown keeps that link. */
  readonly hidesRemoved?: boolean
}

/** The value of a column in a row. */
export type Data<C extends SQLiteColumn> = C['_']['notNull'] extends true ? C['_']['data'] : C['_']['data'] | null

/** Fields by name; a plain column is a field as it is, an object of fields is an object in the record. */
export interface Shape {
  readonly [name: string]: SQLiteColumn | Field | Shape
}

export type Shown<S> = {
  -readonly [K in keyof S]: S[K] extends SQLiteColumn
    ? Data<S[K]>
    : S[K] extends { json(): SQL }
      ? S[K] extends Field<infer _, infer T>
        ? T
        : never
      : Shown<S[K]>
}

export const isColumn = (value: unknown): value is SQLiteColumn => is(value, SQLiteColumn)

export function isField(value: SQLiteColumn | Field | Shape): value is Field {
  return 'json' in value && typeof value.json === 'function'
}

/** A column whose value is shown as it is stored. */
export function plain<C extends SQLiteColumn>(column: C): Field<Data<C>, Data<C>, Data<C>> {
  return { sql: sql`${column}`, json: () => sql`${column}`, column }
}

export const fieldOf = (value: SQLiteColumn | Field): Field => (isColumn(value) ? plain(value) : value)

/** A column of which only some values are ever stored. */
export function among<T extends string>(column: SQLiteColumn): Field<T, T, T> {
  return { sql: sql`${column}`, json: () => sql`${column}`, column }
}

type Nullable<C extends SQLiteColumn, T> = C['_']['notNull'] extends true ? T : T | null

/** ISO 8601 of milliseconds, as the database makes it. */
export const momentJson = (at: SQLWrapper) => sql`strftime('%FT%R:%fZ', ${at} / 1000.0, 'unixepoch')`

/** ISO 8601 of a column of milliseconds. */
export function moment<C extends SQLiteColumn>(column: C): Field<Data<C>, Nullable<C, string>, Nullable<C, number>> {
  return {
    sql: sql`${column}`,
    show: (at) => iso(at as number | null) as Nullable<C, string>,
    json: () => momentJson(column),
    column,
  }
}

/** ISO 8601 of milliseconds that the database computes. */
export function computedMoment(value: SQL): Field<number, string, never> {
  return { sql: value, show: iso, json: () => momentJson(value) }
}

/** A flag of a column of 0 and 1. */
export function flag(column: SQLiteColumn): Field<number, boolean, boolean> {
  return {
    sql: sql`${column}`,
    show: (stored) => stored === 1,
    json: () => sql`json(iif(${column}, 'true', 'false'))`,
    column,
    store: (given) => (given ? 1 : 0),
  }
}

/** The same of a column that may be null. */
export function nullableFlag(column: SQLiteColumn): Field<number | null, boolean | null, boolean | null> {
  return {
    sql: sql`${column}`,
    show: (stored) => (stored === null ? null : stored === 1),
    json: () => sql`json(CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`,
    column,
    store: (given) => (given ? 1 : 0),
  }
}

/** `true` of a column of 1, null of every other. */
export function trueOrNull(column: SQLiteColumn): Field<number | null, true | null, boolean | null> {
  return {
    sql: sql`${column}`,
    show: (stored) => (stored === 1 ? true : null),
    json: () => sql`json(CASE WHEN ${column} IS 1 THEN 'true' ELSE 'null' END)`,
    column,
    store: (given) => (given ? 1 : null),
  }
}

const decimalOf = (value: SQLWrapper) =>
  sql`printf('%s%d.%02d', CASE WHEN ${value} < 0 THEN '-' ELSE '' END, abs(${value}) / 100, abs(${value}) % 100)`

/** Decimal text with two places of a column of hundredths. */
export function decimal(column: SQLiteColumn): Field<number, string, number> {
  return { sql: sql`${column}`, show: decimalText, json: () => decimalOf(column), column }
}

/** The same of a column that may be null. */
export function nullableDecimal(column: SQLiteColumn): Field<number | null, string | null, number | null> {
  return {
    ...{ sql: sql`${column}`, show: (stored) => (stored === null ? null : decimalText(stored)), column },
    json: () => sql`CASE WHEN ${column} IS NOT NULL THEN ${decimalOf(column)} END`,
  }
}

/** A number of a column of hundredths; what is given is hundredths already. */
export function hundredths(column: SQLiteColumn): Field<number, number, number> {
  return { sql: sql`${column}`, show: (stored) => stored / 100, json: () => sql`${column} / 100.0`, column }
}

/** A value that is kept as JSON text. */
export function json<T>(column: SQLiteColumn): Field<string, T, T> {
  return {
    sql: sql`${column}`,
    show: (stored) => JSON.parse(stored) as T,
    json: () => sql`json(${column})`,
    column,
    store: (given) => JSON.stringify(given),
  }
}

/** The same of a column that may be null. */
export function nullableJson<T>(column: SQLiteColumn): Field<string | null, T | null, T | null> {
  return { ...json<T | null>(column), show: (stored) => (stored === null ? null : (JSON.parse(stored) as T)) }
}

/** As `json`, for a list that may be long: the log may hold its first items alone. */
export function longJson<T>(column: SQLiteColumn): Field<string, T, T> {
  return { ...json<T>(column), long: true }
}

/** The same of a column that may be null, and of any JSON that the log holds whole. */
export function nullableLongJson<T>(column: SQLiteColumn): Field<string | null, T | null, T | null> {
  return { ...nullableJson<T>(column), long: true }
}

/** Text that may be long. */
export function longText<C extends SQLiteColumn>(column: C): Field<Data<C>, Data<C>, Data<C>> {
  return { ...plain(column), json: () => begun(sql`${column}`), long: true }
}

/** The same of text that the database computes. */
export function computedLongText(value: SQL): Field<string, string, never> {
  return { sql: value, json: () => begun(value), long: true }
}

/** The name (or key) of the record whose id a column holds; a write is given that name and finds the id. */
export function linked<C extends SQLiteColumn>(
  column: C,
  name: SQLiteColumn,
): Field<Nullable<C, string>, Nullable<C, string>, Nullable<C, string>> {
  const { id, subscriptionId, deletedAt }: Record<string, SQLiteColumn> = getTableColumns(name.table)
  const theirs = sql`${name.table} WHERE ${subscriptionId} = ${caller.subscription}`
  const there = deletedAt ? sql`AND ${deletedAt} IS NULL` : sql``
  const shown = sql`(SELECT ${name} FROM ${theirs} AND ${id} = ${column})`
  const set = (given: SQL) => sql`(SELECT ${id} FROM ${theirs} AND ${name} = ${given} ${there})`
  return { sql: shown, json: () => shown, column, set }
}

/** The same, which shows nothing of a record that is removed, until it is back. */
export function linkedWhileThere<C extends SQLiteColumn>(column: C, name: SQLiteColumn): ReturnType<typeof linked<C>> {
  const { id, subscriptionId, deletedAt }: Record<string, SQLiteColumn> = getTableColumns(name.table)
  const shown = sql`(SELECT ${name} FROM ${name.table}
    WHERE ${subscriptionId} = ${caller.subscription} AND ${id} = ${column} AND ${deletedAt} IS NULL)`
  return { ...linked(column, name), sql: shown, json: () => shown, hidesRemoved: true }
}

/** What the database computes, shown as it is. */
export function computed<T extends SqlValue>(value: SQL): Field<T, T, never> {
  return { sql: value, json: () => value }
}

/** Most lists of a page are empty. */
export const listed = <T>(stored: string): T[] => (stored === '[]' ? [] : (JSON.parse(stored) as T[]))

/** A list that the database makes, as JSON. */
export function computedList<T>(value: SQL): Field<string, T[], never> {
  return { sql: value, show: listed, json: () => sql`json(${value})` }
}

/** An object that the database makes, as JSON. */
export function computedJson<T extends object>(value: SQL): Field<string, T, never> {
  return { sql: value, show: (stored) => JSON.parse(stored) as T, json: () => sql`json(${value})` }
}

/** A column in whose place `none` is shown where it is null. */
export function or<C extends SQLiteColumn>(
  column: C,
  none: 0 | "''",
): Field<NonNullable<Data<C>>, NonNullable<Data<C>>, Data<C>> {
  const value = sql`coalesce(${column}, ${sql.raw(String(none))})`
  return { sql: value, json: () => value, column }
}

/** The same for every record: nothing is read for it. */
export function constant<const T extends string | number | null>(value: T): Field<T, T, never> {
  const literal = sql.raw(typeof value === 'string' ? `'${value}'` : String(value))
  return { sql: literal, json: () => literal, constant: value }
}

// A reader of the log puts the name in its place (`people.ts`); user text never holds NUL.
const placeholder = (what: 'firstName' | 'lastName' | 'email') => sql.raw(`json('"\\u0000${what}"')`)

/** A person's name or address. The log keeps a place for it, and the person's id beside the event. */
export function personal<F extends Field>(field: F, what: 'firstName' | 'lastName' | 'email'): F {
  return { ...field, json: () => placeholder(what), person: what }
}

/**
 * The key of another record, as JSON for an event of the product `own`. Where it lies in another product, the log keeps that
 * beside it, and a reader shows it to keys that cover both (`keys.ts`).
 */
export const keyOfOther = ({ key, product }: { key: SQL; product: SQL }, own: SQL) =>
  sql`json(CASE WHEN ${product} IS ${own} THEN json_quote(${key})
    ELSE ${inline('"\\u0000key:')} || ${product} || ':' || ${key} || '"' END)`

// Longer texts are cut in the log in any case: what the database makes on the way stays below the 2 MB of one value.
const begun = (value: SQL) => sql`substr(${value}, 1, 250000)`
