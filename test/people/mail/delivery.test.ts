import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { everyMinute } from '../../../src/cron'
import { openStore } from '../../../src/db/client'
import type { OutsideMessage } from '../../../src/outside'
import { wakeDue } from '../../../src/people/mail/wake'
import { send } from '../../client'
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
} from './post'

// Faults of the provider are what these tests are about; each is logged.
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
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
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
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.before = () => fault(429, 'rate_limit_exceeded', { 'retry-after': '600' })
  const office = postOffice(RESEND, resend.fetch)
  const [again] = await office.handle([chunk])
  expect(again?.delaySeconds).toBeGreaterThanOrEqual(600)
  expect(again?.delaySeconds).toBeLessThan(660)

  resend.before = () => undefined
  office.now += 599_000
  expect(await office.handle([chunk])).toEqual([])
  expect(resend.calls.length).toBe(1)
  office.now += 62_000
  await office.handle([chunk])
  expect(resend.addresses()).toEqual(addressesOf(3))
})

const leave = (link: string | undefined) => send('POST', new URL(/^<(.+)>$/.exec(link ?? '')?.[1] ?? '').pathname)

test.each([
  ['refused its key', 401, {}],
  ['asked for patience', 429, {}],
  ['was never asked', 0, { MAIL_API_KEY: '' }],
])(
  'who unsubscribes while a chunk waits because the provider %s gets nothing, and is counted once',
  async (_, status, settings) => {
    const space = await segmentOf(5)
    const { emailId, name } = await accept(space)
    const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
    const resend = fakeResend()
    const seen: string[][] = []
    resend.before = (batch) => {
      seen.push(batch.flatMap(({ to }) => to))
      return fault(status, 'not now')
    }
    const office = postOffice({ ...RESEND, ...settings }, resend.fetch)
    const link = async (position: number) => {
      const path = `/api/v2/emails/${emailId}/recipients/${position}`
      const shown = await space.client<{ message: { headers: Record<string, string> } }>('GET', path)
      return shown.body.data.message.headers['List-Unsubscribe']
    }
    await office.handle([chunk])
    await office.handle([chunk])
    for (const position of [0, 3]) {
      expect((await leave(await link(position))).response.status).toBe(200)
      office.now += 3_600_000
      await office.handle([chunk])
      await office.handle([chunk])
    }
    expect(await read(space.client, emailId)).toMatchObject({
      status: 'sending',
      totals: { waiting: 3, suppressed: 2 },
    })

    resend.before = () => undefined
    office.env = { ...office.env, ...RESEND }
    office.now += 3_600_000
    await office.handle([chunk])
    expect(resend.addresses()).toEqual(['m1@example.com', 'm2@example.com', 'm4@example.com'])
    expect(await read(space.client, emailId)).toMatchObject({
      status: 'completed',
      totals: { recipients: 5, waiting: 0, sent: 3, failed: 0, suppressed: 2 },
    })
    // Three sets, three keys; the last was tried again under the key it had.
    const keys = resend.calls.map(({ key }) => key)
    expect(seen.map(({ length }) => length)).toEqual(seen.length ? [5, 4, 3] : [])
    expect(new Set(keys).size).toBe(seen.length ? 3 : 1)
    expect(keys.at(-1)).toBe(keys.at(seen.length ? -2 : -1))
  },
)

test('when all who are left have unsubscribed the mailing is complete, and the provider is not asked', async () => {
  const space = await segmentOf(2)
  const { emailId, name } = await accept(space)
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const links: (string | undefined)[] = []
  resend.before = (batch) => {
    links.push(...batch.map(({ headers }) => headers['List-Unsubscribe']))
    return fault(429, 'rate_limit_exceeded')
  }
  const office = postOffice(RESEND, resend.fetch)
  await office.handle([chunk])
  for (const link of links) await leave(link)
  office.now += 3_600_000
  expect(await office.handle([chunk])).toEqual([])
  expect(resend.calls.length).toBe(1)
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 0, suppressed: 2 } })
  expect(await eventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('once an attempt may have been taken its recipients stay the same, so that the provider knows the batch again', async () => {
  const space = await segmentOf(4)
  const { emailId, name } = await accept(space)
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.after = () => fault(502, 'bad gateway')
  const office = postOffice(RESEND, resend.fetch)
  await office.handle([chunk])
  await leave(resend.accepted[1]?.headers['List-Unsubscribe'])
  resend.before = () => fault(429, 'rate_limit_exceeded')
  office.now += 3_600_000
  await office.handle([chunk])
  resend.before = () => undefined
  resend.after = () => undefined
  office.now += 3_600_000
  await office.handle([chunk])
  expect(new Set(resend.calls.map(({ key }) => key)).size).toBe(1)
  expect(resend.addresses()).toEqual(addressesOf(4))
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 4, suppressed: 0 } })
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
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
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

test('who unsubscribes between acceptance and sending gets nothing and is counted so', async () => {
  const space = await segmentOf(5)
  const { emailId, message } = await accept(space)
  await env.DB.prepare(
    `INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES
      (?1, 'm1@example.com', ?2, 'unsubscribe', 0), (?1, 'm2@example.com', 0, 'complaint', 0),
      (?1, 'm3@example.com', ?2 + 1, 'unsubscribe', 0)`,
  )
    .bind(space.subscriptionId, space.segmentId)
    .run()
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(message)
  await office.drain()
  expect(resend.addresses()).toEqual(['m0@example.com', 'm3@example.com', 'm4@example.com'])
  expect(await read(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 5, sent: 3, suppressed: 2, waiting: 0 },
  })

  const next = await space.client<{ email: string }[]>('POST', `/api/v2/segments/${space.segmentId}/email`, {
    json: MESSAGE,
  })
  expect(next.body.data.map(({ email }) => email)).toEqual(['m0@example.com', 'm3@example.com', 'm4@example.com'])
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

  office.env = { ...office.env, ...RESEND, MAIL_FROM: 'a@x.test' }
  office.now += 60_000
  await office.handle(again.map(({ body }) => body))
  expect(resend.addresses()).toEqual(addressesOf(2))
})

test('an attempt of unknown outcome is not repeated once the provider has forgotten its key', async () => {
  const space = await segmentOf(2)
  const { emailId, name } = await accept(space)
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
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

test('Postmark is asked what it has before an interrupted batch is sent again', async () => {
  const settings = { MAIL_PROVIDER: 'postmark', MAIL_API_KEY: 'token', MAIL_BASE_URL: 'http://provider.test' }
  const space = await segmentOf(6)
  const { emailId, name } = await accept(space, settings)
  const chunk: OutsideMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const taken: { To: string; Metadata: { chunk: string } }[] = []
  let searches = 0
  const office = postOffice(settings, async (input, init) => {
    const url = new URL(String(input))
    expect(new Headers(init?.headers).get('x-postmark-server-token')).toBe('token')
    if (url.pathname === '/messages/outbound') {
      searches++
      const Messages = taken
        .filter(({ Metadata }) => Metadata.chunk === url.searchParams.get('metadata_chunk'))
        .map(({ To }) => ({ MessageID: `id-${To}`, Recipients: [To.toUpperCase()] }))
      return Response.json({ TotalCount: Messages.length, Messages })
    }
    const batch = JSON.parse(String(init?.body)) as typeof taken
    if (!taken.length) {
      taken.push(...batch.slice(0, 4))
      throw new TypeError('connection reset')
    }
    taken.push(...batch)
    return Response.json(batch.map(({ To }) => ({ ErrorCode: 0, Message: 'OK', MessageID: `id-${To}` })))
  })
  const [again] = await office.handle([chunk])
  expect(again?.delaySeconds).toBeGreaterThanOrEqual(30)
  office.now += 100_000
  await office.handle([chunk])
  expect(searches).toBe(1)
  expect(taken.map(({ To }) => To).sort()).toEqual(addressesOf(6))
  expect(taken[0]).not.toHaveProperty('Cc')
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 6 } })
})

test('the local outbox sends nothing away, and shows each message as it would have gone out', async () => {
  const space = await segmentOf(3)
  const { emailId, message } = await accept(space, {})
  const office = postOffice({}, () => {
    throw new Error('nothing leaves')
  })
  office.put(message)
  await office.drain()
  expect(await read(space.client, emailId)).toMatchObject({ status: 'completed', totals: { sent: 3 } })
  const shown = await space.client<{ message: object; status: string }>('GET', `/api/v2/emails/${emailId}/recipients/1`)
  expect(shown.cost.roundTrips).toBe(1)
  expect(shown.body.data).toMatchObject({
    status: 'sent',
    email: 'm1@example.com',
    message: {
      from: env.MAIL_FROM,
      to: 'm1@example.com',
      subject: 'Hello',
      html: MESSAGE.html,
      text: 'See this (https://x.test)',
      headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    },
  })
})

test('the cron wakes what was committed and not queued, in calls a queue takes, and nothing twice', async () => {
  const space = await segmentOf(250)
  const { name } = await accept(space)
  const office = postOffice(RESEND, fakeResend().fetch)
  const woken = async (later: number) => {
    office.queue = []
    await wakeDue(openStore(env.DB, office.now + later), office.outlet)
    return office.queue.filter(({ body }) => body.subscriptionId === name.subscriptionId).length
  }
  expect(await woken(30_000)).toBe(0)
  expect(await woken(61_000)).toBe(3)
  expect(await woken(62_000)).toBe(0)
  expect(await woken(190_000)).toBe(3)
})

test('the cron forgets kept answers after a day, and only those', async () => {
  const now = Date.now()
  const space = await segmentOf(0)
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
  await everyMinute(env, now)
  const { results } = await env.DB.prepare('SELECT key FROM idempotency_keys WHERE subscription_id = ?')
    .bind(space.subscriptionId)
    .all()
  expect(results).toEqual([{ key: 'young' }])
})
