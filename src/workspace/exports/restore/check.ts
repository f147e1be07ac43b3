import { ApiError } from '../../../text/errors'
import { sanitizeMailBody, sanitizeRichText } from '../../../text/html/rich-text'
import { findTextProblem, findUnsafeTextIssues, measureJson } from '../../../text/json'
import { type CheckedColumn, type JsonShape, listCheckedColumns } from '../queries/checked-columns'
import type { Cell, FileRow } from './renumber'
import { RestoreProblem } from './state'

// SQLite reads JSON up to a depth of 1,000, and requests have less.
const MAX_JSON_DEPTH = 100
// The years 0000 to 9999, as in requests.
const [MIN_MOMENT, MAX_MOMENT] = [-62_167_219_200_000, 253_402_300_799_999]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function hasShape(text: string, shape: JsonShape): boolean {
  if (measureJson(text).depth > MAX_JSON_DEPTH) return false
  const value = parseJson(text)
  if (value === undefined || findUnsafeTextIssues(value).length) return false
  return shape === 'any' || (shape === 'list' ? Array.isArray(value) : isObject(value))
}

function findTextCellProblem({ jsonShape, allowedValues }: CheckedColumn, cell: string): string | undefined {
  const problem = findTextProblem(cell)
  if (problem) return problem.slice(0, problem.indexOf('.'))
  if (allowedValues && !allowedValues.includes(cell)) return `is not one of ${allowedValues.join(', ')}`
  if (!jsonShape || hasShape(cell, jsonShape)) return undefined
  return jsonShape === 'any' ? 'is not JSON' : `is not JSON of the type ${jsonShape}`
}

function findCellProblem(column: CheckedColumn, cell: unknown): string | undefined {
  if (cell === null) return column.isNullable ? undefined : 'is null'
  if (column.type === 'text') return typeof cell === 'string' ? findTextCellProblem(column, cell) : 'is not a text'
  if (typeof cell !== 'number' || !Number.isSafeInteger(cell)) return 'is not a whole number'
  const { allowedRange: [min, max] = [-Infinity, Infinity] } = column
  if (cell < min || cell > max) return `is not between ${min} and ${max}`
  return column.isMoment && (cell < MIN_MOMENT || cell > MAX_MOMENT)
    ? 'is not a time in the years 0000 to 9999'
    : undefined
}

/** A person can write HTML into the file by hand. The HTML of an export is sanitized, and does not change. */
async function sanitizeCell(html: CheckedColumn['html'], cell: Cell, path: string): Promise<Cell> {
  if (typeof cell !== 'string') return cell
  return html === 'mail' ? (await sanitizeMailBody(cell, path)).html : sanitizeRichText(cell, path)
}

/** Reads a line of the file of a table, as an export writes the line. */
export async function parseRow(table: string, line: string, number: number): Promise<FileRow> {
  const fail = (problem: string): never => {
    throw new RestoreProblem(`Line ${number} of records/${table}.ndjson ${problem}.`)
  }
  const row = parseJson(line)
  if (!isObject(row)) return fail('is not a JSON object')
  const columns = listCheckedColumns().get(table) ?? new Map<string, CheckedColumn>()
  for (const [name, cell] of Object.entries(row)) {
    const column = columns.get(name)
    if (!column) return fail(`has the column ${name.slice(0, 100)}, which this version does not know`)
    const problem = findCellProblem(column, cell)
    if (problem) return fail(`is wrong: ${name} ${problem}`)
  }
  const cells = { ...row } as Record<string, Cell>
  for (const [name, { isRequired, missingCell, html }] of columns) {
    if (!(name in row)) {
      if (isRequired) fail(`has no ${name}`)
      cells[name] = missingCell
    } else if (html) {
      try {
        cells[name] = await sanitizeCell(html, cells[name] ?? null, `/${name}`)
      } catch (cause) {
        if (cause instanceof ApiError) fail(`is wrong: ${name}: ${cause.message}`)
        throw cause
      }
    }
  }
  return cells
}
