import { attributeNameProblem, oneLine } from '../../text/attributes'
import type { Issue } from '../../text/errors'
import { fieldOf } from './columns'
import { type Kind, type Reading, shown } from './kind'

const MAX_VALUES = 1_000

/** The parsed part `mapping`: readings by column, and constants by field. */
export interface Given {
  columns: Map<string, Reading>
  constants: Map<string, string>
}

export function pointer(column: string): string {
  return `/mapping/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function readGiven(kind: Kind<unknown>, given: unknown, issues: Issue[]): Given {
  const read: Given = { columns: new Map(), constants: new Map() }
  if (given === undefined) return read
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    issues.push({
      path: '/mapping',
      code: 'invalid_type',
      message: `Must be an object of columns, each with ${TARGETS}`,
    })
    return read
  }
  const names = kind.fields.map((field) => field.name).join(', ')
  const noField = (name: string) => `There is no field "${shown(name)}". Fields are: ${names}.`
  for (const [column, target] of Object.entries(given)) {
    const wrong = (message: string) => issues.push({ path: pointer(column), code: 'invalid_value', message })
    // A constant belongs to the field named by the key, even if a column has the same name.
    if (typeof target === 'string' && target.startsWith('=')) {
      const field = fieldOf(kind, column)?.name
      const value = target.slice(1).trim()
      if (field === undefined) wrong(`"=" gives a field one value in all rows. ${noField(column)}`)
      else if (value === '') wrong('Behind "=" stands the value, like "=member".')
      else if (read.constants.has(field)) wrong(`The field ${field} has two values. Leave one out.`)
      else read.constants.set(field, value)
      continue
    }
    const reading = readTarget(kind, target)
    if (reading === undefined) wrong(`Must be ${TARGETS}`)
    else if (typeof reading === 'string') wrong(reading)
    else read.columns.set(column, reading)
  }
  return read

  function readTarget(kind: Kind<unknown>, target: unknown): Reading | string | undefined {
    if (target === null) return { ignored: true }
    if (typeof target === 'string') {
      const field = fieldOf(kind, target)
      return field
        ? { field: field.name }
        : `${noField(target)} For an attribute say {"attribute": "${shown(target)}"}.`
    }
    if (typeof target !== 'object' || Array.isArray(target)) return undefined
    const { attribute, field, values, ...others } = target as Record<string, unknown>
    if (Object.keys(others).length) return undefined
    if (typeof attribute === 'string' && field === undefined && values === undefined) {
      const name = oneLine(attribute)
      return attributeNameProblem(name) ?? { attribute: name }
    }
    if (typeof field !== 'string' || attribute !== undefined) return undefined
    const known = fieldOf(kind, field)
    if (!known) return noField(field)
    if (values === undefined) return { field: known.name }
    if (values === null || typeof values !== 'object' || Array.isArray(values)) return undefined
    const pairs = Object.entries(values)
    if (pairs.length > MAX_VALUES)
      return `At most ${MAX_VALUES} values may have other names. Change the rest in the file.`
    if (!pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string')) return undefined
    // `fromEntries` creates an own member `__proto__`, unlike an assignment.
    return { field: known.name, values: Object.fromEntries(pairs) }
  }
}

const TARGETS =
  'a field, {"attribute": name}, {"field": field, "values": {theirs: ours}}, null to leave the column out, or "=value" for a field.'
