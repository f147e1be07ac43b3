// npm run check:homes: the tests with all workspaces in home 1 of two homes; arguments go to vitest.
import process from 'node:process'
import { runTool } from './tool.ts'

process.exitCode = await runTool(
  ['vitest', 'run', '--project', 'node', '--project', 'workers', ...process.argv.slice(2)],
  { TWO_HOMES: '1' },
)
