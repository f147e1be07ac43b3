import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../client/client'
import { coversProduct } from '../sql/access'
import { moment } from '../sql/field'
import { collectFilters, type Filter, type GivenFilter, unindexed } from '../sql/filter'
import { type FieldLeaf, makeRowConverter } from '../sql/selection'
import { makeStatementCache, type SqlValue, type Statement, type Values } from '../sql/statement'
import { type CountRow, countSql } from './count'
import { MAX_PAGE_RECORDS, MAX_WHOLE_LIST_RECORDS, pageSql } from './page'
import { placeLeaves, type SortKey } from './page-order'
import { listUnindexedFilters, type PageShape } from './page-scope'
import type { ListKey } from './several-sorts'
import { columnOfSort, type ListPart, type Sort } from './sorts'

export interface ListQuery {
  /** Absent in a documented list: up to `MAX_WHOLE_LIST_RECORDS` records. */
  limit?: number | undefined
  cursor?: string | undefined
  sort: readonly string[]
  fields?: string | undefined
  count?: 'true' | 'false' | undefined
  removed?: 'exclude' | 'include' | 'only' | undefined
}

export type AskedList = ListQuery & Record<string, unknown>

export type Row = Record<string, unknown>

interface PartOptions {
  conditions: readonly (readonly [name: string, filter: Filter<unknown>])[]
  boundParameters: readonly string[]
  shownIf: SQL | undefined
  sortByName: Readonly<Record<string, Sort>>
}

/** The keys of an order of several keys, and the values of the place in this order. */
interface SeveralKeys {
  keys: readonly ListKey[]
  values: Values
}

/** Makes the statements of the pages of a list. */
export function makePartReader(
  record: PageShape['record'],
  { conditions, boundParameters, shownIf, sortByName }: PartOptions,
) {
  const { items, scope, idColumn } = record
  const templates = makeStatementCache(pageSql)
  const countTemplates = makeStatementCache(countSql)

  const leafOf = (column: SQLiteColumn, name: string): FieldLeaf =>
    items.find(({ field }) => field.column === column) ?? {
      path: [name],
      name,
      field: { sql: sql`${column}`, json: () => sql`` },
    }
  const idLeaf = leafOf(idColumn, 'sortId')
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

  /** The stored value, because a field can show another value for null. */
  const keyLeaf = ({ column, descending }: ListKey, n: number): SortKey => {
    const name = `sortKey${n}`
    return { leaf: { path: [name], name, field: { sql: sql`${column}`, json: () => sql`` } }, column, descending }
  }

  /** Parts of a page that decide the text of its statement. */
  function shapePage(db: Database, given: AskedList, part: ListPart, several: readonly ListKey[] = []) {
    const { limit = MAX_WHOLE_LIST_RECORDS } = given
    const { column, after, isUnset } = part
    const keys = several.map(keyLeaf)
    const value = keys[0]?.leaf ?? leafOf(column, 'sortValue')
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
      leaves: [],
      value,
      id: idLeaf,
      column,
      leavesOutNulls: part.leavesOutNulls ?? false,
      descending: part.descending,
      start: after === undefined ? 'start' : after.value === null ? 'null' : 'value',
      keys,
      continues: part.continues ?? false,
      filters: [...chosen.filters, ...(isUnset ? [isUnset] : []), ...(part.members ?? []), ...own, ...shownFilters],
      products: db.products?.length,
      scansProducts,
      isLarge: limit > MAX_PAGE_RECORDS,
      removed,
    }
    const places = placeLeaves(shape).filter((leaf) => !wanted.includes(leaf))
    return {
      shape: { ...shape, leaves: [...wanted, ...places] },
      chosen,
      shownNames: names && `fields ${wanted.map(({ name }) => name)}`,
    }
  }

  function readPart(db: Database, given: AskedList, key: Values, part: ListPart, several?: SeveralKeys) {
    const { limit = MAX_WHOLE_LIST_RECORDS, sort } = given
    const { after, isUnset, members = [] } = part
    const { shape, chosen, shownNames } = shapePage(db, given, part, several?.keys)
    const name = [
      sort.join(),
      isUnset?.name ?? members.length,
      shape.continues,
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
      ...several?.values,
    }
    const statement: Statement<Row> = { template: templates(name, shape), values }
    const extra = placeLeaves(shape).flatMap(({ name }) => (name.startsWith('sort') ? [name] : []))
    if (shape.keys.length || listUnindexedFilters(shape).length) extra.push('@found')
    function toItems(rows: Row[]): unknown[] {
      const [first] = rows
      const names = first && '@weight' in first ? [...extra, '@weight'] : extra
      for (const row of names.length ? rows : []) for (const name of names) delete row[name]
      const item = makeRowConverter(shape.leaves)
      return rows.map((row) => item(row))
    }
    return { statement, shape, isUnset: isUnset !== undefined, toItems }
  }

  /** Counts in the order that needs the fewest scans, because the order does not change the count. */
  function readCount(db: Database, { limit, ...given }: AskedList, key: Values) {
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

  return { readPart, readCount }
}

export type PartReading = ReturnType<ReturnType<typeof makePartReader>['readPart']>
