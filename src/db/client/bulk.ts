import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { REFERENCE_LOOKUPS, type ReferenceKind } from '../sql/references'
import { type Returning, returning } from '../sql/returning'
import { caller, compileSql, inline, makeLazy, param, type Statement, statement, type Values } from '../sql/statement'
import type { Database } from './client'
import { selectDiffering } from './presented'
import type { StorageGuard } from './storage'

export interface BulkOutcome {
  n: number
  id: number | null
  externalKey: string | null
  /** Reason of a failure: a word, or `missing:` with positions in the list of references. */
  problem: string | null
}

type BulkOperationTable = SQLiteTable &
  Record<'subscriptionId' | 'n' | 'itemId' | 'externalKey' | 'problem', SQLiteColumn>

export function makeBulkWriter(
  table: BulkOperationTable,
  externalKey: SQLWrapper,
  rowsPerRecord: number,
  isRequestRow: SQL = sql``,
) {
  const tenant = sql`${table.subscriptionId} = ${caller.subscription}`
  const refuse = statement<never, Values>(sql`INSERT INTO refusal SELECT reason FROM (
    SELECT 'bulk_rejected:' || json_group_array(json_array(n, problem)) AS reason
    FROM ${table} WHERE ${tenant} AND ${table.problem} IS NOT NULL ${isRequestRow} HAVING count(*) > 0)`)
  const outcomes = returning<BulkOutcome, Values>(
    { n: table.n, id: table.itemId, externalKey, problem: table.problem },
    sql`FROM ${table} WHERE ${tenant} ${isRequestRow}`,
  )
  const clearTable = makeLazy(() =>
    compileSql(sql`DELETE FROM ${table} WHERE ${tenant} RETURNING ${outcomes({}).columnList}`),
  )
  const outcome = (): Returning<BulkOutcome> => ({ ...outcomes({}), template: clearTable })
  return {
    refuse: (): Statement<never> => refuse({}),
    async write(
      db: Database,
      count: number,
      statements: readonly Statement[],
      growth?: StorageGuard,
    ): Promise<BulkOutcome[]> {
      const { rows } = await db.write({
        growth,
        statements,
        estimatedRows: count * rowsPerRecord,
        returning: outcome(),
      })
      return rows.filter(({ n }) => n < count).toSorted((one, other) => one.n - other.n)
    },
  }
}

function missingReferencePositions(kinds: readonly ReferenceKind[]): SQL {
  const known = kinds.map((kind) => sql`WHEN ${inline(kind)} THEN EXISTS (${REFERENCE_LOOKUPS[kind].exists})`)
  return sql`SELECT r.key FROM json_each(${param('refs')}) r
    WHERE NOT CASE r.value ->> 'kind' ${sql.join(known, sql` `)} END`
}

/** `missing:` with the positions (from a JSON array) of missing records, or NULL if every record exists. */
export const missingReferencesProblem = (places: SQLWrapper, kinds: readonly ReferenceKind[]) =>
  sql`(SELECT 'missing:' || json_group_array(named.value) FROM json_each(${places}) named
    WHERE named.value IN (${missingReferencePositions(kinds)}) HAVING count(*) > 0)`

/** Member of a staged body with the packed members that the operation cannot set. */
export const READ_ONLY_MEMBER = 'readOnly'

/**
 * Marks the rows whose record has another value of a member that the operation cannot set.
 * @param answered Query of the record of a row as JSON `data`.
 */
export function markReadOnlyRows(table: BulkOperationTable & Record<'body', SQLiteColumn>, answered: SQL) {
  const packed = sql`${table.body} -> ${inline(`$.${READ_ONLY_MEMBER}`)}`
  return statement<never, Values>(sql`UPDATE ${table} SET problem = (${selectDiffering(packed, answered)})
    WHERE ${table.subscriptionId} = ${caller.subscription} AND ${table.problem} IS NULL
      AND json_array_length(${packed}) > 0`)
}

export function valueOrDefault(column: SQLiteColumn, value: SQL): SQL {
  return column.notNull ? sql`coalesce(${value}, ${inline((column.default ?? '') as number | string)})` : value
}

// D1 binds values of up to 2 MB; the rest is room for the driver's overhead.
const MAX_JSON_CHUNK_BYTES = 1_900_000

const utf8Encoder = new TextEncoder()

export function splitIntoJsonArrays(items: readonly unknown[]): string[] {
  const whole = JSON.stringify(items)
  // UTF-8 takes at most three bytes for a JavaScript character.
  if (whole.length * 3 <= MAX_JSON_CHUNK_BYTES || utf8Encoder.encode(whole).length <= MAX_JSON_CHUNK_BYTES)
    return [whole]
  const chunks: string[] = []
  let parts: string[] = []
  let size = 2
  for (const item of items) {
    const part = JSON.stringify(item)
    const bytes = utf8Encoder.encode(part).length + 1
    if (parts.length && size + bytes > MAX_JSON_CHUNK_BYTES) {
      chunks.push(`[${parts.join(',')}]`)
      parts = []
      size = 2
    }
    parts.push(part)
    size += bytes
  }
  chunks.push(`[${parts.join(',')}]`)
  return chunks
}

type JsonChunk = { rows: string; refs: string }

export const makeChunkStatements = (
  insertChunk: (chunk: JsonChunk) => Statement<never>,
  rows: readonly unknown[],
  refs: readonly object[],
): Statement<never>[] =>
  splitIntoJsonArrays(rows).map((chunk) => ({
    ...insertChunk({ rows: chunk, refs: JSON.stringify(refs) }),
    bindsRows: true,
  }))
