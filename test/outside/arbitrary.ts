import fc from 'fast-check'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

export interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  const?: Json
  enum?: Json[]
  examples?: Json[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** Values by field name, for facts beyond a schema, like existing ids. */
export type Known = Record<string, fc.Arbitrary<Json>>

export interface Components {
  schemas: Record<string, Schema>
}

/** Generates values that a schema allows. `name` is the name of the field in `known`. */
export function validValue(schema: Schema, components: Components, known: Known, name = ''): fc.Arbitrary<Json> {
  const inner = (part: Schema, field = name) => validValue(part, components, known, field)
  if (schema.$ref) return inner(resolve(schema, components))
  if (schema.const !== undefined) return fc.constant(schema.const)
  // Known values of a closed set, which depend on another field.
  if (schema.enum) return known[`${name}=`] ?? fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => inner(part)))
  const { type } = schema
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => inner({ ...schema, type: one })))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'object':
      return known[name] ?? object(schema, inner)
    case 'array': {
      // Known values for a whole list.
      const list = known[`${name}[]`]
      if (list) return list
      const { items = {}, minItems = 0, maxItems = 4, examples } = schema
      // An object without properties is described only by its examples.
      if (examples && items.type === 'object' && !Object.keys(items.properties ?? {}).length) {
        return fc.constantFrom(...examples)
      }
      const lengths = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) }
      // A list has one direction for each key.
      if (name === 'sort')
        return fc.uniqueArray(inner(items), { ...lengths, selector: (key) => String(key).replace('-', '') })
      return fc.array(inner(items), lengths)
    }
    case 'integer':
    case 'number':
      return known[name] ?? number(schema)
    case 'string':
      return known[name] ?? text(schema)
    case undefined:
      return fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    default:
      throw new Error(
        `The generator does not support the schema ${JSON.stringify(schema)}. Add a case to test/outside/arbitrary.ts.`,
      )
  }
}

export function resolve(schema: Schema, { schemas }: Components): Schema {
  if (!schema.$ref) return schema
  const found = schemas[schema.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`There is no ${schema.$ref}`)
  return found
}

function object(schema: Schema, inner: (part: Schema, name: string) => fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const { properties = {}, required = [] } = schema
  const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part, name)]))
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true })
}

function number({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<number> {
  if (type === 'number') {
    return fc.double({
      ...(minimum !== undefined && { min: minimum }),
      ...(maximum !== undefined && { max: maximum }),
      noNaN: true,
      noDefaultInfinity: true,
    })
  }
  const min = exclusiveMinimum === undefined ? (minimum ?? Number.MIN_SAFE_INTEGER) : exclusiveMinimum + 1
  return fc.integer({ min, max: maximum ?? Number.MAX_SAFE_INTEGER })
}

function text({ pattern, examples, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength
  if (examples?.length) return fc.constantFrom(...(examples as string[]))
  const max = Math.min(maxLength, 300)
  const plain = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(max, 40)) })
  const long = fc.integer({ min: minLength, max }).map((length) => 'x'.repeat(length))
  if (!pattern) return fc.oneof({ weight: 9, arbitrary: plain }, long).filter(fits)
  const expression = new RegExp(pattern, 'u')
  // fast-check generates no texts for Unicode property classes.
  if (pattern.includes('\\p{')) return plain.filter((value) => expression.test(value) && fits(value))
  return fc.stringMatching(expression).filter(fits)
}

/** Unexpected values, and texts that are hard to handle. */
export const oddValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    -0,
    1.5,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    1e308,
    -1e308,
    5e-324,
    '',
    ' ',
    '0',
    'null',
    'NaN',
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00b',
    '\u202e',
    '\ufeff',
    '\r\nSet-Cookie: a=b',
    '__proto__',
    "'; DROP TABLE products; --",
    '<script>alert(1)</script>',
    '{{7*7}}',
    '9'.repeat(400),
    'é'.repeat(300_000),
    [],
    {},
    [[]],
    [null],
    { length: 1 },
    { toString: 1, valueOf: null },
    nested(63),
  ),
  fc.double(),
  fc.string({ unit: 'binary' }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
)

function nested(depth: number): Json {
  return depth ? [nested(depth - 1)] : []
}
