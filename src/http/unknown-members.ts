import { closest, distance } from 'fastest-levenshtein'
import * as z from 'zod'
import type { PresentedMember } from '../db/client/presented'
import { type Issue, MAX_ISSUES } from '../text/errors'
import { jsonPointer } from './issues'
import { safeParseInput } from './safe-parse'

export interface IgnoredMembers {
  /** Members that neither the body nor the record has. */
  unknown: Issue[]
  /** Members that the record shows and the body cannot set. */
  shown: PresentedMember[]
}

interface Visit extends IgnoredMembers {
  path: (string | number)[]
}

const WRAPPER_TYPES: ReadonlySet<string> = new Set([
  'optional',
  'nullable',
  'default',
  'prefault',
  'nonoptional',
  'readonly',
  'catch',
])

interface AnyDefinition {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  getter?: () => z.ZodType
}

/** The schema of the value as sent: without `optional` and the like, and before a transformation. */
function unwrapSchema(schema: z.ZodType): z.ZodType {
  const { type, innerType, in: input, out, getter } = schema._zod.def as AnyDefinition
  if (innerType && WRAPPER_TYPES.has(type)) return unwrapSchema(innerType)
  if (type === 'lazy' && getter) return unwrapSchema(getter())
  if (type !== 'pipe' || !input || !out) return schema
  return unwrapSchema(input._zod.def.type === 'transform' ? out : input)
}

/**
 * Finds the members of a body that its schema does not have, at every depth. `shown` is the schema of the record: what
 * was read can be written back.
 */
export function findIgnoredMembers(schema: z.ZodType, value: unknown, shown?: z.ZodType): IgnoredMembers {
  const visit: Visit = { unknown: [], shown: [], path: [] }
  visitValue(schema, value, shown, visit)
  return { unknown: visit.unknown, shown: visit.shown }
}

function visitValue(schema: z.ZodType, value: unknown, shown: z.ZodType | undefined, visit: Visit): void {
  if (typeof value !== 'object' || value === null) return
  const expected = unwrapSchema(schema)
  const read = shown && unwrapSchema(shown)
  if (expected instanceof z.ZodUnion) visitUnion(expected, value, read, visit)
  else if (Array.isArray(value)) {
    const readItem = read instanceof z.ZodArray ? (read.element as z.ZodType) : undefined
    if (expected instanceof z.ZodArray)
      for (const [n, item] of value.entries()) visitMember(n, [expected.element as z.ZodType, item, readItem], visit)
  } else if (expected instanceof z.ZodRecord) {
    const item = expected.valueType as z.ZodType
    for (const [name, member] of Object.entries(value)) visitMember(name, [item, member, undefined], visit)
  } else if (expected instanceof z.ZodObject) visitObject(expected, value, read, visit)
}

type Member = [schema: z.ZodType, value: unknown, shown: z.ZodType | undefined]

function visitMember(name: string | number, member: Member, visit: Visit): void {
  visit.path.push(name)
  visitValue(...member, visit)
  visit.path.pop()
}

function visitObject(expected: z.ZodObject, value: object, shown: z.ZodType | undefined, visit: Visit): void {
  const shape: Record<string, z.ZodType> = expected.shape
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    const readMember = findMember(shown, name)
    if (known) visitMember(name, [known, member, readMember], visit)
    else if (!expected.def.catchall)
      ignoreMember(name, { value: member, shape, isShown: readMember !== undefined }, visit)
  }
}

/** The alternative with the fewest unknown members. */
function visitUnion(union: z.ZodUnion, value: object, shown: z.ZodType | undefined, visit: Visit): void {
  const visits = (union.options as readonly z.ZodType[])
    .filter((option) => safeParseInput(option, value).success)
    .map((option) => {
      const one: Visit = { unknown: [], shown: [], path: [...visit.path] }
      visitValue(option, value, shown, one)
      return one
    })
  const [best] = visits.sort((a, b) => a.unknown.length - b.unknown.length)
  visit.unknown.push(...(best?.unknown ?? []))
  visit.shown.push(...(best?.shown ?? []))
}

function findMember(schema: z.ZodType | undefined, name: string): z.ZodType | undefined {
  if (schema instanceof z.ZodUnion)
    return (schema.options as readonly z.ZodType[])
      .map((option) => findMember(unwrapSchema(option), name))
      .find((member) => member !== undefined)
  if (!(schema instanceof z.ZodObject)) return undefined
  const shape: Record<string, z.ZodType> = schema.shape
  return Object.hasOwn(shape, name) ? shape[name] : undefined
}

/** Wrong members of a body whose null or empty text the record can show. */
export function findShownForms(shown: z.ZodType, sent: unknown, issues: readonly Issue[]): PresentedMember[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return []
  const record = unwrapSchema(shown)
  const wrong = new Map(issues.map((issue) => [issue.path.split('/')[1], issue]))
  return Object.entries(sent).flatMap(([name, value]) => {
    const issue = value === '' || value === null ? wrong.get(name) : undefined
    const member = issue ? findMember(record, name) : undefined
    return issue && member && safeParseInput(member, value).success ? [{ path: [name], value, issue }] : []
  })
}

function ignoreMember(
  name: string,
  { value, shape, isShown }: { value: unknown; shape: Record<string, z.ZodType>; isShown: boolean },
  visit: Visit,
): void {
  const path = [...visit.path, name]
  if (isShown) visit.shown.push({ path, value })
  else if (visit.unknown.length < MAX_ISSUES)
    visit.unknown.push({
      path: jsonPointer(path),
      code: 'unknown_member',
      message: unknownMemberMessage(name, Object.keys(shape)),
    })
}

const MAX_COMPARED_CHARACTERS = 100
const simplifyName = (name: string) =>
  name
    .slice(0, MAX_COMPARED_CHARACTERS)
    .toLowerCase()
    .replaceAll(/[_\s-]/g, '')

function unknownMemberMessage(name: string, known: readonly string[]): string {
  if (!known.length) return 'Unknown member. The object has no members.'
  const simple = simplifyName(name)
  const nearest = closest(simple, known.map(simplifyName))
  const candidate = known.find((one) => simplifyName(one) === nearest)
  if (distance(simple, nearest) <= Math.max(1, Math.floor(simple.length / 3)))
    return `Unknown member: did you mean "${candidate}"?`
  return `Unknown member. Leave it out. Members are: ${known.join(', ')}.`
}
