import { batchesOf, CHUNK, Rejected } from '../../files/batch'
import { csvParser } from '../../files/csv'
import type { Head, Layout } from '../../files/layout'
import { FileProblem } from '../../files/problem'
import { collector, DATE_NAMES, MAX_ROWS, type Records, rankIn, tooMany, type Unreadable, VALUE_NAMES } from './collect'

const DELIMITERS = [',', ';', '\t']

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

/** The delimiter is the one with which the header names a value column, in the most columns. */
function layoutOf(heads: Head[]): Layout {
  let layout: Layout | undefined
  for (const { delimiter, rows } of heads) {
    const header = rows[0] ?? []
    if (!DELIMITERS.includes(delimiter) || findColumn(VALUE_NAMES, header) < 0) continue
    if (!layout || header.length > layout.header.length) layout = { delimiter, header }
  }
  if (!layout) throw new FileProblem('header', NO_VALUE_COLUMN)
  return layout
}

/** Gives the records of a CSV text that comes in pieces, or throws a FileProblem. */
export function parseCsv(texts: Iterable<string>, now: number): Records | Unreadable {
  const parser = csvParser({ maxRow: CHUNK, layout: layoutOf })
  const { records, add, reject } = collector(now)
  let columns: { value: number; date: number } | undefined
  for (const { rows } of batchesOf(parser, texts)) {
    columns ??= { value: findColumn(VALUE_NAMES, parser.header), date: findColumn(DATE_NAMES, parser.header) }
    const { value, date } = columns
    for (const row of rows) {
      if (row instanceof Rejected) reject(row.reason)
      else add(row[value], row[date])
    }
    if (records.total > MAX_ROWS) return tooMany
  }
  return records
}
