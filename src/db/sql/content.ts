import { type SQL, sql } from 'drizzle-orm'
import type { ResourceName } from '../../resources'
import { inline } from './statement'

/** Records of a resource that an event counts at most (docs/api-conventions.md). One more stands for all larger counts. */
export const MAX_CASCADE_COUNT = 10_000
const cappedCount = inline(MAX_CASCADE_COUNT + 1)

/** SQL of the number of child records per resource that leave and return with the record, without events of their own. */
export type RecordContent = { readonly [R in ResourceName]?: SQL }

/** At most as many rows as an event counts. */
export const limitContent = (select: SQL): SQL => sql`(${select} LIMIT ${cappedCount})`

export const countContent = (from: SQL): SQL => sql`(SELECT count(*) FROM ${limitContent(sql`SELECT 1 ${from}`)})`

/** For children with a count in the row of each parent. */
export const sumContent = (count: SQL, from: SQL): SQL =>
  sql`(SELECT coalesce(sum(children), 0) FROM ${limitContent(sql`SELECT ${count} AS children ${from}`)})`

// D1 functions take at most 32 arguments: a name and a value for each pair.
const MAX_PAIRS_PER_JSON_OBJECT = 16

/** JSON object of the counts above 0; NULL without such a count. */
export function cascadeJson(content: RecordContent): SQL {
  // json_patch leaves out members with the value null.
  const members = Object.entries(content).map(
    ([resource, count]) => sql`${inline(resource)}, nullif(min(${count}, ${cappedCount}), 0)`,
  )
  let object = sql`'{}'`
  for (let at = 0; at < members.length; at += MAX_PAIRS_PER_JSON_OBJECT) {
    const some = sql.join(members.slice(at, at + MAX_PAIRS_PER_JSON_OBJECT), sql`, `)
    object = sql`json_patch(${object}, json_object(${some}))`
  }
  return sql`nullif(${object}, '{}')`
}
