import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { conditionsOf, type Given } from './filter'
import type { AnyRecord } from './record'
import { type Leaf, selectionOf } from './selection'
import { boundLimit, caller, inline, param } from './statement'

/** Stored text that a page may hold (docs/api-conventions.md): beyond it the next one begins. */
export const MAX_PAGE_BYTES = 4_000_000
/** Records of a page that is asked for. */
export const MAX_PAGE = 100
/** Records of a page of a documented list without `limit`: its clients send no parameters and expect all. */
export const WHOLE_PAGE = 1_000
/** What a row of another table counts for in `weight`, in bytes: a page reads 10,000 of them at most. */
export const NESTED_ROW_BYTES = MAX_PAGE_BYTES / 10_000
// So many records of that size are a page: only larger ones need to be counted.
const LIGHT = inline(MAX_PAGE_BYTES / MAX_PAGE)
/** Records that a page looks at, at most, for filters that no index serves: a page that ends there has a next one. */
export const MAX_WALKED = 10_000
// What one compound SELECT of D1 may join.
const MAX_TERMS = 5

/** What decides the text of a page. */
export interface PageShape {
  readonly record: Pick<
    AnyRecord,
    'table' | 'from' | 'visible' | 'within' | 'inScope' | 'columns' | 'idColumn' | 'items' | 'told' | 'tenantVisible'
  >
  /** What is selected, `value` and `id` among it. */
  readonly leaves: readonly Leaf[]
  readonly value: Leaf
  readonly id: Leaf
  readonly column: SQLiteColumn
  readonly descending: boolean
  /** Whether the page begins at the start, behind a value, or behind a null. */
  readonly after: 'start' | 'value' | 'null'
  readonly filters: readonly Given[]
  /** How many products the key is limited to. */
  readonly products: number | undefined
  /** More records than a page of a list has: its bytes are counted always. */
  readonly large: boolean
}

/** Records of one scope and behind one place are a range of an index; a page is the first of all ranges together. */
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

/** What the fields of a large page count for besides their own texts. */
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
    return sql`SELECT ${selection} FROM ${searched} ${record.told.joins}
      WHERE ${record.visible} ${also} AND (${sql.join(either, sql` OR `)}) ${end}`
  }
  if (walked.length) return walkedPage(shape, selection, limit, { also, walked, scopes })
  if (scopes.length === 1) {
    const [scope] = scopes
    return sql`${union(ranges(shape).map((range) => sql`SELECT ${selection} ${record.from} WHERE ${scope} ${also} AND ${range}`))} ${end}`
  }
  const outer = sql.join(
    [`page.${quoted(value)} ${direction(shape)}`, `page.${quoted(id)} ${shape.descending ? 'DESC' : 'ASC'}`].map(
      (part) => sql.raw(part),
    ),
    sql`, `,
  )
  return sql`SELECT ${selection} FROM (${which(shape, scopes, also, end)}) page
    CROSS JOIN ${record.table} ON ${record.idColumn} = page.${sql.identifier(id.name)} ${record.told.joins} ORDER BY ${outer}`
}

type Filters = PageShape['filters']

/** The filters for which records are looked at one by one. */
export function walkedBy(shape: Pick<PageShape, 'filters' | 'column' | 'products' | 'record'>): Filters {
  const { filters, column } = shape
  const driven = filters.some(({ name, filter, given }) => filter.from?.(name, given))
  return driven ? [] : filters.filter(({ filter, given }) => filter.walks?.(column, ranged(shape), given as never))
}

/** Whether there is a range for each product of a limited key. */
function ranged({
  filters,
  products,
  record: { within },
}: Pick<PageShape, 'filters' | 'products' | 'record'>): boolean {
  const each = typeof within === 'object' && 'product' in within && products !== undefined
  return each && !filters.some(({ filter }) => filter.narrows || filter.single)
}

/**
 * Of the first `MAX_WALKED` records of the order those that pass. Where the page is not full with them, and there are more
 * records, the last that was looked at stands behind them, as the place where the next page begins: not "found".
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
  // Each part is evaluated when it is needed: a page that is full early has looked at no more.
  return sql`SELECT ${selection}, 1 AS "@found" ${among(`${MAX_WALKED}`)} WHERE true ${conditionsOf(walked)}
    UNION ALL SELECT ${selection}, 0 AS "@found" ${among(`1 OFFSET ${MAX_WALKED - 1}`)} ${limit}`
}

// A text that grows with the products of a key would become longer than a statement may be.
const MAX_RANGES = 12

/**
 * Of a limited key's products first which records, then what they are: a text that repeated the record for each would be
 * too long. Of many products it takes as many of each as the page may need.
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

/** Nulls come last where the order ascends, and first where it descends. */
function direction({ column, descending }: PageShape): string {
  const order = descending ? 'DESC' : 'ASC'
  return column.notNull ? order : `${order} NULLS ${descending ? 'FIRST' : 'LAST'}`
}

function ordered(shape: PageShape): SQL {
  return sql.raw(`${quoted(shape.value)} ${direction(shape)}, ${quoted(shape.id)} ${shape.descending ? 'DESC' : 'ASC'}`)
}

/** Where the page may go on, as conditions of which each is a range of the sort's index. */
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

/** One condition, or one for each product of a limited key. */
function scopesOf(shape: PageShape): SQL[] {
  const { record, products } = shape
  const { within } = record
  if (!ranged(shape) || products === undefined || typeof within !== 'object' || !('product' in within))
    return [record.visible]
  const ofEach = eachProduct(sql`${within.product}`, products).map((own) => sql`${record.tenantVisible} AND ${own}`)
  return within.shared ? [...ofEach, sql`${record.tenantVisible} AND ${within.product} IS NULL`] : ofEach
}

/** A condition for each of the products that a key is limited to: each finds a range of an index. One of none finds nothing. */
export function eachProduct(column: SQL, products: number): SQL[] {
  return Array.from(
    { length: Math.max(products, 1) },
    (_, n) => sql`${column} = (${caller.products} ->> ${inline(`$[${n}]`)})`,
  )
}

/** Terms in groups that are groups again: SQLite merges them all by their order, however they are nested. */
export function union(terms: readonly SQL[]): SQL {
  if (terms.length <= MAX_TERMS) return sql.join([...terms], sql` UNION ALL `)
  const groups: SQL[] = []
  for (let at = 0; at < terms.length; at += MAX_TERMS) {
    groups.push(sql`SELECT * FROM (${sql.join(terms.slice(at, at + MAX_TERMS), sql` UNION ALL `)})`)
  }
  return union(groups)
}

/** SQL: the bytes of fields together. */
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
 * How many records a page takes: up to the one with which its long texts are too much. Only where the workspace has a
 * record that is not light, which `<table>_heavy` says, is the page read for that.
 */
function fitting(shape: PageShape, long: readonly Leaf[]): SQL {
  const { record, value, id } = shape
  const all = record.items.filter(({ field }) => field.long)
  // The texts of a list of links are those of what they link.
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
 * The condition that a row of a page stands before the page's byte limit, or is the first row beyond it: that row shows
 * that a next page exists. Rows of up to 40,000 bytes always pass, so a page of them counts nothing; `rowsThatFit` ends
 * the page. `places` selects each `place` of the page with its `bytes`.
 */
export const fitsPage = (place: SQL, bytes: SQL, places: SQL) => sql`CASE WHEN ${bytes} > ${LIGHT}
  THEN ${place} IN (SELECT place FROM (
    SELECT place, sum(bytes) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - bytes AS before FROM (${places}))
    WHERE before <= ${inline(MAX_PAGE_BYTES)}) ELSE 1 END`

/**
 * Returns how many rows a page of `most` bytes takes, at least one: by the texts in `names`, and by `weightOf` in bytes
 * beside them.
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
  // A character takes at most three bytes.
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
