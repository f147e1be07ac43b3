export interface CheckResult {
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  ms?: number
  /** The problem, the reason of a skipped check, or a note. */
  problem?: string
  remedy?: string
}

const MARKS = { passed: '✓', failed: '✗', skipped: '–' }

export function formatCheckResult({ name, outcome, ms, problem, remedy }: CheckResult): string {
  const line = `${MARKS[outcome]} ${name}`
  if (outcome === 'failed') return `${line}: ${problem}\n    ${remedy}`
  if (outcome === 'skipped') return `${line}: skipped. ${problem}`
  return line + (ms === undefined ? '' : ` (${ms} ms)`) + (problem ? `: ${problem}` : '')
}
