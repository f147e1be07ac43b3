// npm run check:commands: tests that start the commands, a local service or wrangler; arguments go to vitest.
import process from 'node:process'
import { runTool } from './tool.ts'

process.exitCode = await runTool(['vitest', 'run', '--project', 'commands', ...process.argv.slice(2)])
