import { CHUNK_SIZE, type RowBatch } from './batch'
import { type CsvParser, createCsvParser } from './csv'
import { createTextDecoder } from './encoding'
import { createJsonParser } from './json'
import { createNdjsonParser } from './ndjson'

/** CSV rows have as many cells as the header has names; JSON rows can be any value. */
export type FileBatch =
  | (RowBatch<string[]> & { kind: 'csv'; header: string[] })
  | (RowBatch & { kind: 'json' | 'ndjson' })

export interface FileOptions {
  /** File name and media type of the upload: both identify NDJSON of a single line, which looks like JSON. */
  name?: string
  type?: string
  maxRow?: number
  allowsRepeatedColumns?: boolean
  isOwnExport?: (header: readonly string[]) => boolean
}

/**
 * A FileProblem may follow valid batches. A cell is a slice that keeps the whole chunk in memory: copy cells that stay.
 */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
  options: FileOptions = {},
): AsyncGenerator<FileBatch, void, undefined> {
  const feed = createReader(options)
  for await (const bytes of source) {
    for (let from = 0; from < bytes.length; from += CHUNK_SIZE)
      yield* feed(bytes.subarray(from, from + CHUNK_SIZE), false)
  }
  yield* feed(new Uint8Array(0), true)
}

function createReader(options: FileOptions): (bytes: Uint8Array, last: boolean) => FileBatch[] {
  const decode = createTextDecoder()
  let text = ''
  let parse: ((text: string, last: boolean) => FileBatch[]) | undefined
  return (bytes, last) => {
    text += decode(bytes, last)
    // Buffers small pieces, because parsing byte by byte is slow.
    if (text.length < CHUNK_SIZE && !last) return []
    parse ??= createParser(text, options)
    const piece = text
    text = ''
    return parse(piece, last)
  }
}

function createParser(head: string, options: FileOptions): (text: string, last: boolean) => FileBatch[] {
  const kind = detectFormat(head, options)
  if (kind === 'csv') {
    const parser: CsvParser = createCsvParser(options)
    return (text, last) => {
      const batches = [...parser.push(text), ...(last ? parser.end() : [])]
      return batches.map((batch) => ({ kind, header: parser.header, ...batch }))
    }
  }
  const parser = kind === 'json' ? createJsonParser(options) : createNdjsonParser(options)
  return (text, last) => {
    const batches = [...parser.push(text), ...(last ? parser.end() : [])]
    return batches.map((batch) => ({ kind, ...batch }))
  }
}

/** Requires a JSON value after the bracket, because a CSV column may be called `[id]`. */
const JSON_ARRAY = /^\[\s*(?:[[{"\]\d-]|true|false|null|$)/

export function detectFormat(text: string, { name = '', type = '' }: FileOptions): FileBatch['kind'] {
  const start = text.trimStart()
  if (start[0] === '[') return JSON_ARRAY.test(start) ? 'json' : 'csv'
  if (start[0] !== '{') return 'csv'
  if (/ndjson|jsonl|json-lines/i.test(type) || /\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson'
  // A JSON document cannot continue with "{" after a line that closes an object; a second document begins.
  const lineEnd = start.indexOf('\n')
  const ended = lineEnd >= 0 && start.slice(0, lineEnd).trimEnd().endsWith('}')
  return ended && start.slice(lineEnd).trimStart()[0] === '{' ? 'ndjson' : 'json'
}
