import { is, SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Field, isColumn, type Shape, toField } from '../../../db/sql/field'
import { recordJson } from '../../../db/sql/selection'
import { param } from '../../../db/sql/statement'
import { numberOfRow } from '../statements'

type ColumnValues = ReadonlyMap<SQLiteColumn, SQL>

function replaceColumns(chunk: SQLChunk, values: ColumnValues): SQLChunk {
  if (is(chunk, SQL)) return new SQL(chunk.queryChunks.map((part) => replaceColumns(part, values)))
  if (Array.isArray(chunk)) return chunk.map((part) => replaceColumns(part, values))
  return (isColumn(chunk) && values.get(chunk)) || chunk
}

/**
 * The record that a row becomes, as JSON with the members of the API. The values take the place of the columns, so that
 * a member reads the row as it reads the table. A computed member stays as it is.
 */
export function selectPreview(
  fields: Readonly<Record<string, SQLiteColumn | Field>>,
  values: readonly (readonly [SQLiteColumn, SQL])[],
  computed: Shape,
): SQL {
  const valueByColumn = new Map(values)
  const shown = Object.entries(fields).map(([name, field]) => {
    const json = replaceColumns(toField(field).json(), valueByColumn) as SQL
    return [name, { sql: json, json: () => json }] as const
  })
  return sql`CASE WHEN ${numberOfRow} <= ${param('shown')} THEN ${recordJson({ ...computed, ...Object.fromEntries(shown) })} END`
}
