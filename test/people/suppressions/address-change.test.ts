import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { signUnsubscribeToken } from '../../../src/http/link-token'
import type { QueueMessage } from '../../../src/messages'
import { send } from '../../client'
import { readClock } from '../../clock'
import { acceptMailing, createSegment, fakeResend, RESEND, readMailing, simulateQueue } from '../mail/queue-simulation'

const MEMBERS = '/api/v2/segments/email-members'
const NEW = 'new@example.com'

type Space = Awaited<ReturnType<typeof createSegment>>

const usersOf = async ({ client }: Space) =>
  (await client<{ id: number; email: string }[]>('GET', '/api/v2/users?limit=100')).body.data.filter(({ email }) =>
    email.startsWith('m'),
  )

async function firstOf(space: Space): Promise<number> {
  return (await usersOf(space)).find(({ email }) => email === 'm0@example.com')?.id ?? 0
}

const move = ({ client }: Space, id: number, email = NEW) => client('PUT', `/api/v2/users/${id}`, { json: { email } })

const suppress = ({ row, subscriptionId }: Space, reason: string, segment = 0, email = 'm0@example.com') =>
  row('suppressions', { subscription_id: subscriptionId, email, reason, segment_id: segment, created_at: 1 })

const suppressionsOf = async ({ client }: Space, email: string) =>
  (
    await client<{ reason: string; segmentId: number | null }[]>('GET', `/api/v2/suppressions?email=${email}`)
  ).body.data.map(({ reason, segmentId }) => [reason, segmentId])

async function unsubscribe({ subscriptionId }: Space, emailId: number, position = 0) {
  const token = await signUnsubscribeToken(env.SIGNING_SECRETS, { subscriptionId, emailId, position })
  expect((await send('POST', `/unsubscribe/${token}`)).response.status).toBe(200)
}

async function delivered(name: { subscriptionId: number; emailId: number }, wait = 0) {
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.now += wait
  const chunk: QueueMessage = { kind: 'mail.chunk', ...name, chunk: 0 }
  await simulation.handle([chunk])
  return resend.addresses()
}

test.each(['unsubscribe', 'complaint', 'manual'])(
  'a suppression by %s follows the person to a new address',
  async (reason) => {
    const space = await createSegment(2)
    const { segmentId, client } = space
    const id = await firstOf(space)
    await suppress(space, reason)
    await suppress(space, reason, segmentId)
    const changed = await move(space, id)
    expect([changed.status, changed.cost.roundTrips]).toEqual([200, 1])
    expect(await suppressionsOf(space, NEW)).toEqual([
      [reason, segmentId],
      [reason, null],
    ])
    // The old address stays suppressed for mail that is on its way there.
    expect(await suppressionsOf(space, 'm0@example.com')).toHaveLength(2)
    expect((await acceptMailing(space, undefined, { userIds: [id] }, MEMBERS)).to).toEqual([])
    expect((await acceptMailing(space)).to).toEqual(['m1@example.com'])
    const events = await client<{ data: { email: string } }[]>('GET', '/api/v2/events?type=suppression.created')
    expect(events.body.data.map(({ data }) => data.email)).toEqual([NEW, NEW])
    // A repeated change writes nothing.
    expect((await move(space, id)).cost.rowsWritten).toBe(0)
  },
)

test('a hard bounce stays with the old address, and an existing suppression of the new address stays', async () => {
  const space = await createSegment(1)
  const id = await firstOf(space)
  await suppress(space, 'hard_bounce')
  await move(space, id)
  expect(await suppressionsOf(space, NEW)).toEqual([])
  expect((await acceptMailing(space)).to).toEqual([NEW])
  await suppress(space, 'unsubscribe', 0, NEW)
  await suppress(space, 'complaint', 0, 'other@example.com')
  await move(space, id, 'other@example.com')
  expect(await suppressionsOf(space, 'other@example.com')).toEqual([['complaint', null]])
})

test('mail that was queued or scheduled before an address change respects the suppression', async () => {
  const space = await createSegment(2)
  const id = await firstOf(space)
  const queued = await acceptMailing(space)
  const later = readClock() + 60_000
  const scheduled = await acceptMailing(space, RESEND, { scheduledAt: new Date(later).toISOString() })
  await suppress(space, 'unsubscribe')
  await move(space, id)
  expect(await delivered(queued.name)).toEqual(['m1@example.com'])
  expect(await delivered(scheduled.name, 120_000)).toEqual(['m1@example.com'])
  expect(await readMailing(space.client, scheduled.emailId)).toMatchObject({ totals: { sent: 1, suppressed: 1 } })
})

test('the link in a mail to the old address also suppresses the new address', async () => {
  const space = await createSegment(1)
  const { segmentId } = space
  const id = await firstOf(space)
  const sent = await acceptMailing(space)
  const waiting = await acceptMailing(space)
  await delivered(sent.name)
  await move(space, id)
  await unsubscribe(space, sent.emailId)
  expect(await suppressionsOf(space, NEW)).toEqual([['unsubscribe', segmentId]])
  expect((await acceptMailing(space)).to).toEqual([])
  expect(await delivered(waiting.name)).toEqual([])
  const events = await space.client<object[]>('GET', '/api/v2/events?type=member.unsubscribed')
  expect(events.body.data).toHaveLength(1)
})

test('mail to the old address is left out after the new address unsubscribes', async () => {
  const space = await createSegment(1)
  const id = await firstOf(space)
  const waiting = await acceptMailing(space)
  await move(space, id)
  await suppress(space, 'unsubscribe', 0, NEW)
  expect(await delivered(waiting.name)).toEqual([])
})
