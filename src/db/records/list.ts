import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { ResourceName } from '../../resources'
import { notFoundError } from '../../text/errors'
import type { Database } from '../client/client'
import { selectUnknownReferences, throwUnknownReferences } from '../client/refuse'
import { coversProduct } from '../sql/access'
import { type CursorPosition, decodeCursor, encodeCursor } from '../sql/cursor'
import { moment, type Shape, type ShownData } from '../sql/field'
import { collectFilters, type Filter, type GivenFilter, listFilterReferences, unindexed } from '../sql/filter'
import { type FieldLeaf, makeRowConverter } from '../sql/selection'
import { makeStatementCache, type SqlValue, type Statement, type Values } from '../sql/statement'
import { type CountRow, countSql, describeCount } from './count'
import { countFittingRows, MAX_PAGE_RECORDS, MAX_WHOLE_LIST_RECORDS, pageSql } from './page'
import { listUnindexedFilters, type PageShape } from './page-scope'
import type { Key, KeyColumns, RecordOf } from './record'
import { columnOfSort, type ListPart, makeChangeOrder, partsOf, type Sort } from './sorts'

interface ListQuery {
  /** Absent in a documented list: up to `MAX_WHOLE_LIST_RECORDS` records. */
  limit?: number | undefined
  cursor?: string | undefined
  sort: string
  fields?: string | undefined
  count?: 'true' | 'false' | undefined
  removed?: 'exclude' | 'include' | 'only' | undefined
}

type SortName<S> = S extends `-${infer N}` ? N : S

type FilterNames<Q> = Exclude<keyof Q, keyof ListQuery>

type SortNames<Q> = SortName<Q extends { sort: infer S } ? S : never> & string

/** A record with `updatedAt` has the sort and the filter `updatedSince` without a declaration. */
interface ListOptions<Q, X extends string> {
  sorts: { readonly [N in Exclude<SortNames<Q>, 'updatedAt'>]: Sort } & { readonly updatedAt?: Sort }
  filters?: { readonly [N in Exclude<FilterNames<Q>, X | 'updatedSince'>]: Filter<Exclude<Q[N & keyof Q], undefined>> }
  boundParameters?: readonly X[]
  /** A condition without an index for each record of the list: a page looks at a bounded number of records. */
  shownIf?: SQL
  /** Rows to take for a page, if neither `limit` nor the byte limit decides. */
  cutAt?(rows: readonly Record<string, unknown>[]): number
}

// A Worker invocation may query D1 1,000 times: enough to export a million records.
const EXPORT_PAGE_SIZE = 1_000

export interface RecordPage<T> {
  data: T[]
  next?: { cursor: string }
  /** Number of records of all pages, if the query has `count`. */
  total?: string
}

/** Every query parameter needs a sort or a filter; the compiler reports a missing entry. */
export function makeListReader<
  R extends ResourceName,
  K extends KeyColumns,
  F extends Shape,
  D extends Shape,
  Q extends z.ZodObject,
  X extends string = never,
>(
  record: RecordOf<R, K, F, D>,
  _query: Q,
  { sorts, filters, boundParameters = [], shownIf, cutAt }: ListOptions<z.output<Q>, X>,
) {
  type Item = ShownData<F>
  const { items, scope, idColumn } = record
  const changes = makeChangeOrder(record)
  const sortByName: Readonly<Record<string, Sort>> = { ...changes?.sorts, ...sorts }
  const conditions = Object.entries<Filter<unknown>>({ ...filters, ...changes?.filters } as never)
  const templates = makeStatementCache(pageSql)
  const countTemplates = makeStatementCache(countSql)

  const leafOf = (column: SQLiteColumn, name: string): FieldLeaf =>
    items.find(({ field }) => field.column === column) ?? {
      path: [name],
      name,
      field: { sql: sql`${column}`, json: () => sql`` },
    }
  const idLeaf = leafOf(idColumn, 'sortId')
  const parentRecord = typeof scope === 'object' && 'parent' in scope ? scope.parent : undefined

  const ofKey = typeof scope === 'object' && 'product' in scope
  const { deletedAt } = record.columns
  const removedName = items.some(({ name }) => name === 'updated_at') ? 'deleted_at' : 'deletedAt'
  const removalLeaves: FieldLeaf[] = deletedAt
    ? [{ path: [removedName], name: removedName, field: moment(deletedAt) }]
    : []
  const isShared = ofKey && scope.shared ? sql`${scope.product} IS NULL` : sql`false`
  const coveredProductsFilter: GivenFilter = {
    name: '@products',
    filter: unindexed<unknown>({ where: () => sql`(${isShared} OR ${coversProduct(record.eventSource.product)})` }),
    given: null,
  }
  const shownFilters: GivenFilter[] = shownIf
    ? [{ name: '@shown', filter: unindexed<unknown>({ where: () => shownIf }), given: null }]
    : []

  type Row = Record<string, unknown>
  const isMarker = (row: Row | undefined) => row?.['@found'] === 0

  /** Parts of a page that decide the text of its statement. */
  function shapePage(db: Database, given: ListQuery & Record<string, unknown>, part: ListPart) {
    const { limit = MAX_WHOLE_LIST_RECORDS } = given
    const { column, after, isUnset } = part
    const value = leafOf(column, 'sortValue')
    const names = given.fields?.split(',').map((name) => name.trim())
    const shown = given.removed && given.removed !== 'exclude' ? [...items, ...removalLeaves] : items
    const named = names ? shown.filter(({ path }) => names.includes(path[0] ?? '')) : shown
    // A record has at least one field.
    const wanted = !named.length && names?.includes(removedName) ? removalLeaves : named
    const chosen = collectFilters(conditions, given)
    const removed = given.removed === 'exclude' ? undefined : given.removed
    const scansProducts = (part.scansProducts === true || removed !== undefined) && ofKey && db.products !== null
    const own = scansProducts ? [coveredProductsFilter] : []
    const shape: PageShape = {
      record,
      leaves: [...wanted, ...[value, idLeaf].filter((leaf) => !wanted.includes(leaf))],
      value,
      id: idLeaf,
      column,
      leavesOutNulls: part.leavesOutNulls ?? false,
      descending: part.descending,
      start: after === undefined ? 'start' : after.value === null ? 'null' : 'value',
      filters: [...chosen.filters, ...(isUnset ? [isUnset] : []), ...own, ...shownFilters],
      products: db.products?.length,
      scansProducts,
      isLarge: limit > MAX_PAGE_RECORDS,
      removed,
    }
    return { shape, chosen, shownNames: names && `fields ${wanted.map(({ name }) => name)}` }
  }

  function readPart(db: Database, given: ListQuery & Record<string, unknown>, key: Values, part: ListPart) {
    const { limit = MAX_WHOLE_LIST_RECORDS, sort } = given
    const { after, isUnset } = part
    const { shape, chosen, shownNames } = shapePage(db, given, part)
    const name = [
      sort,
      isUnset?.name,
      shape.start,
      shownNames,
      shape.products,
      shape.removed,
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
    const statement: Statement<Row> = { template: templates(name, shape), values }
    const extra = [shape.value, shape.id].filter(({ name }) => name.startsWith('sort')).map(({ name }) => name)
    if (listUnindexedFilters(shape).length) extra.push('@found')
    function toItems(rows: Row[]): Item[] {
      const [first] = rows
      const names = first && '@weight' in first ? [...extra, '@weight'] : extra
      for (const row of names.length ? rows : []) for (const name of names) delete row[name]
      const item = makeRowConverter(shape.leaves) as typeof record.toItem
      return rows.map((row) => item(row))
    }
    return { statement, shape, isUnset: isUnset !== undefined, toItems }
  }
  type PartReading = ReturnType<typeof readPart>

  /** Counts in the order that needs the fewest scans, because the order does not change the count. */
  function readCount(db: Database, { limit, ...given }: ListQuery & Record<string, unknown>, key: Values) {
    const shapes = Object.values(sortByName).map((sort) => {
      const part: ListPart = { column: columnOfSort(sort), descending: false, scansProducts: 'inWorkspace' in sort }
      return shapePage(db, given, part).shape
    })
    const [best] = shapes.toSorted((a, b) => listUnindexedFilters(a).length - listUnindexedFilters(b).length)
    if (!best) throw new Error('A list has no sort')
    const { text, values } = collectFilters(conditions, given)
    const name = [best.column.name, best.products === undefined, best.removed, text].join('|')
    const statement: Statement<CountRow> = { template: countTemplates(name, best), values: { ...key, ...values } }
    return statement
  }

  function read(db: Database, asked: z.output<Q>, key: Values = {}) {
    const given = asked as unknown as ListQuery & Record<string, unknown>
    const { limit = MAX_WHOLE_LIST_RECORDS, sort } = given
    const sorted = sortByName[sort.replace(/^-/, '')]
    if (!sorted) throw new Error(`No sort ${sort}`)
    const [part, further] = partsOf(sorted, sort, decodeCursor(sort, given.cursor))
    const first = readPart(db, given, key, part)
    const second = further && readPart(db, given, key, further)
    const cursorAt = ({ shape: { value, id }, isUnset }: PartReading, row: Row) => {
      const [at, otherwise] = isUnset ? [null, row[value.name]] : [row[value.name], undefined]
      return encodeCursor(sort, { value: at, id: row[id.name], otherwise } as CursorPosition)
    }

    const statements: Statement[] = [first.statement]
    if (second) statements.push(second.statement)
    const countAt = given.count === 'true' ? statements.push(readCount(db, given, key)) - 1 : undefined
    const references = listFilterReferences(conditions, given)
    const referencesAt = references.length ? statements.push(selectUnknownReferences(references)) - 1 : undefined

    /**
     * Takes the rows of each statement. Cuts the rows at `limit` or the byte limit; the database leaves out no record
     * before the cut.
     */
    function toPage(results: readonly unknown[][]): RecordPage<Item> {
      const [rows = [], furtherRows = []] = results.slice(0, second ? 2 : 1) as Row[][]
      if (referencesAt !== undefined) throwUnknownReferences(results[referencesAt])
      const [counted] = (countAt === undefined ? [] : results[countAt]) as CountRow[]
      const all = isMarker(rows.at(-1)) ? rows : [...rows, ...furtherRows]
      const end = Math.min(limit, countRowsWithinBytes(all, first.shape.leaves), cutAt?.(all) ?? limit)
      const kept = all.slice(0, end)
      const last = kept.at(-1)
      const hasNext = all.length > end || isMarker(last)
      const next =
        last && hasNext ? { cursor: cursorAt(end > rows.length && second ? second : first, last) } : undefined
      if (isMarker(last)) kept.pop()
      const data = [...first.toItems(kept.slice(0, rows.length)), ...(second?.toItems(kept.slice(rows.length)) ?? [])]
      return { data, ...(next && { next }), ...(counted && { total: describeCount(counted) }) }
    }
    return { statements, toPage }
  }

  async function pageAt(db: Database, asked: z.output<Q>, key: Key<KeyColumns> = {}): Promise<RecordPage<Item>> {
    const { statements, toPage } = read(db, asked, key)
    if (!parentRecord) return toPage(await db.read(...statements))
    const [[parent] = [], ...results] = await db.read(parentRecord.selectId(key), ...statements)
    if (!parent) throw notFoundError(parentRecord.missing)
    return toPage(results)
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
export function countRowsWithinBytes(rows: readonly Record<string, unknown>[], leaves: readonly FieldLeaf[]): number {
  const isWeighed = rows[0] !== undefined && '@weight' in rows[0]
  const names = leaves.flatMap(({ name, field: { column, weight } }) =>
    column?.dataType === 'number' || (isWeighed && weight) ? [] : [name],
  )
  return countFittingRows(rows, names, weightOfRow)
}

const weightOfRow = ({ '@weight': weight }: Record<string, unknown>) => (typeof weight === 'number' ? weight : 0)
