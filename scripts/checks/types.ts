import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.ts'
import { readTool } from './tool.ts'

/** What a check printed, for the reader of a failure. */
export interface CheckOutcome {
  ok: boolean
  output: string
}

const MAX_INSTANTIATIONS_PER_OPERATION = 5_900
// Includes the tests, and the elements of the pages with 30 kB per operation.
const MAX_KILOBYTES_PER_OPERATION = 3_100

// Several checkers instantiate the shared types again, and a new file can move other files to another checker.
const TSC_ARGUMENTS = ['--noEmit', '--checkers', '1', '--extendedDiagnostics']
const BUDGET_SNAPSHOT_FILE = path.join(root, 'test', 'contract', 'budget.snapshot.json')

export async function checkTypes(): Promise<CheckOutcome> {
  const { code, output } = await readTool(['tsc', ...TSC_ARGUMENTS])
  const operationCount = Object.keys(JSON.parse(readFileSync(BUDGET_SNAPSHOT_FILE, 'utf8'))).length
  const problem = findTypeCostProblem(output, operationCount)
  const problems = [output.replace(/^Files:[\s\S]*/m, ''), problem ?? '']
  return { ok: code === 0 && !problem, output: problems.filter(Boolean).join('\n') }
}

export function findTypeCostProblem(figures: string, operationCount: number): string | undefined {
  const figureOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(figures)?.[1] ?? Number.NaN)
  const instantiations = figureOf('Instantiations') / operationCount
  const kilobytes = figureOf('Memory used') / operationCount
  if (instantiations <= MAX_INSTANTIATIONS_PER_OPERATION && kilobytes <= MAX_KILOBYTES_PER_OPERATION) return undefined
  return `The types cost ${Math.round(instantiations)} instantiations per operation (at most ${MAX_INSTANTIATIONS_PER_OPERATION}) and ${Math.round(kilobytes)} kB per operation (at most ${MAX_KILOBYTES_PER_OPERATION}). Find the expensive type with \`npx tsc --noEmit --generateTrace dist/trace\`, and give its function an explicit return type or a smaller constraint.`
}
