// Values that the samples and examples show.
import { type Operation, type Reference, resolveSchema, type Schema } from './reference.ts'

const TEXTS: Record<string, string> = {
  'date-time': '2026-01-31T09:00:00.000Z',
  date: '2026-01-31',
  uri: 'https://example.com/',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
}

const MAX_DEPTH = 6

/** Texts by the name of a member. */
type Hints = Readonly<Record<string, unknown>>

/** A value of the schema: its first example, or a value made of its members. */
export function makeValue(
  schema: Schema,
  schemas: Record<string, Schema>,
  hints: Hints = {},
  name = '',
  depth = 0,
): unknown {
  const { anyOf, oneOf, examples, example, properties, required = [], items, ...rest } = resolveSchema(schemas, schema)
  const inner = (one: Schema, member = name) => makeValue(one, schemas, hints, member, depth + 1)
  if (examples?.length) return examples[0]
  if (example !== undefined) return example
  if (rest.const !== undefined) return rest.const
  if (rest.enum) return rest.enum[0]
  const options = anyOf ?? oneOf
  if (options) {
    const option = options.find(({ type }) => type !== 'null')
    return option && depth < MAX_DEPTH ? inner(option) : null
  }
  const type = Array.isArray(rest.type) ? rest.type[0] : rest.type
  if (type === 'object') {
    const names = depth < MAX_DEPTH ? required : []
    return Object.fromEntries(names.map((member) => [member, inner(properties?.[member] ?? {}, member)]))
  }
  if (type === 'array') return items && depth < MAX_DEPTH ? [inner(items)] : []
  if (type === 'string') return makeText(rest, hints, name)
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 1
  return null
}

function makeText({ format, pattern }: Schema, hints: Hints, name: string): string {
  const hint = hints[name]
  return TEXTS[format ?? ''] ?? keyOfPattern(pattern) ?? (typeof hint === 'string' ? hint : (TEXTS[name] ?? 'text'))
}

/** `^KPI-[1-9]…` → `KPI-1` */
function keyOfPattern(pattern = ''): string | undefined {
  const [, prefix] = /^\^(?:\(\?:)?([A-Z]+)[|A-Z]*\)?-\[1-9\]/.exec(pattern) ?? []
  return prefix && `${prefix}-1`
}

/** Values of the bodies and path parameters of the resource. */
export function collectHints(op: Operation, { operations, schemas }: Reference): Hints {
  const hints: Record<string, unknown> = {}
  for (const other of operations.filter(({ tag }) => tag === op.tag)) {
    const body = other.body && makeValue(other.body.schema, schemas)
    const record: unknown = Array.isArray(body) ? body[0] : body
    for (const [name, value] of Object.entries(Object(record) as object)) hints[name] ??= value
  }
  const key = op.parameters.findLast(({ name }) => name.endsWith('external_key'))
  const keyHint = key && makeValue(key.schema, schemas)
  return { ...hints, ...(keyHint !== undefined && { externalKey: keyHint }) }
}
