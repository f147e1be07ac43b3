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
  | Derivation
)

/** Values that the Worker makes of a text of the row. */
interface Derivation {
  text: SQLiteColumn
  /** Undefined for a text whose values are as before. */
  derive: (text: string) => readonly string[] | undefined
  /** Takes a query of `id`, `text` and the JSON array `made`. A row whose text is another one meanwhile keeps its values. */
  writes: (derived: SQL) => readonly SQL[]
}

// D1 advises chunks of this size for changes of many rows.
const ROWS_PER_SLICE = 10_000
// A row of an index can have 60,000 characters, and a batch takes 30 seconds at most.
const INDEXED_ROWS_PER_SLICE = 1_000
const DERIVED_ROWS_PER_SLICE = 2_000
// The texts and their values return in one parameter, and D1 takes 2 MB.
const MAX_DERIVED_BYTES = 400_000
const END_POSITION = Number.MAX_SAFE_INTEGER

const isBoundFill = sql`${fills.name} = ${param('name')}`
const selectFillPosition = sql`(SELECT ${fills.position} FROM ${fills} WHERE ${isBoundFill})`
const selectSliceIds = (fill: Fill) => sql`SELECT ${fill.table.id} AS id FROM ${fill.table}
  WHERE ${fill.table.id} > ${selectFillPosition} ORDER BY ${fill.table.id}
  LIMIT ${inline('indexes' in fill ? INDEXED_ROWS_PER_SLICE : ROWS_PER_SLICE)}`

type SqlFill = Exclude<Fill, Derivation>

function listSliceWrites(fill: SqlFill): SQL[] {
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
export const fillSlice = (store: Store, fill: Fill): Promise<void> =>
  'derive' in fill ? deriveSlice(store, fill) : fillSliceInSql(store, fill)

const derivedRows = sql`SELECT value ->> 0 AS id, value ->> 1 AS text, value -> 2 AS made FROM json_each(${param('rows')})`

async function deriveSlice(store: Store, { name, table, text, derive, writes }: Fill & Derivation): Promise<void> {
  const selectTexts = statement<{ id: number; text: string }, { name: string }>(sql`SELECT id, text FROM (
    SELECT id, text, row_number() OVER (ORDER BY id) AS n, sum(octet_length(text)) OVER (ORDER BY id) AS bytes FROM (
      SELECT ${table.id} AS id, ${text} AS text FROM ${table} WHERE ${table.id} > ${selectFillPosition}
      ORDER BY ${table.id} LIMIT ${inline(DERIVED_ROWS_PER_SLICE)}))
    WHERE n = 1 OR bytes <= ${inline(MAX_DERIVED_BYTES)} ORDER BY id`)
  const [, read] = await store.batch(null, insertProgress({ name }), selectTexts({ name }))
  const made = read.flatMap(({ id, text }) => {
    const values = derive(text)
    return values ? [[id, text, values]] : []
  })
  const position = read.at(-1)?.id ?? END_POSITION
  const rows = JSON.stringify(made)
  const statements = writes(derivedRows).map((write) => statement<never, { rows: string }>(write)({ rows }))
  await store.batch(null, ...(made.length ? statements : []), storePosition({ name, position }))
}

const storePosition = statement<never, { name: string; position: number }>(
  sql`UPDATE ${fills} SET position = ${param('position')} WHERE ${isBoundFill}`,
)

async function fillSliceInSql(store: Store, fill: SqlFill): Promise<void> {
  const { name } = fill
  const writes = listSliceWrites(fill).map((write) => statement<never, { name: string }>(write)({ name }))
  const updatePosition = statement<never, { name: string }>(sql`UPDATE ${fills}
    SET position = coalesce((SELECT max(id) FROM (${selectSliceIds(fill)})), ${inline(END_POSITION)}) WHERE ${isBoundFill}`)
  await store.batch(null, insertProgress({ name }), ...writes, updatePosition({ name }))
}
