// npm run check:homes: the tests with all workspaces in home 1 of two homes; arguments go to vitest.
import process from 'node:process'
import { runTool } from './run.ts'

process.exitCode = await runTool(
  // The tests of test/homes choose their homes themselves.
  [
    'vitest',
    'run',
    '--project',
    'service',
    '--project',
    'alone',
    '--exclude',
    'test/homes/**',
    ...process.argv.slice(2),
  ],
  { TWO_HOMES: '1' },
)
