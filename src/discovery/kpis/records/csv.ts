import { FILE_CHUNK_SIZE, RejectedRow } from '../../../files/batch'
import { createCsvParser } from '../../../files/csv'
import type { CsvHeadRows, CsvLayout } from '../../../files/layout'
import { FileProblem } from '../../../files/problem'
import { createRecordsReader, quoteValue, type RecordsReader } from './collect'
import { type ChosenColumns, chooseColumns } from './columns'

const CSV_DELIMITERS = [',', ';', '\t']

const NO_VALUE_COLUMN_MESSAGE =
  'The file is not JSON and has no "value" column. Begin the CSV with a header that names a column "value" (or "metric", "amount"), or send one column of numbers.'
const MAX_NAMED_COLUMNS = 3

function describeCandidates(candidates: readonly string[]): string {
  const names = candidates.slice(0, MAX_NAMED_COLUMNS).map(quoteValue)
  const more = candidates.length > names.length ? `${names.join(', ')} and others` : names.join(' and ')
  return `The file has no "value" column, and the columns ${more} hold numbers. Rename the column with the values to "value".`
}

interface ChosenCsvLayout extends ChosenColumns {
  layout: CsvLayout
}

function chooseCsvLayout(heads: CsvHeadRows[]): ChosenCsvLayout {
  let chosen: ChosenCsvLayout | undefined
  let several: readonly string[] = []
  for (const { delimiter, rows } of heads) {
    if (!CSV_DELIMITERS.includes(delimiter)) continue
    const [header = [], ...first] = rows
    const columns = chooseColumns(header, first)
    if (columns.candidates.length > several.length) several = columns.candidates
    if (columns.value === undefined) continue
    if (!chosen || header.length > chosen.layout.header.length) chosen = { ...columns, layout: { delimiter, header } }
  }
  if (!chosen) throw new FileProblem('header', several.length ? describeCandidates(several) : NO_VALUE_COLUMN_MESSAGE)
  return chosen
}

export function createCsvRecordsReader(now: number): RecordsReader {
  let columns: ChosenColumns = { value: undefined, date: undefined, candidates: [] }
  const layout = (heads: CsvHeadRows[]) => {
    const chosen = chooseCsvLayout(heads)
    columns = chosen
    return chosen.layout
  }
  return createRecordsReader(createCsvParser({ maxRow: FILE_CHUNK_SIZE, layout }), now, (row, { add, reject }) => {
    const { value, date } = columns
    if (row instanceof RejectedRow) reject(row.reason)
    else add(value === undefined ? undefined : row[value], date === undefined ? undefined : row[date])
  })
}
