import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { type ColumnData, type Field, isColumn, isField, type Shape, toField } from '../sql/field'
import { param, type SqlValue, type Values } from '../sql/statement'

type FieldInput<F> = F extends SQLiteColumn ? ColumnData<F> : F extends Field<infer _S, infer _T, infer G> ? G : never

type MismatchedMembers<B, F, E> = {
  [N in Exclude<keyof B, E>]: N extends keyof F ? (Exclude<B[N], undefined> extends FieldInput<F[N]> ? never : N) : N
}[Exclude<keyof B, E>]

/** A body with a matching field for every member. The compiler names a misfit. */
export type FittingBody<B extends z.ZodObject, F, E> = [MismatchedMembers<z.output<B>, F, E>] extends [never]
  ? B
  : { 'no such field, or of another type': MismatchedMembers<z.output<B>, F, E> }

export interface BodyColumn {
  readonly name: string
  readonly field: Field
  readonly column: SQLiteColumn
}

export function boundValueSql({ name, field }: Pick<BodyColumn, 'name' | 'field'>): SQL {
  const value = sql`${param(`=${name}`)}`
  return field.setSql ? field.setSql(value) : value
}

export function bodyColumnsOf(fields: Shape, names: readonly string[]): BodyColumn[] {
  return names.map((name) => {
    const member = fields[name]
    const field = member && (isColumn(member) || isField(member)) ? toField(member) : undefined
    if (!field?.column) throw new Error(`${name} is no field that a write can set`)
    return { name, field, column: field.column }
  })
}

export function keepHiddenLink({ name, field, column }: BodyColumn): BodyColumn {
  if (!field.hidesRemoved) return { name, field, column }
  const set = (given: SQL) =>
    sql`coalesce(${field.setSql ? field.setSql(given) : given}, iif(${field.sql} IS NULL, ${column}, NULL))`
  return { name, field: { ...field, setSql: set }, column }
}

/** Members set by a body, in a fixed order: the same set of members gives the same SQL text. */
export const listPresentMembers = (all: readonly string[], body: object) =>
  all.filter((name) => (body as Record<string, unknown>)[name] !== undefined)

export function bindBodyValues(columns: readonly BodyColumn[], body: object): Values {
  const given = body as Record<string, unknown>
  return Object.fromEntries(
    columns.map(({ name, field }) => {
      const value = given[name]
      return [`=${name}`, (value !== null && field.store ? field.store(value) : value) as SqlValue]
    }),
  )
}

export function storedValuesByColumn(fields: Shape, body: object): Record<string, unknown> {
  const columns = bodyColumnsOf(fields, listPresentMembers(Object.keys(body), body))
  const values = bindBodyValues(columns, body)
  return Object.fromEntries(columns.map(({ name, column }) => [column.name, values[`=${name}`]]))
}
