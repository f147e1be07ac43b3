import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import { accept, addressesOf, eventsOf, fakeResend, fault, list, postOffice, RESEND, read, segmentOf } from '../post'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const MINUTE = 60_000
const DAY = 86_400_000

async function chunkOf(emailId: number) {
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
const ACTS = [
  'its chunks are listed',
  'they are marked as queued',
  'the first is claimed',
  'the provider takes the first',
  'the first is recorded',
  'the second is claimed',
  'the provider takes the second',
  'the second is recorded',
]

describe.each(ACTS.map((act, n) => [act, n + 1] as const))('a process that ends when %s', (_, at) => {
  test.each([
    ['before', 'and the queue lost its messages', false],
    ['after', 'and the queue lost its messages', false],
    ['before', 'and the queue delivers its messages again', true],
    ['after', 'and the queue delivers its messages again', true],
  ] as const)('%s it is so, %s: each recipient gets one', async (when, _, redelivered) => {
    const space = await segmentOf(120)
    const { emailId, message } = await accept(space)
    const resend = fakeResend()
    const office = postOffice(RESEND, resend.fetch)
    office.kill = { at, when }
    office.put(message)
    const seen: QueueMessage[] = []
    while (office.queue.length && !office.killed) {
      seen.push(...office.queue.map(({ body }) => body))
      await office.step()
    }
    expect(office.acts).toBeGreaterThanOrEqual(at)
    expect(office.killed).toBe(true)

    office.killed = false
    office.kill = {}
    office.queue = []
    if (redelivered) for (const body of seen) office.put(body)
    await office.live()
    expect(resend.addresses()).toEqual(addressesOf(120))
    expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 120, waiting: 0 } })
    expect(await eventsOf(space.subscriptionId, 'email.completed')).toBe(1)
  })
})

test('a recording that breaks off half way leaves no half of it, and is made once', async () => {
  const space = await segmentOf(120)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await env.DB.prepare(
    `CREATE TRIGGER broken BEFORE UPDATE ON email_chunks WHEN NEW.status = 'done'
     BEGIN SELECT RAISE(ABORT, 'The disk is gone'); END`,
  ).run()
  await office.step()
  await office.step()
  await env.DB.prepare('DROP TRIGGER broken').run()
  expect(resend.accepted.length).toBe(120)
  expect(await read(space.client, emailId)).toMatchObject({ totals: { sent: 0, waiting: 120 } })

  await office.live()
  expect(resend.addresses()).toEqual(addressesOf(120))
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 120, waiting: 0 } })
  expect(await eventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a dead letter of recipients that nobody tried to mail fails none: the cron wakes its chunk later', async () => {
  const space = await segmentOf(3)
  const { emailId, name } = await accept(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  const started = office.now
  office.put(chunk)
  office.killed = true
  for (let n = 0; n <= 20; n++) await office.step()
  expect(office.queue).toMatchObject([{ dead: true }])
  expect(office.now).toBeGreaterThan(started + 39 * MINUTE)

  office.killed = false
  await office.drain()
  expect(await read(space.client, emailId)).toMatchObject({ status: 'queued', totals: { waiting: 3, failed: 0 } })
  expect(await office.handle([chunk])).toEqual([])
  office.now += MINUTE
  await office.cron()
  expect(office.queue).toEqual([])
  expect(resend.calls).toEqual([])

  office.now += 60 * MINUTE
  await office.cron()
  await office.drain()
  expect(resend.addresses()).toEqual(addressesOf(3))
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 3, failed: 0 } })
})

test('a dead letter leaves alone what is under way, what waits longer, and what is done', async () => {
  const space = await segmentOf(3)
  const { emailId, name } = await accept(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const office = postOffice(RESEND, async (input, init) => {
    await office.handle([chunk], 'groundwork-production-dead-letters')
    expect(await chunkOf(emailId)).toMatchObject({ status: 'sending', next_attempt_at: office.now + 2 * MINUTE })
    return resend.fetch(input, init)
  })
  resend.before = () => fault(429, 'rate_limit_exceeded', { 'retry-after': '3600' })
  await office.handle([chunk])
  const waiting = await chunkOf(emailId)
  await office.handle([chunk], 'groundwork-production-dead-letters')
  expect(await chunkOf(emailId)).toEqual(waiting)

  resend.before = () => undefined
  await office.live()
  const done = await chunkOf(emailId)
  await office.handle([chunk], 'groundwork-production-dead-letters')
  expect(await chunkOf(emailId)).toEqual(done)
  expect(resend.addresses()).toEqual(addressesOf(3))
})

test('what is left of a chunk fails once 120 attempts asked the provider, with the last reason, and nothing else', async () => {
  const space = await segmentOf(110)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  resend.before = (batch) => (batch.length === 100 ? fault(401, 'missing_api_key') : undefined)
  const office = postOffice(RESEND, resend.fetch)
  // Random delays of zero give the earliest retries.
  office.random = () => 0
  const accepted = office.now
  office.put(message)
  await office.live(2)
  expect(await read(space.client, emailId)).toMatchObject({
    status: 'sending',
    totals: { failed: 0, sent: 10, waiting: 100 },
  })
  await office.live(2)
  expect(office.now).toBeLessThan(accepted + 3 * DAY - 10 * 60 * MINUTE)
  expect(resend.calls.filter(({ size }) => size === 100)).toHaveLength(120)
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 100, sent: 10 } })
  const [first] = await list(space.client, emailId)
  expect(first).toMatchObject({ status: 'failed' })
  expect(first?.reason).toContain('Given up after 120 attempts. ')
  expect(first?.reason).toContain('missing_api_key')
  expect(first?.reason).not.toContain('delivered')
})

test('attempts that never reach the provider are not used up, and end three days after acceptance', async () => {
  const space = await segmentOf(2)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  const office = postOffice({ ...RESEND, MAIL_API_KEY: '' }, resend.fetch)
  office.put(message)
  const accepted = office.now
  await office.live(0.5)
  const { attempts, asked } = await chunkOf(emailId)
  expect(asked).toBe(0)
  expect(attempts).toBeGreaterThan(9 + 12)
  expect(attempts).toBeLessThan(12 + 12 * 2)
  office.now = accepted + 3 * DAY - MINUTE
  await office.live(MINUTE / 2 / DAY)
  expect(await read(space.client, emailId)).toMatchObject({ totals: { waiting: 2, failed: 0 } })

  await office.live()
  expect(office.now).toBeLessThan(accepted + 3 * DAY + 62 * MINUTE)
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 2 } })
  const [first] = await list(space.client, emailId)
  expect(first?.reason).toBe(
    'Given up three days after the mailing was accepted. MAIL_API_KEY is not set. Set the secret to your resend key.',
  )
  expect(resend.calls).toEqual([])
})

test('a chunk that ends its process every time comes back ever more slowly', async () => {
  const space = await segmentOf(2)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  let kills = 0
  const office = postOffice(RESEND, async (input, init) => {
    const response = await resend.fetch(input, init)
    kills++
    office.killed = true
    return response
  })
  office.put(message)
  for (const end = office.now + DAY / 4; office.now < end; office.now += MINUTE) {
    await office.cron()
    office.queue.sort((a, b) => a.due - b.due)
    while (office.queue.some(({ due }) => due <= office.now)) {
      await office.step()
      office.killed = false
    }
  }
  expect(kills).toBeGreaterThan(15)
  expect(kills).toBeLessThan(30)
  office.now += DAY
  await office.live()
  expect(resend.addresses()).toEqual(addressesOf(2))
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 2 } })
})
