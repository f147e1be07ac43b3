// npm run check:object: the contract loops over all operations, the rows and the answers of each, on the database of a
// Durable Object; arguments go to vitest.
import process from 'node:process'
import { runTool } from './tool.ts'

process.exitCode = await runTool(['vitest', 'run', '--project', 'object', ...process.argv.slice(2)], {
  OBJECT_OPERATIONS: 'all',
})
