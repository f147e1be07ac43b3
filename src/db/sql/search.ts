import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { RESOURCES, type ResourceName } from '../../resources'
import { toAsciiDomain } from '../../text/addresses'
import { listSearchTerms, toIndexedTerm } from '../../text/folding'
import { productId } from './access'
import type { Filter } from './filter'
import { caller, inline, param } from './statement'

// Longer searches and words are cut, because the rest hardly narrows the result.
const MAX_SEARCH_WORDS = 16
const MAX_SEARCH_WORD_LENGTH = 64
// Normalizing thousands of accents on a letter takes quadratic time.
const MAX_SEARCH_LENGTH = 2_000

export const splitSearchWords = (text: string): string[] =>
  listSearchTerms(text.slice(0, MAX_SEARCH_LENGTH))
    .slice(0, MAX_SEARCH_WORDS)
    .map((word) => word.slice(0, MAX_SEARCH_WORD_LENGTH).toWellFormed())

/** A phrase of the tokens of a word, which the index of a text has. */
export const toFtsPhrase = (word: string): string => `"${toIndexedTerm(word)}"`

const toPrefix = (word: string) => `${toFtsPhrase(word)}*`

/** Converts a text to an FTS5 query for all words, matching prefixes. User text is never query syntax. */
export const toFtsQuery = (text: string): string => splitSearchWords(text).map(toPrefix).join(' AND ')

/** The index of people has the encoded domains of addresses. */
const toPeopleQuery = (text: string): string =>
  splitSearchWords(text)
    .map((word) => {
      const encoded = toAsciiDomain(word)
      return encoded === word ? toPrefix(word) : `(${toPrefix(word)} OR ${toPrefix(encoded)})`
    })
    .join(' AND ')

// Words beginning with a given letter are a large part of the index, too much for ranking to read.
const SINGLE_LETTER_TERM_PATTERN = /"([\w])"\*/g

export const toRankedFtsQuery = (text: string): string => toFtsQuery(text).replace(SINGLE_LETTER_TERM_PATTERN, '"$1"')

interface SearchIndexEntry {
  /** Low four bits of a row id in the index: the kind of record. */
  kind: number
  /** Suffixes after `p<product>` to find the rows of a product. */
  inProduct?: readonly string[]
  /** True if records without a product exist, found by `s<workspace>k<kind>n`. */
  shared?: true
}

const workItemIndexEntry: SearchIndexEntry = { kind: 5, inProduct: ['epic', 'feature', 'userstory'] }

const SEARCH_INDEX_ENTRIES: Partial<Record<ResourceName, SearchIndexEntry>> = {
  team: { kind: 1 },
  member: { kind: 2 },
  feedback: { kind: 3, inProduct: ['k3'] },
  persona: { kind: 4, inProduct: ['k4'], shared: true },
  work_item: workItemIndexEntry,
  epic: workItemIndexEntry,
  feature: workItemIndexEntry,
  userstory: workItemIndexEntry,
  kpi: { kind: 6, inProduct: ['k6'] },
  document: { kind: 7, inProduct: ['k7'] },
  changelog_entry: { kind: 8, inProduct: ['k8'], shared: true },
}

function searchIndexEntryOf(resource: ResourceName): SearchIndexEntry {
  const indexed = SEARCH_INDEX_ENTRIES[resource]
  if (!indexed) throw new Error(`No index has the words of ${RESOURCES[resource].tag}`)
  return indexed
}

const ftsWorkspaceTerm = sql`'s' || CAST(${caller.subscription} AS INTEGER)`

function ftsScopeTerms({ kind, inProduct = [], shared }: SearchIndexEntry): SQL {
  const whole = sql`${ftsWorkspaceTerm} || ${inline(`k${kind}`)}`
  if (!inProduct.length) return whole
  const each = inProduct.map((name) => sql`'p' || value || ${inline(name)}`)
  const own = sql`(SELECT group_concat(${sql.join(each, sql` || ' OR ' || `)}, ' OR ') FROM json_each(${caller.products}))`
  const other = shared ? sql` || ' OR ' || ${ftsWorkspaceTerm} || ${inline(`k${kind}n`)}` : sql``
  return sql`CASE WHEN ${caller.products} IS NULL THEN ${whole} ELSE coalesce(${own}, 'none') ${other} END`
}

// Newest matches only, because a common word matches most records.
const MAX_SEARCH_MATCHES = 10_000

const ftsMatchText = (scope: SQL, words: SQL) => sql`'scope:(' || ${scope} || ') AND {title body}:(' || ${words} || ')'`

interface SearchFilterOptions {
  /** Resources of the product in the path that the search is limited to. */
  inProduct?: readonly ResourceName[]
  most?: number
  /** Selects ids of records whose id in another system is the whole text. */
  selectNamed?: (text: SQL) => SQL
}

export function searchFilter(
  resource: ResourceName,
  id: SQLiteColumn,
  { inProduct = [], most = MAX_SEARCH_MATCHES, selectNamed }: SearchFilterOptions = {},
): Filter<string> {
  // For an unknown product the search finds nothing; the same batch refuses the request.
  const each = inProduct.map((name) => sql`'p' || coalesce(${productId}, 0) || ${inline(name)}`)
  const scope = each.length ? sql.join(each, sql` || ' OR ' || `) : ftsScopeTerms(searchIndexEntryOf(resource))
  // Members have a separate index, because bulk imports add many members at once.
  const index = sql.raw(resource === 'member' ? 'search_people' : 'search')
  const toQuery = resource === 'member' ? toPeopleQuery : toFtsQuery
  const selectMatches = (words: SQL) => sql`SELECT rowid / 16 AS id FROM ${index} WHERE ${index} MATCH
      ${ftsMatchText(scope, words)}
    ORDER BY rowid DESC LIMIT ${inline(most)}`
  const selectIds = (name: string) => {
    if (!selectNamed) return selectMatches(sql`${param(name)}`)
    const matches = selectMatches(sql`(${param(name)} ->> 0)`)
    // UNION would count each match again. The list is read only for a text that is an id in another system.
    return sql`SELECT id FROM (${matches}) UNION ALL
      SELECT named.id FROM (${selectNamed(sql`(${param(name)} ->> 1)`)}) named WHERE named.id NOT IN (${matches})`
  }
  const matched = (name: string) => sql`(${selectIds(name)}) matched CROSS JOIN ${id.table} ON ${id} = matched.id`
  return {
    where: (_, text) => (toFtsQuery(text) ? sql`true` : sql`false`),
    variant: (text) => (toFtsQuery(text) ? 'words' : 'none'),
    value: selectNamed ? (text) => JSON.stringify([toQuery(text), text.trim()]) : toQuery,
    source: (name, text) => (toFtsQuery(text) ? matched(name) : undefined),
  }
}

// Weights of scope, title and body: a word in a title says more about a record.
const BM25_WEIGHTS = sql.raw('0.0, 6.0, 1.0')

/** Rows (id, score), best first by bm25 among the newest matches. A higher score is better. */
export const rankedSearchMatches = (resource: ResourceName, words: SQL): SQL =>
  sql`(SELECT id, score FROM (SELECT rowid / 16 AS id, -bm25(search, ${BM25_WEIGHTS}) AS score FROM search
      WHERE search MATCH ${ftsMatchText(ftsScopeTerms(searchIndexEntryOf(resource)), words)} ORDER BY rowid DESC LIMIT ${inline(MAX_SEARCH_MATCHES)})
    ORDER BY score DESC, id DESC LIMIT -1)`
