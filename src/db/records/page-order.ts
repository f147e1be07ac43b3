import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { FieldLeaf } from '../sql/selection'
import { param } from '../sql/statement'
import type { PageShape } from './page-scope'

/** A key of a list with several keys. The leaf selects the stored value of the column. */
export interface SortKey {
  readonly leaf: FieldLeaf
  readonly column: SQLiteColumn
  readonly descending: boolean
}

/** Values that decide the place of a record in the order. */
export const placeLeaves = ({ keys, value, id }: PageShape): readonly FieldLeaf[] => [
  ...(keys.length ? keys.map(({ leaf }) => leaf) : [value]),
  id,
]

const quoteLeafName = ({ name }: FieldLeaf) => `"${name}"`

/** Nulls come last in ascending order and first in descending order. */
function directionOf(column: SQLiteColumn, descending: boolean, leavesOutNulls: boolean): string {
  const order = descending ? 'DESC' : 'ASC'
  return column.notNull || leavesOutNulls ? order : `${order} NULLS ${descending ? 'FIRST' : 'LAST'}`
}

/** Equal values are ordered by id, in the direction of the last key. */
function listTerms({ keys, value, id, column, descending, leavesOutNulls }: PageShape, table = ''): SQL {
  const terms = keys.length
    ? keys.map((key) => `${table}${quoteLeafName(key.leaf)} ${directionOf(key.column, key.descending, false)}`)
    : [`${table}${quoteLeafName(value)} ${directionOf(column, descending, leavesOutNulls)}`]
  const last = keys.at(-1)?.descending ?? descending
  return sql.raw([...terms, `${table}${quoteLeafName(id)} ${last ? 'DESC' : 'ASC'}`].join(', '))
}

export const sortTerms = (shape: PageShape): SQL => listTerms(shape)

export const pageOrderTerms = (shape: PageShape): SQL => listTerms(shape, 'page.')

/** Index ranges of the records after a position, in the order of one column. */
export function rangeConditions({ record, column, descending, start, leavesOutNulls }: PageShape): SQL[] {
  const beyond = sql.raw(descending ? '<' : '>')
  const id = record.idColumn
  const behindId = sql`${id} ${beyond} ${param('@afterId')}`
  if (start === 'start') return [leavesOutNulls ? sql`${column} IS NOT NULL` : sql`true`]
  if (start === 'null') {
    return [sql`${column} IS NULL AND ${behindId}`, ...(descending ? [sql`${column} IS NOT NULL`] : [])]
  }
  return [
    ...(column === id ? [] : [sql`${column} = ${param('@after')} AND ${behindId}`]),
    sql`${column} ${beyond} ${param('@after')}`,
    ...(column.notNull || leavesOutNulls || descending ? [] : [sql`${column} IS NULL`]),
  ]
}

const isGreater = (column: SQLiteColumn, given: SQL) =>
  sql`(${column} > ${given} OR (${column} IS NULL AND ${given} IS NOT NULL))`
const isLess = (column: SQLiteColumn, given: SQL) =>
  sql`(${column} < ${given} OR (${given} IS NULL AND ${column} IS NOT NULL))`

/** Null is the greatest value, in both directions. */
export const isBefore = ({ column, descending }: SortKey, given: SQL): SQL =>
  descending ? isGreater(column, given) : isLess(column, given)

const isBehind = ({ column, descending }: SortKey, given: SQL): SQL =>
  descending ? isLess(column, given) : isGreater(column, given)

export const nameOfKeyValue = (n: number) => `@at${n}`

/** Condition of the records after a position with a value for each key. */
export function positionCondition({ keys, continues, record, column, leavesOutNulls }: PageShape): SQL {
  if (!continues) return leavesOutNulls ? sql`${column} IS NOT NULL` : sql`true`
  const beyond = sql.raw(keys.at(-1)?.descending ? '<' : '>')
  const isAfter = keys.reduceRight(
    (equal, key, n) =>
      sql`(${isBehind(key, sql`${param(nameOfKeyValue(n))}`)} OR (${key.column} IS ${param(nameOfKeyValue(n))} AND ${equal}))`,
    sql`${record.idColumn} ${beyond} ${param('@atId')}`,
  )
  return leavesOutNulls ? sql`${column} IS NOT NULL AND ${isAfter}` : isAfter
}
