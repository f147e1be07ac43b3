import { textDecoder } from '../../../files/encoding'
import { FileProblem } from '../../../files/problem'
import type { IncomingFile } from '../../../http/multipart'
import type { Records, RecordsReader, Unreadable } from './collect'
import { csvRecords } from './csv'
import { jsonRecords } from './json'

const NOT_A_FILE_OF_RECORDS =
  'The file is neither CSV nor JSON. Send CSV with a header that has a "value" column, or a JSON array.'

/** A few chunks, and the numbers of the most records there may be, twice. */
export const HELD_BY_RECORDS = 16 * 1024 * 1024

/**
 * The records of a CSV or JSON file, read while it arrives. Content decides which it is; where it could be both, the
 * declared type and then the name do. `now` (milliseconds) is the date of rows without one.
 */
export async function readRecords(
  { chunks, name, type }: Pick<IncomingFile, 'chunks' | 'name' | 'type'>,
  { now }: { now: number },
): Promise<Records | Unreadable> {
  const decode = textDecoder()
  let readers: Readers | undefined
  const read = (bytes: Uint8Array, last: boolean): void => {
    const text = decode(bytes, last)
    const start = readers ? undefined : /\S/.exec(text)?.[0]
    if (start) readers = readersOf(start, declared(name, type), now)
    readers?.first.push(text)
    readers?.other?.push(text)
  }
  try {
    for await (const chunk of chunks) read(chunk, false)
    read(new Uint8Array(0), true)
  } catch (cause) {
    if (cause instanceof FileProblem) return { problem: NOT_A_FILE_OF_RECORDS }
    throw cause
  }
  if (!readers) return { problem: 'The file is empty. Send CSV with a "value" column, or a JSON array.' }
  const first = readers.first.end()
  const other = readers.other?.end()
  if (!other || !('problem' in first)) return first
  return 'problem' in other && readers.told === 'first' ? first : other
}

interface Readers {
  first: RecordsReader
  /** Where the file is said to be what it does not look like. */
  other?: RecordsReader
  /** Whose problem is told where neither can read it. */
  told?: 'first' | 'other'
}

function readersOf(start: string, said: 'csv' | 'json' | undefined, now: number): Readers {
  if (start !== '[' && start !== '{') {
    return { first: csvRecords(now), ...(said === 'json' && { other: jsonRecords(now), told: 'other' }) }
  }
  return { first: jsonRecords(now), ...(said === 'csv' && { other: csvRecords(now), told: 'first' }) }
}

function declared(name: string, type: string): 'csv' | 'json' | undefined {
  const said = /json|csv|tab-separated/.exec(type.toLowerCase())?.[0] ?? /\.(json|csv|tsv)$/i.exec(name)?.[1]
  if (said === undefined) return undefined
  return said.toLowerCase() === 'json' ? 'json' : 'csv'
}
