import type { ConvertedProduct } from '../../files/batch'
import { findAttributeNameProblem } from '../../text/attributes'
import { type Issue, invalidInputError } from '../../text/errors'
import { type OtherOperation, ratePreset } from './certainty'
import {
  type ColumnGuess,
  type ColumnGuesser,
  claimedTargetOf,
  createColumnGuesser,
  findImportPreset,
  foldColumnName,
  readOtherColumn,
  recoverFileColumns,
} from './columns'
import { type DayOrder, type DayOrderEvidence, decideDayOrder } from './dates'
import { type ExplicitMapping, pointerToColumn, readExplicitMapping } from './explicit-mapping'
import {
  abbreviate,
  type ColumnReading,
  DEFAULT_MISSING_KINDS,
  type ImportKind,
  type ImportMapping,
  type ImportPreset,
  type MappedColumn,
  MISSING_KINDS,
  type MissingKind,
} from './kind'

/** Wider than the exports of known products. A file with more columns has a different delimiter or no header. */
export const MAX_IMPORT_COLUMNS = 300

interface ImportMappingOptions {
  /** Later rows may contain further columns, as objects of JSON do. */
  open?: boolean
  /** What the cells of the file show about the order of day and month. */
  evidence?: DayOrderEvidence
  dates?: DayOrder | undefined
  /** `none`: the file counts as a file of no known product. */
  preset?: 'none' | undefined
  createMissing?: readonly MissingKind[] | undefined
  /** The key is limited to products. */
  isLimited?: boolean
  /** Product whose JSON the reader of files has turned into flat rows. */
  convertedFrom?: ConvertedProduct | undefined
  /** Other operations that the columns of the file fit. */
  otherOperation?: OtherOperation | undefined
}

// Statuses and categories belong to the whole workspace.
const KINDS_OF_A_PRODUCT: readonly MissingKind[] = ['tags', 'versions']

function listCreatedKinds(
  preset: ImportPreset | undefined,
  requested: readonly MissingKind[] | undefined,
  isLimited: boolean,
): MissingKind[] {
  const kinds = requested ?? (preset?.isOwnExport ? MISSING_KINDS : DEFAULT_MISSING_KINDS)
  return MISSING_KINDS.filter((kind) => kinds.includes(kind) && (!isLimited || KINDS_OF_A_PRODUCT.includes(kind)))
}

export function buildImportMapping(
  kind: ImportKind<unknown>,
  header: readonly string[],
  mappingJson?: unknown,
  {
    open = false,
    evidence = new Map(),
    dates,
    preset: requestedPreset,
    createMissing,
    isLimited = false,
    convertedFrom,
    otherOperation,
  }: ImportMappingOptions = {},
): ImportMapping {
  if (header.length > MAX_IMPORT_COLUMNS) {
    const message = `The file has ${header.length} columns, and the maximum is ${MAX_IMPORT_COLUMNS}. Remove some columns.`
    throw invalidInputError([{ path: '/mapping', code: 'too_big', message }])
  }
  const issues: Issue[] = []
  const explicit = readExplicitMapping(kind, mappingJson, issues)
  const isOff = requestedPreset === 'none'
  const preset = isOff ? undefined : findImportPreset(kind, header)
  const { columns, unmet: unmatched } = assignColumnReadings(kind, header, explicit, createColumnGuesser(kind, preset))
  for (const [column, reading] of unmatched) {
    if (open) columns.push({ column, ...reading })
    else
      issues.push({
        path: pointerToColumn(column),
        code: 'unknown_column',
        message: `The file has no such column. ${describeColumns(header)}`,
      })
  }
  issues.push(
    ...findOverruledColumns(columns, explicit),
    ...findMissingFields(kind, columns, explicit, { header, hint: otherOperation?.hint }),
  )
  // Conflicting or invalid keys of JSON may be in different rows, and the mapper rejects only the affected rows.
  markRepeatedColumns(columns)
  if (!open) issues.push(...findInvalidAttributeNames(columns), ...findCollidingColumns(kind, columns, explicit))
  if (issues.length) throw invalidInputError(issues)
  markDateColumns(kind, columns, (column) => decideDayOrder(evidence, column, dates))
  const constants = { ...pickFreeConstants(preset, columns), ...Object.fromEntries(explicit.constants) }
  const kinds = listCreatedKinds(preset, createMissing, isLimited)
  const rated = ratePreset(kind, preset, { header, convertedFrom, otherOperation, isOff })
  return { preset: preset?.name ?? null, ...rated, columns, constants, createMissing: kinds }
}

/** A column wins over a constant of the preset. */
function pickFreeConstants(preset: ImportPreset | undefined, columns: readonly MappedColumn[]): Record<string, string> {
  const given = new Set(columns.map((mapped) => ('field' in mapped ? mapped.field : undefined)))
  return Object.fromEntries(Object.entries(preset?.constants ?? {}).filter(([field]) => !given.has(field)))
}

// A key of more than 1,000 characters is no column name.
const MAX_JSON_KEY_LENGTH = 1_000
/** Different keys of a JSON file. The time to find the reading of a key is much longer than the time to parse the key. */
export const MAX_JSON_KEYS = 1_000

export function collectJsonKeys(rows: readonly unknown[], before: readonly string[] = []): string[] {
  const keys = new Set(before)
  for (const row of rows) {
    if (row === null || typeof row !== 'object' || Array.isArray(row)) continue
    for (const key in row) {
      if (keys.size > MAX_JSON_KEYS) return [...keys]
      if (Object.hasOwn(row, key) && key.length <= MAX_JSON_KEY_LENGTH) keys.add(key)
    }
  }
  return [...keys]
}

export const headerOfJsonKeys = (keys: readonly string[]): string[] => keys.slice(0, MAX_IMPORT_COLUMNS)

/** Assigns readings in the order of certainty: explicit mappings, certain names, likely names. */
function assignColumnReadings(
  kind: ImportKind<unknown>,
  header: readonly string[],
  explicit: ExplicitMapping,
  guess: ColumnGuesser,
): { columns: MappedColumn[]; unmet: ExplicitMapping['columns'] } {
  const unmet = new Map(explicit.columns)
  const byFold = indexColumnsByFoldedName(explicit.columns)
  const own = recoverFileColumns(header)?.length ?? header.length
  const guesses = header.map((column, n): ColumnGuess => {
    const key = explicit.columns.has(column) ? column : byFold.get(foldColumnName(column))
    if (key === undefined && n >= own) return { reading: { ignored: true }, isLikely: false }
    if (key === undefined) return yieldColumnToConstant(guess(column), explicit.constants)
    unmet.delete(key)
    return { reading: explicit.columns.get(key) as ColumnReading, isLikely: false }
  })
  const claimed = new Set(guesses.flatMap(({ reading, isLikely }) => (isLikely ? [] : [claimedTargetOf(reading)])))
  const columns = guesses.map(({ reading, isLikely }, index): MappedColumn => {
    const column = header[index] as string
    if (!isLikely) return { column, ...reading }
    const again = header.indexOf(column) < index
    const free = again || !claimed.has(claimedTargetOf(reading))
    claimed.add(claimedTargetOf(reading))
    return { column, ...(free ? reading : readOtherColumn(kind, column)) }
  })
  return { columns, unmet }
}

function yieldColumnToConstant(guess: ColumnGuess, constants: ReadonlyMap<string, string>): ColumnGuess {
  const { reading } = guess
  return 'field' in reading && constants.has(reading.field) ? { reading: { ignored: true }, isLikely: false } : guess
}

/** The first of equal names wins. */
export function indexColumnsByFoldedName(columns: ReadonlyMap<string, unknown>): Map<string, string> {
  const byFold = new Map<string, string>()
  for (const column of columns.keys()) {
    const folded = foldColumnName(column)
    if (folded !== '' && !byFold.has(folded)) byFold.set(folded, column)
  }
  return byFold
}

function findInvalidAttributeNames(columns: readonly MappedColumn[]): Issue[] {
  return columns.flatMap((mapped) => {
    const problem = 'attribute' in mapped ? findAttributeNameProblem(mapped.attribute) : undefined
    const remedy = 'Map the column to {"attribute": "a shorter name"}, or to null to ignore the column.'
    return problem
      ? [{ path: pointerToColumn(mapped.column), code: 'invalid_value', message: `${problem} ${remedy}` }]
      : []
  })
}

function findOverruledColumns(columns: readonly MappedColumn[], { constants }: ExplicitMapping): Issue[] {
  return columns.flatMap((mapped) => {
    if (!('field' in mapped && constants.has(mapped.field))) return []
    const both = `The column "${abbreviate(mapped.column)}" and a constant both give the field ${mapped.field}.`
    return [
      { path: pointerToColumn(mapped.column), code: 'duplicate', message: `${both} Omit the column or the constant.` },
    ]
  })
}

function markDateColumns(
  kind: ImportKind<unknown>,
  columns: MappedColumn[],
  decide: (column: string) => ReturnType<typeof decideDayOrder>,
): void {
  const dateFields = new Set(kind.fields.flatMap(({ name, format }) => (format === 'date' ? [name] : [])))
  for (const column of columns)
    if ('field' in column && dateFields.has(column.field)) column.dates = decide(column.column)
}

/** Columns like `Labels` of Jira repeat: the values of an attribute are joined. */
function markRepeatedColumns(columns: MappedColumn[]): void {
  const seen = new Set<string>()
  for (const column of columns) {
    if ('attribute' in column && seen.has(column.column)) column.repeated = true
    seen.add(column.column)
  }
}

/** Columns that only their names give the same field are alternatives: the first value of a row counts. */
function findCollidingColumns(
  kind: ImportKind<unknown>,
  columns: readonly MappedColumn[],
  explicit: ExplicitMapping,
): Issue[] {
  const many = new Set(kind.fields.flatMap(({ name, many }) => (many ? [claimedTargetOf({ field: name })] : [])))
  const requested = new Set([...explicit.columns.values()].map(claimedTargetOf))
  const first = new Map<string, string>()
  const issues: Issue[] = []
  for (const { column, ...reading } of columns) {
    const what = claimedTargetOf(reading)
    if (what === undefined || many.has(what) || ('repeated' in reading && reading.repeated)) continue
    if ('field' in reading && (!requested.has(what) || reading.level !== undefined)) continue
    const add = (message: string) => issues.push({ path: pointerToColumn(column), code: 'duplicate', message })
    const before = first.get(what)
    if (before === undefined) first.set(what, column)
    else if (before !== column) {
      const both = `The columns "${abbreviate(before)}" and "${abbreviate(column)}" both give the ${what}.`
      add(
        `${both} Map one column to another target, like {"attribute": "another name"}, or to null to ignore the column.`,
      )
    }
  }
  return issues
}

function findMissingFields(
  kind: ImportKind<unknown>,
  columns: readonly MappedColumn[],
  explicit: ExplicitMapping,
  { header, hint }: { header: readonly string[]; hint: string | undefined },
): Issue[] {
  const given = new Set(columns.map((mapped) => ('field' in mapped ? mapped.field : undefined)))
  return kind.fields.flatMap(({ name, required }) => {
    if (!required || given.has(name) || explicit.constants.has(name)) return []
    const remedy = `${hint ? `${hint} Or rename` : 'Rename'} a column to "${name}", or map a column in "mapping": {"<column>": "${name}"}.`
    return [
      {
        path: `/mapping/${name}`,
        code: 'required',
        message: `No column gives the ${name}. ${remedy} ${describeColumns(header)}`,
      },
    ]
  })
}

const MAX_LISTED_COLUMNS = 20

function describeColumns(header: readonly string[]): string {
  const names = header.slice(0, MAX_LISTED_COLUMNS).map((column) => `"${abbreviate(column)}"`)
  return `The file has the columns ${names.join(', ')}${header.length > MAX_LISTED_COLUMNS ? ' and others' : ''}.`
}
