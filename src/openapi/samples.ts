import { SCHEMA_PREFIX } from './components'
import type { JsonObject } from './schemas'

const SAMPLE_TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:00:00.000Z',
  uri: 'https://example.com/',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  role: 'member',
  tags: '["mobile"]',
}

interface SchemaParts {
  $ref?: string
  type?: string
  anyOf?: JsonObject[]
  examples?: unknown[]
  properties?: Record<string, JsonObject>
  required?: string[]
  items?: JsonObject
}

/** Prefers the examples of the schema. A nullable schema gives null. */
export function makeSample(schema: JsonObject, schemas: JsonObject, name = ''): unknown {
  const { $ref, anyOf, examples, type, properties = {}, required = [], items } = schema as SchemaParts
  if ($ref) return makeSample(schemas[$ref.slice(SCHEMA_PREFIX.length)] as JsonObject, schemas, name)
  if (examples?.length) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return (schema.enum as unknown[])[0]
  if (anyOf?.[0]) return anyOf.some((one) => one.type === 'null') ? null : makeSample(anyOf[0], schemas, name)
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, makeSample(properties[name] ?? {}, schemas, name)]))
    case 'array':
      return items ? [makeSample(items, schemas, name)] : []
    case 'string':
      return SAMPLE_TEXTS[schema.format as string] ?? SAMPLE_TEXTS[name] ?? '…'
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return 1
    default:
      return null
  }
}
