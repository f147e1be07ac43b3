// npm run check: the fast part of `npm test`. With `-- mutations`, the search for conditions that no test notices.
import process from 'node:process'
import { runMain } from '../wrangler.ts'
import { runStaticChecks } from './static.ts'

const [command, ...args] = process.argv.slice(2)

await runMain(async () => {
  if (command !== 'mutations') process.exitCode = (await runStaticChecks()).failed ? 1 : 0
  else {
    const { runMutations } = await import('./mutations/run.ts')
    process.exitCode = (await runMutations(args)) ? 0 : 1
  }
})
