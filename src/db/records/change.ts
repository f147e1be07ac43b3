import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { EventType, ResourceEvent, ResourceName } from '../../resources'
import { eventSql, eventTypeOf } from '../sql/events'
import { type ColumnData, type Field, fieldOf, isColumn, isField, type Shape } from '../sql/field'
import { insertReturning, type Returning } from '../sql/returning'
import { withMembers } from '../sql/selection'
import {
  caller,
  inline,
  insertInto,
  param,
  type SqlValue,
  type Statement,
  statement,
  statementCache,
  type Values,
} from '../sql/statement'
import type { AnyRecord, KeyColumns, RecordOf } from './record'

type InputOf<F> = F extends SQLiteColumn ? ColumnData<F> : F extends Field<infer _S, infer _T, infer G> ? G : never

type MismatchedMembers<B, F, E> = {
  [N in Exclude<keyof B, E>]: N extends keyof F ? (Exclude<B[N], undefined> extends InputOf<F[N]> ? never : N) : N
}[Exclude<keyof B, E>]

/** A body with a matching field for every member. The compiler names a misfit. */
export type FittingBody<B extends z.ZodObject, F, E> = [MismatchedMembers<z.output<B>, F, E>] extends [never]
  ? B
  : { 'no such field, or of another type': MismatchedMembers<z.output<B>, F, E> }

interface Column {
  readonly name: string
  readonly field: Field
  readonly column: SQLiteColumn
}

function boundValue({ name, field }: Pick<Column, 'name' | 'field'>): SQL {
  const value = sql`${param(`=${name}`)}`
  return field.setSql ? field.setSql(value) : value
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
function keepHiddenLink({ name, field, column }: Column): Column {
  if (!field.hidesRemoved) return { name, field, column }
  const set = (given: SQL) =>
    sql`coalesce(${field.setSql ? field.setSql(given) : given}, iif(${field.sql} IS NULL, ${column}, NULL))`
  return { name, field: { ...field, setSql: set }, column }
}

/** Members set by a body, in a fixed order: the same set of members gives the same SQL text. */
const presentNames = (all: readonly string[], body: object) =>
  all.filter((name) => (body as Record<string, unknown>)[name] !== undefined)

function boundValues(columns: readonly Column[], body: object): Values {
  const given = body as Record<string, unknown>
  return Object.fromEntries(
    columns.map(({ name, field }) => {
      const value = given[name]
      return [`=${name}`, (value !== null && field.store ? field.store(value) : value) as SqlValue]
    }),
  )
}

/** Stored values of a body by column name, for rows written together. */
export function storedColumns(fields: Shape, body: object): Record<string, unknown> {
  const columns = columnsOf(fields, presentNames(Object.keys(body), body))
  const values = boundValues(columns, body)
  return Object.fromEntries(columns.map(({ name, column }) => [column.name, values[`=${name}`]]))
}

const commaList = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const columnName = (column: SQLiteColumn) => sql.identifier(column.name)

export interface InsertOptions<E extends string> {
  values?: Readonly<Record<string, SQLWrapper>>
  from?: SQL
  except?: readonly E[]
  /**
   * Statement of the reply, if the reply reads only the new row, and neither a trigger nor the rest of the batch
   * changes the row.
   */
  returns?: Returning<unknown>
}

/** Makes the statement to insert a record from a body, with tenant and timestamps. */
export function insertStatement<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  B extends z.ZodObject,
  E extends string = never,
>(
  { table, detailFields, columns: all }: RecordOf<R, K, F, D>,
  body: FittingBody<B, F & D, E>,
  { values = {}, from, except = [], returns }: InsertOptions<E> = {},
): (body: Omit<z.output<B>, E>, given?: Values) => Statement<never> {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(columnsOf(detailFields, names).map((column) => [column.name, column]))
  const nameOf = new Map(Object.entries(all).map(([name, column]) => [column.name, name]))
  const chosen = (body: object) => presentNames(names, body).flatMap((name) => columns.get(name) ?? [])
  const templates = statementCache((changed: readonly Column[]) => {
    const insert = insertInto(
      table,
      {
        subscriptionId: caller.subscription,
        ...values,
        ...Object.fromEntries(changed.map((one) => [nameOf.get(one.column.name) ?? one.name, boundValue(one)])),
        createdAt: caller.now,
        ...(all.updatedAt && { updatedAt: caller.now }),
      },
      from,
    )
    return returns ? insertReturning(insert, returns) : insert
  })
  return (body, given = {}) => {
    const changed = chosen(body)
    const template = templates(changed.map(({ name }) => name).join(), changed)
    return {
      template,
      values: { ...given, ...boundValues(changed, body) },
      ...(returns && { returningTemplate: returns.template }),
    }
  }
}

/** A member stored outside the record and changed together with the record, as SQL of JSON. */
export interface DerivedField {
  readonly name: string
  readonly json: SQL
  readonly differs: SQL
  /** New value in the form of `json`, for the event. Without a new value, the event reads the stored value. */
  readonly newValue?: SQL
  /** Source column of the member, set in the same UPDATE. */
  readonly source?: { readonly column: SQLiteColumn; readonly value: SQL }
}

interface ChangeSet {
  changed: readonly Column[]
  derivedFields: readonly DerivedField[]
}

interface UpdateOptions<R extends ResourceName, E extends string> {
  except?: readonly E[]
  happening?: ResourceEvent<R>
  where?: SQL
}

/** `[event, update]`, or an empty list if the body names nothing to change. */
type UpdateBuilder = (key: Values, body: object, derived?: readonly DerivedField[]) => Statement<never>[]

/**
 * Makes the statements of an update: an event with old and new values of the changed fields, followed by the UPDATE.
 * Nothing is written if nothing differs; null for a field shown as null is no difference. The caller changes derived
 * fields afterwards.
 */
export function updateStatement<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  B extends z.ZodObject,
  E extends string = never,
>(
  record: RecordOf<R, K, F, D>,
  body: FittingBody<B, F & D, E>,
  { except = [], happening = 'updated' as ResourceEvent<R>, where = sql`true` }: UpdateOptions<R, E> = {},
): UpdateBuilder {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(columnsOf(record.detailFields, names).map((column) => [column.name, keepHiddenLink(column)]))
  const key = ({ changed, derivedFields }: ChangeSet) =>
    `${changed.map(({ name }) => name)}|${derivedFields.map(({ name }) => name)}`
  const event = { type: eventTypeOf(record.eventSource, `${record.resource}.${happening}` as EventType) }
  const target = sql`${record.byKey} AND ${where}`
  const events = statementCache((chosen: ChangeSet) => changeEventSql(record, target, chosen, event))
  const updates = statementCache((chosen: ChangeSet) => updateSql(record, target, chosen))
  return (given, body, derivedFields = []) => {
    const changed = presentNames(names, body).flatMap((name) => columns.get(name) ?? [])
    if (!changed.length && !derivedFields.length) return []
    const chosen = { changed, derivedFields }
    const values = { ...given, ...boundValues(changed, body) }
    return [events(key(chosen), chosen), updates(key(chosen), chosen)].map((template) => ({ template, values }))
  }
}

interface UpdateWhereOptions<R extends ResourceName> {
  happening?: ResourceEvent<R>
  /** Derived fields already changed by the batch. */
  derived?: readonly DerivedField[]
}

/**
 * Makes the statements to set fields of all records in `where` to computed values: an event per changed record,
 * followed by the UPDATE.
 */
export function updateWhere<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  record: RecordOf<R, K, F, D>,
  where: SQL,
  set: { readonly [N in keyof (F & D)]?: SQL },
  { happening = 'updated' as ResourceEvent<R>, derived = [] }: UpdateWhereOptions<R> = {},
): (values: Values) => Statement<never>[] {
  const made = Object.entries<SQL | undefined>(set).flatMap(([name, value]) => (value ? [{ name, value }] : []))
  const changed = columnsOf(
    record.detailFields,
    made.map(({ name }) => name),
  ).map((column, n): Column => ({ ...column, field: { ...column.field, setSql: () => made[n]?.value ?? sql`NULL` } }))
  const chosen = { changed, derivedFields: derived }
  const event = { type: eventTypeOf(record.eventSource, `${record.resource}.${happening}` as EventType), many: true }
  const statements = [
    statement<never, Values>(() => changeEventSql(record, where, chosen, event)),
    statement<never, Values>(() => updateSql(record, where, chosen)),
  ]
  return (values) => statements.map((make) => make(values))
}

type ChangedRecord = Pick<AnyRecord, 'table' | 'columns' | 'eventSource'>

function hasDifference({ changed, derivedFields }: ChangeSet): SQL {
  const own = changed.length
    ? [sql`(${commaList(changed.map(({ column }) => sql`${column}`))}) IS NOT (${commaList(changed.map(boundValue))})`]
    : []
  return sql.join([...own, ...derivedFields.map((one) => one.differs)], sql` OR `)
}

const versionAssignments = ({ columns: { version, updatedAt } }: ChangedRecord) => [
  ...(version ? [[version, sql`${version} + 1`] as const] : []),
  ...(updatedAt ? [[updatedAt, caller.now] as const] : []),
]

/** Source columns of derived fields. Several fields may share a column. */
const sourceAssignments = ({ derivedFields }: ChangeSet) =>
  new Map(derivedFields.flatMap(({ source }) => (source ? [[source.column, source.value] as const] : [])))

function changeEventSql(
  record: ChangedRecord,
  where: SQL,
  chosen: ChangeSet,
  event: { type: EventType | SQL<EventType>; many?: boolean },
): SQL {
  const { table, columns, eventSource } = record
  const changed = new Map<string, SQL>(chosen.changed.map((one) => [one.column.name, boundValue(one)]))
  for (const [column, value] of [...versionAssignments(record), ...sourceAssignments(chosen)])
    changed.set(column.name, sql`${value}`)
  const becoming = (column: SQLiteColumn) => {
    const value = changed.get(column.name)
    // The bare name is enough, because the inner query reads a single table.
    if (!value) return sql`${columnName(column)}`
    // D1 binds 7 as 7.0, and only storing in an INTEGER column would turn the value back.
    return column.getSQLType() === 'integer'
      ? sql`CAST(${value} AS INTEGER) AS ${columnName(column)}`
      : sql`${value} AS ${columnName(column)}`
  }
  const become = chosen.derivedFields.flatMap(({ name, newValue }) =>
    newValue ? [{ name, json: sql`json(${newValue})` }] : [],
  )
  // The subquery keeps the table's name, because field expressions refer to the table.
  const row = Object.values(columns).map(becoming)
  return eventSql({
    ...event,
    key: eventSource.key,
    product: eventSource.product,
    person: eventSource.person,
    hidesActor: eventSource.hidesActor,
    data: withMembers(eventSource.data, become),
    previous: sql`${table}."previous"`,
    from: sql`FROM (SELECT ${commaList(row)}, ${previousJson(chosen)} AS "previous" FROM ${table}
      WHERE ${where} AND (${hasDifference(chosen)})) ${table} ${eventSource.joins}`,
  })
}

function updateSql(record: ChangedRecord, where: SQL, chosen: ChangeSet): SQL {
  const set = [
    ...chosen.changed.map((one) => sql`${columnName(one.column)} = ${boundValue(one)}`),
    ...[...versionAssignments(record), ...sourceAssignments(chosen)].map(
      ([column, value]) => sql`${columnName(column)} = ${value}`,
    ),
  ]
  return sql`UPDATE ${record.table} SET ${commaList(set)} WHERE ${where} AND (${hasDifference(chosen)})`
}

function previousJson({ changed, derivedFields }: ChangeSet): SQL {
  const rows = [
    ...changed.map(
      (one) => sql`(${inline(one.name)}, json_quote(${one.field.json()}), ${one.column} IS NOT ${boundValue(one)})`,
    ),
    ...derivedFields.map(({ name, json, differs }) => sql`(${inline(name)}, ${json}, ${differs})`),
  ]
  return sql`(SELECT json_group_object(column1, json(column2)) FROM (VALUES ${commaList(rows)}) WHERE column3)`
}
