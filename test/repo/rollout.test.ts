import { expect, test } from 'vitest'
import type { CheckResult } from '../../scripts/deploy/format'
import { failureCountSql, type RolloutTools, rolloutVersion } from '../../scripts/deploy/rollout'

const GREEN: CheckResult[] = [{ name: 'health', outcome: 'passed' }]
const RED: CheckResult[] = [{ name: 'queue', outcome: 'failed', problem: 'late', remedy: 'Look.' }]

interface Plan {
  /** Outcomes of the three smoke runs. */
  smoke?: CheckResult[][]
  failures?: { requests: number; failures: number } | undefined
  /** A command of wrangler that fails. */
  breaks?: string
}

/** Rolls a version out with stubbed tools, and returns the calls. */
async function rollout({ smoke = [], failures, breaks }: Plan = {}) {
  const calls: string[] = []
  let run = 0
  const tools: RolloutTools = {
    wrangler: async (args) => {
      const call = args.join(' ')
      calls.push(call)
      if (breaks && call.startsWith(breaks)) throw new Error(`${breaks} failed`)
      return ''
    },
    upload: async () => {
      calls.push('upload')
      return 'new'
    },
    smoke: async (version) => {
      calls.push(`smoke ${version}`)
      return smoke[run++] ?? GREEN
    },
    readFailures: async (version, minutes) => {
      calls.push(`failures of ${version} in ${minutes} minutes`)
      return failures
    },
    wait: async () => undefined,
    say: () => undefined,
  }
  const before = [
    { id: 'older', percentage: 10 },
    { id: 'old', percentage: 90 },
  ]
  const outcome = await rolloutVersion(tools, { env: 'production', before, watchMinutes: 5 }).catch(String)
  return { calls, outcome }
}

const deployCall = (...versions: string[]) => `versions deploy ${versions.join(' ')} --yes --env production`
const ROLLBACK = 'rollback old --yes --message a check failed --env production'

test('a version is checked without other requests, then with a tenth, then with all', async () => {
  expect(await rollout({ failures: { requests: 500, failures: 1 } })).toEqual({
    outcome: 'new',
    calls: [
      'upload',
      deployCall('new@0%', 'old@100%'),
      'smoke new',
      deployCall('new@10%', 'old@90%'),
      'failures of new in 6 minutes',
      'smoke new',
      deployCall('new@100%'),
      'triggers deploy --env production',
      'smoke new',
    ],
  })
})

test.each<[string, Plan, number]>([
  ['a check fails before the first request', { smoke: [RED] }, 0],
  ['a check fails with a tenth of the requests', { smoke: [GREEN, RED] }, 1],
  ['requests of the version fail', { failures: { requests: 100, failures: 5 } }, 1],
])('a rollback follows, and the version never receives all requests, when %s', async (_, plan, tenths) => {
  const { calls, outcome } = await rollout(plan)
  expect(outcome).toBeUndefined()
  expect(calls.at(-1)).toBe(ROLLBACK)
  expect(calls).not.toContain(deployCall('new@100%'))
  expect(calls.filter((call) => call.includes('new@10%'))).toHaveLength(tenths)
})

test('a rollback follows when a check fails with all requests, or when a step fails', async () => {
  const { calls, outcome } = await rollout({ smoke: [GREEN, GREEN, RED] })
  expect([calls.at(-1), outcome]).toEqual([ROLLBACK, undefined])
  const broken = await rollout({ breaks: 'triggers deploy' })
  expect([broken.calls.at(-1), broken.outcome]).toEqual([ROLLBACK, 'Error: triggers deploy failed'])
})

test('nothing is rolled back when the upload fails', async () => {
  const refuseCall = () => Promise.reject(new Error('A step follows the upload'))
  const tools: RolloutTools = {
    ...{ wrangler: refuseCall, smoke: refuseCall, readFailures: refuseCall, wait: refuseCall, say: () => undefined },
    upload: () => Promise.reject(new Error('too large')),
  }
  const options = { env: 'production' as const, before: [{ id: 'old', percentage: 100 }], watchMinutes: 0 }
  await expect(rolloutVersion(tools, options)).rejects.toThrow('too large')
})

test('the failures of a version are counted by the columns of the data points', () => {
  const sql = failureCountSql('groundwork_production', 'v1', 6)
  expect(sql).toContain("blob1 = 'request' AND blob4 = 'v1'")
  expect(sql).toContain("blob3 >= '500'")
})
