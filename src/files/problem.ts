export type FileProblemCode =
  | 'encoding'
  | 'archive'
  | 'nul'
  | 'markup'
  | 'empty'
  | 'header'
  | 'long_row'
  | 'crafted'
  | 'not_a_list'
  | 'not_json'

export class FileProblem extends Error {
  readonly code: FileProblemCode
  /** Columns of a CSV whose header is the problem. */
  readonly header: readonly string[] | undefined
  constructor(code: FileProblemCode, message: string, header?: readonly string[]) {
    super(message)
    this.code = code
    this.header = header
  }
}

export function longRowError(row: number, limit: number, remedy: string): FileProblem {
  return new FileProblem('long_row', `Row ${row} of the file is longer than ${limit / 1024} KiB${remedy}`)
}
