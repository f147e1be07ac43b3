import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { conditionsOf, type Given } from './filter'
import type { AnyRecord } from './record'
import { type Leaf, selectionOf } from './selection'
import { boundLimit, caller, inline, param } from './statement'

/** Bytes of stored text per page (docs/api-conventions.md). */
export const MAX_PAGE_BYTES = 4_000_000
/** Highest `limit` of a page. */
export const MAX_PAGE = 100
/** Records per page of a documented list without `limit`, because clients send no parameters and expect all records. */
export const WHOLE_PAGE = 1_000
/** Weight of a row from another table, in bytes: a page reads at most 10,000 nested rows. */
export const NESTED_ROW_BYTES = MAX_PAGE_BYTES / 10_000
// Records up to this size always fit into a page; only larger records are counted.
const LIGHT = inline(MAX_PAGE_BYTES / MAX_PAGE)
/** Records scanned per page for filters without an index. A page ending at this limit has a next page. */
export const MAX_WALKED = 10_000
// D1's limit of SELECTs in a compound statement.
const MAX_TERMS = 5

export interface PageShape {
  readonly record: Pick<
    AnyRecord,
    'table' | 'from' | 'visible' | 'within' | 'inScope' | 'columns' | 'idColumn' | 'items' | 'told' | 'tenantVisible'
  >
  readonly leaves: readonly Leaf[]
  readonly value: Leaf
  readonly id: Leaf
  readonly column: SQLiteColumn
  readonly descending: boolean
  /** Start of the page: the beginning, after a value, or after a null. */
  readonly after: 'start' | 'value' | 'null'
  readonly filters: readonly Given[]
  readonly products: number | undefined
  /** True for more than `MAX_PAGE` records: the bytes are always counted. */
  readonly large: boolean
}

/**
 * Builds the SQL of a page. Records of a scope after a cursor are an index range; the page takes the first records of
 * all ranges together.
 */
export function pageSql(shape: PageShape): SQL {
  const single = shape.filters.some(({ filter }) => filter.single)
  const long = single ? [] : shape.leaves.filter(({ field }) => field.long)
  const weight = single ? undefined : weightOf(shape)
  const selection = selectionOf(shape.leaves)
  return page(
    shape,
    weight ? sql`${selection}, ${weight} AS "@weight"` : selection,
    long.length || weight ? fitting(shape, long) : boundLimit('@limit'),
  )
}

function weightOf({ large, leaves }: PageShape): SQL | undefined {
  const weights = large ? leaves.flatMap(({ field: { weight } }) => weight ?? []) : []
  return weights.length ? sql.join(weights, sql` + `) : undefined
}

function page(shape: PageShape, selection: SQL, limit: SQL): SQL {
  const { record, filters, value, id } = shape
  const [searched] = filters.flatMap(({ name, filter, given }) => filter.from?.(name, given) ?? [])
  const walked = walkedBy(shape)
  const also = conditionsOf(filters.filter((one) => !walked.includes(one)))
  const scopes = scopesOf(shape)
  const end = sql`ORDER BY ${ordered(shape)} ${limit}`
  if (searched) {
    const either = ranges(shape).map((range) => sql`(${range})`)
    // Which records first: all that match would be joined otherwise, to be sorted.
    return sql`SELECT ${selection} FROM (SELECT ${selectionOf([value, id])} FROM ${searched} ${record.told.joins}
        WHERE ${record.visible} ${also} AND (${sql.join(either, sql` OR `)}) ${end}) page
      CROSS JOIN ${record.table} ON ${record.idColumn} = page.${sql.identifier(id.name)} ${record.told.joins}
      ORDER BY ${outer(shape)}`
  }
  if (walked.length) return walkedPage(shape, selection, limit, { also, walked, scopes })
  if (scopes.length === 1) {
    const [scope] = scopes
    return sql`${union(ranges(shape).map((range) => sql`SELECT ${selection} ${record.from} WHERE ${scope} ${also} AND ${range}`))} ${end}`
  }
  return sql`SELECT ${selection} FROM (${which(shape, scopes, also, end)}) page
    CROSS JOIN ${record.table} ON ${record.idColumn} = page.${sql.identifier(id.name)} ${record.told.joins} ORDER BY ${outer(shape)}`
}

/** The order of a page whose records are joined to `page`, their values and ids. */
const outer = (shape: PageShape): SQL =>
  sql.raw(
    `page.${quoted(shape.value)} ${direction(shape)}, page.${quoted(shape.id)} ${shape.descending ? 'DESC' : 'ASC'}`,
  )

type Filters = PageShape['filters']

/** Filters without an index, checked record by record. */
export function walkedBy(shape: Pick<PageShape, 'filters' | 'column' | 'products' | 'record'>): Filters {
  const { filters, column } = shape
  const driven = filters.some(({ name, filter, given }) => filter.from?.(name, given))
  return driven ? [] : filters.filter(({ filter, given }) => filter.walks?.(column, ranged(shape), given as never))
}

/** True if the query has a range for each product of a limited key. */
function ranged({
  filters,
  products,
  record: { within },
}: Pick<PageShape, 'filters' | 'products' | 'record'>): boolean {
  const each = typeof within === 'object' && 'product' in within && products !== undefined
  return each && !filters.some(({ filter }) => filter.narrows || filter.single)
}

/**
 * Selects matching records within the scan limit. If the page is not full and more records exist, the last scanned
 * record follows with "@found" 0, as the position of the next page.
 */
function walkedPage(
  shape: PageShape,
  selection: SQL,
  limit: SQL,
  { also, walked, scopes }: { also: SQL; walked: Filters; scopes: readonly SQL[] },
): SQL {
  const { record, id } = shape
  const first = (part: string) => sql`ORDER BY ${ordered(shape)} LIMIT ${sql.raw(part)}`
  const among = (part: string) => sql`FROM (${which({ ...shape, filters: [] }, scopes, also, first(part))}) page
    CROSS JOIN ${record.table} ON ${record.idColumn} = page.${sql.identifier(id.name)} ${record.told.joins}`
  // SQLite evaluates each part on demand: a page full early scans no further records.
  return sql`SELECT ${selection}, 1 AS "@found" ${among(`${MAX_WALKED}`)} WHERE true ${conditionsOf(walked)}
    UNION ALL SELECT ${selection}, 0 AS "@found" ${among(`1 OFFSET ${MAX_WALKED - 1}`)} ${limit}`
}

// A text growing with the key's products would exceed D1's maximum statement length.
const MAX_RANGES = 12

/**
 * Selects ids first and records second, because repeating the record's columns per product would make the text too
 * long. With many products, takes as many ids per product as the page may need.
 */
function which(shape: PageShape, scopes: readonly SQL[], also: SQL, end: SQL): SQL {
  const { record, filters, value, id, products = 0 } = shape
  const { within, table } = record
  const from = filters.length ? record.from : sql`FROM ${table}`
  const chosen = selectionOf([value, id])
  const rangesOf = (scope: SQL) =>
    ranges(shape).map((range) => sql`SELECT ${chosen} ${from} WHERE ${scope} ${also} AND ${range}`)
  if (scopes.length === 1 || products <= MAX_RANGES || typeof within !== 'object' || !('product' in within)) {
    return sql`${union(scopes.flatMap(rangesOf))} ${end}`
  }
  const shared = within.shared ? sql`UNION ALL SELECT NULL` : sql``
  const own = sql`${record.tenantVisible} AND ${within.product} IS own.value`
  return sql`SELECT ${chosen} FROM (SELECT value FROM json_each(${caller.products}) ${shared}) own CROSS JOIN ${table}
    WHERE ${record.idColumn} IN (SELECT ${sql.identifier(id.name)} FROM (${union(rangesOf(own))} ${end})) ${end}`
}

const quoted = ({ name }: Leaf) => `"${name}"`

/** Nulls come last in ascending order and first in descending order. */
function direction({ column, descending }: PageShape): string {
  const order = descending ? 'DESC' : 'ASC'
  return column.notNull ? order : `${order} NULLS ${descending ? 'FIRST' : 'LAST'}`
}

function ordered(shape: PageShape): SQL {
  return sql.raw(`${quoted(shape.value)} ${direction(shape)}, ${quoted(shape.id)} ${shape.descending ? 'DESC' : 'ASC'}`)
}

/** Conditions for the rest of the list after the cursor. Each condition is a range of the sort's index. */
function ranges({ record, column, descending, after }: PageShape): SQL[] {
  const beyond = sql.raw(descending ? '<' : '>')
  const id = record.idColumn
  const behindId = sql`${id} ${beyond} ${param('@afterId')}`
  if (after === 'start') return [sql`true`]
  if (after === 'null') {
    return [sql`${column} IS NULL AND ${behindId}`, ...(descending ? [sql`${column} IS NOT NULL`] : [])]
  }
  return [
    ...(column === id ? [] : [sql`${column} = ${param('@after')} AND ${behindId}`]),
    sql`${column} ${beyond} ${param('@after')}`,
    ...(column.notNull || descending ? [] : [sql`${column} IS NULL`]),
  ]
}

/** A single condition, or a condition per product of a limited key. */
function scopesOf(shape: PageShape): SQL[] {
  const { record, products } = shape
  const { within } = record
  if (!ranged(shape) || products === undefined || typeof within !== 'object' || !('product' in within))
    return [record.visible]
  const ofEach = eachProduct(sql`${within.product}`, products).map((own) => sql`${record.tenantVisible} AND ${own}`)
  return within.shared ? [...ofEach, sql`${record.tenantVisible} AND ${within.product} IS NULL`] : ofEach
}

/** A condition per product of a limited key, each an index range. A key limited to no product finds nothing. */
export function eachProduct(column: SQL, products: number): SQL[] {
  return Array.from(
    { length: Math.max(products, 1) },
    (_, n) => sql`${column} = (${caller.products} ->> ${inline(`$[${n}]`)})`,
  )
}

/** Joins terms by UNION ALL in nested groups. SQLite merges nested groups by order like a flat list. */
export function union(terms: readonly SQL[]): SQL {
  if (terms.length <= MAX_TERMS) return sql.join([...terms], sql` UNION ALL `)
  const groups: SQL[] = []
  for (let at = 0; at < terms.length; at += MAX_TERMS) {
    groups.push(sql`SELECT * FROM (${sql.join(terms.slice(at, at + MAX_TERMS), sql` UNION ALL `)})`)
  }
  return union(groups)
}

export const bytesOf = (leaves: readonly Leaf[], weight?: SQL) =>
  sql.join(
    [
      ...(weight ? [weight] : []),
      ...leaves.map(({ field: { sql: value, column } }) =>
        column?.notNull ? sql`octet_length(${value})` : sql`coalesce(octet_length(${value}), 0)`,
      ),
    ],
    sql` + `,
  )

/**
 * LIMIT of a page: up to the record exceeding the byte limit. The texts are read for counting only if the workspace has
 * an oversized record, found by the index `<table>_heavy`.
 */
function fitting(shape: PageShape, long: readonly Leaf[]): SQL {
  const { record, value, id } = shape
  const all = record.items.filter(({ field }) => field.long)
  // For a list of links, the texts belong to the linked table.
  const table = all[0]?.field.column?.table ?? record.table
  const { subscriptionId }: Record<string, SQLiteColumn> = getTableColumns(table)
  const heavy = shape.large
    ? sql`true`
    : sql`EXISTS (SELECT 1 FROM ${table}
    WHERE ${subscriptionId} = ${caller.subscription} AND ${bytesOf(all)} > ${LIGHT})`
  const texts = page(
    shape,
    sql`${selectionOf([value, id])}, ${bytesOf(long, weightOf(shape))} AS "bytes"`,
    boundLimit('@limit'),
  )
  return sql`LIMIT CASE WHEN ${heavy} THEN (SELECT count(*) FROM (
      SELECT sum("bytes") OVER (ORDER BY ${ordered(shape)} ROWS UNBOUNDED PRECEDING) - "bytes" AS "before" FROM (${texts}))
    WHERE "before" <= ${inline(MAX_PAGE_BYTES)}) ELSE ${param('@limit')} END`
}

/**
 * Condition for a row before the page's byte limit, or the first row beyond, as a sign of a next page. Rows of up to
 * 40,000 bytes always pass, and a page of small rows counts nothing; the reader of the rows ends the page. `places`
 * selects each `place` of the page with `bytes`.
 */
export const fitsPage = (place: SQL, bytes: SQL, places: SQL) => sql`CASE WHEN ${bytes} > ${LIGHT}
  THEN ${place} IN (SELECT place FROM (
    SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (${places}))
    WHERE before <= ${inline(MAX_PAGE_BYTES)}) ELSE 1 END`

/**
 * Returns how many rows fit into a page of `most` bytes (at least one), by the texts in `names` plus `weightOf` bytes.
 */
export function rowsThatFit<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row)[],
  weightOf: (row: Row) => number = () => 0,
  most = MAX_PAGE_BYTES,
): number {
  let [characters, weights] = [0, 0]
  for (const row of rows) {
    weights += weightOf(row)
    for (const name of names) characters += textOf(row[name]).length
  }
  // UTF-8 takes at most three bytes per character.
  if (characters * 3 + weights <= most) return rows.length
  const encoder = new TextEncoder()
  let bytes = 0
  const end = rows.findIndex((row, n) => {
    bytes += weightOf(row)
    for (const name of names) bytes += encoder.encode(textOf(row[name])).length
    return n > 0 && bytes > most
  })
  return end < 0 ? rows.length : end
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
