import type { Database } from '../../db/client/client'
import type { Statement } from '../../db/sql/statement'

type Rows = Record<string, unknown>[]

interface WaitingRead {
  statements: readonly Statement[]
  resolve: (rows: Rows[]) => void
  reject: (cause: unknown) => void
}

/** Reads that begin in the same turn of the event loop become one batch, so a page of several queries costs one trip. */
export function joinReads(db: Database): Database {
  let waiting: WaitingRead[] = []
  async function sendReads() {
    const reads = waiting
    waiting = []
    try {
      const rows = (await db.read(...reads.flatMap(({ statements }) => statements))) as Rows[]
      let first = 0
      for (const { statements, resolve } of reads) {
        resolve(rows.slice(first, first + statements.length))
        first += statements.length
      }
    } catch (cause) {
      for (const { reject } of reads) reject(cause)
    }
  }
  const read = (...statements: readonly Statement[]) =>
    new Promise<Rows[]>((resolve, reject) => {
      if (!waiting.length) setTimeout(sendReads)
      waiting.push({ statements, resolve, reject })
    })
  return { ...db, read: read as Database['read'] }
}
