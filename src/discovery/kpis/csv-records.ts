import {
  CHUNK,
  collector,
  DATE_NAMES,
  longRow,
  MAX_ROWS,
  type Records,
  rankIn,
  tooMany,
  type Unreadable,
  VALUE_NAMES,
} from './collect'
import { type Cut, lineBreak, rowsOf } from './csv'

const MAX_HEADER = 65_536

const NO_VALUE_COLUMN =
  'The file has no "value" column, and it is not JSON. Begin the CSV with a header that names a column "value" (or "metric", "amount").'

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

export function parseCsv(text: string, now: number): Records | Unreadable {
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

function isBlank(row: string[], valueAt: number): boolean {
  return !row[valueAt]?.trim() && row.every((field) => !field.trim())
}

function overflows(row: string[], header: string[]): boolean {
  return row.length > header.length && row.slice(header.length).some((field) => field.trim() !== '')
}
