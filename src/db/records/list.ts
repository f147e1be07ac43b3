import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { ResourceName } from '../../resources'
import { notFoundError } from '../../text/errors'
import type { Database } from '../client/client'
import { type CursorPosition, decodeCursor, encodeCursor } from '../sql/cursor'
import type { Shape, ShownData } from '../sql/field'
import { collectFilters, type Filter } from '../sql/filter'
import { type FieldLeaf, makeRowConverter } from '../sql/selection'
import { type SqlValue, type Statement, statementCache, type Values } from '../sql/statement'
import {
  countFittingRows,
  MAX_PAGE_RECORDS,
  MAX_WHOLE_LIST_RECORDS,
  type PageShape,
  pageSql,
  unindexedFilters,
} from './page'
import type { Key, KeyColumns, RecordOf } from './record'

interface ListQuery {
  /** Absent in a documented list: up to `MAX_WHOLE_LIST_RECORDS` records. */
  limit?: number | undefined
  cursor?: string | undefined
  sort: string
  fields?: string | undefined
}

type SortName<S> = S extends `-${infer N}` ? N : S

type FilterNames<Q> = Exclude<keyof Q, keyof ListQuery>

interface DescendingSort {
  readonly descending: SQLiteColumn
}

export const sortDescending = (column: SQLiteColumn): DescendingSort => ({ descending: column })

interface ListOptions<Q, X extends string> {
  sorts: { readonly [N in SortName<Q extends { sort: infer S } ? S : never> & string]: SQLiteColumn | DescendingSort }
  filters?: { readonly [N in Exclude<FilterNames<Q>, X>]: Filter<Exclude<Q[N & keyof Q], undefined>> }
  boundParameters?: readonly X[]
  /** Rows to take for a page, if neither `limit` nor the byte limit decides. */
  cutAt?(rows: readonly Record<string, unknown>[]): number
}

// A Worker invocation may query D1 1,000 times: enough to export a million records.
const EXPORT_PAGE_SIZE = 1_000

export interface RecordPage<T> {
  data: T[]
  next?: { cursor: string }
}

export interface PageReading<T> {
  statement: Statement<Record<string, unknown>>
  toPage(rows: Record<string, unknown>[]): RecordPage<T>
}

/** Every query parameter needs a sort or a filter; the compiler reports a missing entry. */
export function listReader<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  Q extends z.ZodObject,
  X extends string = never,
>(
  record: RecordOf<R, K, F, D>,
  _query: Q,
  { sorts, filters, boundParameters = [], cutAt }: ListOptions<z.output<Q>, X>,
) {
  type Item = ShownData<F>
  const { items, scope, idColumn } = record
  const conditions = Object.entries<Filter<unknown>>((filters ?? {}) as Record<string, Filter<unknown>>)
  const templates = statementCache(pageSql)

  const leafOf = (column: SQLiteColumn, name: string): FieldLeaf =>
    items.find(({ field }) => field.column === column) ?? {
      path: [name],
      name,
      field: { sql: sql`${column}`, json: () => sql`` },
    }
  const idLeaf = leafOf(idColumn, 'sortId')
  const parentRecord = typeof scope === 'object' && 'parent' in scope ? scope.parent : undefined

  function read(db: Database, asked: z.output<Q>, key: Values = {}): PageReading<Item> {
    const given = asked as unknown as ListQuery & Record<string, unknown>
    const { limit = MAX_WHOLE_LIST_RECORDS, sort } = given
    const after = decodeCursor(sort, given.cursor)
    const sortName = sort.replace(/^-/, '')
    const sorted = (sorts as Record<string, SQLiteColumn | DescendingSort>)[sortName]
    if (!sorted) throw new Error(`No sort ${sort}`)
    const column = 'descending' in sorted ? sorted.descending : sorted
    const value = leafOf(column, 'sortValue')
    const names = given.fields?.split(',').map((name) => name.trim())
    const wanted = names ? items.filter(({ path }) => names.includes(path[0] ?? '')) : items
    const chosen = collectFilters(conditions, given)
    const shape: PageShape = {
      record,
      leaves: [...wanted, ...[value, idLeaf].filter((leaf) => !wanted.includes(leaf))],
      value,
      id: idLeaf,
      column,
      descending: sort.startsWith('-') || 'descending' in sorted,
      start: after === undefined ? 'start' : after.value === null ? 'null' : 'value',
      filters: chosen.filters,
      products: db.products?.length,
      isLarge: limit > MAX_PAGE_RECORDS,
    }
    const name = [
      sort,
      shape.start,
      names && wanted.map(({ name }) => name).join(),
      shape.products,
      shape.isLarge,
      chosen.text,
    ].join('|')
    const values: Record<string, SqlValue> = {
      ...key,
      ...Object.fromEntries(boundParameters.map((name) => [name, given[name] as SqlValue])),
      ...chosen.values,
      '@limit': limit + 1,
      '@after': after?.value ?? null,
      '@afterId': after?.id ?? null,
    }
    return {
      statement: { template: templates(name, shape), values },
      toPage: (rows) => pageOf(rows, limit, sort, shape),
    }
  }

  /** Cuts the rows at `limit` or the byte limit. The database leaves out no record before the cut. */
  function pageOf(rows: Record<string, unknown>[], limit: number, sort: string, shape: PageShape): RecordPage<Item> {
    const end = Math.min(limit, countRowsByBytes(rows, shape.leaves), cutAt?.(rows) ?? limit)
    const kept = rows.slice(0, end)
    const last = kept.at(-1)
    const isScan = unindexedFilters(shape).length > 0
    const ended = isScan && last?.['@found'] === 0
    const extra = [shape.value, shape.id].filter(({ name }) => name.startsWith('sort')).map(({ name }) => name)
    if (isScan) extra.push('@found')
    if (last && '@weight' in last) extra.push('@weight')
    const next =
      last && (ended || rows.length > end)
        ? { cursor: encodeCursor(sort, { value: last[shape.value.name], id: last[shape.id.name] } as CursorPosition) }
        : undefined
    if (ended) kept.pop()
    for (const row of extra.length ? kept : []) for (const name of extra) delete row[name]
    const item =
      shape.leaves.length < items.length ? (makeRowConverter(shape.leaves) as typeof record.toItem) : record.toItem
    return { data: kept.map((row) => item(row)), ...(next && { next }) }
  }

  async function pageAt(db: Database, asked: z.output<Q>, key: Key<KeyColumns> = {}): Promise<RecordPage<Item>> {
    const { statement, toPage } = read(db, asked, key)
    if (!parentRecord) return toPage((await db.read(statement))[0])
    const [rows, [parent]] = await db.read(statement, parentRecord.selectId(key))
    if (!parent) throw notFoundError(parentRecord.missing)
    return toPage(rows)
  }

  return {
    read,
    page: pageAt,
    /** Reads page by page on demand. A page has `size` records or `MAX_PAGE_BYTES`. */
    async *pages(
      db: Database,
      asked: Omit<z.output<Q>, 'limit' | 'cursor'>,
      key: Key<KeyColumns> = {},
      size = EXPORT_PAGE_SIZE,
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
 * Counts all texts, because computed texts (a list of links) have no maximum length. The database returns the first row
 * beyond the limit as a sign of a next page.
 */
export function countRowsByBytes(rows: readonly Record<string, unknown>[], leaves: readonly FieldLeaf[]): number {
  const isWeighed = rows[0] !== undefined && '@weight' in rows[0]
  const names = leaves.flatMap(({ name, field: { column, weight } }) =>
    column?.dataType === 'number' || (isWeighed && weight) ? [] : [name],
  )
  return countFittingRows(rows, names, weightOfRow)
}

const weightOfRow = ({ '@weight': weight }: Record<string, unknown>) => (typeof weight === 'number' ? weight : 0)
