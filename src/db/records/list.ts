import type { SQL } from 'drizzle-orm'
import type * as z from 'zod'
import type { ResourceName } from '../../resources'
import { notFoundError } from '../../text/errors'
import type { Database } from '../client/client'
import { selectUnknownReferences, throwUnknownReferences } from '../client/refuse'
import { type CursorPosition, decodeCursor, encodeCursor, type SortValue } from '../sql/cursor'
import type { Shape, ShownData } from '../sql/field'
import { type Filter, listFilterReferences } from '../sql/filter'
import type { FieldLeaf } from '../sql/selection'
import type { Statement, Values } from '../sql/statement'
import { type CountRow, describeCount } from './count'
import { type AskedList, type ListQuery, makePartReader, type PartReading, type Row } from './list-parts'
import { countFittingRows, MAX_WHOLE_LIST_RECORDS } from './page'
import type { Key, KeyColumns, RecordOf } from './record'
import { type ListKey, listKeys, nextPlace, partOfPlace, readPlace, writePlace } from './several-sorts'
import { makeChangeOrder, partsOf, type Sort } from './sorts'

type SortName<S> = S extends `-${infer N}` ? N : S

type FilterNames<Q> = Exclude<keyof Q, keyof ListQuery>

type SortNames<Q> = SortName<Q extends { sort: readonly (infer S)[] } ? S : never> & string

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
  const { scope } = record
  const changes = makeChangeOrder(record)
  const sortByName: Readonly<Record<string, Sort>> = { ...changes?.sorts, ...sorts }
  const conditions = Object.entries<Filter<unknown>>({ ...filters, ...changes?.filters } as never)
  const { readPart, readCount } = makePartReader(record, { conditions, boundParameters, shownIf, sortByName })
  const parentRecord = typeof scope === 'object' && 'parent' in scope ? scope.parent : undefined

  // -1 marks a whole window of one value.
  const isMarker = (row: Row | undefined) => row?.['@found'] === 0 || row?.['@found'] === -1

  const sortOf = (name: string): Sort => {
    const sort = sortByName[name.replace(/^-/, '')]
    if (!sort) throw new Error(`No sort ${name}`)
    return sort
  }

  /** Number of rows of a page: `limit`, or less for the byte limit. The database leaves out no record before the cut. */
  const countRowsOfPage = (
    rows: readonly Row[],
    { limit = MAX_WHOLE_LIST_RECORDS }: AskedList,
    { shape }: PartReading,
  ) => Math.min(limit, countRowsWithinBytes(rows, shape.leaves), cutAt?.(rows) ?? limit)

  /** Statements of a page, and the page from the rows of each statement. */
  interface Walk {
    parts: readonly PartReading[]
    toPage(rows: readonly Row[][]): RecordPage<Item>
  }

  const itemsOf = ({ toItems }: PartReading, rows: Row[]) => toItems(rows) as Item[]

  function walkByOne(db: Database, given: AskedList, key: Values, name: string): Walk {
    const sort = given.sort.join()
    const [part, further] = partsOf(sortOf(name), name, decodeCursor(sort, given.cursor))
    const first = readPart(db, given, key, part)
    const second = further && readPart(db, given, key, further)
    const cursorAt = ({ shape: { value, id }, isUnset }: PartReading, row: Row) => {
      const [at, otherwise] = isUnset ? [null, row[value.name]] : [row[value.name], undefined]
      return encodeCursor(sort, { value: at, id: row[id.name], otherwise } as CursorPosition)
    }
    return {
      parts: second ? [first, second] : [first],
      toPage([rows = [], furtherRows = []]) {
        const all = isMarker(rows.at(-1)) ? rows : [...rows, ...furtherRows]
        const end = countRowsOfPage(all, given, first)
        const kept = all.slice(0, end)
        const last = kept.at(-1)
        const hasNext = all.length > end || isMarker(last)
        const next =
          last && hasNext ? { cursor: cursorAt(end > rows.length && second ? second : first, last) } : undefined
        if (isMarker(last)) kept.pop()
        const data = [
          ...itemsOf(first, kept.slice(0, rows.length)),
          ...(second ? itemsOf(second, kept.slice(rows.length)) : []),
        ]
        return { data, ...(next && { next }) }
      },
    }
  }

  function walkBySeveral(db: Database, given: AskedList, key: Values, keys: readonly ListKey[]): Walk {
    const sort = given.sort.join()
    const place = readPlace(keys, sort, given.cursor)
    const { part, ...several } = partOfPlace(keys, place)
    const reading = readPart(db, given, key, part, several)
    const { id, value, keys: sorted } = reading.shape
    const valuesOf = (row: Row) =>
      (sorted.length ? sorted.map(({ leaf }) => leaf) : [value]).map(({ name }) => row[name] as SortValue)
    return {
      parts: [reading],
      toPage([rows = []]) {
        const marker = isMarker(rows.at(-1)) ? rows.at(-1) : undefined
        const found = marker ? rows.slice(0, -1) : rows
        const end = countRowsOfPage(found, given, reading)
        const kept = found.slice(0, end)
        // Without a window, the marker is the last record that the page has looked at.
        const last = found.length > end ? kept.at(-1) : sorted.length ? undefined : marker
        const next = nextPlace(keys, place, {
          ...(last && { last: { values: valuesOf(last), id: last[id.name] as number } }),
          ...(marker &&
            sorted.length && { edge: { value: valuesOf(marker)[0] ?? null, isWholeWindow: marker['@found'] === -1 } }),
        })
        return { data: itemsOf(reading, kept), ...(next && { next: { cursor: writePlace(sort, next) } }) }
      },
    }
  }

  function read(db: Database, asked: z.output<Q>, key: Values = {}) {
    const given = asked as unknown as AskedList
    const keys = listKeys(given.sort.map((name) => [name, sortOf(name)]))
    const walk = keys.length > 1 ? walkBySeveral(db, given, key, keys) : walkByOne(db, given, key, given.sort[0] ?? '')
    const statements: Statement[] = walk.parts.map(({ statement }) => statement)
    const countAt = given.count === 'true' ? statements.push(readCount(db, given, key)) - 1 : undefined
    const references = listFilterReferences(conditions, given)
    const referencesAt = references.length ? statements.push(selectUnknownReferences(references)) - 1 : undefined

    /** Takes the rows of each statement. */
    function toPage(results: readonly unknown[][]): RecordPage<Item> {
      if (referencesAt !== undefined) throwUnknownReferences(results[referencesAt])
      const [counted] = (countAt === undefined ? [] : results[countAt]) as CountRow[]
      const page = walk.toPage(results.slice(0, walk.parts.length) as Row[][])
      return counted ? { ...page, total: describeCount(counted) } : page
    }
    return { statements, toPage }
  }

  async function readPage(db: Database, asked: z.output<Q>, key: Key<KeyColumns>): Promise<RecordPage<Item>> {
    const { statements, toPage } = read(db, asked, key)
    if (!parentRecord) return toPage(await db.read(...statements))
    const [[parent] = [], ...results] = await db.read(parentRecord.selectId(key), ...statements)
    if (!parent) throw notFoundError(parentRecord.missing)
    return toPage(results)
  }

  async function pageAt(db: Database, asked: z.output<Q>, key: Key<KeyColumns> = {}): Promise<RecordPage<Item>> {
    const page = await readPage(db, asked, key)
    const { sort } = asked as unknown as AskedList
    if (sort.length === 1 || page.data.length || !page.next) return page
    // More than 10,000 records have the first value of the first key: a second round trip walks the next key.
    return { ...page, ...(await readPage(db, { ...asked, ...page.next, count: undefined } as never, key)) }
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
