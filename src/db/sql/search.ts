import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { RESOURCES, type ResourceName } from '../../resources'
import { productId } from './access'
import type { Filter } from './filter'
import { caller, inline, param } from './statement'

// Longer searches and words are cut, because the rest hardly narrows the result.
const MAX_WORDS = 16
const MAX_WORD = 64

export const splitWords = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD).toWellFormed())

/** Converts a text to an FTS5 query for all words, matching prefixes. User text is never query syntax. */
export const toFtsQuery = (text: string): string =>
  splitWords(text)
    .map((word) => `"${word}"*`)
    .join(' AND ')

// Words beginning with a given letter are a large part of the index, too much for ranking to read.
const SINGLE_LETTER = /"([\w])"\*/g

export const toRankedFtsQuery = (text: string): string => toFtsQuery(text).replace(SINGLE_LETTER, '"$1"')

interface IndexEntry {
  /** Low four bits of a row id in the index: the kind of record. */
  kind: number
  /** Suffixes after `p<product>` to find the rows of a product. */
  inProduct?: readonly string[]
  /** True if records without a product exist, found by `s<workspace>k<kind>n`. */
  shared?: true
}

const workItems: IndexEntry = { kind: 5, inProduct: ['epic', 'feature', 'userstory'] }

const INDEX_ENTRIES: Partial<Record<ResourceName, IndexEntry>> = {
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

function indexEntryOf(resource: ResourceName): IndexEntry {
  const indexed = INDEX_ENTRIES[resource]
  if (!indexed) throw new Error(`No index has the words of ${RESOURCES[resource].tag}`)
  return indexed
}

const workspaceTerm = sql`'s' || CAST(${caller.subscription} AS INTEGER)`

function scopeTerms({ kind, inProduct = [], shared }: IndexEntry): SQL {
  const whole = sql`${workspaceTerm} || ${inline(`k${kind}`)}`
  if (!inProduct.length) return whole
  const each = inProduct.map((name) => sql`'p' || value || ${inline(name)}`)
  const own = sql`(SELECT group_concat(${sql.join(each, sql` || ' OR ' || `)}, ' OR ') FROM json_each(${caller.products}))`
  const other = shared ? sql` || ' OR ' || ${workspaceTerm} || ${inline(`k${kind}n`)}` : sql``
  return sql`CASE WHEN ${caller.products} IS NULL THEN ${whole} ELSE coalesce(${own}, 'none') ${other} END`
}

// Newest matches only, because a common word matches most records.
const MAX_MATCHES = 10_000

const ftsMatch = (scope: SQL, words: SQL) => sql`'scope:(' || ${scope} || ') AND {title body}:(' || ${words} || ')'`

/** `inProduct` limits the search to resources in the product of the path. */
export function search(
  resource: ResourceName,
  id: SQLiteColumn,
  { inProduct = [], most = MAX_MATCHES }: { inProduct?: readonly ResourceName[]; most?: number } = {},
): Filter<string> {
  // For an unknown product the search finds nothing; the same batch refuses the request.
  const each = inProduct.map((name) => sql`'p' || coalesce(${productId}, 0) || ${inline(name)}`)
  const scope = each.length ? sql.join(each, sql` || ' OR ' || `) : scopeTerms(indexEntryOf(resource))
  // Members have a separate index, because bulk imports add many members at once.
  const index = sql.raw(resource === 'member' ? 'search_people' : 'search')
  const matched = (name: string) => sql`(SELECT rowid / 16 AS id FROM ${index} WHERE ${index} MATCH
      ${ftsMatch(scope, sql`${param(name)}`)}
    ORDER BY rowid DESC LIMIT ${inline(most)}) matched CROSS JOIN ${id.table} ON ${id} = matched.id`
  return {
    where: (_, text) => (toFtsQuery(text) ? sql`true` : sql`false`),
    variant: (text) => (toFtsQuery(text) ? 'words' : 'none'),
    value: toFtsQuery,
    source: (name, text) => (toFtsQuery(text) ? matched(name) : undefined),
  }
}

// Weights of scope, title and body: a word in a title says more about a record.
const BM25_WEIGHTS = sql.raw('0.0, 6.0, 1.0')

/** Rows (id, score), best first by bm25 among the newest matches. A higher score is better. */
export const rankedMatches = (resource: ResourceName, words: SQL): SQL =>
  sql`(SELECT id, score FROM (SELECT rowid / 16 AS id, -bm25(search, ${BM25_WEIGHTS}) AS score FROM search
      WHERE search MATCH ${ftsMatch(scopeTerms(indexEntryOf(resource)), words)} ORDER BY rowid DESC LIMIT ${inline(MAX_MATCHES)})
    ORDER BY score DESC, id DESC LIMIT -1)`
