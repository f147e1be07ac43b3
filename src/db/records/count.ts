import { type SQL, sql } from 'drizzle-orm'
import { filterConditions } from '../sql/filter'
import { caller, inline } from '../sql/statement'
import { unionAll } from './page'
import {
  hasProductRanges,
  listedCondition,
  listPlainFilters,
  listUnindexedFilters,
  type PageShape,
  scannedConditions,
  scopeConditions,
} from './page-scope'

/** Records that a list counts at most (docs/api-conventions.md): the count reads this many entries of an index. */
export const MAX_COUNTED_RECORDS = 10_000

export interface CountRow {
  looked: number
  matching: number
}

/** A filter without an index does not end the walk: `looked` counts all records of the scope, `matching` the matches. */
export function countSql(shape: PageShape): SQL {
  const walked = listUnindexedFilters(shape)
  const indexed = filterConditions(listPlainFilters(shape))
  const matches = walked.length ? sql`CASE WHEN true ${scannedConditions(shape)} THEN 1 END` : sql`1`
  const counted = sources(shape).map((source) => sql`SELECT ${matches} AS "matches" ${source} ${indexed}`)
  return sql`SELECT count(*) AS "looked", count("matches") AS "matching" FROM (
    ${unionAll(counted)} LIMIT ${inline(MAX_COUNTED_RECORDS + 1)})`
}

function sources(shape: PageShape): SQL[] {
  const { record, filters } = shape
  const { scope, table, eventSource } = record
  const [searched] = filters.flatMap(({ name, filter, given }) => filter.source?.(name, given) ?? [])
  if (searched) return [sql`FROM ${searched} ${eventSource.joins} WHERE ${listedCondition(shape)}`]
  if (shape.removed) return scopeConditions(shape).map((scope) => sql`${record.from} WHERE ${scope}`)
  if (!hasProductRanges(shape) || typeof scope !== 'object' || !('product' in scope))
    return [sql`${record.from} WHERE ${record.notDeleted}`]
  const shared = scope.shared ? sql`UNION ALL SELECT NULL` : sql``
  return [
    sql`FROM (SELECT value FROM json_each(${caller.products}) ${shared}) own CROSS JOIN ${table} ${eventSource.joins}
      WHERE ${record.tenantNotDeleted} AND ${scope.product} IS own.value`,
  ]
}

/** `10000+` for more than 10,000 records, and `37+` if 37 of the first 10,000 records match a filter without an index. */
export function describeCount({ looked, matching }: CountRow): string {
  const count = Math.min(matching, MAX_COUNTED_RECORDS)
  return looked > MAX_COUNTED_RECORDS ? `${count}+` : String(count)
}
