import type { D1Migration } from 'cloudflare:test'
import type { Env as WorkerEnv } from '../src/env'

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      MIGRATIONS: D1Migration[]
      /** Records of each kind in the heavy workspace of test/contract/heavy.ts. */
      COST_RECORDS: string
      SYNC_STEPS: string
      SYNC_SEEDS: string
      /** Id of the operation for test/contract/print-statements.ts. */
      SQL_OPERATION: string
    }
  }

  interface ImportMeta {
    glob<T>(pattern: string, options: { eager: true }): Record<string, T>
  }
}
