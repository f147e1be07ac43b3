/**
 * Size of the chunks that files are read in, in bytes, and that texts are parsed in, in characters. Bounds memory,
 * because parsed data can take twenty times the size of the text.
 */
export const CHUNK_SIZE = 262_144
/** Limit of a row in characters; a longer row has an unclosed quote or bracket. */
export const MAX_ROW_LENGTH = 1_048_576

/** The rows that a chunk completes, with consecutive numbers. */
export interface RowBatch<T = unknown> {
  /** Number of the first row. Rows count from 1, without the header and empty lines. */
  firstRow: number
  rows: (T | RejectedRow)[]
}

/** An unreadable row; parsing continues with the next row. */
export class RejectedRow {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Parses a file's text piece by piece. A FileProblem may follow valid batches. */
export interface RowParser<T = unknown> {
  push(text: string): RowBatch<T>[]
  end(): RowBatch<T>[]
}
