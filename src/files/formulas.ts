const NUMBER_PATTERN_SOURCE = '[+-](?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?$'

/**
 * Text that a spreadsheet would evaluate, by OWASP's "CSV Injection". Also matches apostrophes before a formula sign,
 * because an import must recognize the apostrophes that an export added.
 */
export const FORMULA_PATTERN = new RegExp(`^(?!${NUMBER_PATTERN_SOURCE})'*[=+\\-@\\t\\r\\n＝＋－＠]`)

const GUARDED_FORMULA_PATTERN = /^'+[=+\-@\t\r\n＝＋－＠]/

export function removeFormulaGuard(cell: string): string {
  return GUARDED_FORMULA_PATTERN.test(cell) ? cell.slice(1) : cell
}
