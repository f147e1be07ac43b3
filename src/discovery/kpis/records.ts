import { MAX_DECIMAL_TEXT, toHundredths } from '../../text/decimals'
import { ApiError } from '../../text/errors'
import { decodeUtf8, parseJsonText } from '../../text/json'
import { type Cut, lineBreak, rowsOf } from './csv'
import { parseDate } from './dates'
import { findList } from './json'

/** Rows in one file: their insertion stays far below the 30 s of one D1 batch. */
export const MAX_ROWS = 200_000
/** How many of the invalid rows a message names. */
const NAMED_ROWS = 10
/**
 * Files are read in chunks of this many characters, for memory: what is parsed can be twenty times as large as its text.
 * One record is shorter; a longer one is a quote that nobody closed.
 */
const CHUNK = 262_144
const MAX_HEADER = 65_536

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
const VALUE_NAMES = ['value', 'metric', 'amount']
const DATE_NAMES = ['createdat', 'date', 'timestamp', 'recordedat', 'entrydate']

const NO_VALUE_COLUMN =
  'The file has no "value" column, and it is not JSON. Begin the CSV with a header that names a column "value" (or "metric", "amount").'
const NOT_A_LIST = 'The JSON file is not a list. Send an array of records, or an object with an array "records".'
const NO_LIST_FOUND =
  'The JSON file is not a list, or the list is not closed. Send an array of records, or an object with an array "records".'
const MUCH_AROUND = `The JSON file has more than ${CHUNK / 1024} KiB besides its records. Send the records alone.`
const NOT_A_FILE_OF_RECORDS =
  'The file is neither CSV nor JSON. Send CSV with a header that has a "value" column, or a JSON array.'

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
function shown(value: unknown): string {
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
function rankIn(names: readonly string[], column: string): number | undefined {
  if (column.length > 100) return undefined
  const index = names.indexOf(column.toLowerCase().replace(/[\s_]+/g, ''))
  return index < 0 ? undefined : index
}

/** Index of the best-named column, -1 when there is none. */
function findColumn(names: readonly string[], header: readonly string[]): number {
  let best = -1
  let bestRank = names.length
  header.forEach((column, index) => {
    const rank = rankIn(names, column)
    if (rank !== undefined && rank < bestRank) {
      best = index
      bestRank = rank
    }
  })
  return best
}

interface Layout extends Cut {
  header: string[]
}

/** The delimiter is the one with which the header names a value column, in the most columns. */
function findLayout(text: string): Layout | undefined {
  const head = text.slice(0, MAX_HEADER)
  const newline = lineBreak(head)
  let layout: Layout | undefined
  for (const delimiter of [',', ';', '\t'] as const) {
    const header = rowsOf(head, { delimiter, newline }, true)(0)?.fields ?? []
    if (findColumn(VALUE_NAMES, header) < 0 || (layout && header.length <= layout.header.length)) continue
    layout = { delimiter, newline, header }
  }
  return layout
}

function parseCsv(text: string, now: number): Records | Unreadable {
  const body = text.replace(/^[\r\n]+/, '')
  const layout = findLayout(body)
  if (!layout) return { problem: NO_VALUE_COLUMN }
  const { header } = layout
  const valueAt = findColumn(VALUE_NAMES, header)
  const dateAt = findColumn(DATE_NAMES, header)
  const { records, add, reject } = collector(now)

  const take = (row: string[], broken: boolean): void => {
    if (isBlank(row, valueAt)) return
    if (broken) reject('a quoted field is not closed, or goes on behind its closing quote')
    else if (overflows(row, header)) reject(`it has ${row.length} columns, the header ${header.length}`)
    else add(row[valueAt], dateAt < 0 ? undefined : row[dateAt])
  }
  const takeQuoted = (chunk: string, last: boolean, skip: number): number => {
    const rowFrom = rowsOf(chunk, layout, last)
    let start = 0
    for (let line = 0; start < chunk.length; line++) {
      const row = rowFrom(start)
      if (!row) break
      if (line >= skip) take(row.fields, row.broken)
      start = row.end
    }
    return start
  }
  const takePlain = plainReader(layout, valueAt, dateAt, add, (row) => take(row, false))

  // Chunk by chunk: a quote that nobody closes is looked for in one chunk, not in the rest of the file.
  for (let from = 0; from < body.length; ) {
    const last = from + CHUNK >= body.length
    const chunk = body.slice(from, from + CHUNK)
    const read = chunk.includes('"') ? takeQuoted : takePlain
    const taken = read(chunk, last, from === 0 ? 1 : 0)
    if (records.total > MAX_ROWS) return tooMany
    if (last) break
    if (taken === 0) return { problem: longRow(records.total + 1) }
    from += taken
  }
  return records
}

const SPACE = 32
const NON_ASCII = 128

/**
 * Reads chunks without quotes, which most files are made of, and cuts out the two columns alone. Whatever is unusual about
 * a row goes to `odd`. Gives the length of the whole rows it read; the chunk's last row is one only in the `last` chunk.
 */
function plainReader(
  { delimiter, newline, header }: Layout,
  valueAt: number,
  dateAt: number,
  add: (value: string, date: string | undefined) => void,
  odd: (row: string[]) => void,
) {
  return (chunk: string, last: boolean, skip: number): number => {
    // Looked for once each: a chunk without delimiters is not searched to its end for every row.
    const delimiterFrom = (at: number) => {
      const found = chunk.indexOf(delimiter, at)
      return found < 0 ? chunk.length : found
    }
    let next = delimiterFrom(0)
    let start = 0
    for (let line = 0; start < chunk.length; line++) {
      const found = chunk.indexOf(newline, start)
      if (found < 0 && !last) break
      const end = found < 0 ? chunk.length : found
      let column = 0
      let field = start
      let value = ''
      let date: string | undefined
      for (;;) {
        const stop = Math.min(next, end)
        if (column === valueAt) value = chunk.slice(field, stop)
        else if (column === dateAt) date = chunk.slice(field, stop)
        column++
        if (stop === end) break
        field = stop + 1
        next = delimiterFrom(field)
      }
      if (line >= skip) {
        const first = value.charCodeAt(0)
        const usual = column <= header.length && first > SPACE && first < NON_ASCII
        if (!usual) odd(chunk.slice(start, end).split(delimiter))
        else add(value, date)
      }
      start = end + newline.length
    }
    return Math.min(start, chunk.length)
  }
}

function longRow(row: number): string {
  return `Row ${row} of the file is longer than ${CHUNK / 1024} KiB. Shorten it, or close the quote that it opens.`
}

function isBlank(row: string[], valueAt: number): boolean {
  return !row[valueAt]?.trim() && row.every((field) => !field.trim())
}

function overflows(row: string[], header: string[]): boolean {
  return row.length > header.length && row.slice(header.length).some((field) => field.trim() !== '')
}

function parseJsonRecords(text: string, now: number): Records | Unreadable {
  const list = text.length > CHUNK ? findList(text, CHUNK, MAX_ROWS) : undefined
  if (list?.long) return { problem: longRow(list.long) }
  if (list && list.items > MAX_ROWS) return tooMany
  const around = list ? `${text.slice(0, list.from)}[]${text.slice(list.to)}` : text
  if (around.length > CHUNK) return { problem: list ? MUCH_AROUND : NO_LIST_FOUND }
  const { records, add, reject } = collector(now)
  const roles = keyRoles()
  const take = (items: unknown[]): void => {
    for (const item of items) {
      if (typeof item === 'number' || typeof item === 'string') add(item, undefined)
      else if (typeof item !== 'object' || item === null || Array.isArray(item)) {
        reject(`${shown(item)} is neither a record nor a number`)
      } else addObject(item as Record<string, unknown>, roles, add)
    }
  }
  const root = parseJsonPart(around, '')
  if ('problem' in root) return root
  const rest = itemsOf(root.value)
  if (!rest) return { problem: NOT_A_LIST }
  take(rest)
  for (const { from, to, before } of list?.pieces ?? []) {
    const part = parseJsonPart(`[${text.slice(from, to)}]`, before ? `From row ${before + 1} on: ` : '')
    if ('problem' in part) return part
    take(part.value as unknown[])
  }
  return records
}

function parseJsonPart(text: string, where: string): { value: unknown } | Unreadable {
  try {
    return { value: parseJsonText(text, 'The file') }
  } catch (cause) {
    if (cause instanceof ApiError) return { problem: `${where}${cause.message} Send a JSON array of records, or CSV.` }
    throw cause
  }
}

function itemsOf(root: unknown): unknown[] | undefined {
  if (Array.isArray(root)) return root
  if (typeof root !== 'object' || root === null || !Object.hasOwn(root, 'records')) return undefined
  const { records } = root as { records: unknown }
  return Array.isArray(records) ? records : undefined
}

/** How many keys of a file's objects are remembered with their roles: real files have a handful. */
const MAX_KEYS = 1000

interface Role {
  value: number | undefined
  date: number | undefined
}

function keyRoles(): (key: string) => Role {
  const known = new Map<string, Role>()
  return (key) => {
    let role = known.get(key)
    if (!role) {
      role = { value: rankIn(VALUE_NAMES, key), date: rankIn(DATE_NAMES, key) }
      if (known.size < MAX_KEYS) known.set(key, role)
    }
    return role
  }
}

function addObject(
  item: Record<string, unknown>,
  roles: (key: string) => Role,
  add: (value: unknown, date: unknown) => void,
): void {
  let value: unknown
  let date: unknown
  let valueRank = VALUE_NAMES.length
  let dateRank = DATE_NAMES.length
  for (const key of Object.keys(item)) {
    const role = roles(key)
    if (role.value !== undefined && role.value < valueRank) {
      value = item[key]
      valueRank = role.value
    } else if (role.date !== undefined && role.date < dateRank) {
      date = item[key]
      dateRank = role.date
    }
  }
  add(value, date)
}
