import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { type EventType, RESOURCES, type ResourceEvent, type ResourceName } from '../../resources'
import { eventSql, eventTypeOf } from '../sql/events'
import type { Shape } from '../sql/field'
import { insertReturningSql, type Returning } from '../sql/returning'
import { setJsonMembers } from '../sql/selection'
import {
  caller,
  type Guard,
  inline,
  insertInto,
  makeStatementCache,
  type Statement,
  statement,
  type Values,
} from '../sql/statement'
import {
  type BodyColumn,
  bindBodyValues,
  bodyColumnsOf,
  boundValueSql,
  type FittingBody,
  keepHiddenLink,
  listPresentMembers,
} from './body'
import type { AnyRecord, KeyColumns, RecordOf } from './record'
import { makeUniqueInsertGuards, makeUniqueUpdateGuards } from './unique'

const joinWithCommas = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const quotedColumnName = (column: SQLiteColumn) => sql.identifier(column.name)

export interface InsertOptions<E extends string> {
  values?: Readonly<Record<string, SQLWrapper>>
  from?: SQL
  except?: readonly E[]
  /** Set if the reply reads only the new row, and neither a trigger nor the rest of the batch changes the row. */
  returns?: Returning<unknown>
}

/** The statement refuses a taken value of the record's `unique` column. */
export function insertStatement<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  B extends z.ZodObject,
  E extends string = never,
>(
  record: RecordOf<R, K, F, D>,
  body: FittingBody<B, F & D, E>,
  { values = {}, from, except = [], returns }: InsertOptions<E> = {},
): (body: Omit<z.output<B>, E>, given?: Values) => Statement<never> {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const { table, detailFields, columns: all } = record
  const columns = new Map(bodyColumnsOf(detailFields, names).map((column) => [column.name, column]))
  const unique = makeUniqueInsertGuards(record, [...columns.values()])
  const nameOf = new Map(Object.entries(all).map(([name, column]) => [column.name, name]))
  const chosen = (body: object) => listPresentMembers(names, body).flatMap((name) => columns.get(name) ?? [])
  const templates = makeStatementCache((changed: readonly BodyColumn[]) => {
    const insert = insertInto(
      table,
      {
        subscriptionId: caller.subscription,
        ...values,
        ...Object.fromEntries(changed.map((one) => [nameOf.get(one.column.name) ?? one.name, boundValueSql(one)])),
        createdAt: caller.now,
        ...(all.updatedAt && { updatedAt: caller.now }),
      },
      from,
    )
    return returns ? insertReturningSql(insert, returns) : insert
  })
  return (body, given = {}) => {
    const changed = chosen(body)
    const template = templates(changed.map(({ name }) => name).join(), changed)
    const values = { ...given, ...bindBodyValues(changed, body) }
    return {
      ...{ template, values, guards: unique(values) },
      ...(returns && { returningTemplate: returns.template }),
    }
  }
}

/** A member stored outside the record and changed together with the record, as SQL of JSON. */
export interface DerivedField {
  readonly name: string
  readonly json: SQL
  readonly differs: SQL
  readonly newValue?: SQL
  readonly source?: { readonly column: SQLiteColumn; readonly value: SQL }
}

interface ChangeSet {
  changed: readonly BodyColumn[]
  derivedFields: readonly DerivedField[]
}

interface UpdateOptions<R extends ResourceName, E extends string> {
  except?: readonly E[]
  /** An event that says why the record changes, beside `updated`. */
  happening?: ResourceEvent<R>
  where?: SQL
  /** Refuses a body, instead of the guard of the record's `unique` column. */
  valueTaken?: (values: Values) => Guard[]
}

/** The events and the update, or an empty list if the body names nothing to change. */
type UpdateStatementMaker = (key: Values, body: object, derived?: readonly DerivedField[]) => Statement<never>[]

/**
 * Nothing is written if nothing differs; null for a field shown as null is no difference. A taken value of the record's
 * `unique` column is refused. The caller changes derived fields afterwards.
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
  { except = [], happening, where = sql`true`, valueTaken }: UpdateOptions<R, E> = {},
): UpdateStatementMaker {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(
    bodyColumnsOf(record.detailFields, names).map((column) => [column.name, keepHiddenLink(column)]),
  )
  const guardsOf = valueTaken ?? makeUniqueUpdateGuards(record, [...columns.values()])
  const key = ({ changed, derivedFields }: ChangeSet) =>
    `${changed.map(({ name }) => name)}|${derivedFields.map(({ name }) => name)}`
  const target = sql`${record.byKey} AND ${where}`
  const events = changeEventTypesOf(record, happening).map((type) =>
    makeStatementCache((chosen: ChangeSet) => changeEventSql(record, target, chosen, { type })),
  )
  const updates = makeStatementCache((chosen: ChangeSet) => updateRecordSql(record, target, chosen))
  return (given, body, derivedFields = []) => {
    const changed = listPresentMembers(names, body).flatMap((name) => columns.get(name) ?? [])
    if (!changed.length && !derivedFields.length) return []
    const chosen = { changed, derivedFields }
    const values = { ...given, ...bindBodyValues(changed, body) }
    return [
      ...events.map((make, n) => ({
        template: make(key(chosen), chosen),
        values,
        ...(n === 0 && { guards: guardsOf(values) }),
      })),
      { template: updates(key(chosen), chosen), values },
    ]
  }
}

interface UpdateWhereOptions<R extends ResourceName> {
  happening?: ResourceEvent<R>
  derived?: readonly DerivedField[]
}

export function updateWhere<R extends ResourceName, K extends KeyColumns, F extends Shape, D extends Shape>(
  record: RecordOf<R, K, F, D>,
  where: SQL,
  set: { readonly [N in keyof (F & D)]?: SQL },
  { happening, derived = [] }: UpdateWhereOptions<R> = {},
): (values: Values) => Statement<never>[] {
  const made = Object.entries<SQL | undefined>(set).flatMap(([name, value]) => (value ? [{ name, value }] : []))
  const changed = bodyColumnsOf(
    record.detailFields,
    made.map(({ name }) => name),
  ).map(
    (column, n): BodyColumn => ({ ...column, field: { ...column.field, setSql: () => made[n]?.value ?? sql`NULL` } }),
  )
  const chosen = { changed, derivedFields: derived }
  const statements = [
    ...changeEventTypesOf(record, happening).map((type) =>
      statement<never, Values>(() => changeEventSql(record, where, chosen, { type, many: true })),
    ),
    statement<never, Values>(() => updateRecordSql(record, where, chosen)),
  ]
  return (values) => statements.map((make) => make(values))
}

type ChangedRecord = Pick<AnyRecord, 'table' | 'columns' | 'eventSource'>

/** Types of the events of a change: `updated`, if the resource has it, and `happening`. */
function changeEventTypesOf(
  { resource, eventSource }: Pick<AnyRecord, 'resource' | 'eventSource'>,
  happening?: string,
) {
  const { events }: { events: readonly string[] } = RESOURCES[resource]
  const isUpdated = events.includes('updated') || events.length === 0
  return [...(isUpdated || !happening ? ['updated'] : []), ...(happening ? [happening] : [])].map((name) =>
    eventTypeOf(eventSource, `${resource}.${name}` as EventType),
  )
}

function hasDifference({ changed, derivedFields }: ChangeSet): SQL {
  const own = changed.length
    ? [
        sql`(${joinWithCommas(changed.map(({ column }) => sql`${column}`))}) IS NOT (${joinWithCommas(changed.map(boundValueSql))})`,
      ]
    : []
  return sql.join([...own, ...derivedFields.map((one) => one.differs)], sql` OR `)
}

const versionAssignments = ({ columns: { version, updatedAt } }: ChangedRecord) => [
  ...(version ? [[version, sql`${version} + 1`] as const] : []),
  ...(updatedAt ? [[updatedAt, caller.now] as const] : []),
]

const sourceAssignments = ({ derivedFields }: ChangeSet) =>
  new Map(derivedFields.flatMap(({ source }) => (source ? [[source.column, source.value] as const] : [])))

function changeEventSql(
  record: ChangedRecord,
  where: SQL,
  chosen: ChangeSet,
  event: { type: EventType | SQL<EventType>; many?: boolean },
): SQL {
  const { table, columns, eventSource } = record
  const changed = new Map<string, SQL>(chosen.changed.map((one) => [one.column.name, boundValueSql(one)]))
  for (const [column, value] of [...versionAssignments(record), ...sourceAssignments(chosen)])
    changed.set(column.name, sql`${value}`)
  const becoming = (column: SQLiteColumn) => {
    const value = changed.get(column.name)
    // The bare name is enough, because the inner query reads a single table.
    if (!value) return sql`${quotedColumnName(column)}`
    // D1 binds 7 as 7.0, and only storing in an INTEGER column would turn the value back.
    return column.getSQLType() === 'integer'
      ? sql`CAST(${value} AS INTEGER) AS ${quotedColumnName(column)}`
      : sql`${value} AS ${quotedColumnName(column)}`
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
    data: setJsonMembers(eventSource.data, become),
    previous: sql`${table}."previous"`,
    from: sql`FROM (SELECT ${joinWithCommas(row)}, ${previousValuesJson(chosen)} AS "previous" FROM ${table}
      WHERE ${where} AND (${hasDifference(chosen)})) ${table} ${eventSource.joins}`,
  })
}

function updateRecordSql(record: ChangedRecord, where: SQL, chosen: ChangeSet): SQL {
  const set = [
    ...chosen.changed.map((one) => sql`${quotedColumnName(one.column)} = ${boundValueSql(one)}`),
    ...[...versionAssignments(record), ...sourceAssignments(chosen)].map(
      ([column, value]) => sql`${quotedColumnName(column)} = ${value}`,
    ),
  ]
  return sql`UPDATE ${record.table} SET ${joinWithCommas(set)} WHERE ${where} AND (${hasDifference(chosen)})`
}

function previousValuesJson({ changed, derivedFields }: ChangeSet): SQL {
  const rows = [
    ...changed.map(
      (one) => sql`(${inline(one.name)}, json_quote(${one.field.json()}), ${one.column} IS NOT ${boundValueSql(one)})`,
    ),
    ...derivedFields.map(({ name, json, differs }) => sql`(${inline(name)}, ${json}, ${differs})`),
  ]
  return sql`(SELECT json_group_object(column1, json(column2)) FROM (VALUES ${joinWithCommas(rows)}) WHERE column3)`
}
