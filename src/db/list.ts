import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { ResourceName } from '../resources'
import { notFound } from '../text/errors'
import type { Database } from './client'
import { decodeCursor, encodeCursor, type Place } from './cursor'
import type { Shape, Shown } from './field'
import { type Filter, givenOf } from './filter'
import { MAX_PAGE, type PageShape, pageSql, rowsThatFit, WHOLE_PAGE, walkedBy } from './page'
import type { Key, KeyColumns, RecordOf } from './record'
import { type Leaf, shownBy } from './selection'
import { type SqlValue, type Statement, textsBy, type Values } from './statement'

/** What every list is asked: `listQuery` declares it. */
interface Asked {
  /** Absent in a documented list: `WHOLE_PAGE` records. */
  limit?: number | undefined
  cursor?: string | undefined
  sort: string
  fields?: string | undefined
}

/** A sort by its name without the sign. */
type SortName<S> = S extends `-${infer N}` ? N : S

type Conditions<Q> = Exclude<keyof Q, keyof Asked>

/** A sort whose name has no sign, and which descends. */
interface Falling {
  readonly falls: SQLiteColumn
}

export const falling = (column: SQLiteColumn): Falling => ({ falls: column })

interface Listed<Q, X extends string> {
  /** The column of each sort. */
  sorts: { readonly [N in SortName<Q extends { sort: infer S } ? S : never> & string]: SQLiteColumn | Falling }
  /** What each further parameter of the query leaves. */
  filters?: { readonly [N in Exclude<Conditions<Q>, X>]: Filter<Exclude<Q[N & keyof Q], undefined>> }
  /** Parameters that the fields themselves bind. */
  bound?: readonly X[]
  /** How many of the rows a page takes, where that is not its limit's and its bytes' to say. */
  ends?(rows: readonly Record<string, unknown>[]): number
}

// An invocation may ask D1 a thousand times: enough for a million records.
const EXPORT_PAGE = 1_000

export interface Page<T> {
  data: T[]
  next?: { cursor: string }
}

/** The statement of one page, and what to make of its rows. */
export interface PageRead<T> {
  statement: Statement<Record<string, unknown>>
  page(rows: Record<string, unknown>[]): Page<T>
}

/**
 * Makes the reading of a list's pages: one text for each sort, place, set of filters and of fields, and number of
 * products in use. Whatever the query may ask has a sort or a filter here; the compiler misses one that has not.
 */
export function list<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  Q extends z.ZodObject,
  X extends string = never,
>(record: RecordOf<R, K, F, D>, _query: Q, { sorts, filters, bound = [], ends }: Listed<z.output<Q>, X>) {
  type Item = Shown<F>
  const { items, within, idColumn } = record
  const conditions = Object.entries<Filter<unknown>>((filters ?? {}) as Record<string, Filter<unknown>>)
  const templates = textsBy(pageSql)

  /** The leaf that shows a column as it is stored, or one of its own. */
  const leafOf = (column: SQLiteColumn, name: string): Leaf =>
    items.find(({ field }) => field.column === column) ?? {
      path: [name],
      name,
      field: { sql: sql`${column}`, json: () => sql`` },
    }
  const idLeaf = leafOf(idColumn, 'sortId')
  const above = typeof within === 'object' && 'parent' in within ? within.parent : undefined

  /** One page, for a batch that reads more. */
  function read(db: Database, asked: z.output<Q>, key: Values = {}): PageRead<Item> {
    const given = asked as unknown as Asked & Record<string, unknown>
    const { limit = WHOLE_PAGE, sort } = given
    const after = decodeCursor(sort, given.cursor)
    const sortName = sort.replace(/^-/, '')
    const sorted = (sorts as Record<string, SQLiteColumn | Falling>)[sortName]
    if (!sorted) throw new Error(`No sort ${sort}`)
    const column = 'falls' in sorted ? sorted.falls : sorted
    const value = leafOf(column, 'sortValue')
    const names = given.fields?.split(',').map((name) => name.trim())
    const wanted = names ? items.filter(({ path }) => names.includes(path[0] ?? '')) : items
    const chosen = givenOf(conditions, given)
    const shape: PageShape = {
      record,
      leaves: [...wanted, ...[value, idLeaf].filter((leaf) => !wanted.includes(leaf))],
      value,
      id: idLeaf,
      column,
      descending: sort.startsWith('-') || 'falls' in sorted,
      after: after === undefined ? 'start' : after.value === null ? 'null' : 'value',
      filters: chosen.filters,
      products: db.products?.length,
      large: limit > MAX_PAGE,
    }
    const name = [
      sort,
      shape.after,
      names && wanted.map(({ name }) => name).join(),
      shape.products,
      shape.large,
      chosen.text,
    ].join('|')
    const values: Record<string, SqlValue> = {
      ...key,
      ...Object.fromEntries(bound.map((name) => [name, given[name] as SqlValue])),
      ...chosen.values,
      '@limit': limit + 1,
      '@after': after?.value ?? null,
      '@afterId': after?.id ?? null,
    }
    return {
      statement: { template: templates(name, shape), values },
      page: (rows) => pageOf(rows, limit, sort, shape),
    }
  }

  /** Cut where `limit` or the bytes of its long texts end it; the database has left out no record before that place. */
  function pageOf(rows: Record<string, unknown>[], limit: number, sort: string, shape: PageShape): Page<Item> {
    const end = Math.min(limit, endByBytes(rows, shape.leaves), ends?.(rows) ?? limit)
    const kept = rows.slice(0, end)
    const last = kept.at(-1)
    const walked = walkedBy(shape).length > 0
    const ended = walked && last?.['@found'] === 0
    const extra = [shape.value, shape.id].filter(({ name }) => name.startsWith('sort')).map(({ name }) => name)
    if (walked) extra.push('@found')
    if (last && '@weight' in last) extra.push('@weight')
    const next =
      last && (ended || rows.length > end)
        ? { cursor: encodeCursor(sort, { value: last[shape.value.name], id: last[shape.id.name] } as Place) }
        : undefined
    if (ended) kept.pop()
    for (const row of extra.length ? kept : []) for (const name of extra) delete row[name]
    const item = shape.leaves.length < items.length ? (shownBy(shape.leaves) as typeof record.item) : record.item
    return { data: kept.map((row) => item(row)), ...(next && { next }) }
  }

  async function pageAt(db: Database, asked: z.output<Q>, key: Key<KeyColumns> = {}): Promise<Page<Item>> {
    const { statement, page } = read(db, asked, key)
    if (!above) return page((await db.read(statement))[0])
    const [rows, [parent]] = await db.read(statement, above.find(key))
    if (!parent) throw notFound(above.missing)
    return page(rows)
  }

  return {
    read,
    /** A page for a reply; a parent in the path that is not there is a 404. */
    page: pageAt,
    /** All of it, for an export: pages of so many records or `MAX_PAGE_BYTES`, each read when it is asked for. */
    async *pages(
      db: Database,
      asked: Omit<z.output<Q>, 'limit' | 'cursor'>,
      key: Key<KeyColumns> = {},
      size = EXPORT_PAGE,
    ) {
      for (let cursor: string | undefined, first = true; first || cursor; first = false) {
        const { data, next } = await pageAt(db, { ...asked, limit: size, cursor } as never, key)
        yield data
        cursor = next?.cursor
      }
    },
  }
}

/**
 * Returns how many rows fit into a page by all of their texts: what the database computes, like a list of links, has no
 * greatest length. Fields with a weight count by it where the page has weights. The database still hands over the first
 * row beyond: a next page exists then.
 */
export function endByBytes(rows: readonly Record<string, unknown>[], leaves: readonly Leaf[]): number {
  const isWeighed = rows[0] !== undefined && '@weight' in rows[0]
  const names = leaves.flatMap(({ name, field: { column, weight } }) =>
    column?.dataType === 'number' || (isWeighed && weight) ? [] : [name],
  )
  return rowsThatFit(rows, names, weightIn)
}

const weightIn = ({ '@weight': weight }: Record<string, unknown>) => (typeof weight === 'number' ? weight : 0)
