import { ApiError } from '../../text/errors'
import { parseJsonText } from '../../text/json'
import { AttributeSet } from './attributes'
import { claimedTargetOf, createColumnGuesser, foldColumnName, readOtherColumn } from './columns'
import { type DayOrder, parseDateCell } from './dates'
import {
  abbreviate,
  type CellProblem,
  type ColumnReading,
  type ImportField,
  type ImportKind,
  type ImportMapping,
  ImportRowRejection,
  type JudgedCell,
} from './kind'
import { findUnknownAttributeValue } from './known-values'
import { indexColumnsByFoldedName, MAX_JSON_KEYS } from './mapping'
import { parseNumberCell } from './numbers'
import { rejectOnApiError } from './row-values'
import { RowWarnings } from './warnings'

interface GatheredRow {
  values: Record<string, string>
  attributes: AttributeSet
  warnings: RowWarnings
}

export interface ReadImportRow<Row> {
  row: Row
  warnings: RowWarnings
}

/**
 * The reading of an unmapped key depends only on the kind and the mapping, because a resumed run must read rows as
 * before.
 */
export function createRowReader<Row>(
  kind: ImportKind<Row>,
  mapping: ImportMapping,
): (row: unknown) => ReadImportRow<Row> | ImportRowRejection {
  const { columns, refusalList } = mapping
  const judge = kind.createJudge?.(mapping)
  const judgedFile = refusalList === undefined ? undefined : kind.judgeFile?.(refusalList, mapping)
  const readings = createKeyReadingLookup(kind, mapping)
  const fields = new Map(kind.fields.map((field) => [field.name, field]))
  const constants = Object.entries(mapping.constants).map(([field, text]): [string, string] => {
    const read = readFormattedText(text, fields.get(field), null)
    return [field, typeof read === 'string' ? read : text]
  })
  return (cells) => {
    const gathered: GatheredRow = {
      values: Object.fromEntries(constants),
      attributes: new AttributeSet(),
      warnings: new RowWarnings(),
    }
    const refused = Array.isArray(cells) ? takeCells(cells, gathered) : takeMembers(cells, gathered)
    if (refused) return refused
    const { values, attributes, warnings } = gathered
    if (judgedFile) takeJudgment(judgedFile, gathered)
    leaveOutRefusedRole(mapping, gathered)
    const row = rejectOnApiError(() => kind.read(values, attributes.all, (problem) => warnings.add(problem)))
    return row instanceof ImportRowRejection ? row : { row, warnings }
  }

  function takeCells(cells: unknown[], gathered: GatheredRow): ImportRowRejection | undefined {
    if (cells.length !== columns.length || !cells.every((cell) => typeof cell === 'string'))
      return rejectNonObject(kind)
    for (let index = 0; index < cells.length; index++) {
      const column = columns[index] as ImportMapping['columns'][number]
      judgeCell(column.column, cells[index], column, gathered)
      const refused = takeColumnValue(column.column, column, cells[index], gathered, fields)
      if (refused) return refused
    }
    return undefined
  }

  function takeMembers(row: unknown, gathered: GatheredRow): ImportRowRejection | undefined {
    if (row === null || typeof row !== 'object') return rejectNonObject(kind)
    for (const key of Object.keys(row)) {
      judgeCell(key, (row as Record<string, unknown>)[key], readings(key), gathered)
      const refused = takeColumnValue(key, readings(key), (row as Record<string, unknown>)[key], gathered, fields)
      if (refused) return refused
    }
    return undefined
  }

  /** The members of a JSON object are columns of their own. */
  function judgeCell(column: string, value: unknown, reading: ColumnReading, gathered: GatheredRow): void {
    if (!judge) return
    const own = judge(column, renameValue(value, reading), 'field' in reading ? reading.field : undefined)
    const inner = listInnerMembers(value).map(([name, one]) => [`${column}.${name}`, judge(name, one)] as const)
    for (const [name, judged] of [[column, own] as const, ...inner]) if (judged) takeJudgment(judged, gathered, name)
  }
}

function takeJudgment(judged: JudgedCell, row: GatheredRow, column?: string): void {
  const { problem, refusesMail, allowsMail, suppression } = judged
  const { suppressions: before } = row.values
  if (refusesMail) row.values.refusesMail = '1'
  if (suppression) row.values.suppressions = before === undefined ? suppression : `${before},${suppression}`
  if (allowsMail && column !== undefined) row.values.allowsMail = column
  if (problem) row.warnings.add(problem, column)
}

/** The value by which a mapping replaces the value of a cell. */
function renameValue(value: unknown, reading: ColumnReading): unknown {
  if (!('values' in reading) || reading.values === undefined || typeof value === 'object') return value
  const text = String(value).trim()
  return Object.hasOwn(reading.values, text) ? reading.values[text] : value
}

/** Members of a cell that holds a JSON object. */
function listInnerMembers(value: unknown): [name: string, value: unknown][] {
  if (typeof value === 'object') return value === null || Array.isArray(value) ? [] : Object.entries(value)
  if (typeof value !== 'string' || value.length > MAX_ATTRIBUTES_JSON || !value.trimStart().startsWith('{')) return []
  try {
    return Object.entries(parseJsonText(value, 'The cell') as object)
  } catch (cause) {
    if (cause instanceof ApiError) return []
    throw cause
  }
}

/** A person of an import gets no role with scopes that the caller lacks. */
function leaveOutRefusedRole({ refusedRoles = [] }: ImportMapping, { values, warnings }: GatheredRow): void {
  const { role } = values
  if (role === undefined || !refusedRoles.some((refused) => foldColumnName(refused) === foldColumnName(role))) return
  delete values.role
  warnings.add({ field: 'role', value: role, reason: 'The key of the import lacks scopes of this role.' })
}

function takeColumnValue(
  column: string,
  reading: ColumnReading,
  value: unknown,
  { values, attributes, warnings }: GatheredRow,
  known: ReadonlyMap<string, ImportField>,
): ImportRowRejection | undefined {
  if ('attribute' in reading) {
    const problem = attributes[reading.repeated ? 'append' : 'add'](reading.attribute, value)
    const shown = problem ?? findUnknownAttributeValue(column, reading.attribute, value)
    if (shown) warnings.add(shown, column)
  }
  if ('attributes' in reading) {
    const problems = typeof value === 'string' ? addJsonAttributes(value, attributes) : attributes.addAll(value)
    for (const problem of problems) warnings.add(problem, column)
  }
  if (!('field' in reading) || value === null || value === undefined) return undefined
  const { field } = reading
  const text = readFieldText(value, reading.values, known.get(field))
  if (text === undefined) {
    const shown = typeof value === 'object' ? null : String(value)
    if (known.get(field)?.required) return new ImportRowRejection(field, 'Must be text.', shown)
    warnings.add({ field, value: shown, reason: 'Must be text.' }, column)
    return undefined
  }
  if (text === '') return undefined
  const before = warnings.columnOf(field)
  const { many } = known.get(field) ?? {}
  if (before !== undefined && many === true) {
    values[field] += `\n${text}`
    return undefined
  }
  if (many === 'array' || many === 'cells') {
    const cell = JSON.stringify(many === 'cells' ? [column, text] : text)
    values[field] = `${before === undefined ? '[' : `${values[field]?.slice(0, -1)},`}${cell}]`
    warnings.setColumn(field, column)
    return undefined
  }
  if (before !== undefined) {
    if (text === values[field]) return undefined
    const columns =
      before === column
        ? 'Several columns of this name'
        : `The columns "${abbreviate(before)}" and "${abbreviate(column)}" both`
    const reason = `${columns} give this field. The first value counts.`
    warnings.add({ field, value: text, reason }, column)
    return undefined
  }
  const read = readFormattedText(text, known.get(field), 'dates' in reading ? reading.dates : null)
  if (typeof read !== 'string') {
    warnings.add(read, column)
    return undefined
  }
  const cell = 'values' in reading ? String(value).trim() : text
  warnings.setCell(field, column, cell, read)
  values[field] = read
  const { word } = known.get(field) ?? {}
  if (word !== undefined && cell !== text) values[word] = cell
  if ('level' in reading && reading.level !== undefined) values.level = String(reading.level)
  return undefined
}

/** Renamed values also match numbers and booleans of JSON by spelling. */
function readFieldText(
  value: unknown,
  names: Readonly<Record<string, string>> | undefined,
  field: ImportField | undefined,
): string | undefined {
  const isSerialDate = field?.format === 'date' && typeof value === 'number'
  if ((field?.json || isSerialDate) && typeof value !== 'string') return JSON.stringify(value)
  if (typeof value !== 'string' && !(names && typeof value !== 'object')) return undefined
  const text = String(value).trim()
  return names && Object.hasOwn(names, text) ? (names[text] as string).trim() : text
}

function readFormattedText(
  text: string,
  field: ImportField | undefined,
  dates: DayOrder | 'iso' | null = null,
): string | CellProblem {
  if (field?.format === 'number') return parseNumberCell(text)
  if (field?.format !== 'date') return text
  const date = parseDateCell(text, dates === 'iso' ? null : dates)
  if (date !== undefined && date !== 'ambiguous') return date
  const reason =
    date === 'ambiguous'
      ? 'The order of day and month is unknown. Send the query parameter dates=dmy or dates=mdy.'
      : 'Must be a date, like 2026-01-31 or 2026-01-31T09:00:00Z.'
  return { field: field.name, value: text, reason }
}

// Twice the limit of a row's attributes, to bound the time of a parse.
const MAX_ATTRIBUTES_JSON = 40_000

function addJsonAttributes(text: string, attributes: AttributeSet): CellProblem[] {
  if (text.trim() === '') return []
  const wrong = (reason: string): CellProblem[] => [
    { field: 'attributes', value: text, reason: `${reason} Or map the column to an attribute.` },
  ]
  if (text.length > MAX_ATTRIBUTES_JSON)
    return wrong(`Must have at most ${MAX_ATTRIBUTES_JSON} characters. Shorten the text.`)
  try {
    return attributes.addAll(parseJsonText(text, 'The cell'))
  } catch (cause) {
    if (cause instanceof ApiError) return wrong(`${cause.message} Send an object, like {"plan": "pro"}.`)
    throw cause
  }
}

function createKeyReadingLookup(
  kind: ImportKind<unknown>,
  { preset, columns, constants }: ImportMapping,
): (key: string) => ColumnReading {
  const known = new Map<string, ColumnReading>(columns.map(({ column, ...reading }) => [column, reading]))
  const byFold = indexColumnsByFoldedName(known)
  const claimed = new Set(columns.map(claimedTargetOf))
  const guess = createColumnGuesser(
    kind,
    kind.presets.find(({ name }) => name === preset),
  )
  let remembered = 0
  const newReading = (key: string): ColumnReading => {
    const like = byFold.get(foldColumnName(key))
    if (like !== undefined) return known.get(like) as ColumnReading
    const { reading, isLikely } = guess(key)
    if ('field' in reading && Object.hasOwn(constants, reading.field)) return { ignored: true }
    return isLikely && claimed.has(claimedTargetOf(reading)) ? readOtherColumn(kind, key) : reading
  }
  return (key) => {
    const reading = known.get(key) ?? newReading(key)
    if (remembered < MAX_JSON_KEYS && !known.has(key)) {
      known.set(key, reading)
      remembered++
    }
    return reading
  }
}

function rejectNonObject(kind: ImportKind<unknown>): ImportRowRejection {
  return new ImportRowRejection(null, `The row is not an object. Send {"${kind.fields[0]?.name}": …}.`)
}
