import { oneLine } from '../../text/attributes'
import type { Kind, KindField, Preset, Reading, Target } from './kind'

// No field or preset has a longer one. To bring thousands of accents on one letter into their order takes their square.
const MAX_KNOWN = 100

/** A column's name without case, spaces, `_`, `-` and diacritics; empty when it matches no other. */
export function fold(name: string): string {
  if (name.length > MAX_KNOWN) return ''
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s_-]+/gu, '')
}

/** What a column is taken for by its name. Where it is no more than likely, another may have what it claims. */
export interface Guess {
  reading: Reading
  likely: boolean
}

export type Guesser = (column: string) => Guess

/** The field of a name or another of its names. */
export function fieldOf(kind: Kind<unknown>, name: string): KindField | undefined {
  const folded = fold(name)
  return (
    kind.fields.find((field) => fold(field.name) === folded) ??
    kind.fields.find((field) => field.aliases.some((alias) => fold(alias) === folded))
  )
}

/** The preset whose telling columns are all there. */
export function presetOf(kind: Kind<unknown>, header: readonly string[]): Preset | undefined {
  const there = new Set(header.flatMap((column) => [fold(column), fold(withoutSuffix(column))]))
  return kind.presets.find((preset) => preset.telling.every((column) => there.has(fold(column))))
}

/** What a CSV of rejected rows has behind the columns of the file that they were in. */
export const REJECTION = ['row', 'field', 'reason'] as const

/** The columns of the file whose rejected rows have this header, or undefined where they are none. */
export function rejectedFrom(header: readonly string[]): string[] | undefined {
  const before = header.length - REJECTION.length
  return before > 0 && REJECTION.every((name, n) => header[before + n] === name) ? header.slice(0, before) : undefined
}

/** How the files of a kind are read. */
export const readsFiles = (kind: Kind<unknown>) => ({
  /** Whether a CSV with this header is one that we gave out: an export, or rows that we rejected. */
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

/** An attribute of the column's own name, or nothing when it has none. `attributes.plan` is how our own export names `plan`. */
export function plain(column: string): Reading {
  const name = oneLine(column)
  const own = name.startsWith(PREFIX) ? oneLine(name.slice(PREFIX.length)) : name
  return own === '' ? { ignored: true } : { attribute: own }
}

/** What a reading takes for itself: no two columns may. */
export function claim(reading: Reading): string | undefined {
  if ('field' in reading) return `field ${reading.field}`
  if ('attribute' in reading) return `attribute ${reading.attribute}`
  return 'attributes' in reading ? 'attributes' : undefined
}

export function readingOf(target: Target): Reading {
  if (target === null) return { ignored: true }
  return typeof target === 'string' ? { field: target } : target
}

/** Exports write the time zone behind a date's name: `Create Date (EST)`. */
function withoutSuffix(column: string): string {
  const name = column.trimEnd()
  const open = name.lastIndexOf('(')
  return name.endsWith(')') && open > 0 ? name.slice(0, open) : name
}
