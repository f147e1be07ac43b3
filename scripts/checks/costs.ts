// npm run check:costs -- -t getBacklog: compares times and costs with the ceilings; arguments go to vitest.
import process from 'node:process'
import { runTool } from './tool.ts'

const RECORD_COUNT = '20000'

process.exitCode = await runTool(
  // A second file at the same time would disturb the times.
  [
    'vitest',
    'run',
    'test/contract/cost-',
    'test/backlog/bulk/cost',
    'test/files/cost',
    '--no-file-parallelism',
    ...process.argv.slice(2),
  ],
  { COST_RECORDS: RECORD_COUNT },
)
