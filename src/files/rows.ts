import { type Batch, CHUNK } from './batch'
import { type CsvParser, csvParser } from './csv'
import { textDecoder } from './encoding'
import { jsonParser } from './json'
import { ndjsonParser } from './ndjson'

/** Rows of a CSV are as many texts as its header has names; rows of JSON are what they are. */
export type FileBatch = (Batch<string[]> & { kind: 'csv'; header: string[] }) | (Batch & { kind: 'json' | 'ndjson' })

export interface FileOptions {
  /** What the file is called and said to be: tells NDJSON of one line, which its content cannot. */
  name?: string
  type?: string
  /** Characters that one row may have. */
  maxRow?: number
  /** Columns of a CSV may have the same name. */
  repeats?: boolean
  /** Whether a CSV with this header is our own, with apostrophes before formulas. */
  guarded?: (header: readonly string[]) => boolean
}

/**
 * The rows of a CSV, JSON or NDJSON file, batch by batch as it arrives; content tells which it is. A FileProblem may be
 * thrown behind batches that were good. A cell may keep its whole chunk in memory: a copy of what is to stay does not.
 *
 *     for await (const { first, rows } of rowsOf(request.body)) rows.forEach((row, index) => take(first + index, row))
 */
export async function* rowsOf(
  source: AsyncIterable<Uint8Array>,
  options: FileOptions = {},
): AsyncGenerator<FileBatch, void, undefined> {
  const feed = reader(options)
  for await (const bytes of source) {
    for (let from = 0; from < bytes.length; from += CHUNK) yield* feed(bytes.subarray(from, from + CHUNK), false)
  }
  yield* feed(new Uint8Array(0), true)
}

function reader(options: FileOptions): (bytes: Uint8Array, last: boolean) => FileBatch[] {
  const decode = textDecoder()
  let text = ''
  let parse: ((text: string, last: boolean) => FileBatch[]) | undefined
  return (bytes, last) => {
    text += decode(bytes, last)
    // What comes byte by byte is not looked at byte by byte.
    if (text.length < CHUNK && !last) return []
    parse ??= parserOf(text, options)
    const piece = text
    text = ''
    return parse(piece, last)
  }
}

function parserOf(head: string, options: FileOptions): (text: string, last: boolean) => FileBatch[] {
  const kind = kindOf(head, options)
  if (kind === 'csv') {
    const parser: CsvParser = csvParser(options)
    return (text, last) => {
      const batches = [...parser.push(text), ...(last ? parser.end() : [])]
      return batches.map((batch) => ({ kind, header: parser.header, ...batch }))
    }
  }
  const parser = kind === 'json' ? jsonParser(options) : ndjsonParser(options)
  return (text, last) => {
    const batches = [...parser.push(text), ...(last ? parser.end() : [])]
    return batches.map((batch) => ({ kind, ...batch }))
  }
}

/** A first column may be called `[id]`: a bracket alone is no JSON. */
const JSON_ARRAY = /^\[\s*(?:[[{"\]\d-]|true|false|null|$)/

/** Which kind of file a text begins. */
export function kindOf(text: string, { name = '', type = '' }: FileOptions): FileBatch['kind'] {
  const start = text.trimStart()
  if (start[0] === '[') return JSON_ARRAY.test(start) ? 'json' : 'csv'
  if (start[0] !== '{') return 'csv'
  if (/ndjson|jsonl|json-lines/i.test(type) || /\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson'
  // Behind a line that ends an object, no document but the next can begin another.
  const lineEnd = start.indexOf('\n')
  const ended = lineEnd >= 0 && start.slice(0, lineEnd).trimEnd().endsWith('}')
  return ended && start.slice(lineEnd).trimStart()[0] === '{' ? 'ndjson' : 'json'
}
