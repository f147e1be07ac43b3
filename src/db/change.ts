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

/** Members of a body that are no field of the record, or of another type than its column takes. */
type Misfit<B, F, E> = {
  [N in Exclude<keyof B, E>]: N extends keyof F ? (Exclude<B[N], undefined> extends Given<F[N]> ? never : N) : N
}[Exclude<keyof B, E>]

/** A body whose every member is written to the field of the same name; the compiler names one that is not. */
export type Fitting<B extends z.ZodObject, F, E> = [Misfit<z.output<B>, F, E>] extends [never]
  ? B
  : { 'no such field, or of another type': Misfit<z.output<B>, F, E> }

interface Column {
  readonly name: string
  readonly field: Field
  readonly column: SQLiteColumn
}

/** What of a body's member goes into its column. */
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

/** The same column, which keeps its link to a removed record where null is shown and null is given. */
function keepingHidden({ name, field, column }: Column): Column {
  if (!field.hidesRemoved) return { name, field, column }
  const set = (given: SQL) =>
    sql`coalesce(${field.set ? field.set(given) : given}, iif(${field.sql} IS NULL, ${column}, NULL))`
  return { name, field: { ...field, set }, column }
}

/** The members that a body sets, in one order, so that the same set of members is the same text. */
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

/** What the members of a body are stored as, by the names of their columns: for rows that are written together. */
export function storedAs(fields: Shape, body: object): Record<string, unknown> {
  const columns = columnsOf(fields, present(Object.keys(body), body))
  const values = valuesOf(columns, body)
  return Object.fromEntries(columns.map(({ name, column }) => [column.name, values[`=${name}`]]))
}

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const stored = (column: SQLiteColumn) => sql.identifier(column.name)

export interface Inserted<E extends string> {
  /** Columns that a body does not name, by their name in the schema. */
  values?: Readonly<Record<string, SQLWrapper>>
  from?: SQL
  except?: readonly E[]
  /** What answers the write, if it reads the new row alone, and neither a trigger nor the rest of the batch changes that. */
  returns?: Answer<unknown>
}

/** Makes the statement that inserts a record: the members of its body, its place, its moments. */
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

/** A member of a record that is kept elsewhere and changes with it: as JSON, as it is and as it becomes. */
export interface Elsewhere {
  readonly name: string
  readonly json: SQL
  readonly differs: SQL
  /** What it becomes, in the form of `json`, for the event's data; without it, what there is when the event is written. */
  readonly becomes?: SQL
  /** A column of the record that it comes from, and that is set with the others. */
  readonly sets?: { readonly column: SQLiteColumn; readonly value: SQL }
}

interface Chosen {
  some: readonly Column[]
  elsewhere: readonly Elsewhere[]
}

interface Modified<R extends ResourceName, E extends string> {
  except?: readonly E[]
  happening?: Happening<R>
  /** What must hold of the record besides that something differs. */
  where?: SQL
}

/** `[event, update]`; none when the body names nothing that could change. */
type Modification = (key: Values, body: object, elsewhere?: readonly Elsewhere[]) => Statement<never>[]

/**
 * Makes the statements of a modify: an event with what the changed fields were and what the record becomes, then the
 * change. Where nothing differs neither writes anything; null where null is shown is no difference. What is kept elsewhere is changed by the room, afterwards.
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
  /** What differs besides: the batch has changed it already. */
  elsewhere?: readonly Elsewhere[]
}

/**
 * Makes the statements that set fields of the records in `where` to what the database computes: an event for each that
 * differs, as of a modify, then the change of those.
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

/** What a change needs of a record. */
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

/** Columns that members kept elsewhere come from: several may come from one. */
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
    // The inner query knows one table: the bare name will do.
    if (!value) return sql`${stored(column)}`
    // D1 binds 7 as 7.0, which only a column makes an integer again.
    return column.getSQLType() === 'integer'
      ? sql`CAST(${value} AS INTEGER) AS ${stored(column)}`
      : sql`${value} AS ${stored(column)}`
  }
  const become = chosen.elsewhere.flatMap(({ name, becomes }) =>
    becomes ? [{ name, json: sql`json(${becomes})` }] : [],
  )
  // The record as it becomes, under the name of its table: what shows it need not know.
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

/** A JSON object of what is about to change, as it was. */
function previousOf({ some, elsewhere }: Chosen): SQL {
  const rows = [
    ...some.map(
      (one) => sql`(${inline(one.name)}, json_quote(${one.field.json()}), ${one.column} IS NOT ${bound(one)})`,
    ),
    ...elsewhere.map(({ name, json, differs }) => sql`(${inline(name)}, ${json}, ${differs})`),
  ]
  return sql`(SELECT json_group_object(column1, json(column2)) FROM (VALUES ${list(rows)}) WHERE column3)`
}
