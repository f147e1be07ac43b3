const NUMBER = '[+-](?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?$'

/**
 * Text that a spreadsheet would evaluate, by OWASP's "CSV Injection". Also matches apostrophes before a formula sign,
 * because an import must recognize the apostrophes that an export added.
 */
export const FORMULA = new RegExp(`^(?!${NUMBER})'*[=+\\-@\\t\\r\\n＝＋－＠]`)

const GUARDED_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

export function removeFormulaGuard(cell: string): string {
  return GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell
}
