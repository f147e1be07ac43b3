import Papa from 'papaparse'
import * as z from 'zod'
import { FORMULA } from './formulas'

export type Cell = string | number | boolean | null

// A spreadsheet of another locale would split an unquoted cell at its own list separator and evaluate the rest.
const OTHER_SEPARATOR = /[;\t|]/

/** The parser restores the same texts, except that null becomes an empty text and empty rows disappear. */
export async function* streamCsv(
  header: readonly string[],
  batches: AsyncIterable<Cell[][]> | Iterable<Cell[][]>,
): AsyncGenerator<string> {
  yield formatRows([[...header]])
  for await (const rows of batches) if (rows.length) yield formatRows(rows)
}

function formatRows(rows: Cell[][]): string {
  const lines = Papa.unparse(rows, {
    newline: '\r\n',
    escapeFormulae: FORMULA,
    quotes: (cell: unknown) => typeof cell === 'string' && OTHER_SEPARATOR.test(cell),
  })
  return `${lines}\r\n`
}

export const FORMATS = ['csv', 'json', 'ndjson'] as const
export type Format = (typeof FORMATS)[number]

export const ExportQuery = z.object({
  format: z
    .enum(FORMATS, { error: 'Must be "csv", "json" or "ndjson"' })
    .default('csv')
    .meta({ description: '`json` is one array; `ndjson` has one record per line.' }),
})

export const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<Format, string>

interface Columns<T> {
  header: readonly string[]
  cells(record: T): Cell[]
}

export function streamFile<T>(format: Format, batches: AsyncIterable<T[]>, { header, cells }: Columns<T>) {
  if (format === 'csv') return streamCsv(header, mapRows(batches, cells))
  return format === 'json' ? streamJson(batches) : streamNdjson(batches)
}

async function* mapRows<T>(batches: AsyncIterable<T[]>, cells: (record: T) => Cell[]): AsyncGenerator<Cell[][]> {
  for await (const batch of batches) yield batch.map(cells)
}

async function* streamJson(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const batch of batches) {
    if (!batch.length) continue
    yield before + JSON.stringify(batch).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* streamNdjson(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  for await (const batch of batches) {
    if (batch.length) yield `${batch.map((record) => JSON.stringify(record)).join('\n')}\n`
  }
}
