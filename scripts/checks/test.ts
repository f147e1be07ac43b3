// npm test: runs the static checks beside the suite. The last line is "<n> passed, <n> failed".
// With arguments, runs only the suite with the arguments: npm test -- test/products
// --repeat 3 runs the suite three times. --clock 2026-01-31T23:59:30Z, or +40d, sets the clock at which each file begins.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import '../service/assets.ts'
import { root, runMain } from '../wrangler.ts'
import { runStaticChecks } from './static.ts'
import { readSuiteOptions } from './suite-options.ts'
import { runTool } from './tool.ts'

const VITEST_REPORT_FILE = path.join(root, 'dist', 'vitest.json')

await runMain(async () => {
  const { repeat, clock, vitestArguments } = readSuiteOptions(process.argv.slice(2), Date.now())
  // Beside the suite, because one checker of types leaves the other cores idle.
  const checks = vitestArguments.length ? { passed: 0, failed: 0 } : runStaticChecks()
  const counts = { passed: 0, failed: 0 }
  const summaries: string[] = []
  while (summaries.length < repeat && !counts.failed) {
    const suite = await runSuite(vitestArguments, clock)
    const { passed, failed } = summaries.length === 0 ? await checks : { passed: 0, failed: 0 }
    counts.passed += suite.passed + passed
    counts.failed += suite.failed + failed
    summaries.push(`Run ${summaries.length + 1} of ${repeat}: ${suite.passed} passed, ${suite.failed} failed`)
  }
  if (repeat > 1) console.log(`\n${summaries.join('\n')}`)
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
  process.exitCode = counts.failed ? 1 : 0
})

async function runSuite(vitestArguments: readonly string[], clock: string) {
  rmSync(VITEST_REPORT_FILE, { force: true })
  const exitCode = await runTool(
    [
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${VITEST_REPORT_FILE}`,
      ...(vitestArguments.length ? vitestArguments : ['--project=!costs', '--project=!smoke', '--project=!commands']),
    ],
    { TEST_CLOCK: clock },
  )
  const { numPassedTests, numFailedTests } = readVitestReport()
  return { passed: numPassedTests, failed: numFailedTests || (exitCode === 0 ? 0 : 1) }
}

function readVitestReport(): { numPassedTests: number; numFailedTests: number } {
  try {
    return JSON.parse(readFileSync(VITEST_REPORT_FILE, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 }
  }
}
