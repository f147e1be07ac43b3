// npm test: runs the checks and the suite. The last line is "<n> passed, <n> failed".
// With arguments, runs only the suite with the arguments: npm test -- test/products
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import '../service/assets.ts'
import { root } from '../wrangler.ts'
import { runStaticChecks, runTool } from './run.ts'

const VITEST_REPORT_FILE = path.join(root, 'dist', 'vitest.json')
const vitestArguments = process.argv.slice(2)

const checkCounts = vitestArguments.length ? { passed: 0, failed: 0 } : await runStaticChecks()
rmSync(VITEST_REPORT_FILE, { force: true })
const vitestExitCode = await runTool([
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${VITEST_REPORT_FILE}`,
  ...(vitestArguments.length ? vitestArguments : ['--project=!costs', '--project=!smoke']),
])
const suiteCounts = readVitestReport()
const passedCount = checkCounts.passed + suiteCounts.numPassedTests
const failedCount = checkCounts.failed + (suiteCounts.numFailedTests || (vitestExitCode === 0 ? 0 : 1))
console.log(`\n${passedCount} passed, ${failedCount} failed`)
process.exitCode = failedCount ? 1 : 0

function readVitestReport(): { numPassedTests: number; numFailedTests: number } {
  try {
    return JSON.parse(readFileSync(VITEST_REPORT_FILE, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 }
  }
}
