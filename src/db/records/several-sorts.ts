import { sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { decodeCursorAs, encodeCursorOf, isSortValue, type SortValue } from '../sql/cursor'
import { type GivenFilter, unindexed } from '../sql/filter'
import { param, type SqlValue, type Values } from '../sql/statement'
import { nameOfKeyValue } from './page-order'
import { columnOfSort, isDescending, type ListPart, type Sort } from './sorts'

/**
 * A list with several keys walks the index of the first key, and sorts the next 10,000 records by all keys. A group of
 * records with one value of the first key, which can be larger, is a list of its own: it walks the index of the next
 * key. `group` has the values of the keys before the walked key.
 */
interface Place {
  readonly group: readonly SortValue[]
  readonly at: PlaceInGroup
}

type PlaceInGroup =
  | { readonly kind: 'start' }
  /** Before or behind the records with this value of the walked key. */
  | { readonly kind: 'from' | 'beyond'; readonly value: SortValue }
  /** Behind the record with these values of the walked key and the following keys. */
  | { readonly kind: 'after'; readonly values: readonly SortValue[]; readonly id: number }

export interface ListKey {
  readonly column: SQLiteColumn
  readonly descending: boolean
  readonly isOptional: boolean
  readonly scansProducts: boolean
}

const keyOf = (sort: Sort, name: string): ListKey => ({
  column:
    'inWorkspace' in sort
      ? keyOf(sort.inWorkspace, name).column
      : 'optional' in sort
        ? sort.optional
        : columnOfSort(sort),
  descending: isDescending(sort, name),
  isOptional: 'optional' in sort,
  scansProducts: 'inWorkspace' in sort,
})

/**
 * The keys of an order, without keys that repeat a column. An index that leaves out records without a value is never the
 * last, because the last key orders the records without a value too.
 */
export function listKeys(named: readonly (readonly [name: string, sort: Sort])[]): ListKey[] {
  const keys: ListKey[] = []
  for (const [name, sort] of named) {
    const key = keyOf(sort, name)
    if (!keys.some(({ column }) => column === key.column)) keys.push(key)
  }
  const last = named.find(([name, sort]) => keyOf(sort, name).column === keys.at(-1)?.column)
  if (keys.length > 1 && last && 'optional' in last[1]) keys.push(keyOf(last[1].otherwise, last[0]))
  return keys
}

const START: PlaceInGroup = { kind: 'start' }

/** The same place, walked along the index that has its records: no index of an optional key has those without a value. */
function settle(keys: readonly ListKey[], place: Place): Place | undefined {
  const { group, at } = place
  const key = keys[group.length]
  if (!key?.isOptional || group.length === keys.length - 1) return place
  const inUnset = (inner: PlaceInGroup) => settle(keys, { group: [...group, null], at: inner })
  if (at.kind === 'start') return key.descending ? inUnset(START) : place
  const [value = null, ...rest] = at.kind === 'after' ? at.values : [at.value]
  if (value !== null) return place
  if (at.kind === 'beyond') return key.descending ? place : placeBehindGroup(keys, group)
  return inUnset(at.kind === 'after' ? { ...at, values: rest } : START)
}

function placeBehindGroup(keys: readonly ListKey[], group: readonly SortValue[]): Place | undefined {
  const value = group.at(-1)
  return value === undefined ? undefined : settle(keys, { group: group.slice(0, -1), at: { kind: 'beyond', value } })
}

const isWalkOfLastKey = (keys: readonly ListKey[], { group }: Place) => group.length === keys.length - 1

export function readPlace(keys: readonly ListKey[], sort: string, cursor: string | undefined): Place {
  if (cursor === undefined) return settle(keys, { group: [], at: START }) ?? { group: [], at: START }
  return decodeCursorAs(sort, cursor, ([group, at]) => {
    if (!isSortValues(group) || group.length >= keys.length) return undefined
    const found = readPlaceInGroup(at, keys.length - group.length)
    return found && { group, at: found }
  })
}

const isSortValues = (values: unknown): values is SortValue[] => Array.isArray(values) && values.every(isSortValue)

/** `keyCount`: keys from the walked key to the last. */
function readPlaceInGroup(at: unknown, keyCount: number): PlaceInGroup | undefined {
  const { kind, value, values, id } = at as Record<string, unknown>
  if (kind === 'start') return START
  if ((kind === 'from' || kind === 'beyond') && isSortValue(value) && keyCount > 1) return { kind, value }
  const isPosition = isSortValues(values) && values.length === keyCount && Number.isSafeInteger(id)
  return kind === 'after' && isPosition ? { kind, values, id: id as number } : undefined
}

export const writePlace = (sort: string, { group, at }: Place): string => encodeCursorOf(sort, [group, at])

/** A page of the list: the walked index, the keys to sort by, and the values of the place. */
export function partOfPlace(
  keys: readonly ListKey[],
  place: Place,
): { part: ListPart; values: Values; keys: readonly ListKey[] } {
  const { group, at } = place
  const key = keys[group.length]
  if (!key) throw new Error('The place is below the last key')
  const { column, descending, scansProducts, isOptional } = key
  const members: GivenFilter[] = group.map((value, n) => {
    const of = keys[n]?.column
    return {
      name: `@group${n}`,
      filter: unindexed<unknown>({ where: (name) => sql`${of} IS ${param(name)}` }),
      given: value,
    }
  })
  const ofGroup = Object.fromEntries(group.map((value, n): [string, SqlValue] => [`@group${n}`, value]))
  const shared = { column, descending, scansProducts, members }
  if (isWalkOfLastKey(keys, place)) {
    const after = at.kind === 'after' ? { value: at.values[0] ?? null, id: at.id } : undefined
    return { part: { ...shared, after }, values: ofGroup, keys: [] }
  }
  const given = at.kind === 'after' ? Object.fromEntries(at.values.map((value, n) => [nameOfKeyValue(n), value])) : {}
  return {
    part: { ...shared, leavesOutNulls: isOptional, after: afterOf(key, at), continues: at.kind === 'after' },
    values: { ...ofGroup, ...given, ...(at.kind === 'after' && { '@atId': at.id }) },
    keys: keys.slice(group.length),
  }
}

/** The walk begins before all records with the value, or behind all of them. */
function afterOf({ descending, isOptional }: ListKey, at: PlaceInGroup): ListPart['after'] {
  if (at.kind === 'start') return undefined
  const value = at.kind === 'after' ? (at.values[0] ?? null) : at.value
  if (isOptional && value === null) return undefined
  const isBefore = at.kind !== 'beyond'
  return { value, id: isBefore === descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER }
}

interface PageEnd {
  /** The last record, if further records follow: the values of the sorted keys and the id. */
  last?: { readonly values: readonly SortValue[]; readonly id: number } | undefined
  /** The value of the first sorted key at which the sorted records end, and whether all of them have the value. */
  edge?: { readonly value: SortValue; readonly isWholeWindow: boolean } | undefined
}

/** The place of the next page; undefined after the last record. */
export function nextPlace(keys: readonly ListKey[], place: Place, { last, edge }: PageEnd): Place | undefined {
  const { group, at } = place
  if (last) return settle(keys, { group, at: { kind: 'after', ...last } })
  if (edge) {
    if (!edge.isWholeWindow) return settle(keys, { group, at: { kind: 'from', value: edge.value } })
    const isWithin = at.kind === 'after' && at.values[0] === edge.value
    const inner = isWithin ? { ...at, values: at.values.slice(1) } : START
    return settle(keys, { group: [...group, edge.value], at: inner })
  }
  const key = keys[group.length]
  const isBeforeUnset = key?.isOptional && !key.descending && !isWalkOfLastKey(keys, place)
  return isBeforeUnset ? settle(keys, { group: [...group, null], at: START }) : placeBehindGroup(keys, group)
}
