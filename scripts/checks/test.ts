// npm test: runs the checks and the suite. The last line is "<n> passed, <n> failed".
// With arguments, runs only the suite with the arguments: npm test -- test/products
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import '../service/assets.ts'
import { root } from '../wrangler.ts'
import { check, run } from './run.ts'

const REPORT = path.join(root, 'dist', 'vitest.json')
const args = process.argv.slice(2)

const checks = args.length ? { passed: 0, failed: 0 } : await check()
rmSync(REPORT, { force: true })
const code = await run([
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${REPORT}`,
  ...(args.length ? args : ['--project=!costs']),
])
const suite = readReport()
const passed = checks.passed + suite.numPassedTests
// A file failing as a whole, or a suite without a report, has no failed test to count.
const failed = checks.failed + (suite.numFailedTests || (code === 0 ? 0 : 1))
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0

function readReport(): { numPassedTests: number; numFailedTests: number } {
  try {
    return JSON.parse(readFileSync(REPORT, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 }
  }
}
