import { textOf } from '../../files/encoding'
import { FileProblem } from '../../files/problem'
import { joined } from '../../http/body'
import type { IncomingFile } from '../../http/multipart'
import type { Records, Unreadable } from './collect'
import { parseCsv } from './csv-records'
import { parseJsonRecords } from './json-records'

const NOT_A_FILE_OF_RECORDS =
  'The file is neither CSV nor JSON. Send CSV with a header that has a "value" column, or a JSON array.'

/** The largest file, its text, and what it says. */
export const HELD_BY_RECORDS = 64 * 1024 * 1024

/** The records of an uploaded file. */
export async function readRecords(file: IncomingFile, { now }: { now: number }): Promise<Records | Unreadable> {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.chunks) chunks.push(chunk)
  return parseRecords(joined(chunks), file.name, file.type, now)
}

/**
 * The records of a CSV or JSON file. Content decides which it is; where it could be both, the declared type and then the name do.
 * `now` (milliseconds) is the date of rows without one.
 */
export function parseRecords(bytes: Uint8Array, name: string, type: string, now: number): Records | Unreadable {
  const csv = () => readable(() => parseCsv(textOf(bytes), now))
  const json = () => readable(() => parseJsonRecords(textOf(bytes), now))
  const start = readable(() => firstSign(textOf(bytes)))
  if (typeof start === 'object') return start
  if (start === '') return { problem: 'The file is empty. Send CSV with a "value" column, or a JSON array.' }
  if (start !== '[' && start !== '{') {
    const parsed = csv()
    return 'problem' in parsed && declared(name, type) === 'json' ? json() : parsed
  }
  const parsed = json()
  if (!('problem' in parsed) || declared(name, type) !== 'csv') return parsed
  const other = csv()
  return 'problem' in other ? parsed : other
}

function readable<T>(read: () => T): T | Unreadable {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof FileProblem)) throw cause
    return { problem: ['encoding', 'nul'].includes(cause.code) ? NOT_A_FILE_OF_RECORDS : cause.message }
  }
}

function firstSign(texts: Iterable<string>): string {
  for (const text of texts) {
    const found = /\S/.exec(text)?.[0]
    if (found !== undefined) return found
  }
  return ''
}

function declared(name: string, type: string): 'csv' | 'json' | undefined {
  const said = /json|csv|tab-separated/.exec(type.toLowerCase())?.[0] ?? /\.(json|csv|tsv)$/i.exec(name)?.[1]
  if (said === undefined) return undefined
  return said.toLowerCase() === 'json' ? 'json' : 'csv'
}
