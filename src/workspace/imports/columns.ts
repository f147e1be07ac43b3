import { toOneLine } from '../../text/attributes'
import type { ColumnReading, ColumnTarget, ImportKind, KindField, Preset } from './kind'

// No field or preset has a longer name, and normalizing thousands of accents on a letter takes quadratic time.
const MAX_NAME = 100

/** An overlong name gives an empty text, which matches nothing. */
export function foldName(name: string): string {
  if (name.length > MAX_NAME) return ''
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s_-]+/gu, '')
}

/** A likely guess gives way when a certain column claims the same field. */
export interface Guess {
  reading: ColumnReading
  isLikely: boolean
}

export type Guesser = (column: string) => Guess

export function findField(kind: ImportKind<unknown>, name: string): KindField | undefined {
  const folded = foldName(name)
  return (
    kind.fields.find((field) => foldName(field.name) === folded) ??
    kind.fields.find((field) => field.aliases.some((alias) => foldName(alias) === folded))
  )
}

export function findPreset(kind: ImportKind<unknown>, header: readonly string[]): Preset | undefined {
  const there = new Set(header.flatMap((column) => [foldName(column), foldName(removeSuffix(column))]))
  return kind.presets.find((preset) => preset.identifyingColumns.every((column) => there.has(foldName(column))))
}

export const REJECTION_COLUMNS = ['row', 'field', 'reason'] as const

export function recoverColumns(header: readonly string[]): string[] | undefined {
  const before = header.length - REJECTION_COLUMNS.length
  return before > 0 && REJECTION_COLUMNS.every((name, n) => header[before + n] === name)
    ? header.slice(0, before)
    : undefined
}

export const fileOptionsOf = (kind: ImportKind<unknown>) => ({
  /** The CSV comes from this service (an export or rejected rows), and has apostrophes before formulas. */
  isOwnExport: (header: readonly string[]): boolean =>
    recoverColumns(header) !== undefined || findPreset(kind, header)?.isOwnExport === true,
  allowsRepeatedColumns: kind.presets.some(({ repeats }) => repeats),
})

export function createGuesser(kind: ImportKind<unknown>, preset: Preset | undefined): Guesser {
  const presets = new Map(
    Object.entries(preset?.columns ?? {}).map(([column, target]) => [foldName(column), toReading(target)]),
  )
  const names = new Map(kind.fields.map((field) => [foldName(field.name), field.name]))
  const aliases = new Map(
    kind.fields.flatMap((field) => field.aliases.map((alias): [string, string] => [foldName(alias), field.name])),
  )
  return (column) => {
    const folded = foldName(column)
    const exact = presets.get(folded)
    if (exact) return { reading: exact, isLikely: 'attribute' in exact }
    const dated = presets.get(foldName(removeSuffix(column)))
    if (dated) return { reading: dated, isLikely: true }
    const field = names.get(folded)
    if (field !== undefined) return { reading: { field }, isLikely: false }
    const meant = aliases.get(folded)
    if (meant !== undefined) return { reading: { field: meant }, isLikely: true }
    if (folded === 'attributes') return { reading: { attributes: true }, isLikely: false }
    return { reading: readAsAttribute(column), isLikely: false }
  }
}

const ATTRIBUTE_PREFIX = 'attributes.'

/** Exports of this service write the attribute `plan` as `attributes.plan`. */
export function readAsAttribute(column: string): ColumnReading {
  const name = toOneLine(column)
  const own = name.startsWith(ATTRIBUTE_PREFIX) ? toOneLine(name.slice(ATTRIBUTE_PREFIX.length)) : name
  return own === '' ? { ignored: true } : { attribute: own }
}

export function claimOf(reading: ColumnReading): string | undefined {
  if ('field' in reading) return `field ${reading.field}`
  if ('attribute' in reading) return `attribute ${reading.attribute}`
  return 'attributes' in reading ? 'attributes' : undefined
}

export function toReading(target: ColumnTarget): ColumnReading {
  if (target === null) return { ignored: true }
  return typeof target === 'string' ? { field: target } : target
}

/** Removes a suffix in parentheses, because exports append the time zone to a date: `Create Date (EST)`. */
function removeSuffix(column: string): string {
  const name = column.trimEnd()
  const open = name.lastIndexOf('(')
  return name.endsWith(')') && open > 0 ? name.slice(0, open) : name
}
