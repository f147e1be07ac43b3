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

/** The position is JSON that SQL writes and reads, because JavaScript would round places of the log. */
const valueAfter = (n: number) => sql`(${param('after')} ->> ${inline(n)})`

/** An index serves one condition on all columns only up to the rowid. The conditions stand in separate selects. */
const conditionsAfter = (key: readonly SQLiteColumn[]) =>
  key
    .map((column, n) => {
      const equal = key.slice(0, n).map((earlier, m) => sql`${earlier} = ${valueAfter(m)}`)
      return sql.join([...equal, sql`${column} > ${valueAfter(n)}`], sql` AND `)
    })
    .reverse()

function makePageStatements<F extends Shape>({
  table,
  key,
  index,
  within,
  isOfPerson,
  joins = sql``,
  fields,
  bytes,
}: PersonWalk<F>) {
  const { subscriptionId } = getTableColumns(table) as Record<string, SQLiteColumn>
  const columns = joinWithCommas(key.map((column) => sql`${column}`))
  const hint = index ? sql`INDEXED BY ${sql.identifier(index)}` : sql``
  const conditions = [sql`${subscriptionId} = ${caller.subscription}`, ...(within ? [within] : [])]
  const sortNames = joinWithCommas(key.map((_, n) => sql.raw(`k${n}`)))
  const pageSortNames = joinWithCommas(key.map((_, n) => sql.raw(`page.k${n}`)))
  const keyNames = primaryKeyOf(table).map((_, n) => sql.raw(`p${n}`))
  const candidateColumns = joinWithCommas([
    ...primaryKeyOf(table).map((column, n) => sql`${column} AS ${keyNames[n]}`),
    ...key.map((column, n) => sql`${column} AS ${sql.raw(`k${n}`)}`),
    sql`${bytes ?? inline(0)} AS size`,
    sql`${isOfPerson ?? inline(1)} AS found`,
  ])
  const selects = conditionsAfter(key).map(
    (isAfter) =>
      sql`SELECT ${candidateColumns} FROM ${table} ${hint} WHERE ${sql.join([...conditions, isAfter], sql` AND `)}`,
  )
  const candidates = sql`${sql.join(selects, sql` UNION ALL `)} ORDER BY ${sortNames}`
  // SQLite reads the candidates one by one, and stops at the last row of the page.
  const found = sql`SELECT * FROM (${candidates} LIMIT ${inline(MAX_SCANNED_RECORDS)}) WHERE found LIMIT ${ROWS_PER_PAGE}`
  // Only long texts are counted, because a running sum reads each row twice more.
  const page = bytes
    ? sql`SELECT * FROM (SELECT *, sum(size) OVER (ORDER BY ${sortNames} ROWS UNBOUNDED PRECEDING) - size AS before
        FROM (${found})) WHERE before <= ${inline(MAX_PAGE_BYTES)}`
    : found
  const isSameRow = primaryKeyOf(table).map((column, n) => sql`${column} = page.${keyNames[n]}`)
  return {
    page: statement<Record<string, unknown>, Values>(sql`SELECT ${selectListOf(leavesOf(fields))},
      json_array(${columns}) AS "@position" FROM (${page}) page
      CROSS JOIN ${table} ON ${sql.join(isSameRow, sql` AND `)} ${joins} ORDER BY ${pageSortNames}`),
    end:
      isOfPerson &&
      statement<{ position: string }, Values>(sql`SELECT json_array(${sortNames}) AS "position" FROM (${candidates})
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
    for (let after: string | undefined = JSON.stringify(walk.key.map(startOf)); after !== undefined; ) {
      const bound: Values = { ...values, after }
      const [rows] = await db.read(page(bound))
      // A page without a row of the person continues behind the rows that it has looked at.
      const [[stop] = []] = rows.length || !end ? [] : await db.read(end(bound))
      const next: unknown = rows.at(-1)?.['@position'] ?? stop?.position
      for (const row of rows) delete row['@position']
      if (rows.length) yield rows.map((row) => convert(row) as ShownData<F>)
      after = typeof next === 'string' ? next : undefined
    }
  }
}
