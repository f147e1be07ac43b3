import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { RESOURCES, type ResourceName } from '../resources'
import { productId } from './access'
import type { Data } from './field'
import { caller, param, type SqlValue } from './statement'

/** What a parameter of a list's query leaves of it. */
export interface Filter<Given = never> {
  /** The condition; `given` only where the text itself depends on it. */
  where(name: string, given: Given): SQL
  /** What of the value decides the text. */
  variant?(given: Given): string
  /** What is bound; without it, the very value. */
  value?(given: Given): SqlValue
  /** Rows to begin with instead of the table's index: `… CROSS JOIN table ON …`. */
  from?(name: string, given: Given): SQL | undefined
  /** No two records of a workspace pass it: nothing bounds the page of one. */
  single?: boolean
  /**
   * Whether no index serves it beside this sort: a page looks at `MAX_WALKED` records at most, and the next one goes on
   * behind them.
   */
  walks?(sort: SQLiteColumn): boolean
}

/** The filter as one that no index serves. */
export const walking = <G>(filter: Filter<G>): Filter<G> => ({ ...filter, walks: () => true })

/** Records whose column has the value. */
export function equals<C extends SQLiteColumn>(column: C): Filter<NonNullable<Data<C>>> {
  return { where: (name) => sql`${column} = ${param(name)}` }
}

/** The one record whose column, unique in its workspace, has the value. */
export function only<C extends SQLiteColumn>(column: C): Filter<NonNullable<Data<C>>> {
  return { ...equals(column), single: true }
}

/** Records whose column has at least the value: a range of the index where they are sorted by it. */
export function since(column: SQLiteColumn): Filter<number> {
  return { where: (name) => sql`${column} >= ${param(name)}`, walks: (sort) => sort !== column }
}

/** A condition of its own for each value. */
export function choice<const V extends string>(conditions: Record<V, SQL>): Filter<V> {
  return { where: (_, given) => conditions[given], variant: (given) => given, value: () => null }
}

// Of the words of a search; what is beyond says no more.
const MAX_WORDS = 16
const MAX_WORD = 64

/** A text as an FTS5 query: all of its words, the beginnings of words too. User text is never query syntax. */
export function matchOf(text: string): string {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `"${word.slice(0, MAX_WORD).toWellFormed()}"*`)
    .join(' AND ')
}

/** Which of the index's rows are whose: its first four bits say the resource. Work items share one. */
const KINDS: Partial<Record<ResourceName, number>> = {
  team: 1,
  member: 2,
  epic: 5,
  feature: 5,
  userstory: 5,
  document: 7,
}

// Newest first; a word that is everywhere finds these.
const MAX_MATCHES = sql.raw('10000')

/**
 * Records whose words begin with those of the value, of the newest 10,000 that match. `inProduct`: of those of these
 * resources in the product of the path alone, which the index tells apart.
 */
export function search(
  resource: ResourceName,
  id: SQLiteColumn,
  { inProduct = [] }: { inProduct?: readonly ResourceName[] } = {},
): Filter<string> {
  const kind = KINDS[resource]
  if (kind === undefined) throw new Error(`Nothing indexes the words of ${RESOURCES[resource].tag}`)
  const ofWorkspace = sql`'scope:s' || CAST(${caller.subscription} AS INTEGER) || ${sql.raw(`'k${kind}'`)}`
  // Where the product is none of the caller's, there is nothing to find; the request is refused beside it.
  const each = inProduct.map((name) => sql`'p' || coalesce(${productId}, 0) || ${sql.raw(`'${name}'`)}`)
  const scope = each.length ? sql`'scope:(' || ${sql.join(each, sql` || ' OR ' || `)} || ')'` : ofWorkspace
  // People, of whom many come at once, have an index of their own.
  const index = sql.raw(resource === 'member' ? 'search_people' : 'search')
  const matched = (name: string) => sql`(SELECT rowid / 16 AS id FROM ${index} WHERE ${index} MATCH
      ${scope} || ' AND {title body}:(' || ${param(name)} || ')'
    ORDER BY rowid DESC LIMIT ${MAX_MATCHES}) matched CROSS JOIN ${id.table} ON ${id} = matched.id`
  return {
    // A text without a word is in no record.
    where: (_, text) => (matchOf(text) ? sql`true` : sql`false`),
    variant: (text) => (matchOf(text) ? 'words' : 'none'),
    value: matchOf,
    from: (name, text) => (matchOf(text) ? matched(name) : undefined),
  }
}
