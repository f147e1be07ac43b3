import { findAttributeNameProblem, toOneLine } from '../../text/attributes'
import type { Issue } from '../../text/errors'
import { findImportField } from './columns'
import { abbreviate, type ColumnReading, type ImportKind } from './kind'

const MAX_RENAMED_VALUES = 1_000
/** No known product exports more levels. */
const MAX_LEVEL = 20

export interface ExplicitMapping {
  columns: Map<string, ColumnReading>
  constants: Map<string, string>
}

export function pointerToColumn(column: string): string {
  return `/mapping/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function readExplicitMapping(kind: ImportKind<unknown>, json: unknown, issues: Issue[]): ExplicitMapping {
  const read: ExplicitMapping = { columns: new Map(), constants: new Map() }
  if (json === undefined) return read
  if (json === null || typeof json !== 'object' || Array.isArray(json)) {
    issues.push({
      path: '/mapping',
      code: 'invalid_type',
      message: `Must be an object of columns, each with ${MAPPING_TARGET_FORMS}`,
    })
    return read
  }
  const names = kind.fields.map((field) => field.name).join(', ')
  const noField = (name: string) => `There is no field "${abbreviate(name)}". Fields are: ${names}.`
  for (const [column, target] of Object.entries(json)) {
    const wrong = (message: string) => issues.push({ path: pointerToColumn(column), code: 'invalid_value', message })
    // A constant belongs to the field named by the key, even if a column has the same name.
    if (typeof target === 'string' && target.startsWith('=')) {
      const field = findImportField(kind, column)?.name
      const value = target.slice(1).trim()
      if (field === undefined) wrong(`"=" gives a field one value in all rows. ${noField(column)}`)
      else if (value === '') wrong('The value after "=" is missing. Send a value, like "=member".')
      else if (read.constants.has(field)) wrong(`The field ${field} has two values. Leave one out.`)
      else read.constants.set(field, value)
      continue
    }
    const reading = readTarget(kind, target)
    if (reading === undefined) wrong(`Must be ${MAPPING_TARGET_FORMS}`)
    else if (typeof reading === 'string') wrong(reading)
    else read.columns.set(column, reading)
  }
  return read

  function readTarget(kind: ImportKind<unknown>, target: unknown): ColumnReading | string | undefined {
    if (target === null) return { ignored: true }
    if (typeof target === 'string') {
      const field = findImportField(kind, target)
      return field
        ? { field: field.name }
        : kind.hasNoAttributes
          ? noField(target)
          : `${noField(target)} For an attribute, send {"attribute": "${abbreviate(target)}"}.`
    }
    if (typeof target !== 'object' || Array.isArray(target)) return undefined
    const { attribute, field, values, level, ...others } = target as Record<string, unknown>
    if (Object.keys(others).length) return undefined
    if (typeof attribute === 'string' && field === undefined && values === undefined && level === undefined) {
      if (kind.hasNoAttributes)
        return `These records have no attributes. Map the column to a field, or to null. Fields are: ${names}.`
      const name = toOneLine(attribute)
      return findAttributeNameProblem(name) ?? { attribute: name }
    }
    if (typeof field !== 'string' || attribute !== undefined) return undefined
    const known = findImportField(kind, field)
    if (!known) return noField(field)
    if (level !== undefined) {
      const isLevel = typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= MAX_LEVEL
      return isLevel && values === undefined ? { field: known.name, level } : undefined
    }
    if (values === undefined) return { field: known.name }
    if (values === null || typeof values !== 'object' || Array.isArray(values)) return undefined
    const pairs = Object.entries(values)
    if (pairs.length > MAX_RENAMED_VALUES)
      return `At most ${MAX_RENAMED_VALUES} values can be renamed. Change the rest in the file.`
    if (!pairs.every((pair): pair is [string, string] => typeof pair[1] === 'string')) return undefined
    // `fromEntries` creates an own member `__proto__`, unlike an assignment.
    return { field: known.name, values: Object.fromEntries(pairs) }
  }
}

const MAPPING_TARGET_FORMS =
  'a field, {"attribute": name}, {"field": field, "values": {theirs: ours}}, {"field": field, "level": 1}, null to ignore the column, or "=value" for a field.'
