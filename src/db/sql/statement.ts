import { getTableColumns, is, Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ApiError } from '../../text/errors'
import { shortenSql } from './sql-text'

export type SqlValue = string | number | boolean | null | undefined
export type Values = Readonly<Record<string, SqlValue>>

declare const rowType: unique symbol

export interface Template {
  readonly text: string
  readonly names: readonly string[]
  readonly emitsEvent: boolean
  readonly madeAt: Error
  readonly parts?: readonly TemplatePart[]
}

export interface TemplatePart {
  readonly madeAt: Error
  readonly text: () => string
}

/**
 * A condition to refuse a write, checked in the write's own batch before any change. `reason` is an error code,
 * `code:detail` without quotes, or SQL computing a reason.
 */
export interface Guard {
  readonly template: {
    readonly id: number
    readonly when: SQL
    readonly reason: SQL
    readonly madeAt: Error
  }
  readonly values: Values
}

/** `Row` types a result row, with numbers and text as stored. */
export interface Statement<Row = unknown> {
  readonly template: () => Template
  readonly values: Values
  /** Statement required directly before this statement, because `changes()` refers to the previous statement. */
  readonly after?: () => Template
  readonly guards?: readonly Guard[]
  /** True if the values hold many rows: the size limit counts each value alone, not the sum. */
  readonly bindsRows?: boolean
  readonly isLong?: boolean
  readonly chargedRows?: number
  readonly returningTemplate?: () => Template
  /** For a batch without a workspace, in a service with several homes. */
  readonly templateOfHomes?: () => Template
  /** The same statement joined with the access of the key, for a read of at most one row. */
  readonly accessTemplate?: (inProduct: boolean) => Template
  readonly [rowType]?: Row
}

/** A bound value, by name. A repeated name is bound once. */
export const param = (name: string) => sql.placeholder(name)

/** A number, or a text without quotes, as part of the SQL text. */
export const inline = (value: number | string) => sql.raw(typeof value === 'string' ? `'${value}'` : String(value))

/**
 * Values of a bound JSON array as table `o`, for an UPDATE of rows by number. With plain `json_each` SQLite reads all
 * rows of the further conditions first, and searches the values for each row.
 */
export const makeIdListSql = (name: string, member: string, column: SQLWrapper) => ({
  list: sql`WITH o AS MATERIALIZED (
    SELECT value, CAST(value ->> ${inline(member)} AS INTEGER) AS number FROM json_each(${param(name)}))`,
  named: sql`${column} IN (SELECT number FROM o) AND ${column} = o.number`,
})

/** Hidden from the planner, because SQLite plans a statement with a visible LIMIT again at each execution. */
export const boundLimit = (name: string) => sql`LIMIT ${param(name)} + 0`

export const caller = {
  subscription: param('@subscription'),
  user: param('@user'),
  key: param('@key'),
  now: param('@now'),
  request: param('@request'),
  origin: param('@origin'),
  importRun: param('@importRun'),
  hops: param('@hops'),
  product: param('@product'),
  products: param('@products'),
  scopes: param('@scopes'),
  foreignOrigin: param('@foreignOrigin'),
  portal: param('@portal'),
  endUserSecret: param('@endUserSecret'),
  endUserId: param('@endUserId'),
  endUserEmail: param('@endUserEmail'),
  portalHost: param('@portalHost'),
}

const UNCHANGED_CASING = new CasingCache()
const EVENT_INSERT_PATTERN = /^INSERT INTO "(append_event|log)" /

/** Compiles SQL with named parameters, numbered `?1`, `?2`, … in order of appearance. */
export function compileSql(source: SQL, madeAt = new Error()): Template {
  const names: string[] = []
  const { sql: text } = source.toQuery({
    casing: UNCHANGED_CASING,
    escapeName: (name) => `"${name.replaceAll('"', '""')}"`,
    escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
    escapeParam(_position, value) {
      if (!is(value, Placeholder)) throw new Error('A statement binds named parameters only: use param(name)')
      const known = names.indexOf(value.name)
      return `?${known >= 0 ? known + 1 : names.push(value.name)}`
    },
  })
  return { text: shortenSql(text), names, emitsEvent: EVENT_INSERT_PATTERN.test(text), madeAt }
}

export function makeLazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * Makes a statement with a text built at first use. Pass a function if the source is expensive to build.
 * @example const findTeam = statement<{ id: number }, { id: number }>(sql`SELECT … WHERE id = ${param('id')}`)
 */
export function statement<Row, V extends Values = Record<never, never>>(
  source: SQL | (() => SQL),
): (values: V) => Statement<Row> {
  const madeAt = new Error()
  const template = makeLazy(() => compileSql(typeof source === 'function' ? source() : source, madeAt))
  return (values) => ({ template, values })
}

export function statements(sources: readonly SQL[]): (values: Values) => Statement<never>[] {
  const made = sources.map((source) => statement<never, Values>(source))
  return (values) => made.map((make) => make(values))
}

export const directlyAfter = <Row>(before: Statement, statement: Statement<Row>): Statement<Row> => ({
  ...statement,
  after: before.template,
})

export function memoize<T, M extends object>(make: (chosen: T) => M): (name: string, chosen: T) => M {
  const kept = new Map<string, M>()
  return (name, chosen) => {
    const known = kept.get(name)
    if (known) return known
    // Clients choose the names: cache common choices, not every subset of fields ever sent.
    if (kept.size >= 256) kept.clear()
    const made = make(chosen)
    kept.set(name, made)
    return made
  }
}

export function makeStatementCache<T>(build: (chosen: T) => SQL) {
  const madeAt = new Error()
  return memoize((chosen: T) => makeLazy(() => compileSql(build(chosen), madeAt)))
}

export function makeStatementVariants<Row, V extends Values, K extends string = string>(
  build: (variant: K) => SQL,
): (variant: K, values: V) => Statement<Row> {
  const templates = makeStatementCache(build)
  return (variant, values) => ({ template: templates(variant, variant), values })
}

// D1 refuses a value or a row of 2 MB, only in production.
const MAX_BOUND_BYTES = 1_950_000

/** Throws if the values exceed a row's size: together, or each alone for a statement of many rows. */
export function bindValues(
  names: readonly string[],
  values: Values,
  context: Values,
  bindsRows = false,
): (string | number | null)[] {
  let [sum, longest] = [0, 0]
  const bound = names.map((name) => {
    const source = name in values ? values : context
    if (!(name in source)) throw new Error(`No value for parameter ${name}`)
    const value = source[name]
    if (typeof value === 'string') {
      sum += value.length
      longest = Math.max(longest, value.length)
    }
    return typeof value === 'boolean' ? Number(value) : (value ?? null)
  })
  const most = bindsRows ? longest : sum
  if (
    most * 3 > MAX_BOUND_BYTES &&
    (bindsRows ? Math.max(...bound.map((one) => countTextBytes([one]))) : countTextBytes(bound)) > MAX_BOUND_BYTES
  ) {
    throw new ApiError('payload_too_large', 'The texts of this record are together larger than 1.9 MB. Shorten them.')
  }
  return bound
}

function countTextBytes(bound: readonly unknown[]): number {
  const encoder = new TextEncoder()
  return bound.reduce<number>((sum, value) => sum + (typeof value === 'string' ? encoder.encode(value).length : 0), 0)
}

type ColumnKey<T extends SQLiteTable> = keyof T['$inferSelect'] & string

export type SelectedRow<T extends SQLiteTable, K extends ColumnKey<T>> = Pick<T['$inferSelect'], K>

function findColumn(table: SQLiteTable, key: string) {
  const column = getTableColumns(table)[key]
  if (!column) throw new Error(`No column ${key}`)
  return column
}

/** Selects `"table"."column" AS "key", …`, for rows with the schema's names. */
export function columnList<T extends SQLiteTable>(table: T, keys: readonly ColumnKey<T>[]): SQL {
  return sql.join(
    keys.map((key) => sql`${findColumn(table, key)} AS ${sql.identifier(key)}`),
    sql`, `,
  )
}

/** `INSERT INTO table (…) SELECT …`; `from` follows the values (`FROM json_each(…)`, `ON CONFLICT …`). */
export function insertInto<T extends SQLiteTable>(
  table: T,
  values: Partial<Record<ColumnKey<T>, SQLWrapper>>,
  from: SQL = sql``,
): SQL {
  const entries = Object.entries<SQLWrapper | undefined>(values).filter((entry) => entry[1] !== undefined)
  const into = entries.map(([key]) => sql.identifier(findColumn(table, key).name))
  const what = entries.map(([, value]) => sql`${value}`)
  return sql`INSERT INTO ${table} (${sql.join(into, sql`, `)}) SELECT ${sql.join(what, sql`, `)} ${from}`
}

export function assignments<T extends SQLiteTable>(table: T, values: Partial<Record<ColumnKey<T>, SQLWrapper>>): SQL {
  return sql.join(
    Object.entries<SQLWrapper | undefined>(values).map(
      ([key, value]) => sql`${sql.identifier(findColumn(table, key).name)} = ${value}`,
    ),
    sql`, `,
  )
}
