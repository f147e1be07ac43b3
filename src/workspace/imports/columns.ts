import { oneLine } from '../../text/attributes'
import type { Kind, KindField, Preset, Reading, Target } from './kind'

// No field or preset has a longer name, and normalizing thousands of accents on a letter takes quadratic time.
const MAX_KNOWN = 100

/**
 * Folds a column's name: no case, spaces, `_`, `-` or diacritics. An overlong name gives an empty text and matches
 * nothing.
 */
export function fold(name: string): string {
  if (name.length > MAX_KNOWN) return ''
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s_-]+/gu, '')
}

/** A guess by the column's name. A likely guess gives way when a certain column claims the same field. */
export interface Guess {
  reading: Reading
  likely: boolean
}

export type Guesser = (column: string) => Guess

export function fieldOf(kind: Kind<unknown>, name: string): KindField | undefined {
  const folded = fold(name)
  return (
    kind.fields.find((field) => fold(field.name) === folded) ??
    kind.fields.find((field) => field.aliases.some((alias) => fold(alias) === folded))
  )
}

export function presetOf(kind: Kind<unknown>, header: readonly string[]): Preset | undefined {
  const there = new Set(header.flatMap((column) => [fold(column), fold(withoutSuffix(column))]))
  return kind.presets.find((preset) => preset.telling.every((column) => there.has(fold(column))))
}

/** The CSV of rejected rows appends the columns to the columns of the file. */
export const REJECTION = ['row', 'field', 'reason'] as const

/** Recovers the file's columns from the header of a CSV of rejected rows; undefined for a different file. */
export function rejectedFrom(header: readonly string[]): string[] | undefined {
  const before = header.length - REJECTION.length
  return before > 0 && REJECTION.every((name, n) => header[before + n] === name) ? header.slice(0, before) : undefined
}

export const readsFiles = (kind: Kind<unknown>) => ({
  /** The CSV comes from this service (an export or rejected rows), and has apostrophes before formulas. */
  guarded: (header: readonly string[]): boolean =>
    rejectedFrom(header) !== undefined || presetOf(kind, header)?.own === true,
  repeats: kind.presets.some(({ repeats }) => repeats),
})

export function guesser(kind: Kind<unknown>, preset: Preset | undefined): Guesser {
  const presets = new Map(
    Object.entries(preset?.columns ?? {}).map(([column, target]) => [fold(column), readingOf(target)]),
  )
  const names = new Map(kind.fields.map((field) => [fold(field.name), field.name]))
  const aliases = new Map(
    kind.fields.flatMap((field) => field.aliases.map((alias): [string, string] => [fold(alias), field.name])),
  )
  return (column) => {
    const folded = fold(column)
    const exact = presets.get(folded)
    if (exact) return { reading: exact, likely: 'attribute' in exact }
    const dated = presets.get(fold(withoutSuffix(column)))
    if (dated) return { reading: dated, likely: true }
    const field = names.get(folded)
    if (field !== undefined) return { reading: { field }, likely: false }
    const meant = aliases.get(folded)
    if (meant !== undefined) return { reading: { field: meant }, likely: true }
    if (folded === 'attributes') return { reading: { attributes: true }, likely: false }
    return { reading: plain(column), likely: false }
  }
}

const PREFIX = 'attributes.'

/**
 * Reads a column as an attribute, or ignores a column without a name. Exports of this service write the attribute
 * `plan` as `attributes.plan`.
 */
export function plain(column: string): Reading {
  const name = oneLine(column)
  const own = name.startsWith(PREFIX) ? oneLine(name.slice(PREFIX.length)) : name
  return own === '' ? { ignored: true } : { attribute: own }
}

export function claim(reading: Reading): string | undefined {
  if ('field' in reading) return `field ${reading.field}`
  if ('attribute' in reading) return `attribute ${reading.attribute}`
  return 'attributes' in reading ? 'attributes' : undefined
}

export function readingOf(target: Target): Reading {
  if (target === null) return { ignored: true }
  return typeof target === 'string' ? { field: target } : target
}

/** Removes a suffix in parentheses, because exports append the time zone to a date: `Create Date (EST)`. */
function withoutSuffix(column: string): string {
  const name = column.trimEnd()
  const open = name.lastIndexOf('(')
  return name.endsWith(')') && open > 0 ? name.slice(0, open) : name
}
