import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client'
import { users } from '../../../src/db/schema/tenancy'
import { caller, inline, param } from '../../../src/db/statement'
import { MAX_OWN_BYTES, SLICE } from '../../../src/people/mail/slices'
import { mails, newMailing, wakes } from '../../../src/people/mail/statements'
import { addressesOf, eventsOf, fakeResend, list, postOffice, RESEND, read, segmentOf } from './post'

/** A mailing of an area to the recipients of a JSON list of `[address, variables]`. */
const told = mails<{ told: string }>(
  'feedback',
  sql`SELECT ${users.id} AS "userId", t.value ->> 1 AS "variables" FROM json_each(${param('told')}) t
    CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = t.value ->> 0`,
)

const LETTER = {
  subject: 'News of {{title}}',
  html: '<p>Hello {{ firstName }}, <a href="{{link}}">{{title}}</a> <a href="{{unsubscribeUrl}}">no more</a></p>',
  text: 'Hello {{firstName}}, {{title}}: {{link}}',
}

type Space = Awaited<ReturnType<typeof segmentOf>>
type Told = [email: string, variables: object | null]

async function tell({ subscriptionId }: Space, people: Told[], letter = LETTER) {
  const mailing = newMailing(letter, RESEND, 'https://groundwork.test')
  const list = people.map(([email, variables]) => [email, variables && JSON.stringify(variables)])
  await openStore(env.DB, Date.now()).batch(subscriptionId, ...told(mailing, { told: JSON.stringify(list) }))
  return wakes(subscriptionId, mailing)
}

const idOf = async ({ subscriptionId }: Space) =>
  (await env.DB.prepare('SELECT id FROM emails WHERE subscription_id = ?').bind(subscriptionId).first<{ id: number }>())
    ?.id

test("a room's mailing says to each recipient what the room gave for them, as text in HTML and as it is elsewhere", async () => {
  const space = await segmentOf(3)
  const { subscriptionId } = space
  await env.DB.prepare(
    "UPDATE users SET first_name = '<b>Ada</b>' WHERE subscription_id = ? AND email = 'm0@example.com'",
  )
    .bind(subscriptionId)
    .run()
  const wake = await tell(space, [
    ['m0@example.com', { title: 'Maps & "more"', link: 'https://x.test/?a=1&b=2' }],
    ['m1@example.com', { title: 'Two\r\nBcc: eve@example.com', link: 'javascript:alert(1)' }],
    ['m2@example.com', null],
  ])
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(wake)
  await office.drain()

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

  const emailId = (await idOf(space)) ?? 0
  expect(await read(space.client, emailId)).toMatchObject({
    kind: 'feedback',
    segmentId: null,
    status: 'completed',
    totals: { recipients: 3, sent: 3 },
  })
  const shown = await space.client<{ message: object }>('GET', `/api/v2/emails/${emailId}/recipients/0`)
  expect(shown.body.data.message).toMatchObject({ subject: first?.subject, text: first?.text })
  for (const type of ['email.accepted', 'email.completed']) expect(await eventsOf(subscriptionId, type)).toBe(1)
})

test('an address that several values make is followed by no program, whichever of them is empty', async () => {
  const space = await segmentOf(3)
  const html = '<p><a href="{{link}}{{path}}">one</a> <a href="{{link}}/b?c=1">two</a> {{link}}{{path}}</p>'
  const wake = await tell(
    space,
    [
      ['m0@example.com', { link: '', path: 'javascript:alert(1)' }],
      ['m1@example.com', { link: 'https://x.test', path: '/y"z' }],
      ['m2@example.com', null],
    ],
    { ...LETTER, html },
  )
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(wake)
  await office.drain()
  expect(resend.accepted.map((message) => message.html)).toEqual([
    '<p><a href="">one</a> <a href="">two</a> javascript:alert(1)</p>',
    '<p><a href="https://x.test/y&quot;z">one</a> <a href="https://x.test/b?c=1">two</a> https://x.test/y&quot;z</p>',
    html,
  ])
})

test('who wants no mail of the workspace, or was removed, gets none of a room; who left a segment does', async () => {
  const space = await segmentOf(6)
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
  const wake = await tell(
    space,
    addressesOf(6).map((email) => [email, { title: 'x' }]),
  )
  // These changes come after the acceptance.
  await suppress('m3@example.com', 0)
  await remove('m4@example.com')
  const resend = fakeResend()
  const office = postOffice(RESEND, resend.fetch)
  office.put(wake)
  await office.drain()
  expect(resend.addresses()).toEqual(['m1@example.com', 'm5@example.com'])
  const emailId = (await idOf(space)) ?? 0
  expect(await read(space.client, emailId)).toMatchObject({ totals: { recipients: 4, sent: 2, suppressed: 2 } })
  const reasons = (await list(space.client, emailId)).map(({ reason }) => reason)
  expect(reasons).toEqual([null, 'Unsubscribed before the mail was sent.', 'Removed before the mail was sent.', null])
})

test('where nobody is to get it there is no mailing and no event, and what would wake it is nothing', async () => {
  const space = await segmentOf(1)
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'm0@example.com', 0, 'manual', 0)",
  )
    .bind(space.subscriptionId)
    .run()
  const stranger = await segmentOf(2)
  for (const email of ['m0@example.com', 'm1@example.com', 'nobody@example.com']) {
    const office = postOffice(RESEND, fakeResend().fetch)
    office.put(await tell(space, [[email, null]]))
    await office.drain()
    expect(office.queue).toEqual([])
  }
  expect([await idOf(space), await idOf(stranger)]).toEqual([undefined, undefined])
  expect(await eventsOf(space.subscriptionId, 'email.accepted')).toBe(0)
})

test('what is too large for one batch is written in slices, once each, also where their messages come twice or are lost', async () => {
  const size = 57_300
  const space = await segmentOf(size)
  const { subscriptionId } = space
  // Variables of the maximum size for the recipients in slices; the batch's own recipients have short variables.
  const wide = sql`printf('%.*c', ${inline(MAX_OWN_BYTES - 22)} - length(${users.email}), '-')`
  const everyone = mails(
    'release',
    sql`SELECT ${users.id} AS "userId", json_object('title', ${users.email},
        'link', iif(CAST(substr(${users.email}, 2) AS INTEGER) < 52000, '', ${wide})) AS "variables" FROM ${users}
      WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.role} = 'idm_member'`,
  )
  const mailing = newMailing(LETTER, RESEND, 'https://groundwork.test')
  await openStore(env.DB, Date.now()).batch(subscriptionId, ...everyone(mailing, {}))
  const emailId = (await idOf(space)) ?? 0
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
    .bind(emailId, SLICE)
    .first<{ bytes: number }>()
  expect(widest?.bytes).toBeGreaterThan(SLICE * MAX_OWN_BYTES)
  // Ids may have sixteen digits.
  expect(widest?.bytes).toBeLessThan(2_000_000 - SLICE * 10)
  expect(await read(space.client, emailId)).toMatchObject({ status: 'queued', totals: { recipients: size } })

  const office = postOffice(RESEND, fakeResend().fetch)
  const trips = async (work: () => Promise<unknown>) => {
    const before = office.cost.roundTrips
    await work()
    return office.cost.roundTrips - before
  }
  // Round trips: the id, the slices, their queueing, the chunks, and the queueing of 100 chunks at a time.
  expect(await trips(() => office.handle([wakes(subscriptionId, mailing)]))).toBe(4 + Math.ceil(520 / 100))
  const slices = office.queue.map(({ body }) => body).filter(({ kind }) => kind === 'mail.slice')
  expect(slices).toHaveLength(3)
  office.queue = []
  const [first, ...lost] = slices
  // The first run writes the rows and queues the chunks. A repeated run finds no slice.
  expect(first && (await trips(() => office.handle([first])))).toBe(2)
  expect(first && (await trips(() => office.handle([first])))).toBe(1)
  expect(await counted()).toMatchObject({ n: 54_000, chunks: 540, slices: 2 })
  expect(office.queue).toHaveLength(20)

  office.now += 180_000
  await office.cron()
  const again = office.queue.map(({ body }) => body).filter(({ kind }) => kind === 'mail.slice')
  expect(again).toEqual(lost)
  await office.handle([...again, ...again])
  expect(await counted()).toEqual({ n: size, people: size, last: size - 1, variables: size, chunks: 573, slices: 0 })

  // The last chunk belongs to a slice that is not full.
  const resend = fakeResend()
  const sending = postOffice(RESEND, resend.fetch)
  await sending.handle([{ kind: 'mail.chunk', subscriptionId, emailId, chunk: 572 }])
  // A chunk is claimed and recorded. A mailing to a million recipients has 474 slices and 10,000 chunks.
  expect(sending.cost.roundTrips).toBe(2)
  // Only rows of the chunk are read, about 33 per recipient, at any size of the mailing.
  expect(sending.cost.rowsRead).toBeLessThan(3_800)
  expect(resend.accepted).toHaveLength(100)
  expect(resend.accepted[0]?.subject).toBe(`News of ${resend.accepted[0]?.to[0]}`)
})
