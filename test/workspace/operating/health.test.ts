import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { runCronJobs } from '../../../src/cron'
import { call } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace } from '../../factories'

const OPS_TOKEN = 'operator-secret'

interface State {
  databaseBytes: number
  cron: { ranAt: string; ms: number; slowestJob: string; slowestMs: number; failedJobs: number } | null
  oldestDue: Record<string, string | null>
  deadLettersOfLastDay: number
  homes?: State[]
}

const ask = (authorization?: string, settings: object = { OPS_TOKEN }) =>
  call<State>('GET', '/health?deep=1', {
    ...(authorization !== undefined && { headers: { authorization } }),
    env: settings,
  })

test('the state of the service is shown only to its operator', async () => {
  const { key } = await createWorkspace()
  const answers = [
    await ask(),
    await ask('Bearer wrong'),
    await ask('operator-secret'),
    await ask(`Bearer ${await key()}`),
    await ask('Bearer ', { OPS_TOKEN: '' }),
    await ask('Bearer undefined', {}),
    await call<State>('GET', '/health?deep=1', { apiKey: `Bearer ${await key()}`, env: { OPS_TOKEN } }),
  ]
  expect(answers.map(({ status, body, cost }) => [status, body.error?.code, cost.roundTrips])).toEqual(
    answers.map(() => [404, 'route_not_found', 0]),
  )
  const { status, body } = await call<{ status: string }>('GET', '/health', { env: { OPS_TOKEN } })
  expect([status, body.data.status]).toEqual([200, 'ok'])
})

test('the state names the last run of the cron and the oldest due work in one round trip', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const now = readClock()
  const full = { sendBatch: () => Promise.reject(new Error('The queue is full')) }
  const { subscriptionId, row } = await createWorkspace()
  await row('incoming_receipts', {
    ...{ subscription_id: subscriptionId, incoming_webhook_id: 1, delivery_id: 'one', payload: '{}' },
    ...{ status: 'queued', next_attempt_at: now - 5_000, created_at: now },
  })
  await env.DB.prepare(
    "INSERT INTO dead_letters (subscription_id, message, failed_at) VALUES (1, '{}', ?), (1, '{}', ?)",
  )
    .bind(now - 1_000, now - 90_000_000)
    .run()
  await runCronJobs({ ...createBackgroundDeps(env, createExecutionContext()), outlet: full, now: () => now })
  log.mockRestore()
  await env.DB.prepare(
    `INSERT INTO workspace_moves (workspace_id, state, home, next_attempt_at, created_at, updated_at)
      VALUES (999999, 'moved', 1, ?, 0, 0)`,
  )
    .bind(now - 7_000)
    .run()
  const { status, body, cost } = await ask(`Bearer ${OPS_TOKEN}`)
  expect([status, cost.roundTrips]).toEqual([200, 1])
  const [own = body.data] = body.data.homes ?? []
  const { databaseBytes, cron, oldestDue, deadLettersOfLastDay } = own
  expect(databaseBytes).toBeGreaterThan(100_000)
  expect(cron).toEqual({
    ...{ ranAt: new Date(now).toISOString(), ms: expect.any(Number), slowestMs: expect.any(Number) },
    ...{ slowestJob: expect.any(String), failedJobs: 1 },
  })
  expect(oldestDue).toEqual({
    import: null,
    mailing: null,
    delivery: null,
    receipt: new Date(now - 5_000).toISOString(),
    move: new Date(now - 7_000).toISOString(),
  })
  expect(deadLettersOfLastDay).toBe(1)
})
