import Papa from 'papaparse'
import { FORMULA } from './formulas'

export type Cell = string | number | boolean | null

// Where a list separator is none of ours, a spreadsheet would cut an unquoted text at it, into cells that begin anew.
const OTHER_SEPARATOR = /[;\t|]/

/**
 * A CSV file in pieces, the first with the header: RFC 4180, and an apostrophe before what a spreadsheet would calculate.
 * `csvParser` with `guarded` gives the same texts back, except that null is an empty text and rows without any are no rows.
 */
export async function* csvOf(
  header: readonly string[],
  batches: AsyncIterable<Cell[][]> | Iterable<Cell[][]>,
): AsyncGenerator<string> {
  yield piece([[...header]])
  for await (const rows of batches) if (rows.length) yield piece(rows)
}

function piece(rows: Cell[][]): string {
  const lines = Papa.unparse(rows, {
    newline: '\r\n',
    escapeFormulae: FORMULA,
    quotes: (cell: unknown) => typeof cell === 'string' && OTHER_SEPARATOR.test(cell),
  })
  return `${lines}\r\n`
}
