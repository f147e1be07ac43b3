import type { HomeEnv } from '../src/env'
import type { ObjectHome } from './homes/object-home'

declare global {
  namespace Cloudflare {
    interface Env extends HomeEnv {
      /** Names of the migrations. */
      MIGRATIONS: string[]
      /** Statements that create a database with its ledger. */
      CREATION: string[]
      /** Databases of further homes, and the bucket of the second home. */
      DB_EU: D1Database
      DB_US: D1Database
      FILES_EU: R2Bucket
      /** Runs `only` the tests of `test/runtime-test.ts`, or these `too`. Unset on Node, where none of them runs. */
      RUNTIME_TESTS?: string
      /** Records of each kind in the heavy workspace of test/contract/heavy.ts. */
      COST_RECORDS: string
      /** Headings of the API reference, separated by commas, whose operations the loops call. Empty means all. */
      CONTRACT_HEADINGS: string
      SYNC_STEPS: string
      SYNC_SEEDS: string
      /** Id of the operation for test/contract/print-statements.ts. */
      SQL_OPERATION: string
      /** The object whose database is `DB` in the project `object`. */
      HOME: DurableObjectNamespace<ObjectHome>
      /** The database of D1 in the project `object`. */
      D1: D1Database
    }
  }

  interface ImportMeta {
    glob<T>(pattern: string, options: { eager: true }): Record<string, T>
  }
}
