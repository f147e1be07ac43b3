import { RejectedRow } from '../../src/files/batch'
import { FileProblem } from '../../src/files/problem'
import { type FileReadOptions, type FileRowBatch, readFileRows } from '../../src/files/rows'

/** Pseudorandom numbers. The same seed gives the same numbers. */
export function seededRandom(seed: number) {
  let state = seed
  const below = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * count)
  }
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  return { below, pick }
}

/** Yields bytes in chunks of `length()` bytes, and counts the bytes. */
export function chunkBytes(bytes: Uint8Array, length: () => number = () => 65_536) {
  const given = { bytes: 0 }
  async function* chunks() {
    for (let from = 0; from < bytes.length; ) {
      const chunk = bytes.subarray(from, from + Math.max(1, length()))
      from += chunk.length
      given.bytes += chunk.length
      yield chunk
    }
  }
  return { chunks: chunks(), given }
}

export interface ReadResult {
  rows: unknown[]
  /** `first` has the row numbers of batches; `before` has the expected row numbers, counted from the rows. */
  firstRows: number[]
  expectedFirstRows: number[]
  header?: string[]
  kind?: FileRowBatch['kind']
  problem?: string
}

/** Reads a whole file. A rejected row becomes { reason }, a FileProblem becomes its code and message. */
export async function readWholeFile(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: FileReadOptions = {},
): Promise<ReadResult> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const read: ReadResult = { rows: [], firstRows: [], expectedFirstRows: [] }
  try {
    for await (const batch of readFileRows(bytes instanceof Uint8Array ? chunkBytes(bytes).chunks : bytes, options)) {
      read.kind = batch.kind
      if (batch.kind === 'csv') read.header = batch.header
      read.firstRows.push(batch.firstRow)
      read.expectedFirstRows.push(read.rows.length + 1)
      for (const row of batch.rows) read.rows.push(row instanceof RejectedRow ? { reason: row.reason } : row)
    }
  } catch (cause) {
    if (!(cause instanceof FileProblem)) throw cause
    read.problem = `${cause.code}: ${cause.message}`
  }
  return read
}
