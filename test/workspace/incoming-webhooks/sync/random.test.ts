import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRandomRun } from './random-edits'

beforeEach(() => {
  const { error } = console
  const isOfKill = (values: unknown[]) => /The process is gone|changes too often/.test(JSON.stringify(values))
  vi.spyOn(console, 'error').mockImplementation((...values) => (isOfKill(values) ? undefined : error(...values)))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const STEPS = Number(env.SYNC_STEPS)
const SEEDS = env.SYNC_SEEDS.split(',').map(Number)
/** The limit finds what never ends. */
const MAX_MS_PER_STEP = 6_000

// A test in the Workers runtime, through the operations of two workspaces. `npm run check:sync` makes more steps.
test.each(SEEDS)(
  'two workspaces come to rest with equal items after random edits and failures (seed %i)',
  async (seed) => {
    const it = await createRandomRun(seed)
    await it.run(STEPS)
    await it.expectEqualItems()
    expect(it.countCreated()).toBeGreaterThan(0)
    await it.expectNoLoop()
  },
  STEPS * MAX_MS_PER_STEP,
)
