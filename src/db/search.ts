import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { RESOURCES, type ResourceName } from '../resources'
import { productId } from './access'
import type { Filter } from './filter'
import { caller, inline, param } from './statement'

// Of the words of a search; what is beyond says no more.
const MAX_WORDS = 16
const MAX_WORD = 64

/** The words of a text, as far as a search reads them. */
export const wordsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD).toWellFormed())

/** A text as an FTS5 query: all of its words, the beginnings of words too. User text is never query syntax. */
export const matchOf = (text: string): string =>
  wordsOf(text)
    .map((word) => `"${word}"*`)
    .join(' AND ')

// Words that begin with one letter are most of the index, which ranking would read.
const LETTER = /"([\w])"\*/g

/** The same for `ranked`: a letter alone is a word of its own. */
export const rankedMatchOf = (text: string): string => matchOf(text).replace(LETTER, '"$1"')

interface Indexed {
  /** The first four bits of its rows in the index: what they are of. */
  kind: number
  /** What its rows are found by besides, of one product: `p<product>` and each of these. */
  inProduct?: readonly string[]
  /** Some belong to all products: they are found by `s<workspace>k<kind>n`. */
  shared?: true
}

const workItems: Indexed = { kind: 5, inProduct: ['epic', 'feature', 'userstory'] }

/** Which of the index's rows are whose. Work items share a kind. */
const INDEXED: Partial<Record<ResourceName, Indexed>> = {
  team: { kind: 1 },
  member: { kind: 2 },
  feedback: { kind: 3, inProduct: ['k3'] },
  persona: { kind: 4, inProduct: ['k4'], shared: true },
  work_item: workItems,
  epic: workItems,
  feature: workItems,
  userstory: workItems,
  kpi: { kind: 6, inProduct: ['k6'] },
  document: { kind: 7, inProduct: ['k7'] },
}

function indexedOf(resource: ResourceName): Indexed {
  const indexed = INDEXED[resource]
  if (!indexed) throw new Error(`Nothing indexes the words of ${RESOURCES[resource].tag}`)
  return indexed
}

const workspace = sql`'s' || CAST(${caller.subscription} AS INTEGER)`

/** What the words of a resource are found by, as an FTS5 query: where the key is limited, in its products. */
function scopeOf({ kind, inProduct = [], shared }: Indexed): SQL {
  const whole = sql`${workspace} || ${inline(`k${kind}`)}`
  if (!inProduct.length) return whole
  const each = inProduct.map((name) => sql`'p' || value || ${inline(name)}`)
  const own = sql`(SELECT group_concat(${sql.join(each, sql` || ' OR ' || `)}, ' OR ') FROM json_each(${caller.products}))`
  const other = shared ? sql` || ' OR ' || ${workspace} || ${inline(`k${kind}n`)}` : sql``
  return sql`CASE WHEN ${caller.products} IS NULL THEN ${whole} ELSE coalesce(${own}, 'none') ${other} END`
}

// Newest first; a word that is everywhere finds these.
const MAX_MATCHES = inline(10_000)

const query = (scope: SQL, words: SQL) => sql`'scope:(' || ${scope} || ') AND {title body}:(' || ${words} || ')'`

/**
 * Records whose words begin with those of the value, of the newest 10,000 that match. `inProduct`: of those of these
 * resources in the product of the path alone, which the index tells apart.
 */
export function search(
  resource: ResourceName,
  id: SQLiteColumn,
  { inProduct = [] }: { inProduct?: readonly ResourceName[] } = {},
): Filter<string> {
  // Where the product is none of the caller's, there is nothing to find; the request is refused beside it.
  const each = inProduct.map((name) => sql`'p' || coalesce(${productId}, 0) || ${inline(name)}`)
  const scope = each.length ? sql.join(each, sql` || ' OR ' || `) : scopeOf(indexedOf(resource))
  // People, of whom many come at once, have an index of their own.
  const index = sql.raw(resource === 'member' ? 'search_people' : 'search')
  const matched = (name: string) => sql`(SELECT rowid / 16 AS id FROM ${index} WHERE ${index} MATCH
      ${query(scope, sql`${param(name)}`)}
    ORDER BY rowid DESC LIMIT ${MAX_MATCHES}) matched CROSS JOIN ${id.table} ON ${id} = matched.id`
  return {
    // A text without a word is in no record.
    where: (_, text) => (matchOf(text) ? sql`true` : sql`false`),
    variant: (text) => (matchOf(text) ? 'words' : 'none'),
    value: matchOf,
    from: (name, text) => (matchOf(text) ? matched(name) : undefined),
  }
}

// A word of a title says more of a record than one of its text.
const WEIGHTS = sql.raw('0.0, 6.0, 1.0')

/**
 * Rows (id, score) of the records of a resource that an FTS5 query of words matches, the best first: by bm25, of the
 * newest 10,000 that match. The score is more where it is better.
 */
export const ranked = (resource: ResourceName, words: SQL): SQL =>
  sql`(SELECT id, score FROM (SELECT rowid / 16 AS id, -bm25(search, ${WEIGHTS}) AS score FROM search
      WHERE search MATCH ${query(scopeOf(indexedOf(resource)), words)} ORDER BY rowid DESC LIMIT ${MAX_MATCHES})
    ORDER BY score DESC, id DESC LIMIT -1)`
