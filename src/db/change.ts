import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { EventType, Happening, ResourceName } from '../resources'
import { type Answer, returning } from './answer'
import { eventSql, typeOf } from './events'
import { type Data, type Field, fieldOf, isColumn, isField, type Shape } from './field'
import type { AnyRecord, KeyColumns, RecordOf } from './record'
import { withMembers } from './selection'
import {
  caller,
  inline,
  insertInto,
  param,
  type SqlValue,
  type Statement,
  statement,
  textsBy,
  type Values,
} from './statement'

type Given<F> = F extends SQLiteColumn ? Data<F> : F extends Field<infer _S, infer _T, infer G> ? G : never

type Misfit<B, F, E> = {
  [N in Exclude<keyof B, E>]: N extends keyof F ? (Exclude<B[N], undefined> extends Given<F[N]> ? never : N) : N
}[Exclude<keyof B, E>]

/** A body with a matching field for every member. The compiler names a misfit. */
export type Fitting<B extends z.ZodObject, F, E> = [Misfit<z.output<B>, F, E>] extends [never]
  ? B
  : { 'no such field, or of another type': Misfit<z.output<B>, F, E> }

interface Column {
  readonly name: string
  readonly field: Field
  readonly column: SQLiteColumn
}

function bound({ name, field }: Pick<Column, 'name' | 'field'>): SQL {
  const value = sql`${param(`=${name}`)}`
  return field.set ? field.set(value) : value
}

function columnsOf(fields: Shape, names: readonly string[]): Column[] {
  return names.map((name) => {
    const member = fields[name]
    const field = member && (isColumn(member) || isField(member)) ? fieldOf(member) : undefined
    if (!field?.column) throw new Error(`${name} is no field that a write can set`)
    return { name, field, column: field.column }
  })
}

/** Keeps the link to a removed record when the record shows null and the body sends null. */
function keepingHidden({ name, field, column }: Column): Column {
  if (!field.hidesRemoved) return { name, field, column }
  const set = (given: SQL) =>
    sql`coalesce(${field.set ? field.set(given) : given}, iif(${field.sql} IS NULL, ${column}, NULL))`
  return { name, field: { ...field, set }, column }
}

/** Members set by a body, in a fixed order: the same set of members gives the same SQL text. */
const present = (all: readonly string[], body: object) =>
  all.filter((name) => (body as Record<string, unknown>)[name] !== undefined)

function valuesOf(columns: readonly Column[], body: object): Values {
  const given = body as Record<string, unknown>
  return Object.fromEntries(
    columns.map(({ name, field }) => {
      const value = given[name]
      return [`=${name}`, (value !== null && field.store ? field.store(value) : value) as SqlValue]
    }),
  )
}

/** Stored values of a body by column name, for rows written together. */
export function storedAs(fields: Shape, body: object): Record<string, unknown> {
  const columns = columnsOf(fields, present(Object.keys(body), body))
  const values = valuesOf(columns, body)
  return Object.fromEntries(columns.map(({ name, column }) => [column.name, values[`=${name}`]]))
}

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const stored = (column: SQLiteColumn) => sql.identifier(column.name)

export interface Inserted<E extends string> {
  values?: Readonly<Record<string, SQLWrapper>>
  from?: SQL
  except?: readonly E[]
  /**
   * Statement of the reply, if the reply reads only the new row, and neither a trigger nor the rest of the batch
   * changes the row.
   */
  returns?: Answer<unknown>
}

/** Makes the statement to insert a record from a body, with tenant and timestamps. */
export function inserts<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  B extends z.ZodObject,
  E extends string = never,
>(
  { table, whole, columns: all }: RecordOf<R, K, F, D>,
  body: Fitting<B, F & D, E>,
  { values = {}, from, except = [], returns }: Inserted<E> = {},
): (body: Omit<z.output<B>, E>, given?: Values) => Statement<never> {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(columnsOf(whole, names).map((column) => [column.name, column]))
  const nameOf = new Map(Object.entries(all).map(([name, column]) => [column.name, name]))
  const chosen = (body: object) => present(names, body).flatMap((name) => columns.get(name) ?? [])
  const templates = textsBy((some: readonly Column[]) => {
    const insert = insertInto(
      table,
      {
        subscriptionId: caller.subscription,
        ...values,
        ...Object.fromEntries(some.map((one) => [nameOf.get(one.column.name) ?? one.name, bound(one)])),
        createdAt: caller.now,
        ...(all.updatedAt && { updatedAt: caller.now }),
      },
      from,
    )
    return returns ? returning(insert, returns) : insert
  })
  return (body, given = {}) => {
    const some = chosen(body)
    const template = templates(some.map(({ name }) => name).join(), some)
    return { template, values: { ...given, ...valuesOf(some, body) }, ...(returns && { answers: returns.template }) }
  }
}

/** A member stored outside the record and changed together with the record, as SQL of JSON. */
export interface Elsewhere {
  readonly name: string
  readonly json: SQL
  readonly differs: SQL
  /** New value in the form of `json`, for the event. Without a new value, the event reads the stored value. */
  readonly becomes?: SQL
  /** Source column of the member, set in the same UPDATE. */
  readonly sets?: { readonly column: SQLiteColumn; readonly value: SQL }
}

interface Chosen {
  some: readonly Column[]
  elsewhere: readonly Elsewhere[]
}

interface Modified<R extends ResourceName, E extends string> {
  except?: readonly E[]
  happening?: Happening<R>
  where?: SQL
}

/** `[event, update]`, or an empty list if the body names nothing to change. */
type Modification = (key: Values, body: object, elsewhere?: readonly Elsewhere[]) => Statement<never>[]

/**
 * Makes the statements of an update: an event with old and new values of the changed fields, followed by the UPDATE.
 * Nothing is written if nothing differs; null for a field shown as null is no difference. The caller changes derived
 * fields afterwards.
 */
export function modifies<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  B extends z.ZodObject,
  E extends string = never,
>(
  record: RecordOf<R, K, F, D>,
  body: Fitting<B, F & D, E>,
  { except = [], happening = 'updated' as Happening<R>, where = sql`true` }: Modified<R, E> = {},
): Modification {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(columnsOf(record.whole, names).map((column) => [column.name, keepingHidden(column)]))
  const key = ({ some, elsewhere }: Chosen) => `${some.map(({ name }) => name)}|${elsewhere.map(({ name }) => name)}`
  const event = { type: typeOf(record.told, `${record.resource}.${happening}` as EventType) }
  const which = sql`${record.addressed} AND ${where}`
  const events = textsBy((chosen: Chosen) => changeEvent(record, which, chosen, event))
  const updates = textsBy((chosen: Chosen) => changeSql(record, which, chosen))
  return (given, body, elsewhere = []) => {
    const some = present(names, body).flatMap((name) => columns.get(name) ?? [])
    if (!some.length && !elsewhere.length) return []
    const chosen = { some, elsewhere }
    const values = { ...given, ...valuesOf(some, body) }
    return [events(key(chosen), chosen), updates(key(chosen), chosen)].map((template) => ({ template, values }))
  }
}

interface Changing<R extends ResourceName> {
  happening?: Happening<R>
  /** Derived fields already changed by the batch. */
  elsewhere?: readonly Elsewhere[]
}

/**
 * Makes the statements to set fields of all records in `where` to computed values: an event per changed record,
 * followed by the UPDATE.
 */
export function changes<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  record: RecordOf<R, K, F, D>,
  where: SQL,
  set: { readonly [N in keyof (F & D)]?: SQL },
  { happening = 'updated' as Happening<R>, elsewhere = [] }: Changing<R> = {},
): (values: Values) => Statement<never>[] {
  const made = Object.entries<SQL | undefined>(set).flatMap(([name, value]) => (value ? [{ name, value }] : []))
  const some = columnsOf(
    record.whole,
    made.map(({ name }) => name),
  ).map((column, n): Column => ({ ...column, field: { ...column.field, set: () => made[n]?.value ?? sql`NULL` } }))
  const chosen = { some, elsewhere }
  const event = { type: typeOf(record.told, `${record.resource}.${happening}` as EventType), many: true }
  const statements = [
    statement<never, Values>(() => changeEvent(record, where, chosen, event)),
    statement<never, Values>(() => changeSql(record, where, chosen)),
  ]
  return (values) => statements.map((make) => make(values))
}

type Changed = Pick<AnyRecord, 'table' | 'columns' | 'told'>

function differs({ some, elsewhere }: Chosen): SQL {
  const own = some.length
    ? [sql`(${list(some.map(({ column }) => sql`${column}`))}) IS NOT (${list(some.map(bound))})`]
    : []
  return sql.join([...own, ...elsewhere.map((one) => one.differs)], sql` OR `)
}

const rises = ({ columns: { version, updatedAt } }: Changed) => [
  ...(version ? [[version, sql`${version} + 1`] as const] : []),
  ...(updatedAt ? [[updatedAt, caller.now] as const] : []),
]

/** Source columns of derived fields. Several fields may share a column. */
const setOf = ({ elsewhere }: Chosen) =>
  new Map(elsewhere.flatMap(({ sets }) => (sets ? [[sets.column, sets.value] as const] : [])))

function changeEvent(
  record: Changed,
  where: SQL,
  chosen: Chosen,
  event: { type: EventType | SQL<EventType>; many?: boolean },
): SQL {
  const { table, columns, told } = record
  const changed = new Map<string, SQL>(chosen.some.map((one) => [one.column.name, bound(one)]))
  for (const [column, value] of [...rises(record), ...setOf(chosen)]) changed.set(column.name, sql`${value}`)
  const becoming = (column: SQLiteColumn) => {
    const value = changed.get(column.name)
    // The bare name is enough, because the inner query reads a single table.
    if (!value) return sql`${stored(column)}`
    // D1 binds 7 as 7.0, and only storing in an INTEGER column would turn the value back.
    return column.getSQLType() === 'integer'
      ? sql`CAST(${value} AS INTEGER) AS ${stored(column)}`
      : sql`${value} AS ${stored(column)}`
  }
  const become = chosen.elsewhere.flatMap(({ name, becomes }) =>
    becomes ? [{ name, json: sql`json(${becomes})` }] : [],
  )
  // The subquery keeps the table's name, because field expressions refer to the table.
  const row = Object.values(columns).map(becoming)
  return eventSql({
    ...event,
    key: told.key,
    product: told.product,
    person: told.person,
    unnamed: told.unnamed,
    data: withMembers(told.data, become),
    previous: sql`${table}."previous"`,
    from: sql`FROM (SELECT ${list(row)}, ${previousOf(chosen)} AS "previous" FROM ${table}
      WHERE ${where} AND (${differs(chosen)})) ${table} ${told.joins}`,
  })
}

function changeSql(record: Changed, where: SQL, chosen: Chosen): SQL {
  const set = [
    ...chosen.some.map((one) => sql`${stored(one.column)} = ${bound(one)}`),
    ...[...rises(record), ...setOf(chosen)].map(([column, value]) => sql`${stored(column)} = ${value}`),
  ]
  return sql`UPDATE ${record.table} SET ${list(set)} WHERE ${where} AND (${differs(chosen)})`
}

function previousOf({ some, elsewhere }: Chosen): SQL {
  const rows = [
    ...some.map(
      (one) => sql`(${inline(one.name)}, json_quote(${one.field.json()}), ${one.column} IS NOT ${bound(one)})`,
    ),
    ...elsewhere.map(({ name, json, differs }) => sql`(${inline(name)}, ${json}, ${differs})`),
  ]
  return sql`(SELECT json_group_object(column1, json(column2)) FROM (VALUES ${list(rows)}) WHERE column3)`
}
