import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { readClock } from '../../clock'
import {
  acceptMailing,
  createSegment,
  fakeResend,
  listRecipients,
  MESSAGE,
  RESEND,
  readMailing,
  simulateQueue,
} from './queue-simulation'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

type Space = Awaited<ReturnType<typeof createSegment>>

const MEMBERS = '/api/v2/segments/email-members'
const TEST_PATH = '/api/v2/emails/test'

const listMemberIds = async ({ subscriptionId }: Space) => {
  const { results } = await env.DB.prepare(
    "SELECT id FROM users WHERE subscription_id = ? AND role = 'idm_member' ORDER BY id",
  )
    .bind(subscriptionId)
    .all<{ id: number }>()
  return results.map(({ id }) => id)
}

const updateUser = ({ subscriptionId }: Space, email: string, set: Record<string, string | number>) =>
  env.DB.prepare(
    `UPDATE users SET ${Object.keys(set).map((name) => `${name} = ?`)} WHERE subscription_id = ? AND email = ?`,
  )
    .bind(...Object.values(set), subscriptionId, email)
    .run()

const suppress = ({ subscriptionId }: Space, email: string, segmentId = 0) =>
  env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, ?, ?, 'manual', 0)",
  )
    .bind(subscriptionId, email, segmentId)
    .run()

async function deliverMailing(message: Awaited<ReturnType<typeof acceptMailing>>['message']) {
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  await simulation.drain()
  return resend
}

test('a mailing has its own text part, a reply address and variables for each recipient', async () => {
  const space = await createSegment(2)
  const attributes = { plan: 'pro <1>', seats: 7, beta: true, 'R&D': 'yes' }
  await updateUser(space, 'm0@example.com', {
    first_name: '<i>Ada</i>',
    last_name: 'Love\r\nBcc: eve@example.com',
    attributes: JSON.stringify(attributes),
  })
  const say =
    '{{firstName}}|{{ lastName }}|{{email}}|{{attributes.plan}}|{{attributes.seats}}|{{attributes.beta}}|{{attributes.R&D}}|{{attributes.none}}'
  const { message, emailId } = await acceptMailing(space, RESEND, {
    subject: `Hi ${say}`,
    html: `<p title="{{attributes.plan}}">${say} <a href="{{unsubscribeUrl}}">leave</a> <a href="{{attributes.plan}}">plan</a></p>`,
    text: `${say} {{unsubscribeUrl}}`,
    replyTo: 'Help@Example.com',
  })
  const resend = await deliverMailing(message)
  const [first, second] = resend.accepted
  const link = /<(.+)>/.exec(first?.headers['List-Unsubscribe'] ?? '')?.[1]
  expect(first).toMatchObject({
    reply_to: 'help@example.com',
    subject: 'Hi <i>Ada</i>|Love Bcc: eve@example.com|m0@example.com|pro <1>|7|true|yes|',
    html:
      `<p title="pro &lt;1&gt;">&lt;i&gt;Ada&lt;/i&gt;|Love\r\nBcc: eve@example.com|m0@example.com|pro &lt;1&gt;|7|true|yes| ` +
      `<a href="${link}">leave</a> <a href="">plan</a></p>`,
    text: `<i>Ada</i>|Love\r\nBcc: eve@example.com|m0@example.com|pro <1>|7|true|yes| ${link}`,
  })
  expect(second?.subject).toBe('Hi ||m1@example.com|||||')
  const shown = await space.client<{ message: object }>('GET', `/api/v2/emails/${emailId}/recipients/0`)
  expect(shown.body.data.message).toMatchObject({ subject: first?.subject, replyTo: 'help@example.com' })
  expect((await readMailing(space.client, emailId)) as object).toMatchObject({ replyTo: 'help@example.com' })
})

test('a missing text part is made from the HTML with the same variables', async () => {
  const space = await createSegment(1)
  const { message } = await acceptMailing(space, RESEND, {
    html: '<p>Hello {{email}}: <a href="{{unsubscribeUrl}}">no more</a></p>',
  })
  const [first] = (await deliverMailing(message)).accepted
  expect(first?.text).toMatch(/^Hello m0@example\.com: no more \(https:\/\/groundwork\.test\/unsubscribe\/[\w.-]+\)$/)
})

const UNKNOWN_VARIABLE =
  'is not a variable. Use {{firstName}}, {{lastName}}, {{email}}, {{unsubscribeUrl}} and {{attributes.<name>}}.'

test('unknown variables are all listed with their fields, and nothing is stored', async () => {
  const space = await createSegment(1)
  const json = {
    subject: '{{name}} {{constructor}}',
    html: '<p>{{first_name}} {{firstName}} {{<b>email</b>}}</p>',
    text: '{{attributes.}} {{attributes.__proto__}} {{__proto__}} {{attributes}}',
    replyTo: 'nobody',
  }
  for (const [path, more] of [
    [`/api/v2/segments/${space.segmentId}/email`, {}],
    [MEMBERS, { emails: ['m0@example.com'] }],
    [TEST_PATH, { to: ['m0@example.com'] }],
  ] as const) {
    const { status, body } = await space.client('POST', path, { json: { ...json, ...more } })
    expect([path, status]).toEqual([path, 400])
    const issues = body.error?.issues.map((issue) => `${issue.path} ${issue.message}`) ?? []
    for (const [field, name] of [
      ['/subject', 'name'],
      ['/subject', 'constructor'],
      ['/html', 'first_name'],
      ['/html', '<b>email</b>'],
      ['/text', 'attributes.'],
      ['/text', 'attributes.__proto__'],
      ['/text', '__proto__'],
      ['/text', 'attributes'],
    ]) {
      expect(issues).toContain(`${field} {{${name}}} ${UNKNOWN_VARIABLE}`)
    }
    expect(issues.filter((issue) => issue.startsWith('/replyTo'))).toHaveLength(1)
    expect(issues).toHaveLength(9)
  }
  const many = { ...MESSAGE, text: '{{email}}'.repeat(101) }
  const { body } = await space.client('POST', `/api/v2/segments/${space.segmentId}/email`, { json: many })
  expect(body.error?.issues).toMatchObject([{ path: '/text', message: 'The text has 101 variables. Use at most 100.' }])
  expect((await space.client<object[]>('GET', '/api/v2/emails')).body.data).toEqual([])
})

test.each([
  ['a blank text', { text: ' \n' }, '/text'],
  ['a text of a wrong type', { text: 7 }, '/text'],
  ['two reply addresses', { replyTo: 'a@example.com, b@example.com' }, '/replyTo'],
  ['a reply address with a header', { replyTo: 'a@example.com\r\nBcc: b@example.com' }, '/replyTo'],
  ['a past time', { scheduledAt: '2020-01-01T00:00:00Z' }, '/scheduledAt'],
  ['a time in ten years', { scheduledAt: `${new Date(readClock()).getFullYear() + 10}-01-01` }, '/scheduledAt'],
  ['an invalid time', { scheduledAt: 'tomorrow' }, '/scheduledAt'],
])('a mailing with %s is refused with the path of the field', async (_, more, path) => {
  const { client, segmentId } = await createSegment(1)
  const { status, body } = await client('POST', `/api/v2/segments/${segmentId}/email`, {
    json: { ...MESSAGE, ...more },
  })
  expect([status, body.error?.issues.map((issue) => issue.path)]).toEqual([400, [path]])
  expect((await client<object[]>('GET', '/api/v2/emails')).body.data).toEqual([])
})

test('selected members get mail by id or address, each once, without suppressed addresses', async () => {
  const space = await createSegment(5)
  const [zero, one, two] = await listMemberIds(space)
  await suppress(space, 'm1@example.com')
  await suppress(space, 'm2@example.com', space.segmentId)
  const byId = await acceptMailing(space, RESEND, { userIds: [two, zero, one, zero] }, MEMBERS)
  expect(byId.body).toMatchObject({ message: 'The e-mail was sent to the selected members.' })
  expect(byId.to).toEqual(['m0@example.com', 'm2@example.com'])
  expect((await deliverMailing(byId.message)).addresses()).toEqual(['m0@example.com', 'm2@example.com'])
  const byAddress = await acceptMailing(
    space,
    RESEND,
    { emails: [' M3@example.com', 'm4@example.com', 'm3@EXAMPLE.com'] },
    MEMBERS,
  )
  expect((await deliverMailing(byAddress.message)).addresses()).toEqual(['m3@example.com', 'm4@example.com'])
  expect(await readMailing(space.client, byId.emailId)).toMatchObject({
    kind: 'members',
    segmentId: null,
    status: 'completed',
    totals: { recipients: 2, sent: 2 },
  })
  // A mailing completes at once if every recipient is suppressed.
  const nobody = await acceptMailing(space, RESEND, { userIds: [one] }, MEMBERS)
  expect(await readMailing(space.client, nobody.emailId)).toMatchObject({
    status: 'completed',
    totals: { recipients: 0 },
  })
})

test('an unknown selected member refuses the whole mailing', async () => {
  const space = await createSegment(3)
  const stranger = await createSegment(1)
  const [zero] = await listMemberIds(space)
  const [foreign] = await listMemberIds(stranger)
  await updateUser(space, 'm2@example.com', { deleted_at: 1 })
  for (const [more, paths] of [
    [{}, ['/userIds']],
    [{ userIds: [zero], emails: ['m0@example.com'] }, ['/userIds']],
    [{ userIds: [] }, ['/userIds']],
    [{ userIds: [zero, foreign, 9e15] }, ['/userIds/1', '/userIds/2']],
    [{ userIds: [zero, '7', 1.5, null] }, ['/userIds/1', '/userIds/2', '/userIds/3']],
    [{ userIds: Array(10_001).fill(zero) }, ['/userIds']],
    [{ emails: ['m0@example.com', 'm2@example.com', 'who@example.com'] }, ['/emails/1', '/emails/2']],
    [{ emails: ['m0@example.com', 'no address', 'a@b@c.com', 'x@y'] }, ['/emails/1', '/emails/2', '/emails/3']],
    [{ emails: { length: 1 } }, ['/emails']],
  ] as const) {
    const { status, body } = await space.client('POST', MEMBERS, { json: { ...MESSAGE, ...more } })
    expect([more, status, body.error?.issues.map(({ path }) => path)]).toEqual([more, 400, paths])
  }
  for (const here of [space, stranger])
    expect((await here.client<object[]>('GET', '/api/v2/emails')).body.data).toEqual([])
})

test('a test mail goes to any address, even a suppressed address, and creates no member', async () => {
  const space = await createSegment(2)
  await suppress(space, 'm0@example.com')
  await updateUser(space, 'm0@example.com', { first_name: 'Ada' })
  const { message, emailId, to } = await acceptMailing(
    space,
    RESEND,
    { to: ['x@example.com', 'M0@example.com', 'x@example.com'], subject: 'Hi {{firstName}}!' },
    TEST_PATH,
  )
  expect(to).toEqual(['m0@example.com', 'x@example.com'])
  const resend = await deliverMailing(message)
  expect(resend.accepted.map((mail) => [mail.to[0], mail.subject])).toEqual([
    ['m0@example.com', 'Hi Ada!'],
    ['x@example.com', 'Hi !'],
  ])
  expect(await readMailing(space.client, emailId)).toMatchObject({ kind: 'test', totals: { sent: 2, suppressed: 0 } })
  const all = await space.client<{ email: string }[]>('GET', '/api/v2/idea-manager/members')
  expect(all.body.data.map(({ email }) => email)).not.toContain('x@example.com')
  for (const to of [[], Array(6).fill('x@example.com'), ['x@'], ['a@example.com,b@example.com'], 'x@example.com']) {
    const { status, body } = await space.client('POST', TEST_PATH, { json: { ...MESSAGE, to } })
    expect([to, status, body.error?.issues[0]?.path.startsWith('/to')]).toEqual([to, 400, true])
  }
})

const HOUR = 3_600_000
const inAnHour = () => new Date(readClock() + HOUR).toISOString()

test('a scheduled mailing waits for its time and goes to the present members with their present data', async () => {
  const space = await createSegment(4)
  const scheduledAt = inAnHour()
  const { message, emailId, name, to, body } = await acceptMailing(space, RESEND, {
    scheduledAt,
    subject: 'Hi {{firstName}}',
  })
  expect(to).toHaveLength(4)
  expect(body.message).toBe('The e-mail is scheduled to all members of the segment.')
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'scheduled',
    scheduledAt,
    totals: { waiting: 4 },
  })
  const stored = await env.DB.prepare(
    'SELECT group_concat(email) AS addresses FROM email_recipients WHERE email_id = ?',
  )
    .bind(emailId)
    .first()
  expect(stored).toEqual({ addresses: ',,,' })

  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue(message)
  simulation.enqueue({ kind: 'mail.chunk', ...name, chunk: 0 })
  await simulation.drain()
  simulation.now += HOUR - 60_000
  await simulation.cron()
  await simulation.drain()
  expect(resend.calls).toEqual([])
  expect(await readMailing(space.client, emailId)).toMatchObject({ status: 'scheduled' })

  await updateUser(space, 'm0@example.com', { first_name: 'Ada' })
  await suppress(space, 'm1@example.com', space.segmentId)
  await updateUser(space, 'm2@example.com', { deleted_at: 1 })
  await updateUser(space, 'm3@example.com', { email: 'new@example.com' })
  simulation.now += 120_000
  await simulation.cron()
  await simulation.drain()
  expect(resend.accepted.map((mail) => [mail.to[0], mail.subject])).toEqual([
    ['m0@example.com', 'Hi Ada'],
    ['new@example.com', 'Hi '],
  ])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'completed',
    totals: { sent: 2, suppressed: 2 },
  })
})

const cancel = ({ client }: Space, emailId: number) =>
  client<{ status: string; totals: object }>('POST', `/api/v2/emails/${emailId}/cancel`)

test('a mailing that is canceled before its time goes to no recipient', async () => {
  const space = await createSegment(3)
  const { emailId } = await acceptMailing(space, RESEND, { scheduledAt: inAnHour() })
  const canceled = await cancel(space, emailId)
  expect(canceled.body).toMatchObject({
    message: 'E-mail canceled',
    data: { status: 'canceled', progress: 100, totals: { recipients: 3, waiting: 0, canceled: 3 } },
  })
  expect((await listRecipients(space.client, emailId)).map(({ status }) => status)).toEqual(Array(3).fill('canceled'))
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.now += 2 * HOUR
  await simulation.runUntilComplete()
  expect(resend.calls).toEqual([])
  const again = await cancel(space, emailId)
  expect([again.status, again.body.error?.code]).toEqual([409, 'conflict'])
  const events = await space.client<object[]>('GET', '/api/v2/events?type=email.canceled')
  expect(events.body.data).toMatchObject([{ data: { id: emailId, status: 'canceled' } }])
})

test('a mailing that is canceled midway counts its sent mail and sends no more', async () => {
  const space = await createSegment(350)
  const { emailId, name } = await acceptMailing(space)
  const chunk = (n: number) => ({ kind: 'mail.chunk', ...name, chunk: n }) as const
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  await simulation.handle([chunk(0)])
  // The result of this chunk is unknown.
  resend.after = () => new Response('', { status: 502 })
  await simulation.handle([chunk(1)])
  // This chunk is being sent during the cancellation.
  resend.after = () => undefined
  let flying: Promise<unknown> | undefined
  const slow = simulateQueue(RESEND, async (input, init) => {
    flying ??= cancel(space, emailId)
    await flying
    return resend.fetch(input, init)
  })
  await slow.handle([chunk(2)])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'canceled',
    totals: { recipients: 350, waiting: 0, sent: 200, failed: 0, suppressed: 0, canceled: 150 },
  })
  const calls = resend.calls.length
  for (let n = 0; n < 4; n++) await simulation.handle([chunk(n)])
  await simulation.runUntilComplete()
  expect(resend.calls.length).toBe(calls)
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'canceled',
    totals: { sent: 200, failed: 100, canceled: 50 },
  })
  const { body } = await space.client<{ status: string; reason: string | null }[]>(
    'GET',
    `/api/v2/emails/${emailId}/recipients?limit=100&sort=-position`,
  )
  const found = body.data.map(({ status, reason }) => `${status} ${reason?.split('. ').at(-1)}`)
  expect(new Set(found.slice(0, 50))).toEqual(new Set(['canceled undefined']))
  expect((await listRecipients(space.client, emailId))[0]).toMatchObject({ status: 'sent' })
  const doubtful = await space.client<{ reason: string }>('GET', `/api/v2/emails/${emailId}/recipients/150`)
  expect(doubtful.body.data.reason).toContain('The mailing was canceled.')
  expect(doubtful.body.data.reason).toContain('may have been delivered anyway')
})

test('a waiting chunk is not sent after its mailing is canceled', async () => {
  const space = await createSegment(2)
  const { emailId, name } = await acceptMailing(space)
  const resend = fakeResend()
  resend.before = () => new Response('', { status: 429 })
  const simulation = simulateQueue(RESEND, async (input, init) => {
    await cancel(space, emailId)
    return resend.fetch(input, init)
  })
  await simulation.handle([{ kind: 'mail.chunk', ...name, chunk: 0 }])
  resend.before = () => undefined
  await simulation.runUntilComplete()
  expect([resend.calls.length, resend.accepted.length]).toEqual([1, 0])
  expect(await readMailing(space.client, emailId)).toMatchObject({
    status: 'canceled',
    totals: { canceled: 2, sent: 0 },
  })
})

test('a complete mailing or a mailing of another workspace cannot be canceled', async () => {
  const space = await createSegment(1)
  const { emailId, message } = await acceptMailing(space)
  const stranger = await createSegment(1)
  expect((await cancel(stranger, emailId)).body.error?.code).toBe('email_not_found')
  await deliverMailing(message)
  const late = await cancel(space, emailId)
  expect([late.status, late.body.message]).toEqual([409, 'The mailing has ended: there is nothing to cancel.'])
  const limited = await space.key({ products: [space.product.id] })
  const refused = await space.client('POST', `/api/v2/emails/${emailId}/cancel`, { apiKey: limited })
  expect(refused.status).toBe(403)
})

test('mailings are listed newest first, by segment, kind and status', async () => {
  const space = await createSegment(1)
  const { segmentId, client } = space
  const first = await acceptMailing(space)
  const second = await acceptMailing(space, RESEND, { to: ['x@example.com'] }, TEST_PATH)
  const third = await acceptMailing(space, RESEND, { scheduledAt: inAnHour() })
  await deliverMailing(first.message)
  const listed = async (query: string) =>
    (await client<{ id: number }[]>('GET', `/api/v2/emails?${query}`)).body.data.map(({ id }) => id)
  const [one, two, three] = [first.emailId, second.emailId, third.emailId]
  expect(await listed('')).toEqual([three, two, one])
  expect(await listed(`segmentId=${segmentId}&sort=createdAt`)).toEqual([one, three])
  expect(await listed('kind=test')).toEqual([two])
  expect(await listed('status=completed')).toEqual([one])
  expect(await listed('status=scheduled')).toEqual([three])
  expect(await listed('status=queued')).toEqual([two])
  expect(await listed('status=canceled')).toEqual([])
  expect((await client('GET', '/api/v2/emails?status=soon')).status).toBe(400)
})

test('a dynamic segment mails the members that match at acceptance, in two round trips', async () => {
  const space = await createSegment(4)
  const { client } = space
  for (const n of [1, 2]) await updateUser(space, `m${n}@example.com`, { attributes: '{"plan":"pro"}' })
  await suppress(space, 'm2@example.com')
  const dynamic = async (name: string, values: string[]) => {
    const rules = { match: 'all', conditions: [{ attribute: 'attributes.plan', operator: 'in', value: values }] }
    const made = await client<{ id: number }>('POST', '/api/v2/segments', { json: { name, type: 'dynamic', rules } })
    return made.body.data.id
  }
  const pro = await dynamic('Pro', ['pro'])
  await updateUser(space, 'm3@example.com', { attributes: '{"plan":"pro"}' })
  const send = (id: number) =>
    client<{ email: string }[]>('POST', `/api/v2/segments/${id}/email`, {
      json: MESSAGE,
      headers: { 'idempotency-key': `to-${id}` },
    })
  const sent = await send(pro)
  expect([sent.cost.roundTrips, sent.body.data]).toEqual([
    2,
    [{ email: 'm1@example.com' }, { email: 'm3@example.com' }],
  ])
  const again = await send(pro)
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', sent.body])
  const stored = await env.DB.prepare('SELECT user_count FROM segments WHERE id = ?').bind(pro).first()
  expect(stored).toEqual({ user_count: 3 })
  const emailId = Number(sent.headers.get('location')?.split('/').at(-1))
  expect(await readMailing(client, emailId)).toMatchObject({
    kind: 'segment',
    segmentId: pro,
    totals: { recipients: 2 },
  })

  // Rules of maximum length, with letters of several bytes and with the prefix of a database refusal.
  const many = await dynamic('Many', [
    'pro',
    ': SQLITE_CONSTRAINT',
    ...Array.from({ length: 98 }, (_, n) => `${'ü'.repeat(450)}${n}`),
  ])
  expect((await send(many)).body.data).toEqual(sent.body.data)
  // A member who unsubscribes from a segment stays in the remaining segments.
  await suppress(space, 'm1@example.com', pro)
  const next = await client<{ email: string }[]>('POST', `/api/v2/segments/${pro}/email`, { json: MESSAGE })
  expect(next.body.data).toEqual([{ email: 'm3@example.com' }])
})
