// npm run check:sync: 1,000 random edits of two connected workspaces, with failures, for two seeds.
//   --steps N      number of edits
//   --seeds 1,2    seeds, which repeat a run
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runTool } from './tool.ts'

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '1000' }, seeds: { type: 'string', default: '1,2' } },
})

process.exitCode = await runTool(
  ['vitest', 'run', '--project', 'node', '--silent=true', 'test/workspace/incoming-webhooks/sync/random.test.ts'],
  { SYNC_STEPS: values.steps, SYNC_SEEDS: values.seeds },
)
