import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { REFERENCES, type ReferenceKind } from './references'
import { param, type Statement, statement, type Values } from './statement'

/** Which of the things that operations name are not there, by their place in `refs`: rows (key). */
export function missingRefs(kinds: readonly ReferenceKind[]): SQL {
  const known = kinds.map((kind) => sql`WHEN ${sql.raw(`'${kind}'`)} THEN EXISTS (${REFERENCES[kind].exists})`)
  return sql`SELECT r.key FROM json_each(${param('refs')}) r
    WHERE NOT CASE r.value ->> 'kind' ${sql.join(known, sql` `)} END`
}

/** `missing:` and the places in `refs` that are not there, of those in a JSON array; NULL where all are. */
export const problemOfRefs = (places: SQLWrapper, kinds: readonly ReferenceKind[]) =>
  sql`(SELECT 'missing:' || json_group_array(named.value) FROM json_each(${places}) named
    WHERE named.value IN (${missingRefs(kinds)}) HAVING count(*) > 0)`

/** Refuses all of the operations where one has a problem; `from`: those (n, problem) that have one. */
export const refusesAll = (from: SQL): (() => Statement<never>) => {
  const refuse = statement<never, Values>(sql`INSERT INTO refusal SELECT reason FROM (
    SELECT 'bulk_rejected:' || json_group_array(json_array(n, problem)) AS reason ${from} HAVING count(*) > 0)`)
  return () => refuse({})
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
