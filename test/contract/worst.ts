import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { isSample } from './heavy'
import { type Item as Asked, filtersOf, type Query, sortQueriesOf } from './pages'
import { acceptsSeveral, isList, optionsOf, queryParametersOf } from './table'

export type { Asked }

/** What a parameter may be given, where its schema takes it: much, little, and nothing that is there. */
const VALUES = [
  'a',
  'zz-nothing',
  '1',
  '2147483647',
  '0',
  'true',
  'false',
  '2000-01-01T00:00:00.000Z',
  '2100-01-01T00:00:00.000Z',
]

/** Values of a parameter that may cost something else: of a sample the first and the last. */
function valuesOf(schema: z.ZodType): string[] {
  const values = allValuesOf(schema)
  return isSample ? [...new Set([...values.slice(0, 1), ...values.slice(-1)])] : values
}

function allValuesOf(schema: z.ZodType): string[] {
  const options = optionsOf(schema)
  if (options) return acceptsSeveral(schema) ? [...options, options.slice(0, 2).join()] : options
  const taken = VALUES.filter((value) => schema.safeParse(value).success)
  const { minimum, maximum } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<
    string,
    unknown
  >
  const ends = [minimum, maximum].filter((end) => end !== undefined).map(String)
  return [...new Set([...taken.slice(0, 5), ...ends.filter((end) => schema.safeParse(end).success)])]
}

const PAGING = new Set(['limit', 'cursor', 'after', 'wait', 'sort', 'fields', 'attributes'])
const LARGEST = { limit: '100' }

/** The queries of an operation that may cost the most: each sort, and each parameter with each of its values. */
export function worstQueries(op: AnyOperation, item: Asked, known: Query): Query[] {
  const parameters = queryParametersOf(op)
  // An export gives out everything without a parameter.
  if (op.streamedTypes) return [{}]
  const page: Query = 'limit' in parameters ? LARGEST : {}
  const queries: Query[] = [{}, page, ...sortQueriesOf(op).map((sort) => ({ ...page, ...sort }))]
  for (const [name, schema] of Object.entries(parameters)) {
    if (PAGING.has(name)) continue
    for (const value of valuesOf(schema)) queries.push({ ...page, [name]: value })
  }
  if (isList(op)) for (const { query } of filtersOf(op, item, known)) queries.push({ ...page, ...query })
  if (parameters.from && parameters.to) queries.push({ from: '2000-01-01', to: '2100-01-01' })
  return [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()]
}
