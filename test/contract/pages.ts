import { expect } from 'vitest'
import type * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { call } from '../client'
import { acceptsSeveral, optionsOf, queryParametersOf, type Scenario, UNLIMITED } from './table'

export type Item = Record<string, unknown>
export type Query = Record<string, string>

// Parameters that are no filters. `interval` turns the records into groups.
const PAGING_PARAMETERS = new Set([
  'wait',
  'limit',
  'cursor',
  'after',
  'order',
  'sort',
  'fields',
  'interval',
  'count',
  'removed',
  'attributes',
])
/** Filters that hide records by default, with the value that shows every record. */
export const SHOW_ALL_FILTERS: Query = { linked: 'all' }

export function sortQueriesOf(op: AnyOperation): Query[] {
  const sort = queryParametersOf(op).sort
  return sort ? (optionsOf(sort) ?? []).map((value) => ({ sort: value })) : [{}]
}

/** Orders of two and three keys, if the list has several; fields are sorted in both directions. */
export function severalSortQueriesOf(op: AnyOperation): Query[] {
  const names = [...new Set(sortQueriesOf(op).map(({ sort = '' }) => sort.replace(/^-/, '')))]
  const known = new Set(sortQueriesOf(op).map(({ sort }) => sort))
  const descending = (name = '') => (known.has(`-${name}`) ? `-${name}` : name)
  const [first, second, third] = names
  if (!first || !second) return []
  const orders = [
    [first, descending(second)],
    [descending(second), first],
    ...(third
      ? [
          [third, descending(first), second],
          [descending(third), second],
        ]
      : []),
    [names.at(-1) ?? '', descending(first)],
  ]
  return orders.map((keys) => ({ sort: keys.join() }))
}

/** Filter values from an item, for filters that are not named like a field. */
const FILTER_VALUES: Record<string, (item: Item) => unknown> = {
  key: (item) => item.resourceKey,
  actor: ({ actor }) => (actor as { userId: number | null }).userId,
  apiKey: ({ actor }) => (actor as { keyId: number | null }).keyId,
  origin: ({ origin }) => (origin as { via: string } | null)?.via,
  'listEvents from': (item) => item.createdAt,
  'listEvents to': ({ createdAt }) => new Date(Date.parse(String(createdAt)) + 60_000).toISOString(),
  q: (item) => String(item.name ?? item.title ?? item.summary ?? item.email).split(' ')[0],
  updatedSince: (item) => item.updatedAt,
  // Authors and categories have different names in the item.
  author: (item) => item.user_id,
  category: ({ category }) =>
    typeof category === 'object' ? (category as { id: number } | null)?.id || undefined : category,
  userId: ({ userId }) => (Array.isArray(userId) ? userId[0] : userId),
  'listAllComments userId': ({ user }) => (user as { id: number }).id,
  label: ({ labels }) => (labels as string[])[0],
  feedback: (item) => item.feedbackKey,
  // Copies of a suppression or a vote name segments or users that do not exist.
  'listAllVotes userId': () => undefined,
  'listSuppressions segmentId': () => undefined,
}

const idOf = async ({ workspace: { client } }: Scenario['records'], path: string) => {
  const { body } = await client<{ id: number }[]>('GET', path, {})
  return body.data[0]?.id ?? 0
}

/** Filters that name a record, with the value of an existing record. */
const RECORD_FILTERS: Record<string, (records: Scenario['records']) => Promise<unknown>> = {
  product: async ({ workspace }) => workspace.product.externalKey,
  feedback: (records) => records.value('feedback_external_key'),
  category: (records) => records.value('categoryId'),
  author: async ({ workspace }) => workspace.userId,
  userId: async ({ workspace }) => workspace.userId,
  teamId: (records) => records.value('teamId'),
  epicId: async () => 0,
  featureId: async () => 0,
  segmentId: (records) => records.value('segmentId'),
  boardSegmentId: (records) => records.value('boardSegmentId'),
  idea: (records) => records.value('feedback_external_key'),
  version: (records) => records.value('solution_version_external_key'),
  excludePersona: (records) => records.value('persona_external_key'),
  apiKey: (records) => idOf(records, '/api/v2/api-keys'),
  artifactKey: (records) => records.value('card_external_key'),
  personaId: async (records) => {
    await records.value('persona_external_key')
    return idOf(records, '/api/v2/persona')
  },
}

/** Filters with a text, a number or a time that may match nothing. */
const OPEN_FILTERS = new Set([
  ...['q', 'slug', 'email', 'key', 'tag', 'label', 'jiraKey', 'externalProgress', 'from', 'to', 'updatedSince'],
  ...['actor', 'origin'],
  // A number of nested records.
  'revisions',
  // The category of a template is a text, and no product decides which progress is known.
  'listTemplates category',
  'listAllWorkItems progress',
])

export type FilterKind = 'closed' | 'record' | 'open'

/** Filters with an enumeration of values, filters that name a record, and all others. */
export function filterKindOf(op: AnyOperation, name: string): FilterKind {
  const schema = queryParametersOf(op)[name] as z.ZodType
  if (OPEN_FILTERS.has(name) || OPEN_FILTERS.has(`${op.id} ${name}`)) return 'open'
  if (optionsOf(schema) || acceptsSeveral(schema)) return 'closed'
  if (RECORD_FILTERS[name]) return 'record'
  throw new Error(
    `Add a line for the filter ${name} of ${op.id} to RECORD_FILTERS or OPEN_FILTERS in test/contract/pages.ts.`,
  )
}

/** Values of the filters that name a record. */
export async function knownRecords(op: AnyOperation, records: Scenario['records']): Promise<Query> {
  const known: Query = {}
  for (const name of filterNames(op)) {
    if (filterKindOf(op, name) === 'record') known[name] = String(await RECORD_FILTERS[name]?.(records))
  }
  return known
}

export interface Filter {
  query: Query
  /** Whether the result must contain the item. */
  findsItem: boolean
  /** Whether the description says that no index serves the filter, or no index for a limited key. */
  isUnindexed: boolean | 'limited'
}

export const filterNames = (op: AnyOperation) =>
  Object.keys(queryParametersOf(op)).filter((name) => !PAGING_PARAMETERS.has(name))

const NESTED_VALUES = new Set(['category', 'actor', 'apiKey', 'origin'])

/** The filtered value of an item, in the form that the filter takes. */
export const filteredValueOf = (name: string, item: Item) =>
  NESTED_VALUES.has(name) ? FILTER_VALUES[name]?.(item) : item[name]

/**
 * A query for each filter, with the value of the item, or of a known record. An enum filter gets a query for up to three
 * values.
 */
export function filtersOf(op: AnyOperation, item: Item, known: Query): Filter[] {
  return filterNames(op).flatMap((name) => {
    const schema = queryParametersOf(op)[name] as z.ZodType
    const description = schema.meta()?.description ?? ''
    const isUnindexed = /limited to products, the filter looks at/.test(description)
      ? 'limited'
      : /\blooks at\b/i.test(description)
    const readValue = FILTER_VALUES[`${op.id} ${name}`] ?? FILTER_VALUES[name]
    const has = readValue ? readValue(item) : item[name]
    const options = (optionsOf(schema) ?? []).slice(0, 3)
    const examples = [known[name] ?? schema.meta()?.example ?? (schema.safeParse('1').success ? '1' : undefined)]
    const found = has === undefined || has === null ? (options.length ? [] : examples) : [has]
    const values = new Set([...found, ...options].filter((value) => value !== undefined).map(String))
    if (!values.size) {
      throw new Error(
        `The filter ${name} of ${op.id} has no value to test. Add a line to FILTER_VALUES in test/contract/pages.ts.`,
      )
    }
    return Array.from(values, (value) => ({ query: { [name]: value }, findsItem: value === String(has), isUnindexed }))
  })
}

export const itemIdentity = (item: Item) =>
  String(item.id ?? item.externalKey ?? item.external_key ?? item.position ?? JSON.stringify(item))

export interface ListRequest {
  path: string
  query: Query
  apiKey: string
}

export const nextPageUrl = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]

export async function listAllPages({ path, query, apiKey }: ListRequest, limit: number): Promise<Item[]> {
  const found: Item[] = []
  let next: string | undefined = `${path}?${new URLSearchParams({ ...query, limit: String(limit) })}`
  while (next) {
    const { status, body, headers } = await call<Item[]>('GET', next, { apiKey, env: UNLIMITED })
    expect({ page: next, status }).toEqual({ page: next, status: 200 })
    expect(body.data.length).toBeLessThanOrEqual(limit)
    found.push(...body.data)
    // The limit ends an endless walk.
    expect(found.length).toBeLessThan(100)
    next = nextPageUrl(headers)
  }
  return found
}
