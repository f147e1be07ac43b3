import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import {
  accept,
  addressesOf,
  eventsOf,
  fakeResend,
  fault,
  list,
  MESSAGE,
  postOffice,
  RESEND,
  read,
  segmentOf,
} from '../post'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

test('a mailing reaches each member once, alone, with a text part and one-click unsubscription', async () => {
  const space = await segmentOf(230)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await office.drain()

  expect(resend.addresses()).toEqual(addressesOf(230))
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

  expect(await read(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 230, waiting: 0, sent: 230, failed: 0, suppressed: 0 },
    progress: 100,
  })
  expect(await eventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a consumer whose clock is behind puts an accepted mailing on the queue all the same', async () => {
  const space = await segmentOf(2)
  const { message } = await accept(space)
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.now -= 20_000
  office.put(message)
  await office.drain()
  expect(resend.addresses()).toEqual(addressesOf(2))
})

test('the same queue messages twice, and late ones, send nothing again', async () => {
  const space = await segmentOf(150)
  const { message, name } = await accept(space)
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  office.put(message)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  await Promise.all([office.handle([chunk, chunk]), office.handle([chunk, { ...chunk, chunk: 1 }])])
  await office.drain()
  await office.handle([chunk, { ...chunk, chunk: 1 }, { ...chunk, chunk: 99 }])
  expect(resend.addresses()).toEqual(addressesOf(150))
  expect(resend.calls.length).toBe(2)
  expect(await eventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a provider that answers 429 and 500 and breaks off at random gets every recipient, none twice', async () => {
  const space = await segmentOf(3000)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  let seed = 7
  const chance = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  resend.before = () => {
    const n = chance()
    if (n < 0.2) return fault(429, 'rate_limit_exceeded', { 'retry-after': '1' })
    if (n < 0.4) return fault(500, 'application_error')
    return undefined
  }
  resend.after = () => {
    const n = chance()
    if (n < 0.2) return fault(502, 'bad gateway')
    if (n < 0.4) throw new TypeError('connection reset')
    return undefined
  }
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await office.drain()
  expect(resend.addresses()).toEqual(addressesOf(3000))
  expect(resend.calls.length).toBeGreaterThan(45)
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 3000, failed: 0 } })
})

test('Retry-After is honoured, by the message and against early duplicates', async () => {
  const space = await segmentOf(3)
  const { name } = await accept(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.before = () => fault(429, 'rate_limit_exceeded', { 'retry-after': '600' })
  const office = postOffice(RESEND, resend.fetch)
  expect(await office.handle([chunk])).toEqual([])
  const [again] = office.queue
  expect(again?.body).toEqual(chunk)
  expect(again?.due).toBeGreaterThanOrEqual(office.now + 600_000)
  expect(again?.due).toBeLessThan(office.now + 660_000)

  resend.before = () => undefined
  office.now += 599_000
  expect(await office.handle([chunk])).toEqual([])
  expect(resend.calls.length).toBe(1)
  office.now += 62_000
  await office.handle([chunk])
  expect(resend.addresses()).toEqual(addressesOf(3))
})

test.each([
  ['that says for how long', () => fault(429, 'rate_limit_exceeded', { 'retry-after': '30' })],
  ['that does not', () => fault(429, 'daily_quota_exceeded')],
])('a 429 %s is no attempt, however often it comes, and none of the retries of the queue', async (_, told) => {
  const space = await segmentOf(40)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  resend.before = () => (resend.calls.length <= 50 ? told() : undefined)
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  while (resend.calls.length < 50) {
    await office.step()
    expect(office.queue.every(({ retries, dead }) => retries === 0 && !dead)).toBe(true)
  }
  const counted = 'SELECT asked, attempts FROM email_chunks WHERE email_id = ?'
  expect(await env.DB.prepare(counted).bind(emailId).first()).toEqual({ asked: 0, attempts: 50 })
  await office.drain()
  expect([resend.addresses(), resend.calls.length]).toEqual([addressesOf(40), 51])
})

test('a batch that is refused as a whole fails only the recipients that the provider refuses', async () => {
  const space = await segmentOf(100)
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  const bad = new Set(['m13@example.com', 'm77@example.com'])
  resend.before = (batch) => (batch.some(({ to }) => bad.has(to[0] ?? '')) ? fault(422, 'validation_error') : undefined)
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await office.drain()
  expect(resend.addresses()).toEqual(addressesOf(100).filter((email) => !bad.has(email)))
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 98, failed: 2 } })
  const failed = (await list(space.client, emailId)).filter(({ status }) => status === 'failed')
  expect(failed.map(({ email, reason }) => [email, reason])).toEqual([
    ['m13@example.com', 'validation_error'],
    ['m77@example.com', 'validation_error'],
  ])
})

test('a refused batch interrupted between its halves is taken up where it stood', async () => {
  const space = await segmentOf(64)
  const { message } = await accept(space)
  const resend = fakeResend()
  let calls = 0
  resend.before = (batch) => (calls < 2 && batch.length > 16 ? fault(422, 'validation_error') : undefined)
  resend.after = () => (++calls === 2 ? fault(500, 'application_error') : undefined)
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await office.drain()
  expect(resend.addresses()).toEqual(addressesOf(64))
})

test('an attempt that outlives its claim is counted once, with the one that took over', async () => {
  const space = await segmentOf(8)
  const { emailId, name } = await accept(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  let slow = true
  const office = postOffice(RESEND, async (input, init) => {
    const response = await resend.fetch(input, init)
    if (slow) {
      slow = false
      office.now += 200_000
      await office.handle([chunk])
    }
    return response
  })
  await office.handle([chunk])
  expect(resend.calls.length).toBe(2)
  expect(resend.addresses()).toEqual(addressesOf(8))
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 8, waiting: 0 } })
  expect(await eventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test.each([
  ['an unknown provider', { MAIL_PROVIDER: 'pigeon' }, 'MAIL_PROVIDER is "pigeon"'],
  ['a provider without a key', { MAIL_PROVIDER: 'resend' }, 'MAIL_API_KEY is not set'],
  ['no sender', { ...RESEND, MAIL_FROM: '' }, 'MAIL_FROM is not an address'],
  ['a sender with a line break', { ...RESEND, MAIL_FROM: 'a@x.test\r\nBcc: b@x.test' }, 'MAIL_FROM'],
  ['a base address that is none', { ...RESEND, MAIL_BASE_URL: 'nowhere' }, 'MAIL_BASE_URL'],
])('with %s nothing is lost: the chunk waits, and says why', async (_, settings, problem) => {
  const space = await segmentOf(2)
  const { emailId, name } = await accept(space, settings)
  const resend = fakeResend()
  const office = postOffice(settings, resend.fetch)
  const again = await office.handle([{ kind: 'mail.chunk', ...name, chunk: 0 }])
  expect(again.length).toBe(1)
  expect(await read(space.client, emailId)).toMatchObject({ totals: { waiting: 2, failed: 0 } })
  const row = await env.DB.prepare('SELECT problem FROM email_chunks WHERE email_id = ?').bind(emailId).first()
  expect(row?.problem).toContain(problem)

  office.settings = { ...office.settings, ...RESEND, MAIL_FROM: 'a@x.test' }
  office.now += 60_000
  await office.handle(again.map(({ body }) => body))
  expect(resend.addresses()).toEqual(addressesOf(2))
})

test('an attempt of unknown outcome is not repeated once the provider has forgotten its key', async () => {
  const space = await segmentOf(2)
  const { emailId, name } = await accept(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.after = () => fault(500, 'application_error')
  const office = postOffice(RESEND, resend.fetch)
  await office.handle([chunk])
  office.now += 25 * 3_600_000
  await office.handle([chunk])
  expect(resend.calls.length).toBe(1)
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { failed: 2 } })
  expect((await list(space.client, emailId))[0]?.reason).toContain('not known')
})

test('an address that is several, or carries a header, never reaches the provider', async () => {
  const space = await segmentOf(1)
  for (const email of ['a@x.test, b@x.test', 'a@x.test\r\nBcc: b@x.test']) {
    const stamps = { created_at: 0, updated_at: 0 }
    const user = { subscription_id: space.subscriptionId, email, role: 'idm_member', ...stamps }
    await env.DB.prepare(
      'INSERT INTO segment_members (subscription_id, segment_id, user_id, created_at) VALUES (?, ?, ?, 0)',
    )
      .bind(space.subscriptionId, space.segmentId, await space.row('users', user))
      .run()
  }
  const { emailId, message } = await accept(space)
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await office.drain()
  expect(resend.addresses()).toEqual(['m0@example.com'])
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 1, failed: 2 } })
})
