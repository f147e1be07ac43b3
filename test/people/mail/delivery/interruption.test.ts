import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import {
  acceptMailing,
  countEventsOf,
  createSegment,
  fakeResend,
  listRecipients,
  memberAddresses,
  providerError,
  RESEND,
  readMailing,
  simulateQueue,
} from '../queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const MINUTE = 60_000
const DAY = 86_400_000

async function readChunk(emailId: number) {
  const row = await env.DB.prepare('SELECT * FROM email_chunks WHERE email_id = ? AND chunk = 0').bind(emailId).first()
  return row as {
    status: string
    attempts: number
    asked: number
    next_attempt_at: number
    unsure_since: number | null
  }
}

// The actions of a mailing with two chunks, from the message to the last record.
const ACTIONS = [
  'its chunks are listed',
  'they are marked as queued',
  'the first is claimed',
  'the provider takes the first',
  'the first is recorded',
  'the second is claimed',
  'the provider takes the second',
  'the second is recorded',
]

describe.each(ACTIONS.map((act, n) => [act, n + 1] as const))('a process that dies when %s', (_, at) => {
  test.each([
    ['before', 'and the queue lost its messages', false],
    ['after', 'and the queue lost its messages', false],
    ['before', 'and the queue delivers its messages again', true],
    ['after', 'and the queue delivers its messages again', true],
  ] as const)('dies %s it, %s, and each recipient gets one mail', async (when, _, redelivered) => {
    const space = await createSegment(120)
    const { emailId, message } = await acceptMailing(space)
    const resend = fakeResend()
    const simulation = simulateQueue(RESEND, resend.fetch)
    simulation.kill = { at, when }
    simulation.enqueue(message)
    const seen: QueueMessage[] = []
    while (simulation.queue.length && !simulation.killed) {
      seen.push(...simulation.queue.map(({ body }) => body))
      await simulation.step()
    }
    expect(simulation.actionCount).toBeGreaterThanOrEqual(at)
    expect(simulation.killed).toBe(true)

    simulation.killed = false
    simulation.kill = {}
    simulation.queue = []
    if (redelivered) for (const body of seen) simulation.enqueue(body)
    await simulation.runUntilComplete()
    expect(resend.addresses()).toEqual(memberAddresses(120))
    expect(await readMailing(space.client, emailId)).toMatchObject({
      status: 'completed',
      totals: { sent: 120, waiting: 0 },
    })
    expect(await countEventsOf(space.subscriptionId, 'email.completed')).toBe(1)
  })
})

test('a recording that fails half way is rolled back and made once', async () => {
  const space = await createSegment(120)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await env.DB.prepare(
    `CREATE TRIGGER broken BEFORE UPDATE ON email_chunks WHEN NEW.status = 'done'
     BEGIN SELECT RAISE(ABORT, 'The disk is gone'); END`,
  ).run()
  await simulation.step()
  await simulation.step()
  await env.DB.prepare('DROP TRIGGER broken').run()
  expect(resend.accepted.length).toBe(120)
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { sent: 0, waiting: 120 } })

  await simulation.runUntilComplete()
  expect(resend.addresses()).toEqual(memberAddresses(120))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 120, waiting: 0 },
  })
  expect(await countEventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a dead letter of an untried chunk fails no recipient, and the cron wakes the chunk later', async () => {
  const space = await createSegment(3)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  const started = simulation.now
  simulation.enqueue(chunk)
  simulation.killed = true
  for (let n = 0; n <= 20; n++) await simulation.step()
  expect(simulation.queue).toMatchObject([{ dead: true }])
  expect(simulation.now).toBeGreaterThan(started + 39 * MINUTE)

  simulation.killed = false
  await simulation.drain()
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'queued',
    totals: { waiting: 3, failed: 0 },
  })
  expect(await simulation.handle([chunk])).toEqual([])
  simulation.now += MINUTE
  await simulation.cron()
  expect(simulation.queue).toEqual([])
  expect(resend.calls).toEqual([])

  simulation.now += 60 * MINUTE
  await simulation.cron()
  await simulation.drain()
  expect(resend.addresses()).toEqual(memberAddresses(3))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 3, failed: 0 },
  })
})

test('a dead letter does not touch a chunk in progress, waiting or done', async () => {
  const space = await createSegment(3)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, async (input, init) => {
    await simulation.handle([chunk], 'groundwork-production-dead-letters')
    expect(await readChunk(emailId)).toMatchObject({ status: 'sending', next_attempt_at: simulation.now + 2 * MINUTE })
    return resend.fetch(input, init)
  })
  resend.before = () => providerError(429, 'rate_limit_exceeded', { 'retry-after': '3600' })
  await simulation.handle([chunk])
  const waiting = await readChunk(emailId)
  await simulation.handle([chunk], 'groundwork-production-dead-letters')
  expect(await readChunk(emailId)).toEqual(waiting)

  resend.before = () => undefined
  await simulation.runUntilComplete()
  const done = await readChunk(emailId)
  await simulation.handle([chunk], 'groundwork-production-dead-letters')
  expect(await readChunk(emailId)).toEqual(done)
  expect(resend.addresses()).toEqual(memberAddresses(3))
})

test('the rest of a chunk fails after 120 attempts at the provider, with the last reason', async () => {
  const space = await createSegment(110)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  resend.before = (batch) => (batch.length === 100 ? providerError(401, 'missing_api_key') : undefined)
  const simulation = simulateQueue(RESEND, resend.fetch)
  // Random delays of zero give the earliest retries.
  simulation.random = () => 0
  const accepted = simulation.now
  simulation.enqueue(message)
  await simulation.runUntilComplete(2)
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'sending',
    totals: { failed: 0, sent: 10, waiting: 100 },
  })
  await simulation.runUntilComplete(2)
  expect(simulation.now).toBeLessThan(accepted + 3 * DAY - 10 * 60 * MINUTE)
  expect(resend.calls.filter(({ size }) => size === 100)).toHaveLength(120)
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { failed: 100, sent: 10 },
  })
  const [first] = await listRecipients(space.client, emailId)
  expect(first).toMatchObject({ status: 'failed' })
  expect(first?.reason).toContain('The service gave up after 120 attempts. ')
  expect(first?.reason).toContain('missing_api_key')
  expect(first?.reason).not.toContain('delivered')
})

test('an attempt that never reaches the provider does not count, and attempts end after three days', async () => {
  const space = await createSegment(2)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue({ ...RESEND, MAIL_API_KEY: '' }, resend.fetch)
  simulation.enqueue(message)
  const accepted = simulation.now
  await simulation.runUntilComplete(0.5)
  const { attempts, asked } = await readChunk(emailId)
  expect(asked).toBe(0)
  expect(attempts).toBeGreaterThan(9 + 12)
  expect(attempts).toBeLessThan(12 + 12 * 2)
  simulation.now = accepted + 3 * DAY - MINUTE
  await simulation.runUntilComplete(MINUTE / 2 / DAY)
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { waiting: 2, failed: 0 } })

  await simulation.runUntilComplete()
  expect(simulation.now).toBeLessThan(accepted + 3 * DAY + 62 * MINUTE)
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 2 } })
  const [first] = await listRecipients(space.client, emailId)
  expect(first?.reason).toBe(
    'The service gave up three days after the mailing was accepted. MAIL_API_KEY is not set. Set the secret to your resend key.',
  )
  expect(resend.calls).toEqual([])
})

test('a chunk that kills its process returns with growing delays', async () => {
  const space = await createSegment(2)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  let kills = 0
  const simulation = simulateQueue(RESEND, async (input, init) => {
    const response = await resend.fetch(input, init)
    kills++
    simulation.killed = true
    return response
  })
  simulation.enqueue(message)
  for (const end = simulation.now + DAY / 4; simulation.now < end; simulation.now += MINUTE) {
    await simulation.cron()
    simulation.queue.sort((a, b) => a.due - b.due)
    while (simulation.queue.some(({ due }) => due <= simulation.now)) {
      await simulation.step()
      simulation.killed = false
    }
  }
  expect(kills).toBeGreaterThan(15)
  expect(kills).toBeLessThan(30)
  simulation.now += DAY
  await simulation.runUntilComplete()
  expect(resend.addresses()).toEqual(memberAddresses(2))
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 2 } })
})
