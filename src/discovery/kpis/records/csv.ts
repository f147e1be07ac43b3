import { CHUNK, Rejected } from '../../../files/batch'
import { csvParser } from '../../../files/csv'
import type { Head, Layout } from '../../../files/layout'
import { FileProblem } from '../../../files/problem'
import { type RecordsReader, recordsReader, shown } from './collect'
import { type Columns, columnsOf } from './columns'

const DELIMITERS = [',', ';', '\t']

const NO_VALUE_COLUMN =
  'The file has no "value" column, and it is not JSON. Begin the CSV with a header that names a column "value" (or "metric", "amount"), or send one column of numbers.'
const NAMED_COLUMNS = 3

function severalColumns(candidates: readonly string[]): string {
  const names = candidates.slice(0, NAMED_COLUMNS).map(shown)
  const more = candidates.length > names.length ? `${names.join(', ')} and others` : names.join(' and ')
  return `The file has no "value" column, and the columns ${more} hold numbers. Rename the column with the values to "value".`
}

interface Chosen extends Columns {
  layout: Layout
}

/** Chooses the delimiter with a value column and the most columns in the header. */
function layoutOf(heads: Head[]): Chosen {
  let chosen: Chosen | undefined
  let several: readonly string[] = []
  for (const { delimiter, rows } of heads) {
    if (!DELIMITERS.includes(delimiter)) continue
    const [header = [], ...first] = rows
    const columns = columnsOf(header, first)
    if (columns.candidates.length > several.length) several = columns.candidates
    if (columns.value === undefined) continue
    if (!chosen || header.length > chosen.layout.header.length) chosen = { ...columns, layout: { delimiter, header } }
  }
  if (!chosen) throw new FileProblem('header', several.length ? severalColumns(several) : NO_VALUE_COLUMN)
  return chosen
}

export function csvRecords(now: number): RecordsReader {
  let columns: Columns = { value: undefined, date: undefined, candidates: [] }
  const layout = (heads: Head[]) => {
    const chosen = layoutOf(heads)
    columns = chosen
    return chosen.layout
  }
  return recordsReader(csvParser({ maxRow: CHUNK, layout }), now, (row, { add, reject }) => {
    const { value, date } = columns
    if (row instanceof Rejected) reject(row.reason)
    else add(value === undefined ? undefined : row[value], date === undefined ? undefined : row[date])
  })
}
