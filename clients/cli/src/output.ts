import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'

export interface OutputFlags {
  json?: boolean | undefined
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Texts of others can hold escape sequences, which would control the terminal. */
const clean = (text: string) => stripVTControlCharacters(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return clean(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const isShort = (value: unknown) => value === null || typeof value !== 'object'
/** Members that say most about a record. */
const FIRST_COLUMNS = [
  'externalKey',
  'external_key',
  'id',
  'type',
  'name',
  'title',
  'summary',
  'email',
  'status',
  'progress',
]
const MAX_COLUMNS = 6
const MAX_CELL = 48

const cut = (text: string, width: number) => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

/** Records as a table of the most telling columns. */
export function formatTable(records: readonly Record<string, unknown>[]): string {
  const [first] = records
  if (!first) return 'No records.'
  const names = Object.keys(first).filter((name) => isShort(first[name]))
  const known = FIRST_COLUMNS.filter((name) => names.includes(name))
  const columns = [...known, ...names.filter((name) => !known.includes(name))].slice(0, MAX_COLUMNS)
  const rows = [columns, ...records.map((record) => columns.map((name) => cut(formatValue(record[name]), MAX_CELL)))]
  const widths = columns.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function formatRecord(record: Record<string, unknown>): string {
  const names = Object.keys(record)
  const width = Math.max(0, ...names.map((name) => name.length))
  return names.map((name) => `${name.padEnd(width)}  ${formatValue(record[name])}`).join('\n')
}

function formatData(data: unknown): string {
  if (Array.isArray(data)) {
    const hasRecords = data.every((one) => !isShort(one))
    return hasRecords ? formatTable(data) : data.map(formatValue).join('\n')
  }
  if (typeof data === 'object' && data !== null) return formatRecord(data as Record<string, unknown>) || 'Done.'
  return formatValue(data)
}

/** Prints data: JSON for programs, a table or a record for people. */
export const printData = (data: unknown, { json }: OutputFlags): void =>
  print(json ? JSON.stringify(data, null, 2) : formatData(data))

export const printLine = (text: string): void => print(text.split('\n').map(clean).join('\n'))

/** For what is no data: progress and hints. Programs read only the standard output. */
export const printNote = (text: string): void =>
  void process.stderr.write(`${text.split('\n').map(clean).join('\n')}\n`)
