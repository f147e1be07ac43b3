import { expect } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { call } from '../client'
import { queryParametersOf, UNLIMITED } from './table'

export type Item = Record<string, unknown>
export type Query = Record<string, string>

// Parameters that are no filters. `interval` turns the records into groups.
const PAGING_PARAMETERS = new Set(['wait', 'limit', 'cursor', 'after', 'sort', 'fields', 'interval', 'count'])
/** Filters that hide records by default, with the value that shows every record. */
export const SHOW_ALL_FILTERS: Query = { linked: 'all' }

function unwrapSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrapSchema(schema.unwrap() as z.ZodType)
    : schema
}

export function sortQueriesOf(op: AnyOperation): Query[] {
  const sort = queryParametersOf(op).sort
  const enumeration = sort && unwrapSchema(sort)
  return enumeration instanceof z.ZodEnum ? enumeration.options.map((value) => ({ sort: String(value) })) : [{}]
}

/** Filter values from an item, for filters that are not named like a field. */
const FILTER_VALUES: Record<string, (item: Item) => unknown> = {
  key: (item) => item.resourceKey,
  q: (item) => String(item.name ?? item.title ?? item.summary ?? item.email).split(' ')[0],
  updatedSince: (item) => item.updatedAt,
  // Authors and categories have different names in the item.
  author: (item) => item.user_id,
  category: ({ category }) =>
    typeof category === 'object' ? (category as { id: number } | null)?.id || undefined : category,
  userId: ({ userId }) => (Array.isArray(userId) ? userId[0] : userId),
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

/** The filtered value of an item, in the form that the filter takes. */
export const filteredValueOf = (name: string, item: Item) =>
  name === 'category' ? FILTER_VALUES.category?.(item) : item[name]

/** A query for each filter, with the value of the item. An enum filter gets a query for up to three values. */
export function filtersOf(op: AnyOperation, item: Item): Filter[] {
  return filterNames(op).flatMap((name) => {
    const schema = queryParametersOf(op)[name] as z.ZodType
    const description = schema.meta()?.description ?? ''
    const isUnindexed = /limited to products, the filter looks at/.test(description)
      ? 'limited'
      : /\blooks at\b/i.test(description)
    const has = FILTER_VALUES[name] ? FILTER_VALUES[name](item) : item[name]
    const type = unwrapSchema(schema)
    const options = type instanceof z.ZodEnum ? type.options.slice(0, 3).map(String) : []
    const examples = [schema.meta()?.example ?? (schema.safeParse('1').success ? '1' : undefined)]
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
