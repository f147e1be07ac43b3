import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { users } from '../../../src/db/schema/tenancy'
import { caller, inline, param } from '../../../src/db/sql/statement'
import { MAX_VARIABLES_BYTES, RECIPIENTS_PER_SLICE } from '../../../src/people/mail/slices'
import { createMailAcceptedMessage, createMailing, createMailStatements } from '../../../src/people/mail/statements'
import { readClock } from '../../clock'
import { runtimeTest } from '../../runtime-test'
import {
  countEventsOf,
  createSegment,
  fakeResend,
  listRecipients,
  memberAddresses,
  RESEND,
  readMailing,
  simulateQueue,
} from './queue-simulation'

/** A mailing of an area to the recipients of a JSON list of `[address, variables]`. */
const listMailing = createMailStatements<{ list: string }>(
  'feedback',
  sql`SELECT ${users.id} AS "userId", t.value ->> 1 AS "variables" FROM json_each(${param('list')}) t
    CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = t.value ->> 0`,
)

const MESSAGE = {
  subject: 'News of {{title}}',
  html: '<p>Hello {{ firstName }}, <a href="{{link}}">{{title}}</a> <a href="{{unsubscribeUrl}}">no more</a></p>',
  text: 'Hello {{firstName}}, {{title}}: {{link}}',
}

type Space = Awaited<ReturnType<typeof createSegment>>
type Recipient = [email: string, variables: object | null]

async function acceptMailing({ subscriptionId }: Space, people: Recipient[], message = MESSAGE) {
  const mailing = createMailing(message, RESEND, 'https://groundwork.test')
  const list = people.map(([email, variables]) => [email, variables && JSON.stringify(variables)])
  await openStore(env.DB, readClock()).batch(subscriptionId, ...listMailing(mailing, { list: JSON.stringify(list) }))
  return createMailAcceptedMessage(subscriptionId, mailing)
}

const findMailingId = async ({ subscriptionId }: Space) =>
  (await env.DB.prepare('SELECT id FROM emails WHERE subscription_id = ?').bind(subscriptionId).first<{ id: number }>())
    ?.id

test('a mailing of an area fills in its values for each recipient, escaped in HTML', async () => {
  const space = await createSegment(3)
  const { subscriptionId } = space
  await env.DB.prepare(
    "UPDATE users SET first_name = '<b>Ada</b>' WHERE subscription_id = ? AND email = 'm0@example.com'",
  )
    .bind(subscriptionId)
    .run()
  const wake = await acceptMailing(space, [
    ['m0@example.com', { title: 'Maps & "more"', link: 'https://x.test/?a=1&b=2' }],
    ['m1@example.com', { title: 'Two\r\nBcc: eve@example.com', link: 'javascript:alert(1)' }],
    ['m2@example.com', null],
  ])
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(wake)
  await simulation.drain()

  const [first, second, third] = resend.accepted
  const link = /<(.+)>/.exec(first?.headers['List-Unsubscribe'] ?? '')?.[1]
  expect(first).toMatchObject({
    to: ['m0@example.com'],
    subject: 'News of Maps & "more"',
    html: `<p>Hello &lt;b&gt;Ada&lt;/b&gt;, <a href="https://x.test/?a=1&amp;b=2">Maps &amp; &quot;more&quot;</a> <a href="${link}">no more</a></p>`,
    text: 'Hello <b>Ada</b>, Maps & "more": https://x.test/?a=1&b=2',
  })
  expect(second?.subject).toBe('News of Two Bcc: eve@example.com')
  expect(second?.html).toContain('<a href="">')
  // A variable without a value stays as written.
  expect(third?.subject).toBe('News of {{title}}')

  const emailId = (await findMailingId(space)) ?? 0
  expect(await readMailing(space.client, emailId)).toMatchObject({
    kind: 'feedback',
    segmentId: null,
    status: 'completed',
    totals: { recipients: 3, sent: 3 },
  })
  const shown = await space.client<{ message: object }>('GET', `/api/v2/emails/${emailId}/recipients/0`)
  expect(shown.body.data.message).toMatchObject({ subject: first?.subject, text: first?.text })
  for (const type of ['email.accepted', 'email.completed']) expect(await countEventsOf(subscriptionId, type)).toBe(1)
})

test('a link of several values never becomes a script, whichever value is empty', async () => {
  const space = await createSegment(3)
  const html = '<p><a href="{{link}}{{path}}">one</a> <a href="{{link}}/b?c=1">two</a> {{link}}{{path}}</p>'
  const wake = await acceptMailing(
    space,
    [
      ['m0@example.com', { link: '', path: 'javascript:alert(1)' }],
      ['m1@example.com', { link: 'https://x.test', path: '/y"z' }],
      ['m2@example.com', null],
    ],
    { ...MESSAGE, html },
  )
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(wake)
  await simulation.drain()
  expect(resend.accepted.map((message) => message.html)).toEqual([
    '<p><a href="">one</a> <a href="">two</a> javascript:alert(1)</p>',
    '<p><a href="https://x.test/y&quot;z">one</a> <a href="https://x.test/b?c=1">two</a> https://x.test/y&quot;z</p>',
    html,
  ])
})

test('an area mailing skips suppressed and removed people, and reaches people who left a segment', async () => {
  const space = await createSegment(6)
  const { subscriptionId, segmentId } = space
  const suppress = (email: string, segment: number) =>
    env.DB.prepare(
      "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, ?, ?, 'unsubscribe', 0)",
    )
      .bind(subscriptionId, email, segment)
      .run()
  const remove = (email: string) =>
    env.DB.prepare('UPDATE users SET deleted_at = 1 WHERE subscription_id = ? AND email = ?')
      .bind(subscriptionId, email)
      .run()
  await suppress('m0@example.com', 0)
  await suppress('m1@example.com', segmentId)
  await remove('m2@example.com')
  const wake = await acceptMailing(
    space,
    memberAddresses(6).map((email) => [email, { title: 'x' }]),
  )
  // These changes come after the acceptance.
  await suppress('m3@example.com', 0)
  await remove('m4@example.com')
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(wake)
  await simulation.drain()
  expect(resend.addresses()).toEqual(['m1@example.com', 'm5@example.com'])
  const emailId = (await findMailingId(space)) ?? 0
  expect(await readMailing(space.client, emailId)).toMatchObject({ totals: { recipients: 4, sent: 2, suppressed: 2 } })
  const reasons = (await listRecipients(space.client, emailId)).map(({ reason }) => reason)
  expect(reasons).toEqual([null, 'Unsubscribed before the mail was sent.', 'Removed before the mail was sent.', null])
})

test('a mailing without recipients is not created and emits no event', async () => {
  const space = await createSegment(1)
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'm0@example.com', 0, 'manual', 0)",
  )
    .bind(space.subscriptionId)
    .run()
  const stranger = await createSegment(2)
  for (const email of ['m0@example.com', 'm1@example.com', 'nobody@example.com']) {
    const simulation = simulateQueue(RESEND, fakeResend().fetch)
    simulation.enqueue(await acceptMailing(space, [[email, null]]))
    await simulation.drain()
    expect(simulation.queue).toEqual([])
  }
  expect([await findMailingId(space), await findMailingId(stranger)]).toEqual([undefined, undefined])
  expect(await countEventsOf(space.subscriptionId, 'email.accepted')).toBe(0)
})

runtimeTest('a large mailing is written in slices once each, even with repeated or lost messages', async () => {
  const size = 57_300
  const space = await createSegment(size)
  const { subscriptionId } = space
  // Variables of the maximum size for the recipients in slices; the batch's own recipients have short variables.
  const wide = sql`printf('%.*c', ${inline(MAX_VARIABLES_BYTES - 22)} - length(${users.email}), '-')`
  const everyone = createMailStatements(
    'release',
    sql`SELECT ${users.id} AS "userId", json_object('title', ${users.email},
        'link', iif(CAST(substr(${users.email}, 2) AS INTEGER) < 52000, '', ${wide})) AS "variables" FROM ${users}
      WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.role} = 'idm_member'`,
  )
  const mailing = createMailing(MESSAGE, RESEND, 'https://groundwork.test')
  await openStore(env.DB, readClock()).batch(subscriptionId, ...everyone(mailing, {}))
  const emailId = (await findMailingId(space)) ?? 0
  const counted = () =>
    env.DB.prepare(
      `SELECT count(*) AS n, count(DISTINCT user_id) AS people, max(position) AS last, count(DISTINCT variables) AS variables,
        (SELECT count(*) FROM email_chunks WHERE email_id = ?1) AS chunks,
        (SELECT count(*) FROM email_slices WHERE email_id = ?1) AS slices FROM email_recipients WHERE email_id = ?1`,
    )
      .bind(emailId)
      .first()
  expect(await counted()).toMatchObject({ n: 52_000, chunks: 520, slices: 3 })
  const widest = await env.DB.prepare(
    'SELECT max(octet_length(recipients)) AS bytes FROM email_slices WHERE email_id = ? AND json_array_length(recipients) = ?',
  )
    .bind(emailId, RECIPIENTS_PER_SLICE)
    .first<{ bytes: number }>()
  expect(widest?.bytes).toBeGreaterThan(RECIPIENTS_PER_SLICE * MAX_VARIABLES_BYTES)
  // Ids may have sixteen digits.
  expect(widest?.bytes).toBeLessThan(2_000_000 - RECIPIENTS_PER_SLICE * 10)
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'queued', totals: { recipients: size } })

  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  const trips = async (work: () => Promise<unknown>) => {
    const before = simulation.cost.roundTrips
    await work()
    return simulation.cost.roundTrips - before
  }
  // Round trips: the id, the slices, their queueing, the chunks, and the queueing of 100 chunks at a time.
  expect(await trips(() => simulation.handle([createMailAcceptedMessage(subscriptionId, mailing)]))).toBe(
    4 + Math.ceil(520 / 100),
  )
  const slices = simulation.queue.map(({ body }) => body).filter(({ kind }) => kind === 'mail.slice')
  expect(slices).toHaveLength(3)
  simulation.queue = []
  const [first, ...lost] = slices
  // The first run writes the rows and queues the chunks. A repeated run finds no slice.
  expect(first && (await trips(() => simulation.handle([first])))).toBe(2)
  expect(first && (await trips(() => simulation.handle([first])))).toBe(1)
  expect(await counted()).toMatchObject({ n: 54_000, chunks: 540, slices: 2 })
  expect(simulation.queue).toHaveLength(20)

  simulation.now += 180_000
  await simulation.cron()
  const again = simulation.queue.map(({ body }) => body).filter(({ kind }) => kind === 'mail.slice')
  expect(again).toEqual(lost)
  await simulation.handle([...again, ...again])
  expect(await counted()).toEqual({ n: size, people: size, last: size - 1, variables: size, chunks: 573, slices: 0 })

  // The last chunk belongs to a slice that is not full.
  const resend = fakeResend()
  const sending = simulateQueue(RESEND, resend.fetch)
  await sending.handle([{ kind: 'mail.chunk', subscriptionId, emailId, chunk: 572 }])
  // Erased addresses are found, and a chunk is claimed and recorded. A mailing to a million recipients has 474 slices
  // and 10,000 chunks.
  expect(sending.cost.roundTrips).toBe(3)
  // Only rows of the chunk are read, about 33 per recipient, at any size of the mailing.
  expect(sending.cost.rowsRead).toBeLessThan(3_800)
  expect(resend.accepted).toHaveLength(100)
  expect(resend.accepted[0]?.subject).toBe(`News of ${resend.accepted[0]?.to[0]}`)
})
