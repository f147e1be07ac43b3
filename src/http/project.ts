import * as z from 'zod'

type Fits = (value: unknown) => boolean

/**
 * Does the same as `schema.parse` for a reply, faster: a value exactly as declared is returned unchanged, and anything
 * else goes to zod, to remove undeclared members or throw. A Worker has no `eval` for zod's compiled schemas, and a
 * list of fifty records costs zod more than the rest of the request.
 */
export function projection(schema: z.ZodType): (value: unknown) => unknown {
  const fits = exactly(schema)
  return (value) => (fits?.(value) ? value : schema.parse(value))
}

const isText: Fits = (value) => typeof value === 'string'
const isInteger: Fits = Number.isSafeInteger
const isBoolean: Fits = (value) => typeof value === 'boolean'
const isNull: Fits = (value) => value === null
const isNumber: Fits = Number.isFinite
const isAnything: Fits = () => true
const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null', 'enum', 'literal'])
const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Makes a check for values exactly as declared; undefined for schemas only zod can check. */
function exactly(schema: z.ZodType): Fits | undefined {
  if (schema._zod.def.checks?.length) return undefined
  if (schema instanceof z.ZodString) return isText
  if (schema instanceof z.ZodNumberFormat) return schema.format === 'safeint' ? isInteger : undefined
  if (schema instanceof z.ZodNumber) return isNumber
  if (schema instanceof z.ZodBoolean) return isBoolean
  if (schema instanceof z.ZodNull) return isNull
  if (schema instanceof z.ZodUnknown) return isAnything
  if (schema instanceof z.ZodEnum) return among(new Set<unknown>(schema.options))
  if (schema instanceof z.ZodLiteral) return among(schema.values)
  if (schema instanceof z.ZodNullable) return orNull(exactly(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodArray) return arrayOf(exactly(schema.element as z.ZodType))
  if (schema instanceof z.ZodRecord) return recordOf(schema)
  if (schema instanceof z.ZodUnion) return anyOf(schema.options as readonly z.ZodType[])
  if (schema instanceof z.ZodObject && !schema.def.catchall) return objectOf(schema)
  return undefined
}

function among(options: ReadonlySet<unknown>): Fits {
  return (value) => options.has(value)
}

function orNull(inner: Fits | undefined): Fits | undefined {
  return inner && ((value) => value === null || inner(value))
}

function arrayOf(item: Fits | undefined): Fits | undefined {
  return item && ((value) => Array.isArray(value) && value.every(item))
}

function recordOf({ keyType, valueType }: z.ZodRecord): Fits | undefined {
  const fits = exactly(keyType as z.ZodType) === isText ? exactly(valueType as z.ZodType) : undefined
  return (
    fits &&
    ((value) => {
      if (!isPlain(value)) return false
      for (const name in value) if (name === '__proto__' || !fits(value[name])) return false
      return true
    })
  )
}

/**
 * Checks only the first structured option, because zod may strip a value to fit the first option although a later
 * option fits exactly.
 */
function anyOf(options: readonly z.ZodType[]): Fits | undefined {
  const all = options.map(exactly)
  const structured = options.findIndex(({ type }) => !SCALARS.has(type))
  const judged = all.filter((fits, n) => fits && (n === structured || SCALARS.has(options[n]?.type ?? ''))) as Fits[]
  return all.includes(undefined) ? undefined : (value) => judged.some((fits) => fits(value))
}

function objectOf(schema: z.ZodObject): Fits | undefined {
  const names: string[] = []
  const checks: Fits[] = []
  const optional = new Set<string>()
  for (const [name, field] of Object.entries(schema.shape)) {
    const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : (field as z.ZodType)
    const fits = exactly(inner)
    if (!fits) return undefined
    if (inner !== field) optional.add(name)
    names.push(name)
    checks.push(fits)
  }
  const required = names.length - optional.size
  return (value) => {
    if (!isPlain(value)) return false
    let found = 0
    let next = 0
    for (const name in value) {
      // Replies mostly have the order of the schema.
      if (names[next] !== name) next = names.indexOf(name)
      if (!checks[next]?.(value[name])) return false
      if (optional.size === 0 || !optional.has(name)) found++
      next++
    }
    return found === required
  }
}
