import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { param, type Values } from './statement'

/** How a field of the interface is stored. `hundredths`: a number kept as an integer; `moment`: milliseconds. */
export type Kind = 'text' | 'number' | 'hundredths' | 'moment' | 'flag' | 'json'

export type Fields<T extends SQLiteTable> = Readonly<
  Record<string, { readonly column: keyof T['_']['columns'] & string; readonly kind: Kind }>
>

/** Names of the fields that a body sets, in one order, so that the same set of fields is the same SQL text. */
export function present(body: object, fields: object): string[] {
  const given = body as Record<string, unknown>
  return Object.keys(fields).filter((name) => given[name] !== undefined)
}

/** The values of fields as they are bound: `=name` for each. */
export function fieldValues(body: object, names: readonly string[], fields: Fields<SQLiteTable>): Values {
  const given = body as Record<string, unknown>
  return Object.fromEntries(
    names.map((name) => {
      const value = given[name]
      return [`=${name}`, fields[name]?.kind === 'json' ? JSON.stringify(value) : (value as string | number | null)]
    }),
  )
}

export const fieldParam = (name: string) => param(`=${name}`)

// As in an event's data: what was there before may be long too.
const LONG = sql.raw('20000')

function jsonOf(column: SQLiteColumn, kind: Kind): SQL {
  switch (kind) {
    case 'json':
      return sql`CASE WHEN length(${column}) > ${LONG} THEN '"too long"' ELSE json(${column}) END`
    case 'flag':
      return sql`CASE ${column} WHEN 0 THEN 'false' ELSE 'true' END`
    case 'moment':
      return sql`coalesce('"' || strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch') || '"', 'null')`
    case 'hundredths':
      return sql`json_quote(${column} / 100.0)`
    case 'text':
      return sql`json_quote(CASE WHEN length(${column}) > ${LONG} THEN substr(${column}, 1, ${LONG}) || '…' ELSE ${column} END)`
    default:
      return sql`json_quote(${column})`
  }
}

/**
 * A JSON object of the fields that are about to change, as they were. To be read before the UPDATE of the same batch.
 * `others`: what is stored elsewhere, as SQL of its JSON.
 */
export function previousSql<T extends SQLiteTable>(
  table: T,
  fields: Fields<T>,
  names: readonly string[],
  others: Readonly<Record<string, SQL>> = {},
): SQL {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table)
  const rows = names.flatMap((name) => {
    const field = fields[name]
    if (!field) return []
    const column = columns[field.column]
    if (!column) return []
    return [sql`(${sql.raw(`'${name}'`)}, ${jsonOf(column, field.kind)}, ${column} IS NOT ${fieldParam(name)})`]
  })
  for (const [name, json] of Object.entries(others)) rows.push(sql`(${sql.raw(`'${name}'`)}, ${json}, 1)`)
  if (!rows.length) return sql`'{}'`
  return sql`(SELECT json_group_object(column1, json(column2)) FROM (VALUES ${sql.join(rows, sql`, `)}) WHERE column3)`
}

/** `{ column: parameter }` for the fields, as `insertInto` and `assignments` take them. */
export function fieldColumns(names: readonly string[], fields: Fields<SQLiteTable>): Record<string, SQL> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = fields[name]
      return field ? [[field.column, sql`${fieldParam(name)}`]] : []
    }),
  )
}
