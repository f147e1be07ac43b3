import { joined } from '../../http/body'
import type { IncomingFile } from '../../http/multipart'
import { decodeUtf8 } from '../../text/json'
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
  const text = decodeUtf8(bytes)
  if (text === undefined || text.includes('\0')) return { problem: NOT_A_FILE_OF_RECORDS }
  const start = /\S/.exec(text)?.[0]
  if (start === undefined) return { problem: 'The file is empty. Send CSV with a "value" column, or a JSON array.' }
  if (start !== '[' && start !== '{') {
    const parsed = parseCsv(text, now)
    return 'problem' in parsed && declared(name, type) === 'json' ? parseJsonRecords(text, now) : parsed
  }
  const parsed = parseJsonRecords(text, now)
  if (!('problem' in parsed) || declared(name, type) !== 'csv') return parsed
  const csv = parseCsv(text, now)
  return 'problem' in csv ? parsed : csv
}

function declared(name: string, type: string): 'csv' | 'json' | undefined {
  const said = /json|csv|tab-separated/.exec(type.toLowerCase())?.[0] ?? /\.(json|csv|tsv)$/i.exec(name)?.[1]
  if (said === undefined) return undefined
  return said.toLowerCase() === 'json' ? 'json' : 'csv'
}
