import type { Database } from '../../db/client'
import { type Cell, csvOf, MEDIA_TYPES } from '../../files/write'
import { download } from '../../http/download'
import { REJECTION, rejectedFrom } from './columns'
import type { ImportKey } from './fields'
import { findRejected, type RejectedRow, rejectedAfter } from './queries/rejected'

export async function rejectedCsv(db: Database, key: ImportKey): Promise<Response> {
  const { header: given, rows } = await findRejected(db, key)
  const header = rejectedFrom(given) ?? given
  async function* pages() {
    for (let page = rows; page.length; page = await rejectedAfter(db, key, page.at(-1))) {
      yield page.map((row) => line(row, header))
    }
  }
  const pieces = csvOf([...header, ...REJECTION], pages())
  return download({ type: MEDIA_TYPES.csv, name: `import-${key.importId}-rejected.csv`, pieces })
}

function line({ row, field, reason, cells }: RejectedRow, header: readonly string[]): Cell[] {
  const read: unknown = cells === null ? [] : JSON.parse(cells)
  const cellOf = (name: string, index: number) =>
    Array.isArray(read)
      ? read[index]
      : Object.hasOwn(read as object, name)
        ? (read as Record<string, unknown>)[name]
        : ''
  return [...header.map((name, index) => textOf(cellOf(name, index))), row, field ?? '', reason]
}

const textOf = (cell: unknown): Cell =>
  typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? cell
    : cell === undefined || cell === null
      ? ''
      : JSON.stringify(cell)
