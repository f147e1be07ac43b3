import Papa, { type ParseResult } from 'papaparse'
import { FILE_CHUNK_SIZE, MAX_ROW_LENGTH, RejectedRow, type RowBatch, type RowParser } from './batch'
import { type CsvFormat, countOccurrences, isCraftedCsv } from './crafted'
import { removeFormulaGuard } from './formulas'
import {
  CSV_DELIMITERS,
  type CsvHeadRows,
  type CsvLayout,
  chooseCsvLayout,
  detectLineBreak,
  findHeaderRow,
  readSeparatorLine,
} from './layout'
import { FileProblem, longRowError } from './problem'

const MAX_CSV_HEAD_LENGTH = 65_536
const MAX_CSV_HEAD_ROWS = 10
/** Lines before the header, as reports have with their title and their filters. */
const MAX_PREAMBLE_ROWS = 20

// A cell of a row takes about 30 bytes of memory beside the text.
const MAX_DELIMITERS = 1_000_000

const UNCLOSED_QUOTE_REASON = 'a quoted field is not closed, or has text after its closing quote'
const UNCLOSED_QUOTE_REMEDY = 'Close the quote, and double each quote within a text.'

export interface CsvOptions {
  maxRow?: number
  chunk?: number
  /** Chooses the delimiter and thereby the header; throws a FileProblem when the header is invalid. */
  layout?: (heads: CsvHeadRows[]) => CsvLayout
  allowsRepeatedColumns?: boolean
  /** Returns whether this service exported a file with this header, with apostrophes before formulas. */
  isOwnExport?: (header: readonly string[]) => boolean
  /** Returns whether the names are a known header. Lines before the first known header are left out. */
  isHeader?: (names: readonly string[]) => boolean
}

export interface CsvParser extends RowParser<string[]> {
  /** Column names, available with the first row. Every row has exactly as many cells. */
  header: string[]
}

/** Parses CSV text by RFC 4180 with Papaparse, which drops spaces after a closing quote. */
export function createCsvParser(options: CsvOptions = {}): CsvParser {
  const {
    maxRow = MAX_ROW_LENGTH,
    chunk = FILE_CHUNK_SIZE,
    layout = (heads) => chooseCsvLayout(heads, options.allowsRepeatedColumns),
  } = options
  let buffer = ''
  let size = chunk
  let format: CsvFormat | undefined
  let skip = 1
  let next = 1
  let hasFormulaGuards = false
  const parser: CsvParser = { header: [], push, end }
  return parser

  function push(text: string): RowBatch<string[]>[] {
    buffer += text
    return buffer.length >= size && (format || detectLayout(false)) ? parseBatches(false) : []
  }

  function end(): RowBatch<string[]>[] {
    if (!format) detectLayout(true)
    const { newline } = format as CsvFormat
    if (buffer !== '' && !buffer.endsWith(newline)) buffer += newline
    const found = parseBatches(true)
    if (buffer === '') return found
    if (skip) throw endlessHeaderError()
    return [...found, { firstRow: next, rows: [new RejectedRow(UNCLOSED_QUOTE_REASON, UNCLOSED_QUOTE_REMEDY)] }]
  }

  function detectLayout(last: boolean): boolean {
    buffer = buffer.replace(/^[\r\n]+/, '')
    if (!last && buffer.length < MAX_CSV_HEAD_LENGTH) return false
    const separator = readSeparatorLine(buffer)
    if (separator) buffer = buffer.slice(separator.length)
    const text = buffer.slice(0, MAX_CSV_HEAD_LENGTH)
    if (text.trim() === '') throw emptyFileError()
    const newline = detectLineBreak(text)
    const heads = (separator ? [separator.delimiter] : CSV_DELIMITERS)
      .map((delimiter) => readCsvHead(text, { delimiter, newline }, options.isHeader))
      .filter((head) => head !== undefined)
    if (!heads.length) throw craftedFileError(next)
    const chosen = layout(heads)
    buffer = buffer.slice(heads.find(({ delimiter }) => delimiter === chosen.delimiter)?.start)
    hasFormulaGuards = options.isOwnExport?.(chosen.header) ?? false
    parser.header = hasFormulaGuards ? chosen.header.map(removeFormulaGuard) : chosen.header
    format = { delimiter: chosen.delimiter, newline }
    return true
  }

  function parseBatches(last: boolean): RowBatch<string[]>[] {
    const found: RowBatch<string[]>[] = []
    while (last ? buffer !== '' : buffer.length >= size) {
      const window = buffer.slice(0, size)
      if (isCraftedCsv(window, format as CsvFormat)) throw craftedFileError(next)
      if (window.length > MAX_ROW_LENGTH && countOccurrences(window, (format as CsvFormat).delimiter) > MAX_DELIMITERS)
        throw longRowError(next, MAX_ROW_LENGTH, ' and has too many delimiters. Shorten the row.')
      const parsed: ParseResult<string[]> = new Papa.Parser(format as CsvFormat).parse(window, 0, true)
      const taken: number = parsed.meta.cursor
      if (taken > 0) {
        const batch = toBatch(parsed, window.isWellFormed())
        if (batch.rows.length) found.push(batch)
        buffer = buffer.slice(taken)
        size = chunk
      } else if (last && window.length === buffer.length) break
      else if (size < maxRow) size = Math.min(size * 2, maxRow)
      else throw skip ? endlessHeaderError() : longRowError(next, maxRow, '. Shorten the row, or close the open quote.')
    }
    return found
  }

  function toBatch({ data, errors }: ParseResult<string[]>, whole: boolean): RowBatch<string[]> {
    const broken = new Set(errors.map((error) => error.row))
    const rows: (string[] | RejectedRow)[] = []
    for (let index = skip; index < data.length; index++) {
      const row = data[index] as string[]
      if (isBlankRow(row)) continue
      rows.push(
        broken.has(index) ? new RejectedRow(UNCLOSED_QUOTE_REASON, UNCLOSED_QUOTE_REMEDY) : fitToHeader(row, whole),
      )
    }
    skip = 0
    const first = next
    next += rows.length
    return { firstRow: first, rows }
  }

  function fitToHeader(row: string[], whole: boolean): string[] | RejectedRow {
    const { header } = parser
    if (row.length > header.length) {
      if (!isBlankRow(row.slice(header.length))) {
        return new RejectedRow(
          `it has ${row.length} columns, the header ${header.length}`,
          `Put quotes around each text with the delimiter "${(format as CsvFormat).delimiter}".`,
        )
      }
      row.length = header.length
    }
    while (row.length < header.length) row.push('')
    const half = whole ? -1 : row.findIndex((cell) => !cell.isWellFormed())
    if (half >= 0)
      return new RejectedRow(`column ${half + 1} contains half of a surrogate pair`, 'Correct the character.')
    return hasFormulaGuards ? row.map(removeFormulaGuard) : row
  }
}

function readCsvHead(text: string, cut: CsvFormat, isHeader: CsvOptions['isHeader']): CsvHeadRows | undefined {
  if (isCraftedCsv(text, cut)) return undefined
  const preview = MAX_PREAMBLE_ROWS + MAX_CSV_HEAD_ROWS
  const { data } = parseFirstRows(text, cut, preview)
  // The window may cut off the last row.
  if (data.length > 1 && data.length < preview && text.length === MAX_CSV_HEAD_LENGTH) data.pop()
  const preamble = isHeader ? findHeaderRow(data.slice(0, MAX_PREAMBLE_ROWS + 1), isHeader) : 0
  const start = preamble === 0 ? 0 : parseFirstRows(text, cut, preamble).meta.cursor
  const [header = [], ...rows] = data.slice(preamble, preamble + MAX_CSV_HEAD_ROWS)
  return { delimiter: cut.delimiter, rows: [header, ...rows.filter((row) => !isBlankRow(row))], start }
}

const parseFirstRows = (text: string, cut: CsvFormat, preview: number): ParseResult<string[]> =>
  new Papa.Parser({ ...cut, preview }).parse(text, 0, false)

const SPACE_CODE = 32
const FIRST_NON_ASCII_CODE = 128

function isBlankRow(row: string[]): boolean {
  const first = row[0]?.charCodeAt(0) ?? 0
  return !(first > SPACE_CODE && first < FIRST_NON_ASCII_CODE) && row.every((cell) => cell.trim() === '')
}

const emptyFileError = () => new FileProblem('empty', 'The file is empty. Begin the CSV with a header.')
const endlessHeaderError = () =>
  new FileProblem(
    'header',
    'The header is too long, or a quote in the header is not closed. Shorten the header, or close the quote.',
  )

function craftedFileError(row: number): FileProblem {
  return new FileProblem(
    'crafted',
    `From row ${row} on, the file has too many quotes in quoted fields beside long white space. Double the quotes of a text, or remove the white space.`,
  )
}
