// Runs in front of both workers. The local runtime emulates the rate limit with a call to a second isolate, at the cost
// of a database call. A deployed service counts in the memory of its machine, so this file counts in memory too. `npm
// run bench -- --emulated` runs without this file.
import type { Env } from '../../src/env.ts'
import worker from './worker.js'

const MANY = '1000000000'

const counts = new Map<string, number>()

const KEY_RATE = {
  async limit({ key }: { key: string }) {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return { success: count < 1_000_000_000 }
  },
}

export default {
  fetch: (request: Request, env: Env, context: ExecutionContext): Promise<Response> =>
    worker.fetch(
      request,
      {
        ...env,
        KEY_RATE,
        WORKSPACE_RATE: KEY_RATE,
        BULK_RATE: KEY_RATE,
        MAILINGS_PER_HOUR: MANY,
        WORKSPACE_MAILINGS_PER_HOUR: MANY,
      },
      context,
    ),
}
