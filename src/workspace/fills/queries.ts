import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../db/client/client'
import { fills } from '../../db/schema/fills'
import { inline, param, statement } from '../../db/sql/statement'

/** Values for existing rows of a table, after a migration that added a column. */
export interface Fill {
  /** Never used by another fill. */
  name: string
  table: SQLiteTable & { id: SQLiteColumn }
  /** Assignments of an UPDATE. A row written meanwhile keeps the result, so the values depend on the row alone. */
  assignments: SQL
}

// D1 advises chunks of this size for changes of many rows.
const ROWS_PER_SLICE = 10_000
const END_POSITION = Number.MAX_SAFE_INTEGER

const isBoundFill = sql`${fills.name} = ${param('name')}`
const selectFillPosition = sql`(SELECT ${fills.position} FROM ${fills} WHERE ${isBoundFill})`
const selectSliceIds = (table: Fill['table']) => sql`SELECT ${table.id} AS id FROM ${table}
  WHERE ${table.id} > ${selectFillPosition} ORDER BY ${table.id} LIMIT ${inline(ROWS_PER_SLICE)}`

const insertProgress = statement<never, { name: string }>(
  sql`INSERT INTO ${fills} (name, position) VALUES (${param('name')}, 0) ON CONFLICT DO NOTHING`,
)

const selectUnfinishedFills = statement<{ name: string }, { names: string }>(sql`SELECT value AS name
  FROM json_each(${param('names')})
  WHERE NOT EXISTS (SELECT 1 FROM ${fills} WHERE ${fills.name} = value AND ${fills.position} = ${inline(END_POSITION)})`)

export async function listUnfinishedFills(store: Store, all: readonly Fill[]): Promise<Fill[]> {
  const names = JSON.stringify(all.map(({ name }) => name))
  const [unfinished] = await store.batch(null, selectUnfinishedFills({ names }))
  return all.filter((fill) => unfinished.some(({ name }) => name === fill.name))
}

const selectWaitingFills = statement<{ name: string }, { names: string }>(sql`SELECT value AS name
  FROM json_each(${param('names')})
  WHERE NOT EXISTS (SELECT 1 FROM ${fills} WHERE ${fills.name} = value AND ${fills.position} = ${inline(END_POSITION)})
  UNION SELECT ${fills.name} FROM ${fills} WHERE ${fills.position} <> ${inline(END_POSITION)}`)

/** Also names fills of another release that have begun. */
export async function listWaitingFills(store: Store, all: readonly Fill[]): Promise<string[]> {
  const names = JSON.stringify(all.map(({ name }) => name))
  const [waiting] = await store.batch(null, selectWaitingFills({ names }))
  return waiting.map(({ name }) => name)
}

/** Fills the next slice, in a transaction with the position. */
export async function fillSlice(store: Store, { name, table, assignments }: Fill): Promise<void> {
  const updateSlice = statement<never, { name: string }>(
    sql`UPDATE ${table} SET ${assignments} WHERE ${table.id} IN (${selectSliceIds(table)})`,
  )
  const updatePosition = statement<never, { name: string }>(sql`UPDATE ${fills}
    SET position = coalesce((SELECT max(id) FROM (${selectSliceIds(table)})), ${inline(END_POSITION)}) WHERE ${isBoundFill}`)
  await store.batch(null, insertProgress({ name }), updateSlice({ name }), updatePosition({ name }))
}
