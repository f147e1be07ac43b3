// npm run check:costs: calls every operation in a heavy workspace, and holds it against the ceiling that it declares.
// Arguments go to vitest: npm run check:costs -- -t getBacklog
import process from 'node:process'
import { run } from './checks.ts'

const RECORDS = '20000'

process.exitCode = await run(['vitest', 'run', 'test/contract/cost-ceilings.test.ts', ...process.argv.slice(2)], {
  COST_RECORDS: RECORDS,
})
