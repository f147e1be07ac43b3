import Papa from 'papaparse'
import * as z from 'zod'
import { FORMULA_PATTERN } from './formulas'

export type CsvCell = string | number | boolean | null

// A spreadsheet of another locale would split an unquoted cell at its own list separator and evaluate the rest.
const FOREIGN_SEPARATOR_PATTERN = /[;\t|]/

/** The parser restores the same texts, except that null becomes an empty text and empty rows disappear. */
export async function* streamCsv(
  header: readonly string[],
  batches: AsyncIterable<CsvCell[][]> | Iterable<CsvCell[][]>,
): AsyncGenerator<string> {
  yield formatCsvRows([[...header]])
  for await (const rows of batches) if (rows.length) yield formatCsvRows(rows)
}

function formatCsvRows(rows: CsvCell[][]): string {
  const lines = Papa.unparse(rows, {
    newline: '\r\n',
    escapeFormulae: FORMULA_PATTERN,
    quotes: (cell: unknown) => typeof cell === 'string' && FOREIGN_SEPARATOR_PATTERN.test(cell),
  })
  return `${lines}\r\n`
}

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const ExportQuery = z.object({
  format: z
    .enum(EXPORT_FORMATS, { error: 'Must be "csv", "json" or "ndjson"' })
    .default('csv')
    .meta({ description: '`json` is one array; `ndjson` has one record per line.' }),
})

export const EXPORT_MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<ExportFormat, string>

export function streamExportFile(format: ExportFormat, batches: AsyncIterable<object[]>, columns: readonly string[]) {
  if (format === 'csv') return streamCsv(columns, mapToCells(batches, columns))
  return format === 'json' ? streamJson(batches) : streamNdjson(batches)
}

async function* mapToCells(batches: AsyncIterable<object[]>, columns: readonly string[]): AsyncGenerator<CsvCell[][]> {
  for await (const batch of batches)
    yield (batch as Record<string, unknown>[]).map((record) => columns.map((name) => toCsvCell(record[name])))
}

const toCsvCell = (value: unknown) =>
  (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)) as CsvCell

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
