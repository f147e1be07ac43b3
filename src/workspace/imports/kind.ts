import type { Attributes } from '../../text/attributes'

/** Why a row is not stored. The value is the beginning of what the row has in that field. */
export class Refused {
  readonly field: string | null
  readonly reason: string
  readonly value: string | null

  constructor(field: string | null, reason: string, value: string | null = null) {
    this.field = field
    this.reason = reason
    this.value = value === null ? null : shown(value)
  }
}

const SHOWN = 100

/** The beginning of a text that a message quotes. */
export function shown(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1).toWellFormed()}…`
}

export interface KindField {
  name: string
  /** Other names of a column that is meant, where no column has the name itself. */
  aliases: readonly string[]
  required?: true
  /** Several columns may give it: their values are the lines of one text. */
  many?: true
  /** What is no text in JSON is taken as JSON. */
  json?: true
  /** What the schema of the record calls it; its name without this. */
  member?: string
  /** What the schema is given of its text; the text without this. */
  read?(text: string): unknown
}

/** What a column is taken for: a field, one whose values have other names, an attribute, or nothing. */
export type Target = string | null | { field: string; values: Readonly<Record<string, string>> } | { attribute: string }

/** The columns that another product prints. */
export interface Preset {
  name: string
  /** The columns by which its files are told from others. */
  telling: readonly string[]
  columns: Readonly<Record<string, Target>>
  /** A column may come again: the values of its attribute stand behind each other. */
  repeats?: true
  /** Its files are ours: formulas stand behind an apostrophe. */
  own?: true
}

/** Columns of another product that are attributes called like them: `Last Activity Date` is `lastActivityDate`. */
export const asAttributes = (...columns: readonly string[]): Preset['columns'] =>
  Object.fromEntries(columns.map((column) => [column, { attribute: camelCase(column) }]))

const camelCase = (name: string) =>
  name.toLowerCase().replace(/[^a-z0-9]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Columns of another product that are left out. */
export const leftOut = (...columns: readonly string[]): Preset['columns'] =>
  Object.fromEntries(columns.map((column) => [column, null]))

/** One kind of import. */
export interface Kind<Row> {
  name: string
  fields: readonly KindField[]
  presets: readonly Preset[]
  /** Of one file; 500,000 without it. */
  maxRows?: number
  /** The row that is stored, or why it is not. Values are trimmed and not empty; what is empty is absent. */
  read(values: Readonly<Record<string, string>>, attributes: Attributes): Row | Refused
}

/** What becomes of a column. `attributes` holds all the attributes of a row in one JSON object. */
export type MappedColumn = { column: string } & Reading
export type Reading =
  | { field: string; values?: Readonly<Record<string, string>> }
  | { attribute: string; repeated?: true }
  | { attributes: true }
  | { ignored: true }

/** How the columns of a file are read: JSON, kept with the run and shown. Columns of a CSV stand in their order. */
export interface Mapping {
  preset: string | null
  columns: MappedColumn[]
  constants: Record<string, string>
}
