import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { openStore } from '../../../src/db/client/client'
import { handleQueueBatch } from '../../../src/queue'
import { replayDeadLetters } from '../../../src/workspace/operating/dead-letters'
import { deleteExpiredHistory } from '../../../src/workspace/retention/forget'
import { readClock } from '../../clock'
import { createWorkspace } from '../../factories'

const DAY = 86_400_000

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await env.DB.prepare('DELETE FROM dead_letters').run()
})

async function failMessage(body: object, attempts: number, queue = 'groundwork-dead-letters') {
  const outcome = { acknowledged: false, retried: false }
  const message = {
    ...{ body, attempts },
    ack() {
      outcome.acknowledged = true
    },
    retry() {
      outcome.retried = true
    },
  }
  const deps = createBackgroundDeps(env, createExecutionContext())
  await handleQueueBatch({ queue, messages: [message] } as never, deps)
  return outcome
}

const listLetters = async () =>
  (
    await env.DB.prepare(
      'SELECT subscription_id AS workspace, message, replay_at AS "replayAt" FROM dead_letters',
    ).all()
  ).results

async function replay(now: number, failure?: Error) {
  const sent: object[] = []
  const outlet = {
    async sendBatch(messages: Iterable<{ body: object }>) {
      if (failure) throw failure
      sent.push(...[...messages].map(({ body }) => body))
    },
  }
  const run = replayDeadLetters({ store: openStore(env.DB, now), outlet })
  await (failure ? expect(run).rejects.toThrow(failure) : run)
  return sent
}

const mark = (at: number) => env.DB.prepare('UPDATE dead_letters SET replay_at = ?').bind(at).run()

test('a dead letter that still fails is kept with its ids, and no other message', async () => {
  const { subscriptionId } = await createWorkspace()
  const message = { kind: 'mail.opened', subscriptionId, emailId: 1 }
  expect(await failMessage(message, 20, 'groundwork-outside')).toEqual({ acknowledged: false, retried: true })
  expect(await failMessage(message, 14)).toEqual({ acknowledged: false, retried: true })
  expect(await listLetters()).toEqual([])
  expect(await failMessage(message, 15)).toEqual({ acknowledged: true, retried: false })
  expect(await listLetters()).toEqual([{ workspace: subscriptionId, message: JSON.stringify(message), replayAt: null }])
  expect(await failMessage({}, 15)).toEqual({ acknowledged: true, retried: false })
  expect((await listLetters()).map(({ workspace }) => workspace)).toEqual([subscriptionId, 0])
})

test('the cron enqueues a marked dead letter once', async () => {
  const now = readClock()
  const { subscriptionId } = await createWorkspace()
  const message = { kind: 'mail.opened', subscriptionId, emailId: 1 }
  await failMessage(message, 15)
  expect(await replay(now)).toEqual([])
  await mark(now)
  // A full queue loses nothing, and the lease keeps a second run away.
  expect(await replay(now, new Error('The queue is full'))).toEqual([])
  expect(await replay(now + 60_000)).toEqual([])
  expect(await replay(now + 300_000)).toEqual([message])
  expect(await replay(now + 900_000)).toEqual([])
  expect(await listLetters()).toEqual([])
})

test('a dead letter is deleted after 30 days', async () => {
  const { subscriptionId } = await createWorkspace()
  await failMessage({ kind: 'mail.opened', subscriptionId }, 15)
  const deleteAt = (now: number) => deleteExpiredHistory({ store: openStore(env.DB, now), settings: env })
  await deleteAt(readClock() + 30 * DAY - 60_000)
  expect(await listLetters()).toHaveLength(1)
  await deleteAt(readClock() + 30 * DAY + 60_000)
  expect(await listLetters()).toEqual([])
})
