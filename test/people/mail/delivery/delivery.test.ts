import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import {
  acceptMailing,
  countEventsOf,
  createSegment,
  fakeResend,
  listRecipients,
  MESSAGE,
  memberAddresses,
  providerError,
  RESEND,
  readMailing,
  simulateQueue,
} from '../queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('a mailing reaches each member once with a text part and one-click unsubscription', async () => {
  const space = await createSegment(230)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()

  expect(resend.addresses()).toEqual(memberAddresses(230))
  expect(resend.accepted.every(({ to }) => to.length === 1)).toBe(true)
  expect(resend.calls.map(({ size }) => size).sort()).toEqual([100, 100, 30])
  expect(new Set(resend.calls.map(({ key }) => key)).size).toBe(3)
  expect(resend.accepted[0]).toMatchObject({
    from: env.MAIL_FROM,
    subject: 'Hello',
    html: MESSAGE.html,
    text: 'See this (https://x.test)',
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  const links = new Set(resend.accepted.map(({ headers }) => headers['List-Unsubscribe']))
  expect(links.size).toBe(230)
  expect([...links].every((link) => /^<https:\/\/groundwork\.test\/unsubscribe\/[\w.-]+>$/.test(link ?? ''))).toBe(true)

  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 230, waiting: 0, sent: 230, failed: 0, suppressed: 0 },
    progress: 100,
  })
  expect(await countEventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a consumer with a late clock still queues an accepted mailing', async () => {
  const space = await createSegment(2)
  const { message } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.now -= 20_000
  simulation.enqueue(message)
  await simulation.drain()
  expect(resend.addresses()).toEqual(memberAddresses(2))
})

test('repeated and late queue messages send nothing twice', async () => {
  const space = await createSegment(150)
  const { message, name } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  simulation.enqueue(message)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  await Promise.all([simulation.handle([chunk, chunk]), simulation.handle([chunk, { ...chunk, chunk: 1 }])])
  await simulation.drain()
  await simulation.handle([chunk, { ...chunk, chunk: 1 }, { ...chunk, chunk: 99 }])
  expect(resend.addresses()).toEqual(memberAddresses(150))
  expect(resend.calls.length).toBe(2)
  expect(await countEventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a mailing reaches every recipient once through random 429, 500 and dropped connections', async () => {
  const space = await createSegment(3000)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  let seed = 7
  const chance = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  resend.before = () => {
    const n = chance()
    if (n < 0.2) return providerError(429, 'rate_limit_exceeded', { 'retry-after': '1' })
    if (n < 0.4) return providerError(500, 'application_error')
    return undefined
  }
  resend.after = () => {
    const n = chance()
    if (n < 0.2) return providerError(502, 'bad gateway')
    if (n < 0.4) throw new TypeError('connection reset')
    return undefined
  }
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()
  expect(resend.addresses()).toEqual(memberAddresses(3000))
  expect(resend.calls.length).toBeGreaterThan(45)
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 3000, failed: 0 },
  })
})

test('the service honors Retry-After for the message and for early duplicates', async () => {
  const space = await createSegment(3)
  const { name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.before = () => providerError(429, 'rate_limit_exceeded', { 'retry-after': '600' })
  const simulation = simulateQueue(RESEND, resend.fetch)
  expect(await simulation.handle([chunk])).toEqual([])
  const [again] = simulation.queue
  expect(again?.body).toEqual(chunk)
  expect(again?.due).toBeGreaterThanOrEqual(simulation.now + 600_000)
  expect(again?.due).toBeLessThan(simulation.now + 660_000)

  resend.before = () => undefined
  simulation.now += 599_000
  expect(await simulation.handle([chunk])).toEqual([])
  expect(resend.calls.length).toBe(1)
  simulation.now += 62_000
  await simulation.handle([chunk])
  expect(resend.addresses()).toEqual(memberAddresses(3))
})

test.each([
  ['with Retry-After', () => providerError(429, 'rate_limit_exceeded', { 'retry-after': '30' })],
  ['without Retry-After', () => providerError(429, 'daily_quota_exceeded')],
])('a 429 %s counts as no attempt and uses no retry of the queue', async (_, respond) => {
  const space = await createSegment(40)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  resend.before = () => (resend.calls.length <= 50 ? respond() : undefined)
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  while (resend.calls.length < 50) {
    await simulation.step()
    expect(simulation.queue.every(({ retries, dead }) => retries === 0 && !dead)).toBe(true)
  }
  const counted = 'SELECT asked, attempts FROM email_chunks WHERE email_id = ?'
  expect(await env.DB.prepare(counted).bind(emailId).first()).toEqual({ asked: 0, attempts: 50 })
  await simulation.drain()
  expect([resend.addresses(), resend.calls.length]).toEqual([memberAddresses(40), 51])
})

test('a refused batch fails only the recipients that the provider refuses', async () => {
  const space = await createSegment(100)
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  const bad = new Set(['m13@example.com', 'm77@example.com'])
  resend.before = (batch) =>
    batch.some(({ to }) => bad.has(to[0] ?? '')) ? providerError(422, 'validation_error') : undefined
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()
  expect(resend.addresses()).toEqual(memberAddresses(100).filter((email) => !bad.has(email)))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 98, failed: 2 },
  })
  const failed = (await listRecipients(space.client, emailId)).filter(({ status }) => status === 'failed')
  expect(failed.map(({ email, reason }) => [email, reason])).toEqual([
    ['m13@example.com', 'validation_error'],
    ['m77@example.com', 'validation_error'],
  ])
})

test('a refused batch continues after an interruption between its halves', async () => {
  const space = await createSegment(64)
  const { message } = await acceptMailing(space)
  const resend = fakeResend()
  let calls = 0
  resend.before = (batch) => (calls < 2 && batch.length > 16 ? providerError(422, 'validation_error') : undefined)
  resend.after = () => (++calls === 2 ? providerError(500, 'application_error') : undefined)
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()
  expect(resend.addresses()).toEqual(memberAddresses(64))
})

test('an attempt that outlives its claim is counted once, with the attempt that took over', async () => {
  const space = await createSegment(8)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  let slow = true
  const simulation = simulateQueue(RESEND, async (input, init) => {
    const response = await resend.fetch(input, init)
    if (slow) {
      slow = false
      simulation.now += 200_000
      await simulation.handle([chunk])
    }
    return response
  })
  await simulation.handle([chunk])
  expect(resend.calls.length).toBe(2)
  expect(resend.addresses()).toEqual(memberAddresses(8))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 8, waiting: 0 },
  })
  expect(await countEventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test.each([
  ['an unknown provider', { MAIL_PROVIDER: 'pigeon' }, 'MAIL_PROVIDER is "pigeon"'],
  ['a provider without a key', { MAIL_PROVIDER: 'resend' }, 'MAIL_API_KEY is not set'],
  ['no sender', { ...RESEND, MAIL_FROM: '' }, 'MAIL_FROM is not an address'],
  ['a sender with a line break', { ...RESEND, MAIL_FROM: 'a@x.test\r\nBcc: b@x.test' }, 'MAIL_FROM'],
  ['an invalid base URL', { ...RESEND, MAIL_BASE_URL: 'nowhere' }, 'MAIL_BASE_URL'],
])('a chunk with %s waits and states the reason', async (_, settings, problem) => {
  const space = await createSegment(2)
  const { emailId, name } = await acceptMailing(space, settings)
  const resend = fakeResend()
  const simulation = simulateQueue(settings, resend.fetch)
  const again = await simulation.handle([{ kind: 'mail.chunk', ...name, chunk: 0 }])
  expect(again.length).toBe(1)
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { waiting: 2, failed: 0 } })
  const row = await env.DB.prepare('SELECT problem FROM email_chunks WHERE email_id = ?').bind(emailId).first()
  expect(row?.problem).toContain(problem)

  simulation.settings = { ...simulation.settings, ...RESEND, MAIL_FROM: 'a@x.test' }
  simulation.now += 60_000
  await simulation.handle(again.map(({ body }) => body))
  expect(resend.addresses()).toEqual(memberAddresses(2))
})

test('an attempt with an unknown result is not repeated after the provider forgets its key', async () => {
  const space = await createSegment(2)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.after = () => providerError(500, 'application_error')
  const simulation = simulateQueue(RESEND, resend.fetch)
  await simulation.handle([chunk])
  simulation.now += 25 * 3_600_000
  await simulation.handle([chunk])
  expect(resend.calls.length).toBe(1)
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 2 } })
  expect((await listRecipients(space.client, emailId))[0]?.reason).toContain('is unknown')
})

test('an address that holds several addresses or a header never reaches the provider', async () => {
  const space = await createSegment(1)
  for (const email of ['a@x.test, b@x.test', 'a@x.test\r\nBcc: b@x.test']) {
    const stamps = { created_at: 0, updated_at: 0 }
    const user = { subscription_id: space.subscriptionId, email, role: 'idm_member', ...stamps }
    await env.DB.prepare(
      'INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at) VALUES (?, ?, ?, 0)',
    )
      .bind(space.subscriptionId, space.segmentId, await space.row('users', user))
      .run()
  }
  const { emailId, message } = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()
  expect(resend.addresses()).toEqual(['m0@example.com'])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 1, failed: 2 },
  })
})
