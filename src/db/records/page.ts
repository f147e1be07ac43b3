import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { filterConditions } from '../sql/filter'
import { type FieldLeaf, selectListOf } from '../sql/selection'
import { boundLimit, caller, inline, param } from '../sql/statement'
import { isBefore, pageOrderTerms, placeLeaves, positionCondition, rangeConditions, sortTerms } from './page-order'
import {
  listedCondition,
  listPlainFilters,
  listUnindexedFilters,
  type PageShape,
  scannedConditions,
  scopeConditions,
} from './page-scope'

/** Bytes of stored text per page (docs/api-conventions.md). */
export const MAX_PAGE_BYTES = 4_000_000
export const MAX_PAGE_RECORDS = 100
/** Records per page of a documented list without `limit`, because clients send no parameters and expect all records. */
export const MAX_WHOLE_LIST_RECORDS = 1_000
/** Weight of a row from another table, in bytes: a page reads at most 10,000 nested rows. */
export const NESTED_ROW_BYTES = MAX_PAGE_BYTES / 10_000
// Records up to this size always fit into a page; only larger records are counted.
const ALWAYS_FITTING_BYTES = inline(MAX_PAGE_BYTES / MAX_PAGE_RECORDS)
/** Records scanned per page for filters without an index. A page ending at this limit has a next page. */
export const MAX_SCANNED_RECORDS = 10_000
// D1's limit of SELECTs in a compound statement.
const MAX_COMPOUND_SELECTS = 5

export function pageSql(shape: PageShape): SQL {
  const single = shape.filters.some(({ filter }) => filter.isUnique)
  const long = single ? [] : shape.leaves.filter(({ field }) => field.isLong)
  const weight = single ? undefined : pageWeightSql(shape)
  const selection = selectListOf(shape.leaves)
  return pageSelectSql(
    shape,
    weight ? sql`${selection}, ${weight} AS "@weight"` : selection,
    long.length || weight ? pageLimitSql(shape, long) : boundLimit('@limit'),
  )
}

function pageWeightSql({ isLarge, leaves }: PageShape): SQL | undefined {
  const weights = isLarge ? leaves.flatMap(({ field: { weight } }) => weight ?? []) : []
  return weights.length ? sql.join(weights, sql` + `) : undefined
}

function pageSelectSql(shape: PageShape, selection: SQL, limit: SQL): SQL {
  const { record, filters, id } = shape
  const [searched] = filters.flatMap(({ name, filter, given }) => filter.source?.(name, given) ?? [])
  const scanned = listUnindexedFilters(shape)
  const also = filterConditions(listPlainFilters(shape))
  const scopes = scopeConditions(shape)
  const end = sql`ORDER BY ${sortTerms(shape)} ${limit}`
  if (searched) {
    const ranges = shape.keys.length ? [positionCondition(shape)] : rangeConditions(shape)
    const either = ranges.map((range) => sql`(${range})`)
    // Which records first: all that match would be joined otherwise, to be sorted.
    return sql`SELECT ${selection} FROM (SELECT ${selectListOf(placeLeaves(shape))} FROM ${searched} ${record.eventSource.joins}
        WHERE ${listedCondition(shape)} ${also} AND (${sql.join(either, sql` OR `)}) ${end}) page
      CROSS JOIN ${record.table} ON ${record.idColumn} = page.${sql.identifier(id.name)} ${record.eventSource.joins}
      ORDER BY ${pageOrderTerms(shape)}`
  }
  if (shape.keys.length) return windowPageSql(shape, selection, limit, { also, scopes })
  if (scanned.length) return scanPageSql(shape, selection, limit, { also, scopes })
  // Removed records are sorted: the fields of each would be computed before the page is cut.
  if (scopes.length === 1 && !shape.removed) {
    const [scope] = scopes
    return sql`${unionAll(rangesOfScope(shape, false).map((range) => sql`SELECT ${selection} ${record.from} WHERE ${scope} ${also} AND ${range}`))} ${end}`
  }
  return sql`SELECT ${selection} FROM (${selectPageIdsSql(shape, scopes, also, end)}) page
    CROSS JOIN ${record.table} ON ${record.idColumn} = page.${sql.identifier(id.name)} ${record.eventSource.joins} ORDER BY ${pageOrderTerms(shape)}`
}

/** A scan that ends early adds its last scanned record with "@found" 0, as the position of the next page. */
function scanPageSql(
  shape: PageShape,
  selection: SQL,
  limit: SQL,
  { also, scopes }: { also: SQL; scopes: readonly SQL[] },
): SQL {
  const first = (part: string) => sql`ORDER BY ${sortTerms(shape)} LIMIT ${sql.raw(part)}`
  const among = (part: string) =>
    sql`FROM (${selectPageIdsSql({ ...shape, filters: [] }, scopes, also, first(part))}) page ${joinRecords(shape, 'page')}`
  // SQLite evaluates each part on demand: a page full early scans no further records.
  return sql`SELECT ${selection}, 1 AS "@found" ${among(`${MAX_SCANNED_RECORDS}`)} WHERE true ${scannedConditions(shape)}
    UNION ALL SELECT ${selection}, 0 AS "@found" ${among(`1 OFFSET ${MAX_SCANNED_RECORDS - 1}`)} ${limit}`
}

/** The records of `table`, which has their ids. The id of a link is unique below its parent only. */
function joinRecords({ record, id }: PageShape, table: string): SQL {
  const ofParent = typeof record.scope === 'object' && 'parent' in record.scope ? sql`AND ${record.inScope}` : sql``
  return sql`CROSS JOIN ${record.table} ON ${record.idColumn} = ${sql.raw(table)}.${sql.identifier(id.name)} ${ofParent} ${record.eventSource.joins}`
}

/**
 * A page of several keys sorts the next 10,000 records in the order of the first key, up to the last value of the first
 * key, which further records can have. This record follows with "@found" 0, or -1 if all 10,000 have its value.
 */
function windowPageSql(
  shape: PageShape,
  selection: SQL,
  limit: SQL,
  { also, scopes }: { also: SQL; scopes: readonly SQL[] },
): SQL {
  const [first] = shape.keys
  if (!first) throw new Error('A window needs a sort key')
  const ofFirst = { ...shape, keys: [], filters: [] }
  const end = sql`ORDER BY ${sortTerms(ofFirst)} LIMIT ${inline(MAX_SCANNED_RECORDS)}`
  const value = sql.identifier(first.leaf.name)
  const edge = sql`LIMIT 1 OFFSET ${inline(MAX_SCANNED_RECORDS - 1)}`
  const lastValue = sql`(SELECT json_array(${value}) FROM near ${edge})`
  const isComplete = sql`iif(${lastValue} IS NULL, true, ${isBefore(first, sql`(${lastValue} ->> '$[0]')`)})`
  return sql`WITH near AS MATERIALIZED (${selectPageIdsSql(ofFirst, scopes, also, end)})
    SELECT ${selection}, 1 AS "@found" FROM (SELECT ${selectListOf(placeLeaves(shape))} FROM near ${joinRecords(shape, 'near')}
      WHERE ${isComplete} AND ${positionCondition(shape)} ${scannedConditions(shape)} ORDER BY ${sortTerms(shape)} LIMIT ${param('@limit')} + 0) page
      ${joinRecords(shape, 'page')}
    UNION ALL SELECT ${selection}, iif((SELECT json_array(${value}) FROM near LIMIT 1) = ${lastValue}, -1, 0)
      FROM (SELECT * FROM near ${edge}) page ${joinRecords(shape, 'page')} ${limit}`
}

// A text growing with the key's products would exceed D1's maximum statement length.
const MAX_PRODUCT_RANGES = 12

/** Selects ids first, because repeating the record's columns per product would make the text too long. */
function selectPageIdsSql(shape: PageShape, scopes: readonly SQL[], also: SQL, end: SQL): SQL {
  const { record, filters, value, id, products = 0 } = shape
  const { scope: within, table } = record
  const from = filters.length ? record.from : sql`FROM ${table}`
  const chosen = selectListOf([value, id])
  const rangesOf = (scope: SQL) =>
    rangesOfScope(shape, shape.removed !== undefined && scope === scopes.at(-1)).map(
      (range) => sql`SELECT ${chosen} ${from} WHERE ${scope} ${also} AND ${range}`,
    )
  if (
    shape.removed ||
    scopes.length === 1 ||
    products <= MAX_PRODUCT_RANGES ||
    typeof within !== 'object' ||
    !('product' in within)
  ) {
    return sql`${unionAll(scopes.flatMap(rangesOf))} ${end}`
  }
  const shared = within.shared ? sql`UNION ALL SELECT NULL` : sql``
  const own = sql`${record.tenantNotDeleted} AND ${within.product} IS own.value`
  return sql`SELECT ${chosen} FROM (SELECT value FROM json_each(${caller.products}) ${shared}) own CROSS JOIN ${table}
    WHERE ${record.idColumn} IN (SELECT ${sql.identifier(id.name)} FROM (${unionAll(rangesOf(own))} ${end})) ${end}`
}

/** Removed records are sorted, so that a single range reads them once. */
function rangesOfScope(shape: PageShape, isRemoved: boolean): SQL[] {
  const ranges = rangeConditions(shape)
  return isRemoved ? [sql`(${sql.join(ranges, sql` OR `)})`] : ranges
}

/** Joins terms by UNION ALL in nested groups. SQLite merges nested groups by order like a flat list. */
export function unionAll(terms: readonly SQL[]): SQL {
  if (terms.length <= MAX_COMPOUND_SELECTS) return sql.join([...terms], sql` UNION ALL `)
  const groups: SQL[] = []
  for (let at = 0; at < terms.length; at += MAX_COMPOUND_SELECTS) {
    groups.push(sql`SELECT * FROM (${sql.join(terms.slice(at, at + MAX_COMPOUND_SELECTS), sql` UNION ALL `)})`)
  }
  return unionAll(groups)
}

export const leafBytesSql = (leaves: readonly FieldLeaf[], weight?: SQL) =>
  sql.join(
    [
      ...(weight ? [weight] : []),
      ...leaves.map(({ field: { sql: value, column } }) =>
        column?.notNull ? sql`octet_length(${value})` : sql`coalesce(octet_length(${value}), 0)`,
      ),
    ],
    sql` + `,
  )

/** The texts are read for counting only if the index `<table>_heavy` finds an oversized record in the workspace. */
function pageLimitSql(shape: PageShape, long: readonly FieldLeaf[]): SQL {
  const { record } = shape
  const all = record.items.filter(({ field }) => field.isLong)
  // For a list of links, the texts belong to the linked table.
  const table = all[0]?.field.column?.table ?? record.table
  const { subscriptionId }: Record<string, SQLiteColumn> = getTableColumns(table)
  const hasOversized = shape.isLarge
    ? sql`true`
    : sql`EXISTS (SELECT 1 FROM ${table}
    WHERE ${subscriptionId} = ${caller.subscription} AND ${leafBytesSql(all)} > ${ALWAYS_FITTING_BYTES})`
  const texts = pageSelectSql(
    shape,
    sql`${selectListOf(placeLeaves(shape))}, ${leafBytesSql(long, pageWeightSql(shape))} AS "bytes"`,
    boundLimit('@limit'),
  )
  return sql`LIMIT CASE WHEN ${hasOversized} THEN (SELECT count(*) FROM (
      SELECT sum("bytes") OVER (ORDER BY ${sortTerms(shape)} ROWS UNBOUNDED PRECEDING) - "bytes" AS "before" FROM (${texts}))
    WHERE "before" <= ${inline(MAX_PAGE_BYTES)}) ELSE ${param('@limit')} END`
}

/**
 * True up to the first row beyond the page's byte limit, as a sign of a next page. Rows of up to 40,000 bytes always
 * pass, and a page of small rows counts nothing. `places` selects each `place` of the page with `bytes`.
 */
export const rowFitsPage = (
  place: SQL,
  bytes: SQL,
  places: SQL,
  direction: SQL,
) => sql`CASE WHEN ${bytes} > ${ALWAYS_FITTING_BYTES}
  THEN ${place} IN (SELECT place FROM (
    SELECT place, sum(bytes) OVER (ORDER BY place ${direction} ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (${places}))
    WHERE before <= ${inline(MAX_PAGE_BYTES)}) ELSE 1 END`

/** At least one row fits, however large. */
export function countFittingRows<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row)[],
  weightOf: (row: Row) => number = () => 0,
  most = MAX_PAGE_BYTES,
): number {
  let [characters, weights] = [0, 0]
  for (const row of rows) {
    weights += weightOf(row)
    for (const name of names) characters += textOrEmpty(row[name]).length
  }
  // UTF-8 takes at most three bytes per character.
  if (characters * 3 + weights <= most) return rows.length
  const encoder = new TextEncoder()
  let bytes = 0
  const end = rows.findIndex((row, n) => {
    bytes += weightOf(row)
    for (const name of names) bytes += encoder.encode(textOrEmpty(row[name])).length
    return n > 0 && bytes > most
  })
  return end < 0 ? rows.length : end
}

const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')
