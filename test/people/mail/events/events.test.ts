import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import { call, send } from '../../../client'
import { readClock } from '../../../clock'
import { createUniqueId } from '../../../unique'
import {
  acceptMailing,
  createSegment,
  fakeResend,
  listRecipients,
  providerError,
  RESEND,
  readMailing,
  simulateQueue,
} from '../queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

const SECRET = `whsec_${btoa('a secret of the webhook of Resend')}`
const CREDENTIALS = 'postmark:a-long-password'
const SETTINGS = { MAIL_EVENTS_SECRETS: `resend=${SECRET} postmark=${CREDENTIALS}` }

const encoder = new TextEncoder()

async function signEvent(id: string, timestamp: string, body: string, secret = SECRET) {
  const bytes = Uint8Array.from(atob(secret.replace('whsec_', '')), (c) => c.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${timestamp}.${body}`))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`
}

const timestampAgo = (ago = 0) => String(Math.floor(readClock() / 1000) - ago)

async function postResendEvent(event: object, { ago = 0, secret = SECRET, prefix = 'svix', settings = SETTINGS } = {}) {
  const body = JSON.stringify(event)
  const [id, timestamp] = ['msg_2y', timestampAgo(ago)]
  const headers = {
    'content-type': 'application/json',
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `v1,AAAA v2,x ${await signEvent(id, timestamp, body, secret)}`,
  }
  return call('POST', '/api/hooks/mail/resend', { raw: body, headers, env: settings })
}

const postPostmarkEvent = (event: object, credentials = CREDENTIALS) =>
  call('POST', '/api/hooks/mail/postmark', {
    json: event,
    headers: { authorization: `Basic ${btoa(credentials)}` },
    env: SETTINGS,
  })

const resendEvent = (type: string, { id, tag }: SentMessage, more: object = {}) => ({
  type: `email.${type}`,
  created_at: '2026-11-22T10:00:00.000Z',
  data: {
    created_at: '2026-11-22T09:59:00.000Z',
    email_id: id,
    from: 'Acme <news@acme.example>',
    to: ['m0@example.com'],
    subject: 'Hello',
    tags: { groundwork: tag },
    ...more,
  },
})

const bounce = (type: string) => ({
  bounce: { type, subType: 'General', message: 'The mailbox does not exist.' },
})

interface SentMessage {
  id: string
  tag: string
}

/** Sends a mailing through Resend, and returns id and tag of each message. */
async function sendMailing(size: number) {
  const space = await createSegment(size)
  const accepted = await acceptMailing(space)
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(accepted.message)
  await simulation.drain()
  const { results } = await env.DB.prepare(
    'SELECT provider_id FROM email_recipients WHERE email_id = ? ORDER BY position',
  )
    .bind(accepted.emailId)
    .all<{ provider_id: string }>()
  const messages = results.map(
    ({ provider_id }, n): SentMessage => ({ id: provider_id, tag: resend.accepted[n]?.tags[0]?.value ?? '' }),
  )
  const at = (n: number) => messages[n] ?? { id: '', tag: '' }
  return { space, ...accepted, at }
}

const listSuppressions = async ({ client }: Awaited<ReturnType<typeof createSegment>>) =>
  (await client<{ email: string; segmentId: null; reason: string }[]>('GET', '/api/v2/suppressions')).body.data.map(
    ({ email, segmentId, reason }) => [email, segmentId, reason],
  )

test('events of Resend set the states and totals of recipients and suppress addresses', async () => {
  const { space, emailId, at, body: first } = await sendMailing(5)
  expect(first.success).toBe(true)
  for (const event of [
    resendEvent('delivered', at(0)),
    resendEvent('bounced', at(1), bounce('Permanent')),
    resendEvent('bounced', at(2), bounce('Transient')),
    resendEvent('delivered', at(3)),
    resendEvent('complained', at(3)),
    // Ignored events.
    resendEvent('opened', at(4)),
    resendEvent('sent', at(4)),
  ]) {
    const { status, body, cost } = await postResendEvent(event)
    expect([event.type, status, body]).toEqual([
      event.type,
      200,
      { success: true, message: 'Event received', data: {} },
    ])
    expect(cost.roundTrips).toBeLessThanOrEqual(1)
  }
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 5, sent: 5, failed: 0, delivered: 1, bounced: 2, complained: 1 },
  })
  expect((await listRecipients(space.client, emailId)).map(({ status, reason }) => [status, reason])).toEqual([
    ['delivered', null],
    ['bounced', 'General: The mailbox does not exist.'],
    ['bounced', 'General: The mailbox does not exist.'],
    ['complained', 'The recipient reported the message as spam.'],
    ['sent', null],
  ])
  expect(await listSuppressions(space)).toEqual([
    ['m3@example.com', null, 'complaint'],
    ['m1@example.com', null, 'hard_bounce'],
  ])
  const suppressionEvents = await space.client<{ data: object }[]>('GET', '/api/v2/events?type=suppression.created')
  expect(suppressionEvents.body.data.map(({ data }) => data)).toMatchObject([
    { email: 'm1@example.com', reason: 'hard_bounce' },
    { email: 'm3@example.com', reason: 'complaint' },
  ])
  expect((await acceptMailing(space)).to).toEqual(['m0@example.com', 'm2@example.com', 'm4@example.com'])
})

test('events of Postmark set the states too, and an auto-reply is no bounce', async () => {
  const { space, emailId, at } = await sendMailing(5)
  const event = (RecordType: string, n: number, more: object = {}) => ({
    RecordType,
    ServerID: 23,
    MessageStream: 'outbound',
    MessageID: at(n).id,
    Recipient: `m${n}@example.com`,
    Tag: '',
    Metadata: { chunk: 'x', groundwork: at(n).tag },
    ...more,
  })
  const details = { Description: 'The server was unable to deliver your message.', Details: 'smtp;550 unknown user' }
  for (const postmarkEvent of [
    event('Delivery', 0, { DeliveredAt: '2026-11-22T10:00:00Z' }),
    event('Bounce', 1, { ID: 42, Type: 'HardBounce', TypeCode: 1, Inactive: true, ...details }),
    event('Bounce', 2, { ID: 43, Type: 'SoftBounce', TypeCode: 4096, ...details }),
    event('SpamComplaint', 3, { ID: 44, Type: 'SpamComplaint', TypeCode: 512 }),
    event('Bounce', 4, { ID: 45, Type: 'AutoResponder', TypeCode: 64 }),
    event('Open', 4),
  ]) {
    expect((await postPostmarkEvent(postmarkEvent)).status).toBe(200)
  }
  expect(await readMailing(space.client, emailId)).toMatchObject({
    totals: { sent: 5, delivered: 1, bounced: 2, complained: 1 },
  })
  expect((await listRecipients(space.client, emailId)).map(({ status }) => status)).toEqual([
    'delivered',
    'bounced',
    'bounced',
    'complained',
    'sent',
  ])
  expect(await listSuppressions(space)).toEqual([
    ['m3@example.com', null, 'complaint'],
    ['m1@example.com', null, 'hard_bounce'],
  ])
})

test('a repeated or overtaken event changes nothing, and a soft bounce can become delivered or hard', async () => {
  const { space, emailId, at } = await sendMailing(2)
  const steps = [
    ['bounced', bounce('Transient'), { bounced: 1, delivered: 0, complained: 0 }],
    ['delivered', {}, { bounced: 0, delivered: 1, complained: 0 }],
    ['bounced', bounce('Transient'), { bounced: 0, delivered: 1, complained: 0 }],
    ['bounced', bounce('Permanent'), { bounced: 1, delivered: 0, complained: 0 }],
    ['complained', {}, { bounced: 0, delivered: 0, complained: 1 }],
    ['delivered', {}, { bounced: 0, delivered: 0, complained: 1 }],
  ] as const
  const etags = new Set<string | null>()
  for (const [type, more, totals] of steps) {
    const event = resendEvent(type, at(0), more)
    await postResendEvent(event)
    const after = await space.client<object>('GET', `/api/v2/emails/${emailId}`)
    expect(after.body.data).toMatchObject({ totals: { sent: 2, ...totals } })
    etags.add(after.headers.get('etag'))
    const again = await Promise.all([postResendEvent(event), postResendEvent(event)])
    expect(again.map(({ status, cost }) => [status, cost.rowsWritten])).toEqual([
      [200, 0],
      [200, 0],
    ])
    expect((await space.client<object>('GET', `/api/v2/emails/${emailId}`)).body).toEqual(after.body)
  }
  // Each change creates a new version of the mailing, and no repeated event does.
  expect(etags.size).toBe(4)
  expect(await listSuppressions(space)).toEqual([['m0@example.com', null, 'hard_bounce']])
  // A repeated event does not suppress an address again after its suppression was removed.
  const [{ id } = { id: 0 }] = (await space.client<{ id: number }[]>('GET', '/api/v2/suppressions')).body.data
  await space.client('DELETE', `/api/v2/suppressions/${id}`)
  await postResendEvent(resendEvent('bounced', at(0), bounce('Permanent')))
  expect(await listSuppressions(space)).toEqual([])
})

test('an event that is unsigned, forged, old, or without a configured secret is refused', async () => {
  const { space, emailId, at } = await sendMailing(1)
  const event = resendEvent('complained', at(0))
  const body = JSON.stringify(event)
  const [id, timestamp] = ['msg_1', timestampAgo()]
  const signed = await signEvent(id, timestamp, body)
  const raw = (headers: Record<string, string>, raw: BodyInit = body) =>
    call('POST', '/api/hooks/mail/resend', { raw, headers, env: SETTINGS })
  const good = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signed }
  const refused = [
    await raw({}),
    await raw({ ...good, 'svix-signature': '' }),
    await raw({ ...good, 'svix-signature': 'v1,' }),
    await raw({ ...good, 'svix-signature': 'v1,!!!' }),
    await raw({ ...good, 'svix-signature': signed.replace('v1,', '') }),
    await raw({ ...good, 'svix-signature': signed.replace('v1,', 'v2,') }),
    await raw({ ...good, 'svix-id': 'msg_2' }),
    await raw({ ...good, 'svix-timestamp': String(Number(timestamp) - 1) }),
    await raw({ ...good, 'svix-timestamp': '' }),
    await raw({ ...good, 'svix-timestamp': 'now' }),
    await raw(good, `${body} `),
    await postResendEvent(event, { ago: 400 }),
    await postResendEvent(event, { ago: -400 }),
    await postResendEvent(event, { secret: `whsec_${btoa('another secret of a webhook, as long')}` }),
    await postResendEvent(event, { settings: { MAIL_EVENTS_SECRETS: SECRET } }),
    await postResendEvent(event, { settings: { MAIL_EVENTS_SECRETS: `postmark=${SECRET}` } }),
    // A short secret does not count as a secret.
    await postResendEvent(event, {
      secret: btoa('short'),
      settings: { MAIL_EVENTS_SECRETS: `resend=${btoa('short')}` },
    }),
    await postPostmarkEvent(event, 'postmark:wrong'),
    await postPostmarkEvent(event, ''),
    await postPostmarkEvent(event, `${CREDENTIALS}x`),
    await call('POST', '/api/hooks/mail/postmark', { json: event, env: SETTINGS }),
    await call('POST', '/api/hooks/mail/postmark', {
      json: event,
      headers: { authorization: `Bearer ${CREDENTIALS}` },
      env: SETTINGS,
    }),
  ]
  for (const [n, { status, body, cost }] of refused.entries()) {
    expect([n, status, body.error?.code, cost.roundTrips]).toEqual([n, 401, 'unauthorized', 0])
  }
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { complained: 0 } })
  expect(await listSuppressions(space)).toEqual([])

  expect((await raw(good)).status).toBe(200)
  // Standard Webhooks uses `webhook-` headers, and a setting may have several secrets.
  const second = `whsec_${btoa('the secret that comes after this one')}`
  const two = { MAIL_EVENTS_SECRETS: `resend=${second}\n resend=${SECRET}` }
  expect((await postResendEvent(event, { prefix: 'webhook', secret: second, settings: two })).status).toBe(200)
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { complained: 1 } })
})

test('an event of a foreign, missing or unnamed message is a 200 and changes nothing', async () => {
  const { space, emailId, at, name } = await sendMailing(2)
  const stranger = await sendMailing(2)
  const { id, tag } = at(0)
  const [, random = ''] = /^\d+-\d+-\d+-(.+)$/.exec(tag) ?? []
  const { subscriptionId } = name
  const tags = [
    stranger.at(0).tag.replace(/^\d+/, String(subscriptionId)),
    `${subscriptionId}-${emailId}-0-${createUniqueId()}`,
    `${subscriptionId}-${emailId}-7-${random}`,
    `${subscriptionId}-${emailId + 1}-0-${random}`,
    `${stranger.name.subscriptionId}-${emailId}-0-${random}`,
    `${tag}x`,
    `0${tag}`,
    '',
    "1-1-1-' OR 1=1 --",
    '__proto__',
  ]
  const events = [
    ...tags.map((tag) => resendEvent('complained', { id, tag })),
    // The tag is valid, but the event's message id belongs to a different message.
    resendEvent('complained', { id: createUniqueId(), tag }),
    resendEvent('complained', { id, tag }, { tags: undefined }),
    resendEvent('complained', { id, tag }, { tags: 7 }),
    resendEvent('complained', { id, tag }, { tags: { __proto__: { groundwork: tag } } }),
    resendEvent('complained', { id, tag }, { email_id: 7 }),
    { type: 'email.complained' },
    { type: 7, data: null },
    [],
  ]
  for (const [n, event] of events.entries()) {
    const { status, cost } = await postResendEvent(event)
    expect([n, status, cost.rowsWritten]).toEqual([n, 200, 0])
  }
  for (const here of [space, stranger.space]) expect(await listSuppressions(here)).toEqual([])
  expect((await listRecipients(space.client, emailId)).map(({ status }) => status)).toEqual(['sent', 'sent'])
})

test('an oversized body, invalid JSON and an unknown provider are refused', async () => {
  const basic = { authorization: `Basic ${btoa(CREDENTIALS)}` }
  const post = (raw: BodyInit, provider = 'postmark') =>
    call('POST', `/api/hooks/mail/${provider}`, { raw, headers: basic, env: SETTINGS })
  expect((await post('{')).body.error?.code).toBe('malformed_json')
  expect((await post(' '.repeat(1_100_000))).body.error?.code).toBe('payload_too_large')
  for (const provider of ['pigeon', 'outbox', '__proto__', 'constructor', 'RESEND']) {
    const { status, body } = await post('{}', provider)
    expect([provider, status, body.error?.code]).toEqual([provider, 404, 'route_not_found'])
  }
  const { response } = await send('GET', '/api/hooks/mail/resend')
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

test('an event before its batch is recorded is kept and proves that the message was accepted', async () => {
  const space = await createSegment(3)
  const { emailId, name } = await acceptMailing(space)
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  resend.after = () => providerError(500, 'application_error')
  await simulation.handle([chunk])
  const tag = (n: number) => resend.accepted[n]?.tags[0]?.value ?? ''
  await postResendEvent(resendEvent('delivered', { id: 'a', tag: tag(0) }))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'sending',
    totals: { waiting: 3, delivered: 1 },
  })
  // The batch is retried with the same key and content, although a message of the batch is known as delivered.
  simulation.now += 60_000
  await simulation.handle([chunk])
  expect(new Set(resend.calls.map(({ key }) => key)).size).toBe(1)
  expect(resend.calls.map(({ size }) => size)).toEqual([3, 3])
  // After a day, the results of the remaining messages are unknown.
  simulation.now += 25 * 3_600_000
  await simulation.handle([chunk])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 3, waiting: 0, sent: 1, failed: 2, delivered: 1 },
  })
  // A late event of the provider corrects the result.
  await postResendEvent(resendEvent('bounced', { id: 'b', tag: tag(1) }, bounce('Permanent')))
  expect(await readMailing(space.client, emailId)).toMatchObject({
    totals: { sent: 2, failed: 1, delivered: 1, bounced: 1 },
  })
  expect((await listRecipients(space.client, emailId)).map(({ status }) => status)).toEqual([
    'delivered',
    'bounced',
    'failed',
  ])
})

test('the address of an erased person is not stored again', async () => {
  const { space, emailId, at } = await sendMailing(2)
  const { subscriptionId } = space
  await env.DB.prepare("DELETE FROM users WHERE subscription_id = ? AND email = 'm0@example.com'")
    .bind(subscriptionId)
    .run()
  await env.DB.prepare("UPDATE email_recipients SET email = '' WHERE email_id = ?").bind(emailId).run()
  for (const n of [0, 1]) expect((await postResendEvent(resendEvent('complained', at(n)))).status).toBe(200)
  // A user who was not erased is suppressed by the current address.
  expect(await listSuppressions(space)).toEqual([['m1@example.com', null, 'complaint']])
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { complained: 2 } })
})
