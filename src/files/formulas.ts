const NUMBER = '[+-](?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?$'

/**
 * A text that a spreadsheet would calculate, after OWASP's "CSV Injection", full-width signs included; a number is none.
 * Also one that begins with apostrophes and such a sign: so that what an apostrophe was put before can be told.
 */
export const FORMULA = new RegExp(`^(?!${NUMBER})'*[=+\\-@\\t\\r\\n＝＋－＠]`)

const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/

/** The text of a cell that our own CSV holds: takes away the apostrophe that was put before what matches FORMULA. */
export function unguarded(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell
}
