import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../db/client/client'
import { fills } from '../../db/schema/fills'
import { inline, param, statement } from '../../db/sql/statement'

/** Values or index entries for existing rows of a table, after a migration that changed how they are made. */
export type Fill = {
  /** Never used by another fill. */
  name: string
  table: SQLiteTable & { id: SQLiteColumn }
} & (
  | {
      /** Assignments of an UPDATE. A row written meanwhile keeps the result, so the values depend on the row alone. */
      assignments: SQL
    }
  | {
      /** Name of the table. The view `<table>_search_texts` has the words of its rows. */
      indexes: string
      /** Low four bits of a row id in the index. */
      kind: number
    }
)

// D1 advises chunks of this size for changes of many rows.
const ROWS_PER_SLICE = 10_000
// A row of an index can have 60,000 characters, and a batch takes 30 seconds at most.
const INDEXED_ROWS_PER_SLICE = 1_000
const END_POSITION = Number.MAX_SAFE_INTEGER

const isBoundFill = sql`${fills.name} = ${param('name')}`
const selectFillPosition = sql`(SELECT ${fills.position} FROM ${fills} WHERE ${isBoundFill})`
const selectSliceIds = (fill: Fill) => sql`SELECT ${fill.table.id} AS id FROM ${fill.table}
  WHERE ${fill.table.id} > ${selectFillPosition} ORDER BY ${fill.table.id}
  LIMIT ${inline('indexes' in fill ? INDEXED_ROWS_PER_SLICE : ROWS_PER_SLICE)}`

function listSliceWrites(fill: Fill): SQL[] {
  const ids = selectSliceIds(fill)
  if ('assignments' in fill) {
    return [sql`UPDATE ${fill.table} SET ${fill.assignments} WHERE ${fill.table.id} IN (${ids})`]
  }
  const index = sql.raw(fill.indexes === 'users' ? 'search_people' : 'search')
  const kind = inline(fill.kind)
  return [
    sql`DELETE FROM ${index} WHERE rowid IN (SELECT id * 16 + ${kind} FROM (${ids}))`,
    sql`INSERT INTO search_entries (id, scope, title, body) SELECT t.id, t.scope, t.title, t.body
      FROM (${ids}) slice CROSS JOIN ${sql.raw(`${fill.indexes}_search_texts`)} t ON t.row_id = slice.id`,
  ]
}

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
export async function fillSlice(store: Store, fill: Fill): Promise<void> {
  const { name } = fill
  const writes = listSliceWrites(fill).map((write) => statement<never, { name: string }>(write)({ name }))
  const updatePosition = statement<never, { name: string }>(sql`UPDATE ${fills}
    SET position = coalesce((SELECT max(id) FROM (${selectSliceIds(fill)})), ${inline(END_POSITION)}) WHERE ${isBoundFill}`)
  await store.batch(null, insertProgress({ name }), ...writes, updatePosition({ name }))
}
