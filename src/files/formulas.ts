const NUMBER = '[+-](?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?$'

/**
 * Matches text that a spreadsheet would evaluate, by OWASP's "CSV Injection", including full-width signs and excluding
 * numbers. Also matches apostrophes followed by a formula sign, because an import must recognize the apostrophes that
 * an export added.
 */
export const FORMULA = new RegExp(`^(?!${NUMBER})'*[=+\\-@\\t\\r\\n＝＋－＠]`)

const GUARDED_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/** Removes the apostrophe that the CSV export puts before a text that matches FORMULA. */
export function removeFormulaGuard(cell: string): string {
  return GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell
}
