import type { CsvFormat } from './crafted'
import { FileProblem } from './problem'

/** A text with more columns is not a table. */
const MAX_CSV_COLUMNS = 300

/** The first row is the header and always exists. */
export interface CsvHeadRows {
  delimiter: string
  rows: string[][]
  /** Characters of the file before the header. */
  start: number
}

export interface CsvLayout {
  delimiter: string
  header: string[]
}

export const CSV_DELIMITERS = [',', ';', '\t', '|']

const SEPARATOR_LINE_PATTERN = /^"?sep=([,;\t|])"?[ ]*(?:\r\n|\r|\n)/i

/** Excel names the delimiter of a file in a line before the header. */
export function readSeparatorLine(text: string): { delimiter: string; length: number } | undefined {
  const [line, delimiter = ''] = SEPARATOR_LINE_PATTERN.exec(text) ?? []
  return line === undefined ? undefined : { delimiter, length: line.length }
}

const countNamedCells = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '').length

/** The header below a preamble has known names, and more cells than each line of the preamble. */
export function findHeaderRow(rows: readonly string[][], isHeader: (names: readonly string[]) => boolean): number {
  let widest = 0
  for (const [index, row] of rows.entries()) {
    const cells = countNamedCells(row)
    if (cells > widest && isHeader(row.map((name) => name.trim()))) return index
    widest = Math.max(widest, cells)
  }
  return 0
}

export function detectLineBreak(text: string): CsvFormat['newline'] {
  const found = /\r\n|\r|\n/.exec(text.replace(/"[^"]*"/g, '""'))?.[0]
  return found === '\r\n' || found === '\r' ? found : '\n'
}

export function chooseCsvLayout(heads: CsvHeadRows[], repeats = false): CsvLayout {
  const ranked = heads.map((head) => ({ ...head, rank: rankCsvLayout(head) }))
  ranked.sort((a, b) => b.rank.fit - a.rank.fit || b.rank.exact - a.rank.exact || b.rank.columns - a.rank.columns)
  const [{ delimiter, rows } = { delimiter: ',', rows: [] }] = ranked
  const header = (rows[0] ?? []).map((name) => name.trim())
  // Spreadsheets also write empty cells beside a table.
  while (header.length && header.at(-1) === '') header.pop()
  const problem = findHeaderProblem(header, repeats)
  if (problem) throw new FileProblem('header', problem, header)
  return { delimiter, header }
}

function rankCsvLayout({ rows }: CsvHeadRows): { fit: number; exact: number; columns: number } {
  const widths = rows.map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1)
  const [columns = 0] = widths
  if (columns === 0) return { fit: Infinity, exact: 0, columns }
  const fitting = widths.filter((width) => width <= columns).length / widths.length
  const exact = widths.filter((width) => width === columns).length
  return { fit: columns > 1 ? fitting * 2 : fitting, exact, columns }
}

function findHeaderProblem(header: readonly string[], repeats: boolean): string | undefined {
  if (!header.length) return 'The first row of the file names no column. Begin the CSV with a header.'
  if (header.length > MAX_CSV_COLUMNS) {
    return `The header has ${header.length} columns, more than ${MAX_CSV_COLUMNS}. Remove columns that you do not need.`
  }
  const seen = new Set<string>()
  for (const [index, name] of header.entries()) {
    if (name === '') return `Column ${index + 1} of the header has no name. Name it, or remove the column.`
    if (seen.has(name) && !repeats)
      return `The header names "${shortenColumnName(name)}" twice. Rename one of the two columns.`
    if (name === '__proto__') return 'A column cannot be called "__proto__". Rename it.'
    if (!name.isWellFormed()) return `Column ${index + 1} of the header contains half of a surrogate pair. Rename it.`
    seen.add(name)
  }
  return undefined
}

function shortenColumnName(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40).toWellFormed()}…` : name
}
