import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'

type PathStep = string | number

export interface RequestInput {
  op: AnyOperation
  where: 'path' | 'query' | 'body' | 'fields'
  path: readonly PathStep[]
  kind: 'text' | 'list'
  /** Maximum characters or items. */
  max: number
  checks: readonly z.core.$ZodCheckDef[]
  schema: z.ZodType
}

/** The bytes of a file, which no operation parses as text. */
export const isBase64 = ({ schema }: RequestInput) => schema.meta()?.contentEncoding === 'base64'

export const inputName = ({ op, where, path }: RequestInput) => `${op.id} ${[where, ...path].join('/')}`

// Quadratic work on so few characters stays below the measured minimum. Only a check with backtracking can cost more.
const MAX_SHORT_LENGTH = 2_000

/** Equal for inputs with the same handling: the same name and checks, or short texts with the same patterns. */
export const likenessKey = ({ where, path, kind, max, checks }: RequestInput) =>
  JSON.stringify(
    kind === 'text' && max <= MAX_SHORT_LENGTH
      ? [where, checks.map((one) => [one.check, String((one as { pattern?: RegExp }).pattern)])]
      : [where, path.at(-1), kind, max, checks.map(({ check }) => check)],
  )

export function listInputs(op: AnyOperation): RequestInput[] {
  const parts = { path: op.params, query: op.query, body: op.body, fields: op.upload?.fields } as const
  return Object.entries(parts).flatMap(([where, schema]) =>
    schema
      ? Array.from(findInputs(schema, []), (spot) => ({ ...spot, op, where: where as RequestInput['where'] }))
      : [],
  )
}

type FoundInput = Omit<RequestInput, 'op' | 'where'>
type SchemaDefinition = z.core.$ZodTypeDef & {
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: z.ZodType[]
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  entries?: Record<string, PathStep>
  values?: PathStep[]
}
const definitionOf = (schema: z.ZodType) => schema._zod.def as SchemaDefinition

/** Unwraps optional, nullable and transformed schemas. */
function unwrapSchema(schema: z.ZodType): z.ZodType {
  const { innerType, in: before, out } = definitionOf(schema)
  if (innerType) return unwrapSchema(innerType)
  if (before && out) return unwrapSchema(definitionOf(before).type === 'transform' ? out : before)
  return schema
}

// A format like email is a schema and a check at once.
const checksOf = (schema: z.ZodType): z.core.$ZodCheckDef[] => {
  const def = definitionOf(schema)
  const own = 'check' in def ? [def as z.core.$ZodCheckDef] : []
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def).filter((one) => !own.includes(one))]
}

const maxOf = (checks: readonly z.core.$ZodCheckDef[]) =>
  checks.find((one): one is z.core.$ZodCheckMaxLengthDef => one.check === 'max_length')?.maximum ?? Infinity

function* findInputs(schema: z.ZodType, path: readonly PathStep[]): Generator<FoundInput> {
  const inner = unwrapSchema(schema)
  const { type, options, element, shape } = definitionOf(inner)
  const checks = checksOf(inner)
  const spot = { path, max: maxOf(checks), checks, schema: inner }
  if (type === 'string') yield { ...spot, kind: 'text' }
  for (const option of options ?? []) yield* findInputs(option, path)
  for (const [name, member] of Object.entries(shape ?? {})) yield* findInputs(member, [...path, name])
  if (type === 'array' && element) {
    yield { ...spot, kind: 'list' }
    yield* findInputs(element, [...path, 0])
  }
  for (const [name, member] of Object.entries(documentedMembers(inner))) {
    if (member.type === 'string')
      yield { ...spot, kind: 'text', max: member.maxLength ?? Infinity, path: [...path, name] }
  }
}

/** Members documented in the metadata of a value that the operation validates without zod. */
function documentedMembers(schema: z.ZodType): Record<string, { type: string; maxLength?: number }> {
  const { properties } = (schema.meta() ?? {}) as { properties?: Record<string, { type: string; maxLength?: number }> }
  return definitionOf(schema).type === 'unknown' ? (properties ?? {}) : {}
}

/** A sample value of a schema, different for each `n`. */
export function sampleValue(schema: z.ZodType, n: number): unknown {
  const inner = unwrapSchema(schema)
  const { type, options, element, shape, entries, values } = definitionOf(inner)
  if (type === 'number') return n + 1
  if (type === 'boolean') return true
  if (type === 'string') return sampleText(checksOf(inner), n)
  if (entries) return Object.values(entries)[0]
  if (values) return values[0]
  if (options?.[0]) return sampleValue(options[0], n)
  if (element) return []
  const loose = Object.keys(documentedMembers(inner)).map((name) => [
    name,
    name === 'email' ? emailOf(n) : `${name} ${n}`,
  ])
  const needed = Object.entries(shape ?? {}).filter(([, member]) => !member.safeParse(undefined).success)
  return Object.fromEntries([...loose, ...needed.map(([name, member]) => [name, sampleValue(member, n)])])
}

const emailOf = (n: number) => `someone-${n}@example.com`

function sampleText(checks: readonly z.core.$ZodCheckDef[], n: number): string {
  const { format, pattern } = (checks.find(({ check }) => check === 'string_format') ?? {}) as {
    format?: string
    pattern?: RegExp
  }
  if (format === 'email') return emailOf(n)
  const prefix = /^\^([A-Z]+)-/.exec(pattern?.source ?? '')?.[1]
  return prefix ? `${prefix}-${n + 1}` : pattern ? `AB-${n}` : `text ${n}`
}

/** Returns `base` with `value` at the path. */
export function setAtPath(
  schema: z.ZodType,
  base: unknown,
  [step, ...rest]: readonly PathStep[],
  value: unknown,
): unknown {
  if (step === undefined) return value
  const inner = unwrapSchema(schema)
  const { element, shape } = definitionOf(inner)
  if (typeof step === 'number')
    return [setAtPath(element ?? z.unknown(), (base as unknown[] | undefined)?.[0], rest, value)]
  const around = typeof base === 'object' && base !== null ? base : (sampleValue(inner, 0) as object)
  const member = shape?.[step] ?? z.unknown()
  return { ...around, [step]: setAtPath(member, (around as Record<string, unknown>)[step], rest, value) }
}
