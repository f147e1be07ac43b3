import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../../db/client/client'
import { MAX_PAGE_BYTES, MAX_SCANNED_RECORDS } from '../../../db/records/page'
import type { Shape, ShownData } from '../../../db/sql/field'
import { leavesOf, makeRowConverter, selectListOf } from '../../../db/sql/selection'
import { caller, inline, makeLazy, param, statement, type Values } from '../../../db/sql/statement'

/** Rows of a person, in the order of an index. */
export interface PersonWalk<F extends Shape> {
  table: SQLiteTable
  /** The columns of the index after the workspace and the columns of `within`. */
  key: readonly SQLiteColumn[]
  index?: string
  /** Condition of the index. */
  within?: SQL
  /** Condition without an index. */
  isOfPerson?: SQL
  joins?: SQL
  fields: F
  /** Bytes of the long texts of a row. */
  bytes?: SQL
}

const ROWS_PER_PAGE = inline(500)

const joinWithCommas = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
// Below all values of the key: ids begin with 1, and texts are not empty.
const startOf = (column: SQLiteColumn) => (column.getSQLType() === 'text' ? '' : -1)

function primaryKeyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

function makePageStatements<F extends Shape>({
  table,
  key,
  index,
  within,
  isOfPerson,
  joins = sql``,
  fields,
  bytes = inline(0),
}: PersonWalk<F>) {
  const { subscriptionId } = getTableColumns(table) as Record<string, SQLiteColumn>
  const columns = joinWithCommas(key.map((column) => sql`${column}`))
  const primaryKey = joinWithCommas(primaryKeyOf(table).map((column) => sql`${column}`))
  const position = joinWithCommas(key.map((_, n) => sql`${param(`after${n}`)}`))
  const hint = index ? sql`INDEXED BY ${sql.identifier(index)}` : sql``
  const condition = within ? sql`AND ${within}` : sql``
  const order = sql`ORDER BY ${columns}`
  const range = sql`${table} ${hint} WHERE ${subscriptionId} = ${caller.subscription} ${condition} AND (${columns}) > (${position})`
  const scanned = sql`${table} WHERE (${primaryKey}) IN (
    SELECT ${primaryKey} FROM ${range} ${order} LIMIT ${inline(MAX_SCANNED_RECORDS)}) AND ${isOfPerson}`
  const names = primaryKeyOf(table).map((_, n) => sql.raw(`p${n}`))
  const named = primaryKeyOf(table).map((column, n) => sql`${column} AS ${names[n]}`)
  const places = sql`SELECT ${joinWithCommas(named)}, sum(${bytes}) OVER (${order} ROWS UNBOUNDED PRECEDING) - ${bytes} AS before
    FROM ${isOfPerson ? scanned : range} ${order} LIMIT ${ROWS_PER_PAGE}`
  return {
    page: statement<Record<string, unknown>, Values>(sql`SELECT ${selectListOf(leavesOf(fields))},
      json_array(${columns}) AS "@position" FROM ${table} ${joins} WHERE (${primaryKey}) IN (
        SELECT ${joinWithCommas(names)} FROM (${places}) WHERE before <= ${inline(MAX_PAGE_BYTES)}) ${order}`),
    end:
      isOfPerson &&
      statement<{ position: string }, Values>(sql`SELECT json_array(${columns}) AS "position" FROM ${range} ${order}
        LIMIT 1 OFFSET ${inline(MAX_SCANNED_RECORDS - 1)}`),
  }
}

/** Reads page by page on demand. A page ends at `MAX_PAGE_BYTES`, and looks at 10,000 rows. */
export function createPersonWalk<F extends Shape>(
  walk: PersonWalk<F>,
): (db: Database, values: Values) => AsyncGenerator<ShownData<F>[]> {
  const statements = makeLazy(() => makePageStatements(walk))
  const convert = makeRowConverter(leavesOf(walk.fields))
  return async function* (db, values) {
    const { page, end } = statements()
    for (let after: unknown[] | undefined = walk.key.map(startOf); after; ) {
      const bound = { ...values, ...Object.fromEntries(after.map((value, n) => [`after${n}`, value])) } as Values
      const [rows, [stop]] = end ? await db.read(page(bound), end(bound)) : [...(await db.read(page(bound))), []]
      // A page without a row of the person continues behind the rows that it has looked at.
      const next = rows.at(-1)?.['@position'] ?? stop?.position
      for (const row of rows) delete row['@position']
      if (rows.length) yield rows.map((row) => convert(row) as ShownData<F>)
      after = typeof next === 'string' ? (JSON.parse(next) as unknown[]) : undefined
    }
  }
}
