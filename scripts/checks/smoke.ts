// npm run check:smoke: runs the smoke checks of a deploy once for each planted fault, and the commands on a service with
// two homes; arguments go to vitest.
import process from 'node:process'
import { runTool } from './tool.ts'

process.exitCode = await runTool([
  'vitest',
  'run',
  '--project',
  'smoke',
  '--no-file-parallelism',
  ...process.argv.slice(2),
])
