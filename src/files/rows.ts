import { type ConvertedProduct, FILE_CHUNK_SIZE, MAX_ROW_LENGTH, type RowBatch, type RowParser } from './batch'
import { type CsvParser, createCsvParser } from './csv'
import { createTextDecoder } from './encoding'
import { convertIssues } from './issues'
import { createJsonParser } from './json'
import { createNdjsonParser } from './ndjson'
import { FileProblem } from './problem'
import { createTrelloParser, isTrelloBoard } from './trello'

/** CSV rows have as many cells as the header has names; JSON rows can be any value. */
export type FileRowBatch =
  | (RowBatch<string[]> & { kind: 'csv'; header: string[] })
  | (RowBatch & { kind: 'json' | 'ndjson'; convertedFrom?: ConvertedProduct | undefined })

export interface FileReadOptions {
  /** File name and media type of the upload: both identify NDJSON of a single line, which looks like JSON. */
  name?: string
  type?: string
  maxRow?: number
  allowsRepeatedColumns?: boolean
  isOwnExport?: (header: readonly string[]) => boolean
  isHeader?: (names: readonly string[]) => boolean
}

/**
 * A FileProblem may follow valid batches. A cell is a slice that keeps the whole chunk in memory: copy cells that stay.
 */
export async function* readFileRows(
  source: AsyncIterable<Uint8Array>,
  options: FileReadOptions = {},
): AsyncGenerator<FileRowBatch, void, undefined> {
  const feed = createRowReader(options)
  for await (const bytes of source) {
    for (let from = 0; from < bytes.length; from += FILE_CHUNK_SIZE)
      yield* feed(bytes.subarray(from, from + FILE_CHUNK_SIZE), false)
  }
  yield* feed(new Uint8Array(0), true)
}

function createRowReader(options: FileReadOptions): (bytes: Uint8Array, last: boolean) => FileRowBatch[] {
  const decode = createTextDecoder()
  let text = ''
  let parse: ((text: string, last: boolean) => FileRowBatch[]) | undefined
  return (bytes, last) => {
    text += decode(bytes, last)
    // Buffers small pieces, because parsing byte by byte is slow.
    if (text.length < FILE_CHUNK_SIZE && !last) return []
    parse ??= createRowParser(text, options)
    const piece = text
    text = ''
    return parse(piece, last)
  }
}

// Some products export XML too, and a download without a login is a web page.
const MARKUP_PATTERN = /^\s*<(?:!doctype|\?xml|html|rss)\b/i
const MARKUP_MESSAGE = 'The file is a web page or XML. Export the records as CSV or JSON, and send that file.'

function createRowParser(head: string, options: FileReadOptions): (text: string, last: boolean) => FileRowBatch[] {
  if (MARKUP_PATTERN.test(head)) throw new FileProblem('markup', MARKUP_MESSAGE)
  const kind = detectFileFormat(head, options)
  if (kind === 'csv') {
    const parser: CsvParser = createCsvParser(options)
    return (text, last) => {
      const batches = [...parser.push(text), ...(last ? parser.end() : [])]
      return batches.map((batch) => ({ kind, header: parser.header, ...batch }))
    }
  }
  const isBoard = kind === 'json' && head.trimStart()[0] === '{' && isTrelloBoard(head)
  const parser = createJsonReader(kind, isBoard, options)
  let next = 1
  return (text, last) => {
    const batches = [...parser.push(text), ...(last ? parser.end() : [])]
    return batches.flatMap((batch) => {
      const { rows, convertedFrom } = isBoard
        ? { rows: batch.rows, convertedFrom: 'trello' as const }
        : convertIssues(batch.rows)
      const firstRow = next
      next += rows.length
      return rows.length ? [{ kind, firstRow, rows, convertedFrom }] : []
    })
  }
}

function createJsonReader(kind: 'json' | 'ndjson', isBoard: boolean, options: FileReadOptions): RowParser {
  if (isBoard) return createTrelloParser({ maxRow: options.maxRow ?? MAX_ROW_LENGTH })
  return kind === 'json' ? createJsonParser(options) : createNdjsonParser(options)
}

/** Requires a JSON value after the bracket, because a CSV column may be called `[id]`. */
const JSON_ARRAY_START_PATTERN = /^\[\s*(?:[[{"\]\d-]|true|false|null|$)/

export function detectFileFormat(text: string, { name = '', type = '' }: FileReadOptions): FileRowBatch['kind'] {
  const start = text.trimStart()
  if (start[0] === '[') return JSON_ARRAY_START_PATTERN.test(start) ? 'json' : 'csv'
  if (start[0] !== '{') return 'csv'
  if (/ndjson|jsonl|json-lines/i.test(type) || /\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson'
  // A JSON document cannot continue with "{" after a line that closes an object; a second document begins.
  const lineEnd = start.indexOf('\n')
  const ended = lineEnd >= 0 && start.slice(0, lineEnd).trimEnd().endsWith('}')
  return ended && start.slice(lineEnd).trimStart()[0] === '{' ? 'ndjson' : 'json'
}
