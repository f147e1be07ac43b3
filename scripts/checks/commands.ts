// npm run check:commands: tests that start the commands, a local service or wrangler; arguments go to vitest.
import process from 'node:process'
import { runTool } from './tool.ts'

process.exitCode = await runTool([
  'vitest',
  'run',
  '--project',
  'commands',
  '--no-file-parallelism',
  ...process.argv.slice(2),
])
