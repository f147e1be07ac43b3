/** In bytes read and characters parsed at once, because parsed data can take twenty times the size of the text. */
export const FILE_CHUNK_SIZE = 262_144
/** Limit of a row in characters; a longer row has an unclosed quote or bracket. */
export const MAX_ROW_LENGTH = 1_048_576

export interface RowBatch<T = unknown> {
  /** Number of the first row. Rows count from 1, without the header and empty lines. */
  firstRow: number
  rows: (T | RejectedRow)[]
}

export class RejectedRow {
  /** Follows the number of the row in a message, so that it begins with a small letter. */
  readonly reason: string
  readonly remedy: string
  constructor(reason: string, remedy: string) {
    this.reason = reason
    this.remedy = remedy
  }

  get message(): string {
    return `${this.reason.slice(0, 1).toUpperCase()}${this.reason.slice(1)}. ${this.remedy}`
  }
}

/** Parses a file's text piece by piece. A FileProblem may follow valid batches. */
export interface RowParser<T = unknown> {
  push(text: string): RowBatch<T>[]
  end(): RowBatch<T>[]
}

/** Products whose JSON becomes flat rows with the columns of a table. */
export type ConvertedProduct = 'trello' | 'github' | 'gitlab'
