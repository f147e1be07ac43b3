import { expect } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { call } from '../client'
import { QUIET, queryOf } from './table'

export type Item = Record<string, unknown>
export type Query = Record<string, string>

// With an interval the list holds something else.
const PAGING = new Set(['wait', 'limit', 'cursor', 'after', 'sort', 'fields', 'interval'])
/** Filters that take something away where they are left out: the value that shows everything. */
export const WIDEST: Query = { linked: 'all' }

function inner(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? inner(schema.unwrap() as z.ZodType)
    : schema
}

/** Each sort that the list knows; one of nothing where it knows none. */
export function sortsOf(op: AnyOperation): Query[] {
  const sort = queryOf(op).sort
  const enumeration = sort && inner(sort)
  return enumeration instanceof z.ZodEnum ? enumeration.options.map((value) => ({ sort: String(value) })) : [{}]
}

/** What to filter by, from an item that the filter should find; by the filter's name where no field is called so. */
const VALUES: Record<string, (item: Item) => unknown> = {
  key: (item) => item.resourceKey,
  q: (item) => String(item.name ?? item.title ?? item.summary ?? item.email).split(' ')[0],
  updatedSince: (item) => item.updatedAt,
  // The id of an author or a category, which are members of other names.
  author: (item) => item.user_id,
  category: ({ category }) =>
    typeof category === 'object' ? (category as { id: number } | null)?.id || undefined : category,
  // Of a list of ids one.
  userId: ({ userId }) => (Array.isArray(userId) ? userId[0] : userId),
}

export interface Filter {
  query: Query
  /** Whether the item from which the value comes must be found. */
  finds: boolean
  /** Whether its documentation says that no index serves it, or none for a key that is limited to products. */
  walks: boolean | 'limited'
}

export const filterNames = (op: AnyOperation) => Object.keys(queryOf(op)).filter((name) => !PAGING.has(name))

/** What the item shows of what the filter is about, as it is asked for. */
export const shownFor = (name: string, item: Item) => (name === 'category' ? VALUES.category?.(item) : item[name])

/** A query for each filter, with a value that the item has; for each of a few values where it is one of several. */
export function filtersOf(op: AnyOperation, item: Item): Filter[] {
  return filterNames(op).flatMap((name) => {
    const schema = queryOf(op)[name] as z.ZodType
    const told = schema.meta()?.description ?? ''
    const walks = /limited to products it walks/.test(told) ? 'limited' : /\bwalks\b/i.test(told)
    const has = VALUES[name] ? VALUES[name](item) : item[name]
    const type = inner(schema)
    const options = type instanceof z.ZodEnum ? type.options.slice(0, 3).map(String) : []
    const examples = [schema.meta()?.example ?? (schema.safeParse('1').success ? '1' : undefined)]
    const found = has === undefined || has === null ? (options.length ? [] : examples) : [has]
    const values = new Set([...found, ...options].filter((value) => value !== undefined).map(String))
    if (!values.size) throw new Error(`test/contract/pages.ts knows no value for ${name} of ${op.id}: teach it one`)
    return Array.from(values, (value) => ({ query: { [name]: value }, finds: value === String(has), walks }))
  })
}

export const identity = (item: Item) =>
  String(item.id ?? item.externalKey ?? item.external_key ?? item.position ?? JSON.stringify(item))

export interface Asked {
  path: string
  query: Query
  apiKey: string
}

/** The address that the answer's `Link` names. */
export const nextOf = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]

/** Everything in a list, page by page. */
export async function walk({ path, query, apiKey }: Asked, limit: number): Promise<Item[]> {
  const found: Item[] = []
  let next: string | undefined = `${path}?${new URLSearchParams({ ...query, limit: String(limit) })}`
  while (next) {
    const { status, body, headers } = await call<Item[]>('GET', next, { apiKey, env: QUIET })
    expect([next, status]).toEqual([next, 200])
    expect(body.data.length).toBeLessThanOrEqual(limit)
    found.push(...body.data)
    // A walk that goes in circles ends too.
    expect(found.length).toBeLessThan(100)
    next = nextOf(headers)
  }
  return found
}
