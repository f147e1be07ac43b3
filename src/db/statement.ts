import { getTableColumns, is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ApiError } from '../text/errors'
import { shortened } from './sql-text'

export type SqlValue = string | number | boolean | null | undefined
export type Values = Readonly<Record<string, SqlValue>>

declare const rowType: unique symbol

/** SQL text that was built once, with the names of what it binds. */
export interface Template {
  readonly text: string
  readonly names: readonly string[]
  /** Whether it tells the log of something, where it writes at all. */
  readonly tells: boolean
}

/** A template and the values for one execution. `Row` is what one result row holds: numbers and text as stored. */
export interface Statement<Row = unknown> {
  readonly template: () => Template
  readonly values: Values
  /** What must stand directly before it in a batch: a statement that asks `changes()` means that one's. */
  readonly after?: () => Template
  /** Its values are rows of their own, not one together. */
  readonly apart?: boolean
  /** It may be about very many rows: its batch is waited for longer. */
  readonly long?: boolean
  /** Rows of it that an earlier write was charged: see `chargesAhead` of a write. */
  readonly charged?: number
  /** The answer whose rows it returns itself: a batch with it needs no other statement for them. */
  readonly answers?: () => Template
  readonly [rowType]?: Row
}

/** A value to bind, by name. A name that stands several times in a statement is bound once. */
export const param = (name: string) => sql.placeholder(name)

/** A number, or a text without a quote, that belongs to a statement's text. */
export const inline = (value: number | string) => sql.raw(typeof value === 'string' ? `'${value}'` : String(value))

/**
 * The values of a JSON array that a statement binds, as `o`, for an UPDATE of the row that a number of each names:
 * `${list} UPDATE … FROM o WHERE … AND ${named}`. With `json_each` itself SQLite reads the rows first that the other
 * conditions mean, all of them, and looks for each among the values.
 */
export const listedBy = (name: string, member: string, column: SQLWrapper) => ({
  list: sql`WITH o AS MATERIALIZED (
    SELECT value, CAST(value ->> ${inline(member)} AS INTEGER) AS number FROM json_each(${param(name)}))`,
  named: sql`${column} IN (SELECT number FROM o) AND ${column} = o.number`,
})

/** A bound LIMIT that the planner cannot read: where it can, SQLite plans the statement again at each execution. */
export const boundLimit = (name: string) => sql`LIMIT ${param(name)} + 0`

/** What every statement may name without being given it: who calls, in which product, when. */
export const caller = {
  subscription: param('@subscription'),
  user: param('@user'),
  key: param('@key'),
  now: param('@now'),
  /** Names the request; NULL where there is none. */
  request: param('@request'),
  /** What makes the request within the service, as the log names it; NULL for callers outside. */
  origin: param('@origin'),
  /** How many webhooks followed each other up to it; NULL likewise. */
  hops: param('@hops'),
  /** The external key in the path. */
  product: param('@product'),
  /** A JSON array of the product ids the key is limited to, or NULL. */
  products: param('@products'),
  /** A JSON array of what the key may do. */
  scopes: param('@scopes'),
}

const AS_DECLARED = new CasingCache()
const TELLING = /^INSERT INTO "(told|log)" /

/** SQL with named parameters, numbered `?1`, `?2`, … in the order in which they first appear. */
export function compile(source: SQL): Template {
  const names: string[] = []
  const { sql: text } = source.toQuery({
    casing: AS_DECLARED,
    escapeName: (name) => `"${name.replaceAll('"', '""')}"`,
    escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
    escapeParam(_position, value) {
      if (!is(value, Placeholder)) throw new Error('A statement binds named parameters only: use param(name)')
      const known = names.indexOf(value.name)
      return `?${known >= 0 ? known + 1 : names.push(value.name)}`
    },
  })
  return { text: shortened(text), names, tells: TELLING.test(text) }
}

/** Computed when first needed, then kept. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * A statement whose text is built at its first use and kept; what is long to write down is given as a function.
 * @example const findTeam = statement<{ id: number }, { id: number }>(sql`SELECT … WHERE id = ${param('id')}`)
 */
export function statement<Row, V extends Values = Record<never, never>>(
  source: SQL | (() => SQL),
): (values: V) => Statement<Row> {
  const template = once(() => compile(typeof source === 'function' ? source() : source))
  return (values) => ({ template, values })
}

/** The same of several that are given the same values and stand in a batch in this order. */
export function statements(sources: readonly SQL[]): (values: Values) => Statement<never>[] {
  const made = sources.map((source) => statement<never, Values>(source))
  return (values) => made.map((make) => make(values))
}

/** The statement as one that asks `changes()`: how many rows the one before has written. No other may come between. */
export const directlyAfter = <Row>(before: Statement, statement: Statement<Row>): Statement<Row> => ({
  ...statement,
  after: before.template,
})

/** What differs in what a caller chooses: made at its first use for each `name` of what was chosen, and kept. */
export function keptBy<T, M extends object>(make: (chosen: T) => M): (name: string, chosen: T) => M {
  const kept = new Map<string, M>()
  return (name, chosen) => {
    const known = kept.get(name)
    if (known) return known
    // Clients choose: keep no more than habits, not every subset of fields ever sent.
    if (kept.size >= 256) kept.clear()
    const made = make(chosen)
    kept.set(name, made)
    return made
  }
}

/** Texts that differ in what a caller chooses (a sort, the members of a body). */
export const textsBy = <T>(build: (chosen: T) => SQL) => keptBy((chosen: T) => once(() => compile(build(chosen))))

/** As `statement`, for texts that differ in what a caller chooses: one text per `variant`. */
export function variants<Row, V extends Values, K extends string = string>(
  build: (variant: K) => SQL,
): (variant: K, values: V) => Statement<Row> {
  const templates = textsBy(build)
  return (variant, values) => ({ template: templates(variant, variant), values })
}

// D1 refuses a value or a row of 2 MB, in production alone.
const MAX_BYTES = 1_950_000

/**
 * The values of a statement in the order in which it binds them. Throws where they are more than one row can hold;
 * of those that are `apart`, where one of them is.
 */
export function bindings(
  names: readonly string[],
  values: Values,
  ambient: Values,
  apart = false,
): (string | number | null)[] {
  let [sum, longest] = [0, 0]
  const bound = names.map((name) => {
    const source = name in values ? values : ambient
    if (!(name in source)) throw new Error(`No value for parameter ${name}`)
    const value = source[name]
    if (typeof value === 'string') {
      sum += value.length
      longest = Math.max(longest, value.length)
    }
    return typeof value === 'boolean' ? Number(value) : (value ?? null)
  })
  // A character takes three bytes at most.
  const most = apart ? longest : sum
  if (most * 3 > MAX_BYTES && (apart ? Math.max(...bound.map((one) => bytesOf([one]))) : bytesOf(bound)) > MAX_BYTES) {
    throw new ApiError('payload_too_large', 'The texts of this record are together larger than 1.9 MB. Shorten them.')
  }
  return bound
}

function bytesOf(bound: readonly unknown[]): number {
  const encoder = new TextEncoder()
  return bound.reduce<number>((sum, value) => sum + (typeof value === 'string' ? encoder.encode(value).length : 0), 0)
}

type Columns<T extends SQLiteTable> = keyof T['$inferSelect'] & string

/** The row that `columns(table, …keys)` selects. */
export type Selected<T extends SQLiteTable, K extends Columns<T>> = Pick<T['$inferSelect'], K>

function named(table: SQLiteTable, key: string) {
  const column = getTableColumns(table)[key]
  if (!column) throw new Error(`No column ${key}`)
  return column
}

/** `"table"."column" AS "key", …`, so rows come back under the schema's names. */
export function columns<T extends SQLiteTable>(table: T, keys: readonly Columns<T>[]): SQL {
  return sql.join(
    keys.map((key) => sql`${named(table, key)} AS ${sql.identifier(key)}`),
    sql`, `,
  )
}

/** `INSERT INTO table (…) SELECT …`; `from` goes behind the values (`FROM json_each(…)`, `ON CONFLICT …`). */
export function insertInto<T extends SQLiteTable>(
  table: T,
  values: Partial<Record<Columns<T>, SQLWrapper>>,
  from: SQL = sql``,
): SQL {
  const entries = Object.entries<SQLWrapper | undefined>(values).filter((entry) => entry[1] !== undefined)
  const into = entries.map(([key]) => sql.identifier(named(table, key).name))
  const what = entries.map(([, value]) => sql`${value}`)
  return sql`INSERT INTO ${table} (${sql.join(into, sql`, `)}) SELECT ${sql.join(what, sql`, `)} ${from}`
}

/** `"column" = value, …` for an UPDATE. */
export function assignments<T extends SQLiteTable>(table: T, values: Partial<Record<Columns<T>, SQLWrapper>>): SQL {
  return sql.join(
    Object.entries<SQLWrapper | undefined>(values).map(
      ([key, value]) => sql`${sql.identifier(named(table, key).name)} = ${value}`,
    ),
    sql`, `,
  )
}
