import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { EventType, Happening, ResourceName } from '../resources'
import { bounded, dataOf, eventSql } from './events'
import { type Data, type Field, fieldOf, isColumn, isField, type Shape } from './field'
import type { KeyColumns, RecordOf } from './record'
import { caller, insertInto, param, type SqlValue, type Statement, textsBy, type Values } from './statement'

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

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const stored = (column: SQLiteColumn) => sql.identifier(column.name)

interface Fixed {
  /** Columns that a body does not name, by their name in the schema. */
  values?: Readonly<Record<string, SQL>>
  from?: SQL
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
  { table, fields, columns: all }: RecordOf<R, K, F, D>,
  body: Fitting<B, F, E>,
  { values = {}, from, except = [] }: Fixed & { except?: readonly E[] } = {},
): (body: Omit<z.output<B>, E>, given?: Values) => Statement<never> {
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(columnsOf(fields, names).map((column) => [column.name, column]))
  const nameOf = new Map(Object.entries(all).map(([name, column]) => [column.name, name]))
  const chosen = (body: object) => present(names, body).flatMap((name) => columns.get(name) ?? [])
  const templates = textsBy((some: readonly Column[]) =>
    insertInto(
      table,
      {
        subscriptionId: caller.subscription,
        ...values,
        ...Object.fromEntries(some.map((one) => [nameOf.get(one.column.name) ?? one.name, bound(one)])),
        createdAt: caller.now,
        ...(all.updatedAt && { updatedAt: caller.now }),
      },
      from,
    ),
  )
  return (body, given = {}) => {
    const some = chosen(body)
    const template = templates(some.map(({ name }) => name).join(), some)
    return { template, values: { ...given, ...valuesOf(some, body) } }
  }
}

/** What is kept elsewhere and changes with a record: its JSON as it is, and whether it is about to differ. */
export interface Elsewhere {
  readonly name: string
  readonly json: SQL
  readonly differs: SQL
}

interface Modification {
  /** `[event, update]`; none when the body names nothing that could change. */
  (key: Values, body: object, elsewhere?: readonly Elsewhere[]): Statement<never>[]
}

/**
 * Makes the statements of a modify: an event with what the changed fields were and what the record becomes, then the
 * change. Where nothing differs neither writes anything. What is kept elsewhere is changed by the room, afterwards.
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
  body: Fitting<B, F, E>,
  { except = [], happening = 'updated' as Happening<R> }: { except?: readonly E[]; happening?: Happening<R> } = {},
): Modification {
  const { table, told, addressed, resource, fields, columns: all } = record
  const names = Object.keys((body as B).shape).filter((name) => !except.includes(name as E))
  const columns = new Map(columnsOf(fields, names).map((column) => [column.name, column]))
  interface Chosen {
    some: readonly Column[]
    elsewhere: readonly Elsewhere[]
  }
  const key = ({ some, elsewhere }: Chosen) => `${some.map(({ name }) => name)}|${elsewhere.map(({ name }) => name)}`
  const differs = ({ some, elsewhere }: Chosen) =>
    sql.join(
      [
        ...(some.length
          ? [sql`(${list(some.map(({ column }) => sql`${column}`))}) IS NOT (${list(some.map(bound))})`]
          : []),
        ...elsewhere.map((one) => one.differs),
      ],
      sql` OR `,
    )
  const rises = [
    ...(all.version ? [[all.version, sql`${all.version} + 1`] as const] : []),
    ...(all.updatedAt ? [[all.updatedAt, caller.now] as const] : []),
  ]

  // The record as it becomes, under the name of its table: what shows it need not know.
  const becoming = (chosen: Chosen) => {
    const changed = new Map<string, SQL>(chosen.some.map((one) => [one.column.name, bound(one)]))
    for (const [column, value] of rises) changed.set(column.name, sql`${value}`)
    const row = Object.values(all).map((column) => sql`${changed.get(column.name) ?? column} AS ${stored(column)}`)
    return sql`FROM (SELECT ${list(row)}, ${previousOf(chosen)} AS "previous" FROM ${table}
      WHERE ${addressed} AND (${differs(chosen)})) AS ${sql.identifier(getTableName(table))} ${told.joins}`
  }
  const events = textsBy((chosen: Chosen) =>
    eventSql({
      type: `${resource}.${happening}` as EventType,
      key: told.key,
      product: told.product,
      person: told.person,
      data: dataOf(told),
      previous: sql`${table}."previous"`,
      from: becoming(chosen),
    }),
  )
  const updates = textsBy((chosen: Chosen) => {
    const set = [
      ...chosen.some.map((one) => sql`${stored(one.column)} = ${bound(one)}`),
      ...rises.map(([column, value]) => sql`${stored(column)} = ${value}`),
    ]
    return sql`UPDATE ${table} SET ${list(set)} WHERE ${addressed} AND (${differs(chosen)})`
  })
  return (given, body, elsewhere = []) => {
    const some = present(names, body).flatMap((name) => columns.get(name) ?? [])
    if (!some.length && !elsewhere.length) return []
    const chosen = { some, elsewhere }
    const values = { ...given, ...valuesOf(some, body) }
    return [events(key(chosen), chosen), updates(key(chosen), chosen)].map((template) => ({ template, values }))
  }
}

/** A JSON object of what is about to change, as it was. */
function previousOf({ some, elsewhere }: { some: readonly Column[]; elsewhere: readonly Elsewhere[] }): SQL {
  const document = (cap: SQL) => {
    const rows = [
      ...some.map(
        (one) =>
          sql`(${sql.raw(`'${one.name}'`)}, json_quote(${one.field.json(cap)}), ${one.column} IS NOT ${bound(one)})`,
      ),
      ...elsewhere.map(({ name, json, differs }) => sql`(${sql.raw(`'${name}'`)}, ${json}, ${differs})`),
    ]
    return sql`(SELECT json_group_object(column1, json(column2)) FROM (VALUES ${list(rows)}) WHERE column3)`
  }
  return some.some(({ field }) => field.long) ? bounded(document) : document(sql.raw('1000000000'))
}
