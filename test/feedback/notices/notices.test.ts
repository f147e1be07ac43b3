import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { enqueueWaitingNotices } from '../../../src/feedback/notices/handler'
import { MAX_VARIABLES_BYTES } from '../../../src/people/mail/slices'
import { createWorkspace as anew, type Workspace } from '../../factories'
import { fakeResend, RESEND, simulateQueue } from '../../people/mail/queue-simulation'

const queueResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
// The runtime's own queue would deliver the messages a second later, too.
const QUEUE = { send: async () => queueResponse, sendBatch: async () => queueResponse, metrics: env.QUEUE.metrics }

async function createQuietWorkspace(): Promise<Workspace> {
  const made = await anew()
  return { ...made, client: (method, path, options) => made.client(method, path, { env: { QUEUE }, ...options }) }
}

const IDEAS = '/api/feedback-items'

interface Item {
  external_key: string
}

const createIdea = async ({ client, product }: Workspace, body: object = {}) =>
  (await client<Item>('POST', IDEAS, { json: { title: 'Dark mode', product: product.externalKey, ...body } })).body.data
    .external_key
const post = ({ client }: Workspace, path: string, json: object = {}) =>
  client<{ id: number }>('POST', `${IDEAS}/${path}`, { json })
const findStatusId = async ({ client }: Workspace, name: string) =>
  (await client<{ id: number; name: string }[]>('GET', `${IDEAS}/statuses`)).body.data.find((one) => one.name === name)
    ?.id
const setStatus = async (world: Workspace, key: string, name: string) =>
  world.client('PUT', `${IDEAS}/${key}`, { json: { status_id: await findStatusId(world, name) } })

/** Puts each message on the queue twice, because delivery is at least once, and returns the sent mails. */
async function deliverNotices({ subscriptionId }: Workspace) {
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  for (let n = 0; n < 2; n++) simulation.enqueue({ kind: 'feedback.notices', subscriptionId })
  await simulation.drain()
  return resend.accepted.map(({ to, subject }) => `${to} ${subject}`).sort()
}

test('a status change is mailed once to the author, the voters and the commenters', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com', name: 'Ada' } })
  await post(world, `${key}/vote`, { type: 'up', email: 'voter@example.com' })
  await post(world, `${key}/vote`, { type: 'down', email: 'against@example.com' })
  await post(world, `${key}/vote`, { type: 'up', email: 'gone@example.com' })
  await post(world, `${key}/vote`, { type: 'none', email: 'gone@example.com' })
  await post(world, `${key}/comments`, { text: 'Yes' })
  expect((await setStatus(world, key, 'planned')).status).toBe(200)
  const whom = ['against@example.com', 'author@example.com', 'owner@example.com', 'voter@example.com']
  expect(await deliverNotices(world)).toEqual(whom.map((to) => `${to} Dark mode: planned`))
  expect(await deliverNotices(world)).toEqual([])
  await setStatus(world, key, 'planned')
  await world.client('PUT', `${IDEAS}/${key}`, { json: { title: 'Night mode', status_id: null } })
  expect(await deliverNotices(world)).toEqual([])
  await setStatus(world, key, 'planned')
  await setStatus(world, key, 'completed')
  const both = whom.flatMap((to) => [`${to} Night mode: completed`, `${to} Night mode: planned`])
  expect(await deliverNotices(world)).toEqual(both.sort())
})

test('a person who unsubscribed gets no more mail until the person subscribes again', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  const subscription = (method: string) => world.client<object>(method, `${IDEAS}/${key}/subscription`)
  const asked = await subscription('POST')
  expect([asked.status, asked.body.data]).toEqual([200, { externalKey: key, subscribed: true }])
  expect((await subscription('POST')).cost.rowsWritten).toBe(0)
  expect((await subscription('DELETE')).status).toBe(200)
  expect((await subscription('DELETE')).cost.rowsWritten).toBe(0)
  await post(world, `${key}/vote`, { type: 'up' })
  await post(world, `${key}/comments`, { text: 'Yes' })
  await setStatus(world, key, 'planned')
  expect(await deliverNotices(world)).toEqual(['author@example.com Dark mode: planned'])
  await subscription('POST')
  await setStatus(world, key, 'in progress')
  expect(await deliverNotices(world)).toHaveLength(2)
  const events = await world.client<{ type: string }[]>('GET', `/api/v2/events?key=${key}`)
  const eventTypes = events.body.data.map(({ type }) => type).filter((type) => /subscribed/.test(type))
  expect(eventTypes).toEqual(['feedback.subscribed', 'feedback.unsubscribed', 'feedback.subscribed'])
})

test('a notice greets the reader by name and links to the address of the service', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com', name: 'Ada' } })
  await post(world, `${key}/vote`, { type: 'up', email: 'voter@example.com' })
  await setStatus(world, key, 'planned')
  const resend = fakeResend()
  const simulation = simulateQueue({ ...RESEND, PUBLIC_URL: '', LOCAL_URL: 'http://localhost:9999' }, resend.fetch)
  simulation.enqueue({ kind: 'feedback.notices', subscriptionId: world.subscriptionId })
  await simulation.drain()
  const mailTo = (email: string) => resend.accepted.find(({ to }) => to.includes(email))
  expect(mailTo('author@example.com')?.text).toMatch(/^Hello Ada,\n/)
  expect(mailTo('voter@example.com')?.text).toMatch(/^Hello,\n/)
  expect(mailTo('voter@example.com')?.html).toMatch(/^<p>Hello,<\/p>/)
  for (const { text, headers } of resend.accepted) {
    expect(text).toContain('http://localhost:9999/unsubscribe/')
    expect(headers['List-Unsubscribe']).toMatch(/^<http:\/\/localhost:9999\//)
  }
})

test('a key with segments:write subscribes a person by address instead of its own user', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  const subscribe = (json?: object, apiKey?: string) =>
    world.client<object>('POST', `${IDEAS}/${key}/subscription`, { ...(json && { json }), ...(apiKey && { apiKey }) })
  const blind = await subscribe({ email: 'fan@example.com' }, await world.key({ scopes: ['feedback:write'] }))
  expect([blind.status, blind.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(blind.body.message).toContain('segments:write')
  const scopes = ['feedback:write', 'segments:write'] as const
  const limited = await world.key({ scopes: [...scopes], products: [world.product.id] })
  expect((await subscribe({ email: 'fan@example.com' }, limited)).status).toBe(403)
  const apiKey = await world.key({ scopes: [...scopes] })
  const asked = await subscribe({ email: ' Fan@example.com' }, apiKey)
  expect([asked.status, asked.body.data]).toEqual([200, { externalKey: key, subscribed: true }])
  expect((await subscribe({ email: 'fan@example.com' }, apiKey)).cost.rowsWritten).toBe(0)
  await setStatus(world, key, 'planned')
  expect(await deliverNotices(world)).toEqual([
    'author@example.com Dark mode: planned',
    'fan@example.com Dark mode: planned',
  ])

  await subscribe({ email: 'owner@example.com' }, apiKey)
  await world.client('DELETE', `${IDEAS}/${key}/subscription`)
  const other = await world.row('users', {
    ...{ subscription_id: world.subscriptionId, email: 'other@example.com', role: 'member' },
    ...{ created_at: 0, updated_at: 0 },
  })
  const theirs = await world.key({ scopes: [...scopes], userId: other })
  const refused = await subscribe({ email: 'owner@example.com' }, theirs)
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  expect((await subscribe({ email: 'owner@example.com' })).status).toBe(200)
  const wrong = await subscribe({ email: 'nobody' }, apiKey)
  expect([wrong.status, wrong.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['/email']])
})

test('an anonymous author and a suppressed address get no mail, and a private comment subscribes nobody', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'hidden@example.com' }, is_anonymous: true })
  await post(world, `${key}/comments`, { text: 'Hush', isPrivate: true })
  await post(world, `${key}/vote`, { type: 'up', email: 'voter@example.com' })
  await post(world, `${key}/vote`, { type: 'up', email: 'suppressed@example.com' })
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'suppressed@example.com', 0, 'manual', 0)",
  )
    .bind(world.subscriptionId)
    .run()
  await setStatus(world, key, 'planned')
  expect(await deliverNotices(world)).toEqual(['voter@example.com Dark mode: planned'])
})

test('the progress of a work item is mailed too, by the cron if needed, and a moved status is not', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  await post(world, `${key}/promote`, { type: 'epic' })
  expect(await deliverNotices(world)).toEqual(['owner@example.com Dark mode: planned'])
  const epic = `/api/initiatives/${world.product.externalKey}/epics/EP-1`
  await world.client('PUT', epic, { json: { progress: 'done' } })
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  const run = (at: number) => enqueueWaitingNotices({ store: openStore(env.DB, at), outlet: simulation.outlet })
  await run(Date.now())
  await simulation.drain()
  expect(resend.accepted).toEqual([])
  await run(Date.now() + 60_000)
  await simulation.drain()
  expect(resend.accepted.map(({ subject }) => subject)).toEqual(['Dark mode: completed'])
  await world.client(
    'DELETE',
    `${IDEAS}/statuses/${await findStatusId(world, 'completed')}?moveTo=${await findStatusId(world, 'declined')}`,
  )
  expect(await deliverNotices(world)).toEqual([])
})

test('a released version is mailed once to the voters of its ideas', async () => {
  const world = await createQuietWorkspace()
  const P = `/api/initiatives/${world.product.externalKey}`
  const [first, second, third] = [
    await createIdea(world, { title: 'First' }),
    await createIdea(world, { title: 'Second' }),
    await createIdea(world, { title: 'Third' }),
  ]
  for (const [key, email, type] of [
    [first, 'both@example.com', 'up'],
    [second, 'both@example.com', 'up'],
    [second, 'against@example.com', 'down'],
    [third, 'other@example.com', 'up'],
  ] as const) {
    await post(world, `${key}/vote`, { type, email })
  }
  for (const [key, type] of [
    [first, 'epic'],
    [second, 'userstory'],
    [third, 'epic'],
  ] as const) {
    await post(world, `${key}/promote`, { type })
  }
  await deliverNotices(world)
  const epic = await world.client<{ id: number }>('GET', `${P}/epics/EP-1`)
  await world.client('PUT', `${P}/storyMap/card/US-1`, { json: { epicId: epic.body.data.id } })
  await world.client('POST', `${P}/solution-versions`, { json: { name: 'Spring', items: ['EP-1'] } })
  const released = await world.client('POST', `${P}/solution-versions/SV-1/release`, { json: { force: true } })
  expect([released.status, released.cost.roundTrips]).toEqual([200, 1])
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  for (let n = 0; n < 2; n++) simulation.enqueue({ kind: 'feedback.notices', subscriptionId: world.subscriptionId })
  await simulation.drain()
  expect(resend.accepted.map(({ to, subject }) => [to, subject])).toEqual([
    [['both@example.com'], 'Spring is released'],
  ])
  expect(resend.accepted[0]?.text).toMatch(/voted for: (First, Second|Second, First)\./)
})

/** Releases a version with ideas of these titles and a vote for each idea, and returns the mail to the voter. */
async function releaseVersion(titles: string[], name: string) {
  const world = await createQuietWorkspace()
  const { subscriptionId, product } = world
  const P = `/api/initiatives/${product.externalKey}`
  await post(world, 'bulk-create', titles.map((title) => ({ title, product: product.externalKey })) as object)
  await world.client('POST', `${P}/epics`, { json: { summary: 'All of it' } })
  const voter = await world.row('users', {
    ...{
      subscription_id: subscriptionId,
      email: 'voter@example.com',
      role: 'idm_member',
      created_at: 0,
      updated_at: 0,
    },
  })
  await env.DB.batch([
    env.DB.prepare(
      'UPDATE feedback_items SET work_item_id = (SELECT id FROM work_items WHERE subscription_id = ?1) WHERE subscription_id = ?1',
    ).bind(subscriptionId),
    env.DB.prepare(
      "INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, type, created_at) SELECT ?1, id, ?2, 'up', 0 FROM feedback_items WHERE subscription_id = ?1",
    ).bind(subscriptionId, voter),
  ])
  await world.client('POST', `${P}/solution-versions`, { json: { name, items: ['EP-1'] } })
  expect((await world.client('POST', `${P}/solution-versions/SV-1/release`, { json: { force: true } })).status).toBe(
    200,
  )
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue({ kind: 'feedback.notices', subscriptionId })
  await simulation.drain()
  const stored = await env.DB.prepare(
    'SELECT octet_length(variables) AS bytes FROM email_recipients WHERE subscription_id = ?',
  )
    .bind(subscriptionId)
    .first<{ bytes: number }>()
  return { sent: resend.accepted[0], bytes: stored?.bytes ?? 0 }
}

test('a release mail lists the first titles and the number of others, within the size limit', async () => {
  const titles = Array.from({ length: 40 }, (_, n) => `Idea ${n} ${'🙂'.repeat(30)}`)
  const { sent } = await releaseVersion(titles, 'Spring')
  expect(sent?.subject).toBe('Spring is released')
  expect(sent?.text).toContain(`voted for: ${titles.slice(0, 6).join(', ')} and 34 more.`)
  // JSON escapes a control character with six bytes.
  const long = await releaseVersion(Array(40).fill('\u0001'.repeat(500)), '\u0002'.repeat(200))
  expect(long.sent?.text).toContain(`${'\u0001'.repeat(139)}… and 39 more.`)
  expect(long.sent?.html).toContain(`<strong>${'\u0002'.repeat(200)}</strong>`)
  expect(long.bytes).toBeLessThanOrEqual(MAX_VARIABLES_BYTES)
})

test('values that are equal for all recipients are stored once', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { title: '\u0001'.repeat(500), user: { email: 'author@example.com' } })
  await setStatus(world, key, 'planned')
  expect(await deliverNotices(world)).toEqual([`author@example.com ${' '}: planned`])
  const own = env.DB.prepare('SELECT variables FROM email_recipients WHERE subscription_id = ?')
  expect((await own.bind(world.subscriptionId).all()).results).toEqual([{ variables: null }])
})

test('changes above the limit of a message are handled by the next message', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  const planned = (await findStatusId(world, 'planned')) ?? 0
  const { id } = (await world.client<{ id: number }>('GET', `${IDEAS}/${key}`)).body.data
  await env.DB.prepare(
    'INSERT INTO feedback_notices (subscription_id, feedback_id, status_id, created_at) SELECT ?1, ?2, ?3, value FROM json_each(?4)',
  )
    .bind(world.subscriptionId, id, planned, JSON.stringify(Array.from({ length: 60 }, (_, n) => n)))
    .run()
  expect(await deliverNotices(world)).toHaveLength(60)
})

test('a title is plain text in a mail, whatever it contains', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { title: '<b>{{email}}</b> & 🙂', user: { email: 'author@example.com' } })
  await setStatus(world, key, 'planned')
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  simulation.enqueue({ kind: 'feedback.notices', subscriptionId: world.subscriptionId })
  await simulation.drain()
  const [sent] = resend.accepted
  expect(sent?.subject).toBe('<b>{{email}}</b> & 🙂: planned')
  expect(sent?.html).toContain('<strong>&lt;b&gt;{{email}}&lt;/b&gt; &amp; 🙂</strong>')
})

test('a mail about an idea is visible only with access to the idea', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  await setStatus(world, key, 'planned')
  expect(await deliverNotices(world)).toHaveLength(1)
  const other = await world.row('products', {
    subscription_id: world.subscriptionId,
    external_key: `OT-${world.subscriptionId}`,
    name: 'Other',
    created_at: 0,
    updated_at: 0,
  })
  const [mailing] = (await world.client<{ id: number }[]>('GET', '/api/v2/emails?kind=feedback')).body.data
  const subject = async (claims: Parameters<Workspace['key']>[0]) => {
    const apiKey = await world.key(claims)
    const { status, body } = await world.client<{ message: { subject: string; html: string; text: string } }>(
      'GET',
      `/api/v2/emails/${mailing?.id}/recipients/0`,
      { apiKey },
    )
    const { message } = body.data
    const tells = [message.subject, message.html, message.text].some((text) => /Dark mode|planned/.test(text))
    return [status, message.subject, tells]
  }
  const visibleMail = [200, 'Dark mode: planned', true]
  const hidden = [200, '{{title}}: {{status}}', false]
  expect(await subject({})).toEqual(visibleMail)
  expect(await subject({ scopes: ['mail:read', 'feedback:read'] })).toEqual(visibleMail)
  expect(await subject({ products: [world.product.id] })).toEqual(visibleMail)
  expect(await subject({ scopes: ['mail:read'] })).toEqual(hidden)
  expect(await subject({ products: [other] })).toEqual(hidden)
})
