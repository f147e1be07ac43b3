import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { signUnsubscribeToken } from '../../../src/http/link-token'
import type { QueueMessage } from '../../../src/messages'
import { send } from '../../client'
import {
  acceptMailing,
  countEventsOf,
  createSegment,
  fakeResend,
  MESSAGE,
  memberAddresses,
  providerError,
  RESEND,
  readMailing,
  simulateQueue,
} from '../mail/queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const unsubscribe = (link: string | undefined) => send('POST', new URL(/^<(.+)>$/.exec(link ?? '')?.[1] ?? '').pathname)

const createLink = async (subscriptionId: number, emailId: number, position: number) =>
  `<https://groundwork.test/unsubscribe/${await signUnsubscribeToken(env.SIGNING_SECRETS, { subscriptionId, emailId, position })}>`

test.each([
  ['refuses its key', 401, {}],
  ['answers 429', 429, {}],
  ['has no key', 0, { MAIL_API_KEY: '' }],
])('a person who unsubscribes while the provider %s gets no mail and counts once', async (_, status, settings) => {
  const space = await createSegment(5)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const seen: string[][] = []
  resend.before = (batch) => {
    seen.push(batch.flatMap(({ to }) => to))
    return providerError(status, 'not now')
  }
  const simulation = simulateQueue({ ...RESEND, ...settings }, resend.fetch)
  const link = (position: number) => createLink(space.subscriptionId, emailId, position)
  await simulation.handle([chunk])
  await simulation.handle([chunk])
  for (const position of [0, 3]) {
    expect((await unsubscribe(await link(position))).response.status).toBe(200)
    simulation.now += 3_600_000
    await simulation.handle([chunk])
    await simulation.handle([chunk])
  }
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'sending',
    totals: { waiting: 3, suppressed: 2 },
  })

  resend.before = () => undefined
  simulation.settings = { ...simulation.settings, ...RESEND }
  simulation.now += 3_600_000
  await simulation.handle([chunk])
  expect(resend.addresses()).toEqual(['m1@example.com', 'm2@example.com', 'm4@example.com'])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 5, waiting: 0, sent: 3, failed: 0, suppressed: 2 },
  })
  // Each set of recipients has its own key. The last set is retried with the same key.
  const keys = resend.calls.map(({ key }) => key)
  expect(seen.map(({ length }) => length)).toEqual(seen.length ? [5, 4, 3] : [])
  expect(new Set(keys).size).toBe(seen.length ? 3 : 1)
  expect(keys.at(-1)).toBe(keys.at(seen.length ? -2 : -1))
})

test('a mailing is complete without the provider when all remaining recipients unsubscribe', async () => {
  const space = await createSegment(2)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const links: (string | undefined)[] = []
  resend.before = (batch) => {
    links.push(...batch.map(({ headers }) => headers['List-Unsubscribe']))
    return providerError(429, 'rate_limit_exceeded')
  }
  const simulation = simulateQueue(RESEND, resend.fetch)
  await simulation.handle([chunk])
  for (const link of links) await unsubscribe(link)
  simulation.now += 3_600_000
  expect(await simulation.handle([chunk])).toEqual([])
  expect(resend.calls.length).toBe(1)
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 0, suppressed: 2 },
  })
  expect(await countEventsOf(space.subscriptionId, 'email.completed')).toBe(1)
})

test('a possibly accepted batch keeps its recipients, so that the provider recognizes it', async () => {
  const space = await createSegment(4)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  resend.after = () => providerError(502, 'bad gateway')
  const simulation = simulateQueue(RESEND, resend.fetch)
  await simulation.handle([chunk])
  await unsubscribe(resend.accepted[1]?.headers['List-Unsubscribe'])
  resend.before = () => providerError(429, 'rate_limit_exceeded')
  simulation.now += 3_600_000
  await simulation.handle([chunk])
  resend.before = () => undefined
  resend.after = () => undefined
  simulation.now += 3_600_000
  await simulation.handle([chunk])
  expect(new Set(resend.calls.map(({ key }) => key)).size).toBe(1)
  expect(resend.addresses()).toEqual(memberAddresses(4))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 4, suppressed: 0 },
  })
})

test('a person who unsubscribes between acceptance and sending gets no mail and counts as suppressed', async () => {
  const space = await createSegment(5)
  const { emailId, message } = await acceptMailing(space)
  await env.DB.prepare(
    `INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES
      (?1, 'm1@example.com', ?2, 'unsubscribe', 0), (?1, 'm2@example.com', 0, 'complaint', 0),
      (?1, 'm3@example.com', ?2 + 1, 'unsubscribe', 0)`,
  )
    .bind(space.subscriptionId, space.segmentId)
    .run()
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()
  expect(resend.addresses()).toEqual(['m0@example.com', 'm3@example.com', 'm4@example.com'])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 5, sent: 3, suppressed: 2, waiting: 0 },
  })

  const next = await space.client<{ email: string }[]>('POST', `/api/v2/segments/${space.segmentId}/email`, {
    json: MESSAGE,
  })
  expect(next.body.data.map(({ email }) => email)).toEqual(['m0@example.com', 'm3@example.com', 'm4@example.com'])
})
