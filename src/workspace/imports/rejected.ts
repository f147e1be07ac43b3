import type { Database } from '../../db/client/client'
import { type CsvCell, EXPORT_MEDIA_TYPES, streamCsv } from '../../files/write'
import { downloadResponse } from '../../http/download'
import { REJECTION_COLUMNS, recoverFileColumns } from './columns'
import type { ImportKey } from './fields'
import { findRejectedRows, type JournaledRejection, listRejectedRowsAfter } from './queries/rejected'

export async function streamRejectedCsv(db: Database, key: ImportKey): Promise<Response> {
  const { header: given, rows } = await findRejectedRows(db, key)
  const header = recoverFileColumns(given) ?? given
  async function* pages() {
    for (let page = rows; page.length; page = await listRejectedRowsAfter(db, key, page.at(-1))) {
      yield page.map((row) => toRejectedRowCells(row, header))
    }
  }
  const pieces = streamCsv([...header, ...REJECTION_COLUMNS], pages())
  return downloadResponse({ type: EXPORT_MEDIA_TYPES.csv, name: `import-${key.importId}-rejected.csv`, pieces })
}

function toRejectedRowCells({ row, field, reason, cells }: JournaledRejection, header: readonly string[]): CsvCell[] {
  const read: unknown = cells === null ? [] : JSON.parse(cells)
  const cellOf = (name: string, index: number) =>
    Array.isArray(read)
      ? read[index]
      : Object.hasOwn(read as object, name)
        ? (read as Record<string, unknown>)[name]
        : ''
  return [...header.map((name, index) => toCsvCell(cellOf(name, index))), row, field ?? '', reason]
}

const toCsvCell = (cell: unknown): CsvCell =>
  typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? cell
    : cell === undefined || cell === null
      ? ''
      : JSON.stringify(cell)
