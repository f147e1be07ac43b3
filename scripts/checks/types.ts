import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { QUIET_ENV, root } from '../wrangler.ts'

const MAX_INSTANTIATIONS_PER_OPERATION = 5_900
// Includes the elements of the pages, 30 kB per operation.
const MAX_KILOBYTES_PER_OPERATION = 2_950

// Several checkers instantiate the shared types again, and a new file can move other files to another checker.
const TSC_ARGUMENTS = ['--noEmit', '--checkers', '1', '--extendedDiagnostics']
const BUDGET_SNAPSHOT_FILE = path.join(root, 'test', 'contract', 'budget.snapshot.json')

export async function checkTypes(): Promise<boolean> {
  const { code, output } = await runTsc()
  process.stdout.write(output.replace(/^Files:[\s\S]*/m, ''))
  const problem = findTypeCostProblem(
    output,
    Object.keys(JSON.parse(readFileSync(BUDGET_SNAPSHOT_FILE, 'utf8'))).length,
  )
  if (problem) console.log(problem)
  return code === 0 && !problem
}

export function findTypeCostProblem(figures: string, operationCount: number): string | undefined {
  const figureOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(figures)?.[1] ?? Number.NaN)
  const instantiations = figureOf('Instantiations') / operationCount
  const kilobytes = figureOf('Memory used') / operationCount
  if (instantiations <= MAX_INSTANTIATIONS_PER_OPERATION && kilobytes <= MAX_KILOBYTES_PER_OPERATION) return undefined
  return `The types cost ${Math.round(instantiations)} instantiations per operation (at most ${MAX_INSTANTIATIONS_PER_OPERATION}) and ${Math.round(kilobytes)} kB per operation (at most ${MAX_KILOBYTES_PER_OPERATION}). Find the expensive type with \`npx tsc --noEmit --generateTrace dist/trace\`, and give its function an explicit return type or a smaller constraint.`
}

function runTsc(): Promise<{ code: number; output: string }> {
  const file = path.join(root, 'node_modules', '.bin', 'tsc')
  const env = { ...process.env, ...QUIET_ENV }
  const child = spawn(file, TSC_ARGUMENTS, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? 1, output })))
}
