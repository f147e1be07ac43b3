import type { Attributes } from '../../text/attributes'
import type { DayOrder } from './dates'

export class ImportRowRejection {
  readonly field: string | null
  readonly reason: string
  readonly value: string | null

  constructor(field: string | null, reason: string, value: string | null = null) {
    this.field = field
    this.reason = reason
    this.value = value === null ? null : abbreviate(value)
  }
}

/** Records that a run creates for unknown names of a file, by the query parameter `createMissing`. */
export const MISSING_KINDS = ['statuses', 'categories', 'tags', 'versions', 'segments'] as const
export type MissingKind = (typeof MISSING_KINDS)[number]
export const DEFAULT_MISSING_KINDS: MissingKind[] = ['tags']

/** A problem with a lookup holds only if the lookup finds no record of the workspace. */
export interface ValueLookup {
  in:
    | MissingKind
    | 'members'
    | 'images'
    | 'segmentNames'
    | 'anySegments'
    | 'items'
    | 'teams'
    | 'ideaKeys'
    | 'versionKeys'
  /** Text or JSON that the lookup reads. */
  key: string
  /** `createMissing` cannot create a record with this name. */
  isCreatable?: boolean
  /** Lookup in the place of this one, if `createMissing` creates the record. */
  otherwise?: ValueLookup['in']
}

/** A cell of an optional field that cannot be read as it stands. */
export interface CellProblem {
  field: string
  value: string | null
  reason: string
  /** The text that takes the place of the value; absent if the value is left out. */
  became?: string
  lookup?: ValueLookup
  /** The column of the cell, if several columns give the field. */
  column?: string
}

export type CellProblemReporter = (problem: CellProblem) => void

const MAX_QUOTED_LENGTH = 100

export function abbreviate(text: string): string {
  return text.length <= MAX_QUOTED_LENGTH ? text : `${text.slice(0, MAX_QUOTED_LENGTH - 1).toWellFormed()}…`
}

export interface ImportField {
  name: string
  /** Alternative column names, used when no column has the name of the field. */
  aliases: readonly string[]
  required?: true
  /** Several columns may give the field, as lines of a text, as a JSON array of texts, or as a JSON array of `[column, text]`. */
  many?: true | 'array' | 'cells'
  /** A number, list or object in a JSON file is passed on as JSON text. */
  json?: true
  /** The only values. */
  values?: readonly string[]
  /** A date or a number is read in the formats of known products. */
  format?: 'date' | 'number'
  member?: string
  /** Value that keeps the word of the file if `values` of a mapping replace the word. */
  word?: string
  read?(text: string): unknown
}

export type ColumnTarget =
  | string
  | null
  | { field: string; level: number }
  /** The column gives way to another column of the same field, and becomes an attribute. */
  | { field: string; givesWay: true }
  | { field: string; values: Readonly<Record<string, string>> }
  | { attribute: string }

export interface ImportPreset {
  name: string
  /** Name of the product for readers. */
  product: string
  /** A file with all of the columns is an export of the product. A list has the names of a column in several versions. */
  identifyingColumns: readonly (string | readonly string[])[]
  columns: Readonly<Record<string, ColumnTarget>>
  /** Values of fields that the file does not have. */
  constants?: Readonly<Record<string, string>>
  /** The exporting product is this service, with an apostrophe before formulas. */
  isOwnExport?: true
}

export const mapToAttributes = (...columns: readonly string[]): ImportPreset['columns'] =>
  Object.fromEntries(columns.map((column) => [column, { attribute: toCamelCase(column) }]))

const toCamelCase = (name: string) =>
  name.toLowerCase().replace(/[^a-z0-9]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const ignoreColumns = (...columns: readonly string[]): ImportPreset['columns'] =>
  Object.fromEntries(columns.map((column) => [column, null]))

export const extendPreset = (preset: ImportPreset, columns: ImportPreset['columns']): ImportPreset => ({
  ...preset,
  columns: { ...preset.columns, ...columns },
})

/** Field of the warnings about values that end mail. */
export const SUPPRESSION_FIELD = 'suppression'

/** `refusesMail`: the value says that the person gets no mail, and the import does not take this over. */
export interface JudgedCell {
  problem?: CellProblem
  refusesMail: boolean
  /** The value says that the person gets mail. */
  allowsMail?: true
  /** Reason of the suppression that the row becomes. */
  suppression?: string
}

export interface ImportKind<Row> {
  name: string
  /** The records in the plural, and the operation that imports the records. */
  noun: string
  operation: string
  fields: readonly ImportField[]
  presets: readonly ImportPreset[]
  maxRows?: number
  /** Characters of a row, for records whose exported rows are longer than usual. */
  maxRowLength?: number
  /** A file is said to have these records only if a preset knows its columns. */
  isKnownByPreset?: true
  /** The records have no attributes: other columns are left out. */
  hasNoAttributes?: true
  /**
   * Judges what the cells say about mail. `refusesMail` and `suppressions` (the reasons) become values of the row, and the
   * problem a warning, also if the column gives a field or an attribute.
   */
  createJudge?(mapping: ImportMapping): (column: string, value: unknown, field?: string) => JudgedCell | undefined
  /** Judges every row of a file with this name. */
  judgeFile?(name: string, mapping: ImportMapping): JudgedCell | undefined
  /** Values are trimmed, and empty values are absent. Only a required field rejects a row. */
  read(
    values: Readonly<Record<string, string>>,
    attributes: Attributes,
    report: CellProblemReporter,
  ): Row | ImportRowRejection
}

/** With `attributes` a column holds all attributes of a row in a JSON object. */
export type MappedColumn = { column: string } & ColumnReading
export type ColumnReading =
  | {
      field: string
      values?: Readonly<Record<string, string>>
      dates?: DayOrder | 'iso' | null
      /** Level of a row whose value stands in this column: the row is below the last row of a higher level. */
      level?: number
    }
  | { attribute: string; repeated?: true }
  | { attributes: true }
  | { ignored: true }

/** `certain`: at least half of the columns are known. `likely`: fewer. `none`: the file is of no known product. */
export const PRESET_CERTAINTIES = ['certain', 'likely', 'none'] as const

export interface PresetCertainty {
  certainty: (typeof PRESET_CERTAINTIES)[number]
  presetReason: string
}

/** Readings of a file's columns, stored with the run as JSON. Columns of a CSV are in file order. */
export interface ImportMapping extends Partial<PresetCertainty> {
  preset: string | null
  columns: MappedColumn[]
  constants: Record<string, string>
  /** Roles that the caller cannot give. Absent if there are none. */
  refusedRoles?: readonly string[]
  /** Name of a file whose people get no mail, by the name. */
  refusalList?: string
  createMissing: MissingKind[]
}
