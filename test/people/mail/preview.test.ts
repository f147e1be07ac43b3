import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { readClock } from '../../clock'
import { createSegment, MESSAGE } from './queue-simulation'

type Space = Awaited<ReturnType<typeof createSegment>>

interface Preview {
  recipients: number
  skipped: Record<string, number>
  skippedMembers: { userId: number; email: string; reason: string }[]
  withoutName: { firstName: number; lastName: number }
  isComplete: boolean
  member: { userId: number; email: string; skipReason: string | null } | null
  message: { subject: string; html: string; text: string; to: string; headers: Record<string, string> } | null
}

const preview = ({ client, segmentId }: Pick<Space, 'client' | 'segmentId'>, json: object = {}, apiKey?: string) =>
  client<Preview>('POST', `/api/v2/segments/${segmentId}/email/preview`, { json, ...(apiKey && { apiKey }) })

const suppress = ({ subscriptionId }: Space, email: string, reason: string, segmentId = 0) =>
  env.DB.prepare(
    'INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, ?, ?, ?, 0)',
  )
    .bind(subscriptionId, email, segmentId, reason)
    .run()

const findId = async ({ subscriptionId }: Space, email: string): Promise<number> =>
  (
    await env.DB.prepare('SELECT id FROM users WHERE subscription_id = ? AND email = ?')
      .bind(subscriptionId, email)
      .first<{ id: number }>()
  )?.id ?? 0

const nameUser = ({ subscriptionId }: Space, email: string, firstName: string, attributes = '{}') =>
  env.DB.prepare('UPDATE users SET first_name = ?, attributes = ? WHERE subscription_id = ? AND email = ?')
    .bind(firstName, attributes, subscriptionId, email)
    .run()

const NOBODY_SKIPPED = { unsubscribe: 0, hard_bounce: 0, complaint: 0, manual: 0, unconfirmed: 0 }

test('a preview counts the recipients and names who is skipped, in one round trip', async () => {
  const space = await createSegment(5)
  await suppress(space, 'm0@example.com', 'unsubscribe', space.segmentId)
  await suppress(space, 'm1@example.com', 'hard_bounce')
  await suppress(space, 'm2@example.com', 'complaint', space.segmentId + 1)
  await nameUser(space, 'm3@example.com', 'Ada')
  const reply = await preview(space)
  expect([reply.status, reply.cost.roundTrips]).toEqual([200, 1])
  expect(reply.body.data).toEqual({
    recipients: 3,
    skipped: { ...NOBODY_SKIPPED, unsubscribe: 1, hard_bounce: 1 },
    skippedMembers: [
      { userId: await findId(space, 'm0@example.com'), email: 'm0@example.com', reason: 'unsubscribe' },
      { userId: await findId(space, 'm1@example.com'), email: 'm1@example.com', reason: 'hard_bounce' },
    ],
    withoutName: { firstName: 2, lastName: 3 },
    refusedElsewhere: { people: 0, imports: [] },
    isComplete: true,
    member: { userId: await findId(space, 'm2@example.com'), email: 'm2@example.com', skipReason: null },
    message: null,
  })
  const sent = await space.client<{ email: string }[]>('POST', `/api/v2/segments/${space.segmentId}/email`, {
    json: MESSAGE,
  })
  expect(sent.body.data).toHaveLength(3)
})

test('a preview renders the message of the chosen member, as the member will get it', async () => {
  const space = await createSegment(2)
  await nameUser(space, 'm1@example.com', '<b>Ada</b>', '{"plan":"pro"}')
  await suppress(space, 'm1@example.com', 'manual')
  const message = {
    subject: '{{firstName}}, try it',
    html: '<p onclick="x()">Hello {{ firstName }} on {{attributes.plan}}, <a href="{{unsubscribeUrl}}">leave</a></p><script>x()</script>',
  }
  const userId = await findId(space, 'm1@example.com')
  const { data } = (await preview(space, { ...message, userId })).body
  expect(data.member).toEqual({ userId, email: 'm1@example.com', skipReason: 'manual' })
  expect(data.message).toMatchObject({ subject: '<b>Ada</b>, try it', to: 'm1@example.com' })
  expect(data.message?.html).toContain('<p>Hello &lt;b&gt;Ada&lt;/b&gt; on pro, <a href="')
  expect(data.message?.html).toContain('/unsubscribe/hidden')
  expect(data.message?.html).not.toContain('script')
  expect(data.message?.text).toContain('Hello <b>Ada</b> on pro')

  const test = await space.client('POST', '/api/v2/emails/test', { json: { ...message, to: ['m1@example.com'] } })
  const at = `${test.headers.get('location')}/recipients/0`
  const stored = (await space.client<{ message: Preview['message'] }>('GET', at)).body.data.message
  expect(stored).toEqual(data.message)
})

test('a preview evaluates the rules of a dynamic segment in a second round trip', async () => {
  const space = await createSegment(3)
  await nameUser(space, 'm2@example.com', 'Ada')
  const rules = { match: 'all', conditions: [{ attribute: 'firstName', operator: 'is_set' }] }
  const { body } = await space.client<{ id: number }>('POST', '/api/v2/segments', {
    json: { name: 'Named', type: 'dynamic', rules },
  })
  const named = { ...space, segmentId: body.data.id }
  await suppress(space, 'm2@example.com', 'complaint')
  const reply = await preview(named, MESSAGE)
  expect(reply.cost.roundTrips).toBe(2)
  expect(reply.body.data.skipped).toEqual({ ...NOBODY_SKIPPED, complaint: 1 })
  const member = await preview(named, { ...MESSAGE, userId: await findId(space, 'm2@example.com') })
  expect(member.body.data).toMatchObject({ member: { skipReason: 'complaint' }, message: { to: 'm2@example.com' } })
  const other = await preview(named, { userId: await findId(space, 'm0@example.com') })
  expect([other.status, other.body.error?.issues[0]?.path]).toEqual([400, '/userId'])
})

test('a preview counts members who have not confirmed', async () => {
  const space = await createSegment(2)
  await env.DB.prepare('UPDATE segments SET double_opt_in = 1 WHERE id = ?').bind(space.segmentId).run()
  await env.DB.prepare(
    "INSERT INTO segment_confirmations (subscription_id, segment_id, user_id, status, created_at) VALUES (?, ?, ?, 'pending', 0)",
  )
    .bind(space.subscriptionId, space.segmentId, await findId(space, 'm0@example.com'))
    .run()
  const { data } = (await preview(space)).body
  expect([data.recipients, data.skipped.unconfirmed, data.member?.email]).toEqual([1, 1, 'm1@example.com'])
})

test('a key that may not read people gets the counts only', async () => {
  const space = await createSegment(2)
  await suppress(space, 'm0@example.com', 'manual')
  const apiKey = await space.key({ scopes: ['mail:read'] })
  const { body } = await preview(space, MESSAGE, apiKey)
  expect(body.data).toMatchObject({ recipients: 1, skippedMembers: [], member: null, message: null })
  expect(body.data.skipped.manual).toBe(1)
})

test('a preview refuses what a mailing refuses, and an unknown segment', async () => {
  const space = await createSegment(1)
  const unknown = await preview(space, { subject: '{{nickname}}', html: '<p>Hello</p>' })
  expect([unknown.status, unknown.body.error?.issues[0]?.path]).toEqual([400, '/subject'])
  expect((await preview({ ...space, segmentId: space.segmentId + 1 })).status).toBe(404)
})

test('the recipients of a mailing filter by status', async () => {
  const space = await createSegment(3)
  await space.client('POST', `/api/v2/segments/${space.segmentId}/email`, {
    json: { ...MESSAGE, scheduledAt: new Date(readClock() + 3_600_000).toISOString() },
  })
  const [mailing] = (await space.client<{ id: number }[]>('GET', '/api/v2/emails?kind=segment')).body.data
  await env.DB.prepare(
    "UPDATE email_recipients SET status = 'failed', reason = 'Mailbox full' WHERE position = 1",
  ).run()
  const read = async (status: string) =>
    (await space.client<{ position: number }[]>('GET', `/api/v2/emails/${mailing?.id}/recipients?status=${status}`))
      .body.data
  expect((await read('failed')).map(({ position }) => position)).toEqual([1])
  expect((await read('queued,failed')).map(({ position }) => position)).toEqual([0, 1, 2])
  expect(await read('sent')).toEqual([])
})
