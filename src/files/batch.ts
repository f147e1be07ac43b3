/**
 * Files are read in chunks of this many bytes, and cut in texts of this many characters, for memory: what is parsed can be
 * twenty times as large as its text.
 */
export const CHUNK = 262_144
/** One row is shorter, in characters; a longer one is a quote or a bracket that nobody closed. */
export const MAX_ROW = 1_048_576

/** The rows that a chunk completes. Their numbers follow each other. */
export interface Batch<T = unknown> {
  /** The number of the first. Rows count from 1, without the header and empty lines. */
  first: number
  rows: (T | Rejected)[]
}

/** A row that cannot be read, though those behind it can. */
export class Rejected {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Takes a file's text piece by piece. A FileProblem thrown may come behind batches that were good. */
export interface RowParser<T = unknown> {
  push(text: string): Batch<T>[]
  end(): Batch<T>[]
}
