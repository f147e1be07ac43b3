import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Answer, answer } from './answer'
import type { Database } from './client'
import { REFERENCES, type ReferenceKind } from './references'
import { caller, compile, inline, once, param, type Statement, statement, type Values } from './statement'

/** What became of an operation. */
export interface BulkRow {
  n: number
  id: number | null
  externalKey: string | null
  /** Why it was left out: a word, or `missing:` and places in what it names. */
  problem: string | null
}

type BulkTable = SQLiteTable & Record<'subscriptionId' | 'n' | 'itemId' | 'externalKey' | 'problem', SQLiteColumn>

/**
 * How the operations of a request, which lie in a table while its batch goes on, are refused and answered. `asked`: which
 * of the rows they are, where others lie beside them.
 */
export function operationsIn(table: BulkTable, externalKey: SQLWrapper, rowsPerRecord: number, asked: SQL = sql``) {
  const tenant = sql`${table.subscriptionId} = ${caller.subscription}`
  const refuse = statement<never, Values>(sql`INSERT INTO refusal SELECT reason FROM (
    SELECT 'bulk_rejected:' || json_group_array(json_array(n, problem)) AS reason
    FROM ${table} WHERE ${tenant} AND ${table.problem} IS NOT NULL ${asked} HAVING count(*) > 0)`)
  const kept = answer<BulkRow, Values>(
    { n: table.n, id: table.itemId, externalKey, problem: table.problem },
    sql`FROM ${table} WHERE ${tenant} ${asked}`,
  )
  const cleared = once(() => compile(sql`DELETE FROM ${table} WHERE ${tenant} RETURNING ${kept({}).row}`))
  /** Answers with what became of each, and clears the table. */
  const outcome = (): Answer<BulkRow> => ({ ...kept({}), template: cleared })
  return {
    /** Refuses all of the operations where one has a problem. */
    refuse: (): Statement<never> => refuse({}),
    /** Writes, and answers with what became of the first `count` rows, in their order. */
    async write(db: Database, count: number, statements: readonly Statement[]): Promise<BulkRow[]> {
      const { answer } = await db.write({ statements, estimatedRows: count * rowsPerRecord, answer: outcome() })
      return answer.filter(({ n }) => n < count).toSorted((one, other) => one.n - other.n)
    },
  }
}

/** Which of the things that operations name are not there, by their place in `refs`: rows (key). */
function missingRefs(kinds: readonly ReferenceKind[]): SQL {
  const known = kinds.map((kind) => sql`WHEN ${inline(kind)} THEN EXISTS (${REFERENCES[kind].exists})`)
  return sql`SELECT r.key FROM json_each(${param('refs')}) r
    WHERE NOT CASE r.value ->> 'kind' ${sql.join(known, sql` `)} END`
}

/** `missing:` and the places in `refs` that are not there, of those in a JSON array; NULL where all are. */
export const problemOfRefs = (places: SQLWrapper, kinds: readonly ReferenceKind[]) =>
  sql`(SELECT 'missing:' || json_group_array(named.value) FROM json_each(${places}) named
    WHERE named.value IN (${missingRefs(kinds)}) HAVING count(*) > 0)`

/** What a row brings for a column, or what that has by itself where it must have something. */
export function orDefault(column: SQLiteColumn, value: SQL): SQL {
  return column.notNull ? sql`coalesce(${value}, ${inline((column.default ?? '') as number | string)})` : value
}

// One bound value may have 2 MB (D1); the rest is room for what the driver adds.
const MAX_BYTES = 1_900_000

const encoder = new TextEncoder()

/** JSON arrays that together hold the items in order, each short enough to be one bound value for `json_each`. */
export function jsonChunks(items: readonly unknown[]): string[] {
  const whole = JSON.stringify(items)
  // UTF-8 takes at most three bytes for what JavaScript counts as one.
  if (whole.length * 3 <= MAX_BYTES || encoder.encode(whole).length <= MAX_BYTES) return [whole]
  const chunks: string[] = []
  let parts: string[] = []
  let size = 2
  for (const item of items) {
    const part = JSON.stringify(item)
    const bytes = encoder.encode(part).length + 1
    if (parts.length && size + bytes > MAX_BYTES) {
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

type Chunk = { rows: string; refs: string }

/** The statements that lay rows out, a chunk of them each; `refs`: what they name. */
export const inChunks = (
  added: (chunk: Chunk) => Statement<never>,
  rows: readonly unknown[],
  refs: readonly object[],
): Statement<never>[] =>
  jsonChunks(rows).map((chunk) => ({ ...added({ rows: chunk, refs: JSON.stringify(refs) }), apart: true }))
