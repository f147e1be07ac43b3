import { CHUNK, Rejected } from '../../../files/batch'
import { csvParser } from '../../../files/csv'
import type { Head, Layout } from '../../../files/layout'
import { FileProblem } from '../../../files/problem'
import { DATE_NAMES, type RecordsReader, rankIn, recordsReader, VALUE_NAMES } from './collect'

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

/** Reads the records of a CSV text. */
export function csvRecords(now: number): RecordsReader {
  const parser = csvParser({ maxRow: CHUNK, layout: layoutOf })
  let columns: { value: number; date: number } | undefined
  return recordsReader(parser, now, (row, { add, reject }) => {
    columns ??= { value: findColumn(VALUE_NAMES, parser.header), date: findColumn(DATE_NAMES, parser.header) }
    if (row instanceof Rejected) reject(row.reason)
    else add(row[columns.value], row[columns.date])
  })
}
