import { expect, test } from 'vitest'
import type { QueueMessage } from '../../../../src/messages'
import { call } from '../../../client'
import { readClock } from '../../../clock'
import { runtimeTest } from '../../../runtime-test'
import { createUniqueId } from '../../../unique'
import { acceptMailing, createSegment, listRecipients, RESEND, readMailing, simulateQueue } from '../queue-simulation'

const TELNYX = { ...RESEND, MAIL_PROVIDER: 'telnyx' }

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
const ed25519 = { name: 'Ed25519' }

async function createKeyPair() {
  const keys = (await crypto.subtle.generateKey(ed25519, true, ['sign', 'verify'])) as CryptoKeyPair
  const publicKey = base64((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer)
  return { publicKey, privateKey: keys.privateKey }
}

const [own, other] = [await createKeyPair(), await createKeyPair()]
const SETTINGS = { MAIL_EVENTS_SECRETS: `telnyx=${other.publicKey} telnyx=${own.publicKey}` }

const encoder = new TextEncoder()
const timestampAgo = (ago = 0) => String(Math.floor(readClock() / 1000) - ago)
const signEvent = async (timestamp: string, body: string, { privateKey } = own) =>
  base64(await crypto.subtle.sign(ed25519, privateKey, encoder.encode(`${timestamp}|${body}`)))

const post = (body: string, headers: Record<string, string>, settings = SETTINGS) =>
  call('POST', '/api/hooks/mail/telnyx', { raw: body, headers, env: settings })

async function postTelnyxEvent(event: object) {
  const [timestamp, body] = [timestampAgo(), JSON.stringify(event)]
  return post(body, {
    'content-type': 'application/json',
    'telnyx-timestamp': timestamp,
    'telnyx-signature-ed25519': await signEvent(timestamp, body),
  })
}

const eventOf = (
  type: string,
  id: string,
  { minutes = 0, ...more }: { minutes?: number; error_evidence?: object } = {},
) => {
  const occurred_at = new Date(readClock() - minutes * 60_000).toISOString()
  const from = { email: 'sender@example.com', name: 'Telnyx' }
  const to = { email: 'recipient@example.com', name: null, kind: 'to' }
  const payload = { id, recipient_id: createUniqueId(), status: type, occurred_at, from, to, subject: 'Hi', ...more }
  const data = { event_type: `email.${type}`, id: createUniqueId(), occurred_at, payload, record_type: 'event' }
  return { data, meta: { attempt: 1 } }
}

const evidence = (code: string, enhanced_code: string | null) => ({
  error_evidence: { code, message: `550 ${enhanced_code} refused`, enhanced_code, source: 'smtp', retryable: false },
})

/** Sends a mailing through Telnyx, and returns the ids of the messages. */
async function sendMailing(size: number) {
  const space = await createSegment(size)
  const accepted = await acceptMailing(space, TELNYX)
  const ids: string[] = []
  const simulation = simulateQueue(TELNYX, async (_, init) => {
    const { messages }: { messages: object[] } = JSON.parse(String(init?.body))
    const data = messages.map(() => ({ id: createUniqueId() }))
    ids.push(...data.map(({ id }) => id))
    return Response.json({ data, errors: [] }, { status: 202 })
  })
  const chunk: QueueMessage = { kind: 'mail.chunk', ...accepted.name, chunk: 0 }
  return { space, ...accepted, id: (n: number) => ids[n] ?? '', send: () => simulation.handle([chunk]) }
}

runtimeTest('events of Telnyx find recipients by message id, set their states and suppress addresses', async () => {
  const { space, emailId, id, send } = await sendMailing(7)
  await send()
  for (const [event, written] of [
    [eventOf('sent', id(0)), false],
    [eventOf('delivered', id(0)), true],
    [eventOf('delivered', id(0)), false],
    [eventOf('bounced', id(1), evidence('30001', '5.1.1')), true],
    [eventOf('bounced', id(2), evidence('30001', '5.7.1')), true],
    [eventOf('bounced', id(3), evidence('30005', null)), true],
    [eventOf('failed', id(4), evidence('30006', null)), true],
    [eventOf('delivered', id(5)), true],
    [eventOf('complained', id(5)), true],
    [eventOf('deferred', id(6), evidence('30002', '4.2.1')), false],
    [eventOf('opened', id(6)), false],
  ] as const) {
    const { status, cost } = await postTelnyxEvent(event)
    expect([event.data.event_type, status, cost.rowsWritten > 0]).toEqual([event.data.event_type, 200, written])
    expect(cost.roundTrips).toBeLessThanOrEqual(2)
    // An index finds the message.
    expect(cost.rowsRead).toBeLessThan(60)
  }
  expect(await readMailing(space.client, emailId)).toMatchObject({
    totals: { sent: 7, delivered: 1, bounced: 4, complained: 1 },
  })
  const states = (await listRecipients(space.client, emailId)).map(({ status, reason }) => [status, reason])
  expect(states.slice(0, 3)).toEqual([
    ['delivered', null],
    ['bounced', '550 5.1.1 refused'],
    ['bounced', '550 5.7.1 refused'],
  ])
  expect(states[6]).toEqual(['sent', null])
  const stopped = await space.client<{ email: string; reason: string }[]>('GET', '/api/v2/suppressions')
  expect(stopped.body.data.map(({ email, reason }) => [email, reason])).toEqual([
    ['m5@example.com', 'complaint'],
    ['m1@example.com', 'hard_bounce'],
  ])
})

test('an early event of Telnyx is asked for again, and an event of an unknown message is not', async () => {
  const { space, emailId, send } = await sendMailing(2)
  const unknown = createUniqueId()
  const early = await postTelnyxEvent(eventOf('delivered', unknown))
  expect([early.status, early.body.error?.code, early.headers.get('retry-after')]).toEqual([
    503,
    'temporarily_unavailable',
    '60',
  ])
  await send()
  expect((await postTelnyxEvent(eventOf('delivered', unknown, { minutes: 6 }))).status).toBe(200)
  for (const event of [{}, [], { data: { event_type: 'email.delivered' } }, eventOf('delivered', 7 as never)]) {
    expect((await postTelnyxEvent(event)).status).toBe(200)
  }
  // A message of a different provider is not found by its id.
  const ofResend = await createSegment(1)
  const { name } = await acceptMailing(ofResend)
  const resend = simulateQueue(RESEND, async () => Response.json({ data: [{ id: 'shared-id' }] }))
  await resend.handle([{ kind: 'mail.chunk', ...name, chunk: 0 }])
  await postTelnyxEvent(eventOf('complained', 'shared-id', { minutes: 6 }))
  for (const [client, id] of [
    [space.client, emailId],
    [ofResend.client, name.emailId],
  ] as const) {
    expect(await readMailing(client, id)).toMatchObject({ totals: { delivered: 0, complained: 0 } })
  }
})

test('an event of Telnyx that is unsigned, forged or old is refused', async () => {
  const { space, emailId, id, send } = await sendMailing(1)
  await send()
  const body = JSON.stringify(eventOf('complained', id(0)))
  const now = timestampAgo()
  const good = { 'telnyx-timestamp': now, 'telnyx-signature-ed25519': await signEvent(now, body) }
  const at = async (ago: number) => {
    const timestamp = timestampAgo(ago)
    return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': await signEvent(timestamp, body) }
  }
  const stranger = await createKeyPair()
  const refused = [
    await post(body, {}),
    await post(body, { ...good, 'telnyx-signature-ed25519': '' }),
    await post(body, { ...good, 'telnyx-signature-ed25519': '!!!' }),
    await post(body, { ...good, 'telnyx-signature-ed25519': btoa('short') }),
    await post(body, { ...good, 'telnyx-signature-ed25519': await signEvent(now, body, stranger) }),
    await post(body, { ...good, 'telnyx-timestamp': '' }),
    await post(body, { ...good, 'telnyx-timestamp': String(Number(now) - 1) }),
    await post(`${body} `, good),
    await post(body, await at(400)),
    await post(body, await at(-400)),
    await post(body, good, { MAIL_EVENTS_SECRETS: `resend=${own.publicKey}` }),
    await post(body, good, { MAIL_EVENTS_SECRETS: `telnyx=${stranger.publicKey} telnyx=${'a'.repeat(40)}` }),
  ]
  for (const [n, { status, body, cost }] of refused.entries()) {
    expect([n, status, body.error?.code, cost.roundTrips]).toEqual([n, 401, 'unauthorized', 0])
  }
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { complained: 0 } })
  expect((await post(body, good)).status).toBe(200)
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { complained: 1 } })
})
