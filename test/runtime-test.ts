import { env } from 'cloudflare:workers'
import { test } from 'vitest'

const TESTS: Partial<Record<string, typeof test.only>> = { only: test.only, too: test }

/**
 * A test of what only the Workers runtime shows, in a file that runs on Node otherwise: the rows that a statement reads,
 * or a body that does not end. On Node it is left out, and in the runtime the other tests of the file, unless the project
 * runs all of them there.
 */
export const runtimeTest = TESTS[env.RUNTIME_TESTS ?? ''] ?? test.skip
