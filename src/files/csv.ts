import Papa, { type ParseResult } from 'papaparse'
import { type Batch, CHUNK, MAX_ROW, Rejected, type RowParser } from './batch'
import { unguarded } from './formulas'
import { type Cut, isCrafted } from './guard'
import { bestLayout, DELIMITERS, type Head, type Layout, lineBreak } from './layout'
import { FileProblem, longRow } from './problem'

/** Limit in characters for finding the header and choosing the delimiter. */
const MAX_HEAD = 65_536
const HEAD_ROWS = 10

const BROKEN = 'a quoted field is not closed, or goes on behind its closing quote'

export interface CsvOptions {
  maxRow?: number
  /** Characters parsed at once, unless a row is longer. */
  chunk?: number
  /** Chooses the delimiter and thereby the header; throws a FileProblem when the header is invalid. */
  layout?: (heads: Head[]) => Layout
  repeats?: boolean
  /**
   * Returns whether this service exported a file with this header; the parser then removes the apostrophes before
   * formulas.
   */
  guarded?: (header: readonly string[]) => boolean
}

export interface CsvParser extends RowParser<string[]> {
  /** Column names, available with the first row. Every row has exactly as many cells. */
  header: string[]
}

/** Parses CSV text by RFC 4180 with Papaparse, which drops spaces after a closing quote. */
export function csvParser(options: CsvOptions = {}): CsvParser {
  const { maxRow = MAX_ROW, chunk = CHUNK, layout = (heads) => bestLayout(heads, options.repeats) } = options
  let buffer = ''
  let size = chunk
  let cut: Cut | undefined
  let skip = 1
  let next = 1
  let guarded = false
  const parser: CsvParser = { header: [], push, end }
  return parser

  function push(text: string): Batch<string[]>[] {
    buffer += text
    return buffer.length >= size && (cut || begun(false)) ? batches(false) : []
  }

  function end(): Batch<string[]>[] {
    if (!cut) begun(true)
    const { newline } = cut as Cut
    if (buffer !== '' && !buffer.endsWith(newline)) buffer += newline
    const found = batches(true)
    if (buffer === '') return found
    if (skip) throw endlessHeader()
    return [...found, { first: next, rows: [new Rejected(BROKEN)] }]
  }

  /** Drops empty lines before the header and determines the columns, if enough text has arrived. */
  function begun(last: boolean): boolean {
    buffer = buffer.replace(/^[\r\n]+/, '')
    if (!last && buffer.length < MAX_HEAD) return false
    const text = buffer.slice(0, MAX_HEAD)
    if (text.trim() === '') throw empty()
    const newline = lineBreak(text)
    const heads = DELIMITERS.map((delimiter) => headOf(text, { delimiter, newline })).filter(
      (head) => head !== undefined,
    )
    if (!heads.length) throw crafted(next)
    const chosen = layout(heads)
    guarded = options.guarded?.(chosen.header) ?? false
    parser.header = guarded ? chosen.header.map(unguarded) : chosen.header
    cut = { delimiter: chosen.delimiter, newline }
    return true
  }

  function batches(last: boolean): Batch<string[]>[] {
    const found: Batch<string[]>[] = []
    while (last ? buffer !== '' : buffer.length >= size) {
      const window = buffer.slice(0, size)
      if (isCrafted(window, cut as Cut)) throw crafted(next)
      const parsed: ParseResult<string[]> = new Papa.Parser(cut as Cut).parse(window, 0, true)
      const taken: number = parsed.meta.cursor
      if (taken > 0) {
        const batch = batchOf(parsed, window.isWellFormed())
        if (batch.rows.length) found.push(batch)
        buffer = buffer.slice(taken)
        size = chunk
      } else if (last && window.length === buffer.length) break
      else if (size < maxRow) size = Math.min(size * 2, maxRow)
      else throw skip ? endlessHeader() : longRow(next, maxRow, '. Shorten it, or close the quote that it opens.')
    }
    return found
  }

  function batchOf({ data, errors }: ParseResult<string[]>, whole: boolean): Batch<string[]> {
    const broken = new Set(errors.map((error) => error.row))
    const rows: (string[] | Rejected)[] = []
    for (let index = skip; index < data.length; index++) {
      const row = data[index] as string[]
      if (isBlank(row)) continue
      rows.push(broken.has(index) ? new Rejected(BROKEN) : fitted(row, whole))
    }
    skip = 0
    const first = next
    next += rows.length
    return { first, rows }
  }

  function fitted(row: string[], whole: boolean): string[] | Rejected {
    const { header } = parser
    if (row.length > header.length) {
      if (!isBlank(row.slice(header.length))) {
        return new Rejected(`it has ${row.length} columns, the header ${header.length}`)
      }
      row.length = header.length
    }
    while (row.length < header.length) row.push('')
    const half = whole ? -1 : row.findIndex((cell) => !cell.isWellFormed())
    if (half >= 0) return new Rejected(`column ${half + 1} contains half of a surrogate pair`)
    return guarded ? row.map(unguarded) : row
  }
}

/** Returns undefined if the text is crafted under this delimiter. */
function headOf(text: string, cut: Cut): Head | undefined {
  if (isCrafted(text, cut)) return undefined
  const { data }: ParseResult<string[]> = new Papa.Parser({ ...cut, preview: HEAD_ROWS }).parse(text, 0, false)
  // The window may cut off the last row.
  if (data.length > 1 && data.length < HEAD_ROWS && text.length === MAX_HEAD) data.pop()
  const [header = [], ...rows] = data
  return { delimiter: cut.delimiter, rows: [header, ...rows.filter((row) => !isBlank(row))] }
}

const SPACE = 32
const NON_ASCII = 128

function isBlank(row: string[]): boolean {
  // Fast path: most rows begin with a visible character.
  const first = row[0]?.charCodeAt(0) ?? 0
  return !(first > SPACE && first < NON_ASCII) && row.every((cell) => cell.trim() === '')
}

const empty = () => new FileProblem('empty', 'The file is empty. Begin the CSV with a header.')
const endlessHeader = () =>
  new FileProblem('header', 'The header is too long, or opens a quote that is not closed. Close it.')

function crafted(row: number): FileProblem {
  return new FileProblem(
    'crafted',
    `From row ${row} on, the file has too many quotes inside quoted fields beside long runs of white space. Double the quotes that belong to a text, or take the spaces out.`,
  )
}
