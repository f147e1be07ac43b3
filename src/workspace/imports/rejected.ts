import type { Database } from '../../db/client'
import { type Cell, csvOf } from '../../files/write'
import { isAmong, versionTag } from '../../http/etag'
import { contentDisposition } from '../assets/name'
import { findRejected, type RejectedRow, rejectedAfter } from './queries/rejected'
import type { ImportKey } from './statements'

/** A CSV of a run's rejected rows, which is read as it is sent. */
export async function rejectedCsv(db: Database, key: ImportKey, ifNoneMatch: string | undefined): Promise<Response> {
  const { header, version, rows } = await findRejected(db, key)
  const etag = versionTag(version)
  if (isAmong(ifNoneMatch, etag)) return new Response(null, { status: 304, headers: { ETag: etag } })
  async function* pages() {
    for (let page = rows; page.length; page = await rejectedAfter(db, key, page.at(-1))) {
      yield page.map((row) => line(row, header))
    }
  }
  const encoder = new TextEncoder()
  const pieces = csvOf([...header, 'row', 'field', 'reason'], pages())
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => void pieces.return(undefined),
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': contentDisposition('attachment', `import-${key.importId}-rejected.csv`),
      ETag: etag,
    },
  })
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
