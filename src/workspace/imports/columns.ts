import { toOneLine } from '../../text/attributes'
import type { ColumnReading, ColumnTarget, ImportField, ImportKind, ImportPreset } from './kind'

// No field or preset has a longer name, and normalizing thousands of accents on a letter takes quadratic time.
const MAX_COLUMN_NAME_LENGTH = 100

/** An overlong name gives an empty text, which matches nothing. */
export function foldColumnName(name: string): string {
  if (name.length > MAX_COLUMN_NAME_LENGTH) return ''
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s_-]+/gu, '')
}

/** A likely guess gives way when a certain column claims the same field. */
export interface ColumnGuess {
  reading: ColumnReading
  isLikely: boolean
}

export type ColumnGuesser = (column: string) => ColumnGuess

export function findImportField(kind: ImportKind<unknown>, name: string): ImportField | undefined {
  const folded = foldColumnName(name)
  return (
    kind.fields.find((field) => foldColumnName(field.name) === folded) ??
    kind.fields.find((field) => field.aliases.some((alias) => foldColumnName(alias) === folded))
  )
}

/** The folded names of a column, with and without a suffix in parentheses. */
export const foldColumn = (column: string): string[] => [
  foldColumnName(column),
  foldColumnName(removeParenthesizedSuffix(column)),
]

export function findImportPreset(kind: ImportKind<unknown>, header: readonly string[]): ImportPreset | undefined {
  const there = new Set(header.flatMap(foldColumn))
  return kind.presets.find((preset) =>
    preset.identifyingColumns.every((names) => [names].flat().some((name) => there.has(foldColumnName(name)))),
  )
}

export const REJECTION_COLUMNS = ['row', 'field', 'reason'] as const

export function recoverFileColumns(header: readonly string[]): string[] | undefined {
  const before = header.length - REJECTION_COLUMNS.length
  return before > 0 && REJECTION_COLUMNS.every((name, n) => header[before + n] === name)
    ? header.slice(0, before)
    : undefined
}

const listRequiredNames = ({ fields }: ImportKind<unknown>): ReadonlySet<string> =>
  new Set(fields.flatMap(({ name, aliases, required }) => (required ? [name, ...aliases].map(foldColumnName) : [])))

const MAX_ROW_LENGTH = 262_144
/**
 * Characters of the longest row that an export writes: a text of 512 KiB with escapes, and 500 kB of comments. A
 * character takes about ten bytes of memory.
 */
export const MAX_EXPORTED_ROW_LENGTH = 4_194_304

export const fileOptionsOfKind = (kind: ImportKind<unknown>, required = listRequiredNames(kind)) => ({
  maxRow: kind.maxRowLength ?? MAX_ROW_LENGTH,
  isHeader: (names: readonly string[]): boolean =>
    names.some((name) => required.has(foldColumnName(name))) || findImportPreset(kind, names) !== undefined,
  /** The CSV comes from this service (an export or rejected rows), and has apostrophes before formulas. */
  isOwnExport: (header: readonly string[]): boolean =>
    recoverFileColumns(header) !== undefined || findImportPreset(kind, header)?.isOwnExport === true,
  allowsRepeatedColumns: true,
})

export function createColumnGuesser(kind: ImportKind<unknown>, preset: ImportPreset | undefined): ColumnGuesser {
  const presets = new Map(
    Object.entries(preset?.columns ?? {}).map(([column, target]) => [foldColumnName(column), toColumnReading(target)]),
  )
  const givingWay = new Set(
    Object.entries(preset?.columns ?? {}).flatMap(([column, target]) =>
      target !== null && typeof target === 'object' && 'givesWay' in target ? [foldColumnName(column)] : [],
    ),
  )
  const readsCells = new Set(
    kind.fields.flatMap(({ name, many }) => (many === 'cells' ? [claimedTargetOf({ field: name })] : [])),
  )
  const names = new Map(kind.fields.map((field) => [foldColumnName(field.name), field.name]))
  const aliases = new Map(
    kind.fields.flatMap((field) => field.aliases.map((alias): [string, string] => [foldColumnName(alias), field.name])),
  )
  return (column) => {
    const folded = foldColumnName(column)
    const exact = presets.get(folded)
    if (exact) return { reading: exact, isLikely: 'attribute' in exact || givingWay.has(folded) }
    const dated = presets.get(foldColumnName(removeParenthesizedSuffix(column)))
    if (dated) return { reading: dated, isLikely: !readsCells.has(claimedTargetOf(dated)) }
    const field = names.get(folded)
    if (field !== undefined) return { reading: { field }, isLikely: false }
    const meant = aliases.get(folded)
    if (meant !== undefined) return { reading: { field: meant }, isLikely: true }
    if (folded === 'attributes' && !kind.hasNoAttributes) return { reading: { attributes: true }, isLikely: false }
    return { reading: readOtherColumn(kind, column), isLikely: false }
  }
}

const ATTRIBUTE_PREFIX = 'attributes.'

/** Exports of this service write the attribute `plan` as `attributes.plan`. */
export function readOtherColumn({ hasNoAttributes }: ImportKind<unknown>, column: string): ColumnReading {
  if (hasNoAttributes) return { ignored: true }
  const name = toOneLine(column)
  const own = name.startsWith(ATTRIBUTE_PREFIX) ? toOneLine(name.slice(ATTRIBUTE_PREFIX.length)) : name
  return own === '' ? { ignored: true } : { attribute: own }
}

export function claimedTargetOf(reading: ColumnReading): string | undefined {
  if ('field' in reading) return `field ${reading.field}`
  if ('attribute' in reading) return `attribute ${reading.attribute}`
  return 'attributes' in reading ? 'attributes' : undefined
}

export function toColumnReading(target: ColumnTarget): ColumnReading {
  if (target === null) return { ignored: true }
  if (typeof target === 'string') return { field: target }
  return 'givesWay' in target ? { field: target.field } : target
}

/** Removes a suffix in parentheses, because exports append the time zone to a date: `Create Date (EST)`. */
function removeParenthesizedSuffix(column: string): string {
  const name = column.trimEnd()
  const open = name.lastIndexOf('(')
  return name.endsWith(')') && open > 0 ? name.slice(0, open) : name
}
