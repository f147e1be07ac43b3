import type { Batch, Rejected, RowParser } from '../../../files/batch'
import { FileProblem } from '../../../files/problem'
import { MAX_DECIMAL_TEXT, toHundredths } from '../../../text/decimals'
import { parseDate } from './dates'

/** Rows in one file: their insertion stays far below the 30 s of one D1 batch. */
export const MAX_ROWS = 200_000
/** How many of the invalid rows a message names. */
const NAMED_ROWS = 10

/** What a file holds. */
export interface Records {
  /** Hundredths and their milliseconds side by side, in the order of the file. */
  valid: { values: number[]; times: number[] }
  rejected: {
    count: number
    /** The first of them: "row 4: value "abc" is not a number". Rows count from 1, without the header and empty lines. */
    reasons: string[]
  }
  total: number
}

/** Why a file cannot be read at all: a sentence with the remedy. */
export interface Unreadable {
  problem: string
}

/** Columns by name, the best first; case, spaces and underscores do not matter. */
export const VALUE_NAMES = ['value', 'metric', 'amount']
export const DATE_NAMES = ['createdat', 'date', 'timestamp', 'recordedat', 'entrydate']

/** Takes a text piece by piece; nothing more once it is known that the file cannot be read. */
export interface RecordsReader {
  push(text: string): void
  end(): Records | Unreadable
}

/** Reads the rows of a text into records, each by `take`. */
export function recordsReader<T>(
  parser: RowParser<T>,
  now: number,
  take: (row: T | Rejected, into: ReturnType<typeof collector>) => void,
): RecordsReader {
  const into = collector(now)
  let unreadable: Unreadable | undefined
  const read = (batches: () => Batch<T>[]): void => {
    if (unreadable) return
    try {
      for (const { rows } of batches()) for (const row of rows) take(row, into)
      if (into.records.total > MAX_ROWS) unreadable = tooMany
    } catch (cause) {
      if (!(cause instanceof FileProblem)) throw cause
      unreadable = { problem: cause.message }
    }
  }
  return {
    push: (text) => read(() => parser.push(text)),
    end() {
      read(() => parser.end())
      return unreadable ?? into.records
    },
  }
}

/** Takes rows one by one. */
function collector(now: number) {
  const records: Records = { valid: { values: [], times: [] }, rejected: { count: 0, reasons: [] }, total: 0 }
  const { valid, rejected } = records
  // Files repeat a date row after row.
  let lastText = ''
  let lastTime: number | undefined

  const reject = (reason: string): void => {
    records.total++
    rejected.count++
    if (rejected.reasons.length < NAMED_ROWS) rejected.reasons.push(`row ${records.total}: ${reason}`)
  }
  const timeOf = (date: unknown): number | undefined => {
    if (date === undefined || date === null || date === '') return now
    const text = typeof date === 'number' ? String(date) : date
    if (typeof text !== 'string') return undefined
    if (text === lastText) return lastTime
    const trimmed = text.trim()
    lastText = text
    lastTime = trimmed === '' ? now : parseDate(trimmed)
    return lastTime
  }
  const add = (value: unknown, date: unknown): void => {
    const hundredths = typeof value === 'string' || typeof value === 'number' ? toHundredths(value) : undefined
    const time = timeOf(date)
    if (hundredths === undefined) reject(valueProblem(value))
    else if (time === undefined) reject(`createdAt ${shown(date)} is not a date between 1900 and 9999`)
    else {
      records.total++
      valid.values.push(hundredths)
      valid.times.push(time)
    }
  }
  return { records, add, reject }
}

const NUMERIC = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

function valueProblem(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : value
  if (text === undefined || text === null || text === '') return 'value is missing'
  if (typeof text === 'string' && text.length > MAX_DECIMAL_TEXT) {
    return `value ${shown(value)} is longer than ${MAX_DECIMAL_TEXT} characters`
  }
  const numeric = typeof text === 'number' || (typeof text === 'string' && NUMERIC.test(text))
  return numeric ? `value ${shown(value)} is out of range` : `value ${shown(value)} is not a number`
}

/** A value as a message quotes it: one line, 40 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value)
  const line = text
    .slice(0, 40)
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
  return `"${line}${text.length > 40 ? '…' : ''}"`
}

const tooMany = {
  problem: `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it and send the parts one after the other.`,
}

/** 0 for the best name, and so on; undefined for a column of another kind. */
export function rankIn(names: readonly string[], column: string): number | undefined {
  if (column.length > 100) return undefined
  const index = names.indexOf(column.toLowerCase().replace(/[\s_]+/g, ''))
  return index < 0 ? undefined : index
}
