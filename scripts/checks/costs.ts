// npm run check:costs: compares the time of inputs with the time of inputs of half the length, and calls every operation
// in a heavy workspace to compare the cost with the operation's ceiling.
// Arguments go to vitest: npm run check:costs -- -t getBacklog
import process from 'node:process'
import { run } from './run.ts'

const RECORDS = '20000'

process.exitCode = await run(
  // A second file at the same time would disturb the times.
  ['vitest', 'run', 'test/contract/cost-', '--no-file-parallelism', ...process.argv.slice(2)],
  { COST_RECORDS: RECORDS },
)
