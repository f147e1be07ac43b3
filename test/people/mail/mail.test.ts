import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { QueueMessage } from '../../../src/messages'
import { readClock } from '../../clock'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { createUniqueId } from '../../unique'
import { createSegment } from './queue-simulation'

const MESSAGE = { subject: 'What we ship in May', html: '<p>Hello</p>' }

function createRecordingQueue() {
  const sent: QueueMessage[] = []
  const QUEUE = new Proxy(env.QUEUE, {
    get(target, property) {
      if (property !== 'send') return Reflect.get(target, property)
      return async (message: QueueMessage) => {
        sent.push(message)
      }
    },
  })
  return { sent, env: { QUEUE } }
}

test('a mailing to a segment returns its members in one round trip and wakes the queue', async () => {
  const { client, segmentId, subscriptionId } = await createSegment(3)
  const queued = createRecordingQueue()
  const sent = await client<{ email: string }[]>('POST', `/api/v2/segments/${segmentId}/email`, {
    json: MESSAGE,
    env: queued.env,
  })
  expect(sent.status).toBe(200)
  expect(sent.body).toEqual({
    success: true,
    message: 'The e-mail was sent to all members of the segment.',
    data: [{ email: 'm0@example.com' }, { email: 'm1@example.com' }, { email: 'm2@example.com' }],
  })
  expect(sent.cost.roundTrips).toBe(1)
  const location = sent.headers.get('location') ?? ''
  expect(location).toMatch(/^\/api\/v2\/emails\/\d+$/)
  const emailId = Number(location.split('/').at(-1))
  expect(queued.sent).toEqual([{ kind: 'mail.accepted', subscriptionId, randomName: expect.any(String) }])

  const email = await client('GET', location)
  expect(email.cost.roundTrips).toBe(1)
  expect(email.headers.get('etag')).toMatch(/^"v1-/)
  expect(email.body.data).toEqual({
    id: emailId,
    kind: 'segment',
    segmentId,
    subject: 'What we ship in May',
    replyTo: null,
    status: 'queued',
    totals: {
      ...{ recipients: 3, waiting: 3, sent: 0, failed: 0, suppressed: 0, canceled: 0 },
      ...{ delivered: 0, bounced: 0, complained: 0 },
    },
    progress: 0,
    scheduledAt: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    completedAt: null,
  })
  const events = await client<{ type: string }[]>('GET', '/api/v2/events?type=email.accepted')
  expect(events.body.data.length).toBe(1)
})

test('a mailing to an empty segment is complete at once', async () => {
  const { client, segmentId } = await createSegment(0)
  const queued = createRecordingQueue()
  const sent = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE, env: queued.env })
  expect([sent.status, sent.body.data]).toEqual([200, []])
  expect(queued.sent).toEqual([])
  const email = await client('GET', sent.headers.get('location') ?? '')
  expect(email.body.data).toMatchObject({ status: 'completed', progress: 100, totals: { recipients: 0 } })
})

runtimeTest('a mailing to 50,000 members is accepted in one round trip', async () => {
  const { client, segmentId } = await createSegment(50_000)
  const sent = await client<{ email: string }[]>('POST', `/api/v2/segments/${segmentId}/email`, {
    json: MESSAGE,
    env: { ...createRecordingQueue().env, MAIL_PROVIDER: 'resend' },
  })
  expect(sent.cost.roundTrips).toBe(1)
  expect(new Set(sent.body.data.map(({ email }) => email)).size).toBe(50_000)
  // A row per recipient, two rows per chunk, and the rows of the mailing.
  expect(sent.cost.rowsWritten).toBeLessThan(51_100)
  expect(sent.cost.rowsRead).toBeLessThan(410_000)
  const chunks = await env.DB.prepare('SELECT count(*) AS n, max(chunk) AS last FROM email_chunks WHERE email_id = ?')
    .bind(Number(sent.headers.get('location')?.split('/').at(-1)))
    .first()
  expect(chunks).toEqual({ n: 500, last: 499 })
})

test('a retry with the same Idempotency-Key returns the same recipients and creates no second mailing', async () => {
  const { client, segmentId, subscriptionId } = await createSegment(1200)
  const queued = createRecordingQueue()
  const options = { json: MESSAGE, headers: { 'idempotency-key': 'may' }, env: queued.env }
  const first = await client('POST', `/api/v2/segments/${segmentId}/email`, options)
  const second = await client('POST', `/api/v2/segments/${segmentId}/email`, options)
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(queued.sent.length).toBe(1)
  const count = await env.DB.prepare('SELECT count(*) AS n FROM emails WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first()
  expect(count).toEqual({ n: 1 })
})

test.each([
  ['no subject', { html: '<p>x</p>' }, '/subject'],
  ['an empty subject', { ...MESSAGE, subject: '' }, '/subject'],
  ['a blank subject', { ...MESSAGE, subject: '  ' }, '/subject'],
  ['a subject of 999 characters', { ...MESSAGE, subject: 'x'.repeat(999) }, '/subject'],
  ['a subject with a line break', { ...MESSAGE, subject: 'Hi\nthere' }, '/subject'],
  ['a subject with a header in it', { ...MESSAGE, subject: 'Hi\r\nBcc: eve@example.com' }, '/subject'],
  ['a subject with another line break', { ...MESSAGE, subject: 'Hi\u2028there' }, '/subject'],
  ['a subject with an escape', { ...MESSAGE, subject: 'Hi\u001bthere' }, '/subject'],
  ['a subject with NUL', { ...MESSAGE, subject: 'Hi\u0000' }, '/subject'],
  ['a subject with half a surrogate pair', { ...MESSAGE, subject: 'Hi\ud800' }, '/subject'],
  ['a subject that is a number', { ...MESSAGE, subject: 7 }, '/subject'],
  ['no HTML', { subject: 'Hi' }, '/html'],
  ['empty HTML', { ...MESSAGE, html: '' }, '/html'],
  ['HTML with only a script', { ...MESSAGE, html: '<script>alert(1)</script> ' }, '/html'],
  ['HTML with 100,000 levels', { ...MESSAGE, html: '<b>'.repeat(80_000) }, '/html'],
])('a mailing with %s is refused with the path of the field, and nothing is stored', async (_, json, path) => {
  const { client, segmentId, subscriptionId } = await createSegment(1)
  const refused = await client('POST', `/api/v2/segments/${segmentId}/email`, { json })
  expect(refused.status).toBe(400)
  expect(refused.body.error?.issues.map((issue) => issue.path)).toContain(path)
  const count = await env.DB.prepare('SELECT count(*) AS n FROM emails WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first()
  expect(count).toEqual({ n: 0 })
})

test('a segment, mailing or recipient of another workspace is not found', async () => {
  const { client, segmentId } = await createSegment(2)
  const sent = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  const location = sent.headers.get('location') ?? ''
  const stranger = await createWorkspace()
  const mailed = await stranger.client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  expect([mailed.status, mailed.body.error?.code]).toEqual([404, 'segment_not_found'])
  for (const path of [location, `${location}/recipients`, `${location}/recipients/0`]) {
    const answer = await stranger.client('GET', path)
    expect([path, answer.status, answer.body.error?.code]).toEqual([path, 404, 'email_not_found'])
  }
  const beyond = await client('GET', `${location}/recipients/2`)
  expect([beyond.status, beyond.body.error?.code]).toEqual([404, 'recipient_not_found'])
})

test('a removed segment cannot be mailed, and removed users get no mail', async () => {
  const { client, segmentId, subscriptionId } = await createSegment(2)
  await env.DB.prepare("UPDATE users SET deleted_at = 1 WHERE subscription_id = ? AND email = 'm0@example.com'")
    .bind(subscriptionId)
    .run()
  const sent = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  expect(sent.body.data).toEqual([{ email: 'm1@example.com' }])
  await env.DB.prepare('UPDATE segments SET deleted_at = 1 WHERE id = ?').bind(segmentId).run()
  const refused = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  expect([refused.status, refused.body.error?.code]).toEqual([404, 'segment_not_found'])
})

test('the pages of recipients hold each recipient once, in both directions', async () => {
  const { client, segmentId } = await createSegment(7)
  const sent = await client('POST', `/api/v2/segments/${segmentId}/email`, { json: MESSAGE })
  for (const sort of ['position', '-position']) {
    const positions: number[] = []
    let path: string | undefined = `${sent.headers.get('location')}/recipients?limit=3&sort=${sort}`
    while (path) {
      const page: Awaited<ReturnType<typeof client<{ position: number }[]>>> = await client('GET', path)
      expect(page.cost.roundTrips).toBe(1)
      positions.push(...page.body.data.map(({ position }) => position))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    const expected = [0, 1, 2, 3, 4, 5, 6]
    expect(positions).toEqual(sort === 'position' ? expected : expected.reverse())
  }
})

test('a segment has a limit of mailings per hour, even with parallel requests', async () => {
  const { client, segmentId } = await createSegment(1)
  const other = await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Another' } })
  const send = (id: number, headers = {}) =>
    client('POST', `/api/v2/segments/${id}/email`, {
      json: MESSAGE,
      headers,
      env: { ...createRecordingQueue().env, MAILINGS_PER_HOUR: '5' },
    })
  const first = await send(segmentId, { 'idempotency-key': 'once' })
  const rest = await Promise.all(Array.from({ length: 9 }, () => send(segmentId)))
  expect([first, ...rest].map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(429)])
  const refused = await send(segmentId)
  expect(refused.body.error?.code).toBe('rate_limited')
  expect(refused.body.message).toBe('This segment was mailed 5 times within an hour. Send later.')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
  // A retry returns the stored response, and a second segment is not limited.
  expect((await send(segmentId, { 'idempotency-key': 'once' })).status).toBe(200)
  expect((await send(other.body.data.id)).status).toBe(200)

  await env.DB.prepare('UPDATE emails SET created_at = created_at - 3600000 WHERE segment_id = ?').bind(segmentId).run()
  expect((await send(segmentId)).status).toBe(200)
})

test('a workspace has a limit of mailings per hour, as set or by default', async () => {
  const { client, row, subscriptionId, segmentId } = await createSegment(1)
  const other = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Another' } })).body.data.id
  const send = (id: number, settings: object) =>
    client('POST', `/api/v2/segments/${id}/email`, {
      json: MESSAGE,
      env: { ...createRecordingQueue().env, ...settings },
    })
  const few = { WORKSPACE_MAILINGS_PER_HOUR: '3' }
  const many = await Promise.all([segmentId, other, segmentId, other, segmentId].map((id) => send(id, few)))
  expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
  const refused = await send(other, few)
  expect(refused.body.message).toBe('This workspace was mailed 3 times within an hour. Send later.')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
  const stranger = await createSegment(1)
  const free = { json: MESSAGE, env: { ...createRecordingQueue().env, ...few } }
  expect((await stranger.client('POST', `/api/v2/segments/${stranger.segmentId}/email`, free)).status).toBe(200)

  const unset = { MAILINGS_PER_HOUR: undefined, WORKSPACE_MAILINGS_PER_HOUR: undefined }
  const mailing = { subscription_id: subscriptionId, segment_id: segmentId, subject: '', html: '', text: '' }
  const sent = { ...mailing, base_url: '', chunk_size: 1, total: 0, created_at: readClock(), updated_at: 1 }
  for (let n = 0; n < 18; n++) await row('emails', { ...sent, reference: createUniqueId() })
  expect((await send(other, unset)).status).toBe(200)
  expect((await send(segmentId, { ...unset, MAILINGS_PER_HOUR: 'many' })).status).toBe(429)

  const more = (kind: string, count: number) =>
    env.DB.prepare(
      `INSERT INTO emails (subscription_id, reference, kind, subject, html, text, base_url, chunk_size, total, created_at, updated_at)
       SELECT ?1, ?2 || value, ?2, '', '', '', '', 1, 0, ?3, 1 FROM json_each(?4)`,
    )
      .bind(subscriptionId, kind, readClock(), JSON.stringify(Array.from({ length: count }, (_, n) => n)))
      .run()
  // Mailings sent by the service itself do not count.
  await more('feedback', 300)
  expect((await send(other, unset)).status).toBe(200)
  await more('members', 200)
  expect((await send(other, unset)).body.message).toBe(
    'This workspace was mailed 200 times within an hour. Send later.',
  )
})

test('a key without mail:read and segments:read sends mail without seeing the recipients', async () => {
  const { client, key, segmentId } = await createSegment(2)
  const headers = { 'idempotency-key': 'once' }
  const send = async (...scopes: string[]) => {
    const apiKey = await key({ scopes })
    const options = { json: MESSAGE, apiKey, headers }
    const first = await client<{ email: string }[]>('POST', `/api/v2/segments/${segmentId}/email`, options)
    const again = await client<{ email: string }[]>('POST', `/api/v2/segments/${segmentId}/email`, options)
    expect([first.status, again.headers.get('idempotent-replayed'), again.body.data]).toEqual([
      200,
      'true',
      first.body.data,
    ])
    return first.body.data
  }
  expect(await send('mail:write')).toEqual([{ email: '' }, { email: '' }])
  for (const reading of ['mail:read', 'segments:read', 'products:read']) {
    expect(await send('mail:write', reading)).toEqual([{ email: 'm0@example.com' }, { email: 'm1@example.com' }])
  }
})
