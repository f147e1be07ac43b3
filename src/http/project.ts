import * as z from 'zod'

type Fits = (value: unknown) => boolean

/**
 * What `schema.parse` does to a reply, for less: a value that is declared to the letter is handed on as it is, and
 * everything else goes to zod, which leaves out what is not declared and throws at another type. A Worker has no `eval`
 * for zod to compile a schema with; a list of fifty costs zod more than the rest of the request.
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

/** Whether a value is what the schema declares, with nothing besides; undefined for schemas that only zod can judge. */
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

/** Of options that are no scalars the first alone is judged here: zod may make into it what fits a later one. */
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
      // Replies are mostly written in the order of their schema.
      if (names[next] !== name) next = names.indexOf(name)
      if (!checks[next]?.(value[name])) return false
      if (optional.size === 0 || !optional.has(name)) found++
      next++
    }
    return found === required
  }
}
