import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../src/background'
import { runCronJobs } from '../src/cron'
import { readClock } from './clock'
import {
  acceptMailing,
  createSegment,
  fakeResend,
  MESSAGE,
  RESEND,
  simulateQueue,
} from './people/mail/queue-simulation'

test('the cron wakes committed work that was not queued, in batches, and nothing twice', async () => {
  const space = await createSegment(250)
  const { name } = await acceptMailing(space)
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  const woken = async (later: number) => {
    simulation.queue = []
    await runCronJobs({
      ...createBackgroundDeps(env, createExecutionContext()),
      outlet: simulation.outlet,
      now: () => simulation.now + later,
    })
    return simulation.queue.filter(({ body }) => body.subscriptionId === name.subscriptionId).length
  }
  expect(await woken(30_000)).toBe(0)
  expect(await woken(61_000)).toBe(3)
  expect(await woken(62_000)).toBe(0)
  expect(await woken(3_600_000)).toBe(0)
  expect(await woken(3_670_000)).toBe(3)
})

async function storeReplies(now: number) {
  const space = await createSegment(0)
  for (const [key, age] of [
    ['old', 86_400_001],
    ['young', 86_000_000],
  ] as const) {
    await space.client('POST', `/api/v2/segments/${space.segmentId}/email`, {
      json: MESSAGE,
      headers: { 'idempotency-key': key },
    })
    await env.DB.prepare('UPDATE idempotency_keys SET created_at = ? WHERE subscription_id = ? AND key = ?')
      .bind(now - age, space.subscriptionId, key)
      .run()
  }
  return async () => {
    const { results } = await env.DB.prepare('SELECT key FROM idempotency_keys WHERE subscription_id = ? ORDER BY key')
      .bind(space.subscriptionId)
      .all<{ key: string }>()
    return results.map(({ key }) => key)
  }
}

test('the cron deletes stored responses after a day and keeps younger ones', async () => {
  const now = readClock()
  const kept = await storeReplies(now)
  await runCronJobs({ ...createBackgroundDeps(env, createExecutionContext()), now: () => now })
  expect(await kept()).toEqual(['young'])
})

test('a failing part of the cron is logged by name, and the other parts run', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { name } = await acceptMailing(await createSegment(2))
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  const now = readClock() + 61_000
  const kept = await storeReplies(now)
  const deps = { ...createBackgroundDeps(env, createExecutionContext()), now: () => now }

  const full = { sendBatch: () => Promise.reject(new Error('The queue is full')) }
  await runCronJobs({ ...deps, outlet: full })
  expect(log.mock.calls.map(([line]) => line.job)).toEqual(['enqueue due mail'])
  expect(await kept()).toEqual(['young'])

  const more = await storeReplies(now)
  await env.DB.prepare(
    "CREATE TRIGGER broken BEFORE DELETE ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'The disk is gone'); END",
  ).run()
  log.mockClear()
  await runCronJobs({ ...deps, outlet: simulation.outlet })
  await env.DB.prepare('DROP TRIGGER broken').run()
  expect(log.mock.calls.map(([line]) => line.job)).toEqual(['delete old responses and deliveries'])
  expect(await more()).toEqual(['old', 'young'])
  expect(simulation.queue.map(({ body }) => body)).toContainEqual({ kind: 'mail.chunk', ...name, chunk: 0 })
})
