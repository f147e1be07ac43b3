import { FILE_CHUNK_SIZE } from '../../../files/batch'
import { createTextDecoder } from '../../../files/encoding'
import { FileProblem } from '../../../files/problem'
import { detectFileFormat } from '../../../files/rows'
import type { IncomingFile } from '../../../http/multipart'
import type { FileRecords, RecordsReader, UnreadableRecordsFile } from './collect'
import { createCsvRecordsReader } from './csv'
import { createJsonRecordsReader, createNdjsonRecordsReader } from './json'

const NOT_A_RECORDS_FILE_MESSAGE =
  'The file is neither CSV nor JSON. Send CSV with a header that has a "value" column, a JSON array, or NDJSON.'

/** Bytes: a few chunks, and twice the numbers of the maximum of records. */
export const READER_MEMORY_BYTES = 16 * 1024 * 1024

/** Content decides the format; for ambiguous content the declared type decides before the name. */
export async function readRecordsFile(
  { chunks, name, type }: Pick<IncomingFile, 'chunks' | 'name' | 'type'>,
  { now }: { now: number },
): Promise<FileRecords | UnreadableRecordsFile> {
  const decode = createTextDecoder()
  let readers: ChosenReaders | undefined
  let text = ''
  const read = (bytes: Uint8Array, last: boolean): void => {
    text += decode(bytes, last)
    // Waits for a chunk, because the first lines tell JSON from NDJSON.
    if (!readers && text.length < FILE_CHUNK_SIZE && !last) return
    const piece = text
    text = ''
    if (!readers && piece.trim() !== '') readers = chooseReaders(piece, { name, type, now })
    readers?.first.push(piece)
    readers?.other?.push(piece)
  }
  try {
    for await (const chunk of chunks) read(chunk, false)
    read(new Uint8Array(0), true)
  } catch (cause) {
    if (cause instanceof FileProblem) return { problem: NOT_A_RECORDS_FILE_MESSAGE }
    throw cause
  }
  if (!readers) return { problem: 'The file is empty. Send CSV with a "value" column, or a JSON array.' }
  const first = readers.first.end()
  const other = readers.other?.end()
  if (!other || !('problem' in first)) return first
  return 'problem' in other && readers.reported === 'first' ? first : other
}

interface ChosenReaders {
  first: RecordsReader
  other?: RecordsReader
  reported?: 'first' | 'other'
}

function chooseReaders(head: string, { name, type, now }: { name: string; type: string; now: number }): ChosenReaders {
  const said = declaredFileFormat(name, type)
  const [start] = head.trimStart()
  if (start !== '[' && start !== '{') {
    if (said === 'ndjson')
      return { first: createCsvRecordsReader(now), other: createNdjsonRecordsReader(now), reported: 'other' }
    return {
      first: createCsvRecordsReader(now),
      ...(said === 'json' && { other: createJsonRecordsReader(now), reported: 'other' }),
    }
  }
  if (detectFileFormat(head, { name, type }) === 'ndjson') return { first: createNdjsonRecordsReader(now) }
  return {
    first: createJsonRecordsReader(now),
    ...(said === 'csv' && { other: createCsvRecordsReader(now), reported: 'first' }),
  }
}

function declaredFileFormat(name: string, type: string): 'csv' | 'json' | 'ndjson' | undefined {
  const ofType = /ndjson|jsonl|json-lines|json|csv|tab-separated/.exec(type.toLowerCase())?.[0]
  const said = ofType ?? /\.(ndjson|jsonl|json|csv|tsv)$/i.exec(name)?.[1]?.toLowerCase()
  if (said === undefined || said === 'json') return said
  return /^(?:ndjson|jsonl|json-lines)$/.test(said) ? 'ndjson' : 'csv'
}
