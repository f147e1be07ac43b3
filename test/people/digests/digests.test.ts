import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { enqueueWaitingNotices } from '../../../src/people/digests/handler'
import { readClock } from '../../clock'
import type { Workspace } from '../../factories'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'
import {
  countRows,
  createColleague,
  createIdea,
  createQuietWorkspace,
  deliver,
  deliverMails,
  findStatusId,
  IDEAS,
  MINUTE,
  post,
  setStatus,
  vote,
} from './followed-ideas'

const insertSuppression = ({ subscriptionId }: Workspace, email: string) =>
  env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, ?, 0, 'manual', 0)",
  )
    .bind(subscriptionId, email)
    .run()

test('a change is mailed once after the delay to author, voters for, commenters and subscribers', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com', name: 'Ada' } })
  const { apiKey } = await createColleague(world, 'cleo@example.com')
  await vote(world, key, 'voter@example.com')
  await vote(world, key, 'against@example.com', 'down')
  await vote(world, key, 'gone@example.com')
  await vote(world, key, 'gone@example.com', 'none')
  await post(world, `${key}/comments`, { text: 'Yes' }, { apiKey })
  await post(world, `${key}/subscription`, { email: 'fan@example.com' })
  // The owner makes the change.
  await post(world, `${key}/comments`, { text: 'Thanks' })
  const changed = await setStatus(world, key, 'planned')
  expect([changed.status, changed.cost.roundTrips]).toEqual([200, 1])
  expect(await deliver(world, { minutes: 59 })).toEqual([])
  const whom = ['author', 'cleo', 'fan', 'voter'].map((name) => `${name}@example.com`)
  // The author gets the reply of the team too.
  expect(await deliver(world)).toEqual(whom.map((to) => `${to} Dark mode: planned`))
  expect(await deliver(world)).toEqual([])
  await setStatus(world, key, 'planned')
  await world.client('PUT', `${IDEAS}/${key}`, { json: { title: 'Night mode', status_id: null } })
  expect(await deliver(world)).toEqual([])
  expect([await countRows(world, 'notice_people'), await countRows(world, 'notice_digests')]).toEqual([0, 0])
})

test('changes within the delay are one mail with the latest status', async () => {
  const world = await createQuietWorkspace()
  const [first, second] = [await createIdea(world), await createIdea(world, { title: 'Offline mode' })]
  for (const key of [first, second]) await vote(world, key, 'both@example.com')
  await vote(world, first, 'one@example.com')
  for (const status of ['planned', 'in progress', 'completed']) await setStatus(world, first, status)
  await post(world, `${second}/status-updates`, { status: 'planned', message: 'We begin in May.' })
  const mails = await deliverMails(world)
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    'both@example.com News about 2 items',
    'one@example.com Dark mode: completed',
  ])
  const { text = '', html = '' } = mails.find(({ to }) => to.includes('both@example.com')) ?? {}
  expect(text).toContain('"Dark mode" is now "completed".')
  expect(text).toContain('"Offline mode" is now "planned".\nWe begin in May.')
  expect(html).toContain('&quot;Offline mode&quot; is now &quot;planned&quot;.<br>We begin in May.')
  for (const content of [text, html]) expect(content).not.toMatch(/in progress/)
  expect(await countRows(world, 'emails')).toBe(1)
})

test('a status without a message keeps the message of the update before it', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  await vote(world, key, 'voter@example.com')
  await post(world, `${key}/status-updates`, { status: 'planned', message: 'First words' })
  await post(world, `${key}/status-updates`, { status: 'planned', message: 'Last words' })
  await setStatus(world, key, 'in progress')
  const [mail] = await deliverMails(world)
  expect(mail?.text).toContain('"Dark mode" is now "in progress".\nLast words')
  expect(mail?.text).not.toContain('First words')
})

test('now sends at once with what waits, and none mails nobody and takes back what waits about the idea', async () => {
  const world = await createQuietWorkspace()
  const [first, second] = [await createIdea(world), await createIdea(world, { title: 'Offline mode' })]
  for (const key of [first, second]) await vote(world, key, 'both@example.com')
  await vote(world, first, 'one@example.com')
  await setStatus(world, first, 'planned')
  await setStatus(world, second, 'planned', 'now')
  expect(await deliver(world, { minutes: 0 })).toEqual(['both@example.com News about 2 items'])
  expect(await deliver(world)).toEqual(['one@example.com Dark mode: planned'])

  await setStatus(world, first, 'in progress')
  await setStatus(world, first, 'declined', 'none')
  await post(world, `${second}/status-updates`, { status: 'completed', notify: 'none' })
  expect(await deliver(world)).toEqual([])
  await setStatus(world, first, 'planned')
  expect(await deliver(world)).toEqual(['both@example.com Dark mode: planned', 'one@example.com Dark mode: planned'])
})

test('a change that is taken back neither hastens a mail about another idea, nor stands in the mailing', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const world = await createQuietWorkspace()
  const [silenced, kept] = [await createIdea(world, { title: 'Silenced' }), await createIdea(world)]
  for (const key of [silenced, kept]) await vote(world, key, 'voter@example.com')
  await setStatus(world, silenced, 'planned')
  await setStatus(world, silenced, 'in progress', 'none')
  vi.setSystemTime(readClock() + 30 * MINUTE)
  await setStatus(world, kept, 'planned')
  expect(await deliver(world, { minutes: 59 })).toEqual([])
  expect(await deliver(world)).toEqual(['voter@example.com Dark mode: planned'])

  await setStatus(world, silenced, 'planned')
  await setStatus(world, kept, 'completed')
  await deliver(world, { minutes: 0 })
  await setStatus(world, silenced, 'declined', 'none')
  expect(await deliver(world)).toEqual(['voter@example.com Dark mode: completed'])
  const { results } = await env.DB.prepare('SELECT variables FROM emails WHERE subscription_id = ? ORDER BY id')
    .bind(world.subscriptionId)
    .all<{ variables: string }>()
  const titles = results.map(({ variables }) => Array.from(variables.matchAll(/"title":"([^"]+)"/g), ([, one]) => one))
  expect(titles).toEqual([['Dark mode'], ['Dark mode']])
})

test('a bulk request mails as each operation says, and an upsert as its body says', async () => {
  const world = await createQuietWorkspace()
  const keys = [
    await createIdea(world, { title: 'A' }),
    await createIdea(world, { title: 'B' }),
    await createIdea(world),
  ]
  for (const [n, key] of keys.entries()) await vote(world, key, `voter${n}@example.com`)
  const status_id = await findStatusId(world, 'planned')
  const bulk = await world.client<{ totals: object }>('PUT', `${IDEAS}/bulk`, {
    json: [undefined, 'now', 'none'].map((notify, n) => ({
      ...{ op: 'update', externalKey: keys[n], body: { status_id, notify } },
    })),
  })
  expect(bulk.body.data.totals).toMatchObject({ updated: 3, failed: 0 })
  expect(await deliver(world, { minutes: 0 })).toEqual(['voter1@example.com B: planned'])
  expect(await deliver(world)).toEqual(['voter0@example.com A: planned'])

  const path = `${IDEAS}/external/canny/c1?product=${world.product.externalKey}`
  const upsert = (body: object) => world.client('PUT', path, { json: { title: 'C', ...body } })
  await upsert({ user: { email: 'author@example.com' } })
  await upsert({ status_id, notify: 'none' })
  expect(await deliver(world)).toEqual([])
  await upsert({ status_id: await findStatusId(world, 'declined') })
  expect(await deliver(world)).toEqual(['author@example.com C: declined'])
})

test('a person who unsubscribed gets no mail, also about a change that waits', async () => {
  const world = await createQuietWorkspace()
  const { apiKey } = await createColleague(world, 'cleo@example.com')
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  const subscription = (method: string) => world.client<object>(method, `${IDEAS}/${key}/subscription`, { apiKey })
  expect((await subscription('POST')).body.data).toEqual({ externalKey: key, subscribed: true })
  expect((await subscription('POST')).cost.rowsWritten).toBe(0)
  await setStatus(world, key, 'planned')
  await deliver(world, { minutes: 0 })
  await subscription('DELETE')
  expect((await subscription('DELETE')).cost.rowsWritten).toBe(0)
  await post(world, `${key}/vote`, { type: 'up' }, { apiKey })
  await post(world, `${key}/comments`, { text: 'Yes' }, { apiKey })
  expect(await deliver(world)).toEqual(['author@example.com New reply: Dark mode'])
  await setStatus(world, key, 'in progress')
  expect(await deliver(world)).toEqual(['author@example.com Dark mode: in progress'])
  await subscription('POST')
  await setStatus(world, key, 'completed')
  expect(await deliver(world)).toHaveLength(2)
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
  expect(await deliver(world)).toEqual(['author@example.com Dark mode: planned', 'fan@example.com Dark mode: planned'])

  await subscribe({ email: 'owner@example.com' }, apiKey)
  await world.client('DELETE', `${IDEAS}/${key}/subscription`)
  const { id } = await createColleague(world, 'other@example.com')
  const theirs = await world.key({ scopes: [...scopes], userId: id })
  const refused = await subscribe({ email: 'owner@example.com' }, theirs)
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  expect((await subscribe({ email: 'owner@example.com' })).status).toBe(200)
  const wrong = await subscribe({ email: 'nobody' }, apiKey)
  expect([wrong.status, wrong.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['/email']])
})

test('an anonymous author, a suppressed address and a private commenter get no mail, and a removed member neither', async () => {
  const world = await createQuietWorkspace()
  const { apiKey } = await createColleague(world, 'cleo@example.com')
  const key = await createIdea(world, { user: { email: 'hidden@example.com' }, is_anonymous: true })
  await post(world, `${key}/comments`, { text: 'Hush', isPrivate: true }, { apiKey })
  for (const name of ['voter', 'suppressed', 'removed']) await vote(world, key, `${name}@example.com`)
  await insertSuppression(world, 'suppressed@example.com')
  await setStatus(world, key, 'planned')
  await deliver(world, { minutes: 0 })
  const { body } = await world.client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')
  const removed = body.data.find(({ email }) => email === 'removed@example.com')?.id
  await world.client('DELETE', `/api/v2/idea-manager/members/${removed}`)
  expect(await deliver(world)).toEqual(['voter@example.com Dark mode: planned'])
})

test('a member of a merged idea and of its target gets one mail, and the merged idea is named by its target', async () => {
  const world = await createQuietWorkspace()
  const [source, target] = [await createIdea(world, { title: 'Night' }), await createIdea(world)]
  for (const key of [source, target]) await vote(world, key, 'both@example.com')
  await vote(world, source, 'source@example.com')
  await setStatus(world, source, 'planned')
  await deliver(world, { minutes: 0 })
  await world.client('POST', `${IDEAS}/${source}/merge`, { json: { into: target } })
  await setStatus(world, target, 'completed')
  expect(await deliver(world)).toEqual([
    'both@example.com Dark mode: completed',
    'source@example.com Dark mode: completed',
  ])
})

test('the progress of a work item is mailed too, by the cron if needed, and a moved status is not', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  const { apiKey } = await createColleague(world, 'cleo@example.com')
  await vote(world, key, 'voter@example.com')
  await post(world, `${key}/vote`, { type: 'up' }, { apiKey })
  await post(world, `${key}/promote`, { type: 'epic' })
  expect(await deliver(world)).toEqual(['cleo@example.com Dark mode: planned', 'voter@example.com Dark mode: planned'])
  const epic = `/api/initiatives/${world.product.externalKey}/epics/EP-1`
  // Whoever changes the progress gets no mail.
  await world.client('PUT', epic, { json: { progress: 'done' }, apiKey })
  const resend = fakeResend()
  const simulation = simulateQueue(RESEND, resend.fetch)
  const run = async (at: number) => {
    simulation.now = at
    await enqueueWaitingNotices({ store: openStore(env.DB, at), outlet: simulation.outlet })
    await simulation.drain()
  }
  const start = readClock()
  await run(start)
  expect(await countRows(world, 'notice_people')).toBe(0)
  await run(start + MINUTE)
  expect(await countRows(world, 'notice_people')).toBe(2)
  await run(start + 59 * MINUTE)
  expect(resend.accepted).toEqual([])
  await run(start + 61 * MINUTE)
  expect(resend.accepted.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    'owner@example.com Dark mode: completed',
    'voter@example.com Dark mode: completed',
  ])
  await world.client(
    'DELETE',
    `${IDEAS}/statuses/${await findStatusId(world, 'completed')}?moveTo=${await findStatusId(world, 'declined')}`,
  )
  expect(await deliver(world)).toEqual([])
})

test('promoted, done and released within the delay is one mail for each person', async () => {
  const world = await createQuietWorkspace()
  const P = `/api/initiatives/${world.product.externalKey}`
  const titles = ['First', 'Second', 'Third'] as const
  const [first, second, third] = [
    await createIdea(world, { title: titles[0] }),
    await createIdea(world, { title: titles[1] }),
    await createIdea(world, { title: titles[2] }),
  ]
  await vote(world, first, 'both@example.com')
  await vote(world, second, 'both@example.com')
  await vote(world, second, 'against@example.com', 'down')
  await vote(world, second, 'one@example.com')
  await vote(world, third, 'other@example.com')
  await post(world, `${first}/promote`, { type: 'epic' })
  await post(world, `${second}/promote`, { type: 'userstory' })
  await post(world, `${third}/promote`, { type: 'epic' })
  const epic = await world.client<{ id: number }>('GET', `${P}/epics/EP-1`)
  await world.client('PUT', `${P}/storyMap/card/US-1`, { json: { epicId: epic.body.data.id, progress: 'done' } })
  await world.client('PUT', `${P}/epics/EP-1`, { json: { progress: 'done' } })
  await world.client('POST', `${P}/solution-versions`, { json: { name: 'Spring', items: ['EP-1'] } })
  const released = await world.client('POST', `${P}/solution-versions/SV-1/release`, { json: {} })
  expect([released.status, released.cost.roundTrips]).toEqual([200, 1])
  const mails = await deliverMails(world)
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    'both@example.com Spring is released',
    'one@example.com Spring is released',
    'other@example.com Third: planned',
  ])
  const { text = '' } = mails.find(({ to }) => to.includes('both@example.com')) ?? {}
  for (const title of ['First', 'Second']) {
    expect(text).toContain(`"${title}" is now "completed".`)
    expect(text).toContain(`Spring is released, and contains "${title}".`)
  }
  expect(text).not.toContain('planned')
})

test('a mail greets the reader by name, and links to the address of the service', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com', name: 'Ada <b>' } })
  await vote(world, key, 'voter@example.com')
  await setStatus(world, key, 'planned')
  const mails = await deliverMails(world, { settings: { PUBLIC_URL: '', LOCAL_URL: 'http://localhost:9999' } })
  const mailTo = (email: string) => mails.find(({ to }) => to.includes(email))
  expect(mailTo('author@example.com')?.text).toMatch(/^Hello Ada <b>,\n/)
  expect(mailTo('author@example.com')?.html).toMatch(/^<p>Hello Ada &lt;b&gt;,<\/p>/)
  expect(mailTo('voter@example.com')?.text).toMatch(/^Hello,\n/)
  for (const { text, headers } of mails) {
    expect(text).toContain('http://localhost:9999/unsubscribe/')
    expect(headers['List-Unsubscribe']).toMatch(/^<http:\/\/localhost:9999\/unsubscribe\//)
  }
})

test('a title and a message are plain text in a mail, whatever they contain', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, { title: '<b>{{email}}</b> & 🙂', user: { email: 'author@example.com' } })
  const message = '<script>alert(1)</script> {{unsubscribeUrl}}\n"quoted" <a href="https://evil.test">x</a>'
  await post(world, `${key}/status-updates`, { status: 'planned', message })
  const [sent] = await deliverMails(world)
  expect(sent?.subject).toBe('<b>{{email}}</b> & 🙂: planned')
  expect(sent?.html).toContain('&lt;b&gt;{{email}}&lt;/b&gt; &amp; 🙂')
  expect(sent?.html).toContain(
    '&lt;script&gt;alert(1)&lt;/script&gt; {{unsubscribeUrl}}<br>&quot;quoted&quot; &lt;a href=',
  )
  expect(sent?.html).not.toMatch(/<script|evil\.test">/)
  expect(sent?.text).toContain(message)
})

test('a mail shows the 50 newest news and the number of others, and its variables stay small', async () => {
  const world = await createQuietWorkspace()
  const titles = Array.from({ length: 60 }, (_, n) => `Idea ${n} ${n === 59 ? '\u0001'.repeat(400) : ''}`)
  await post(
    world,
    'bulk-create',
    titles.map((title) => ({ title, product: world.product.externalKey, user: { email: 'author@example.com' } })),
  )
  await env.DB.prepare(
    `INSERT INTO feedback_notices (subscription_id, feedback_id, status_id, created_at)
     SELECT subscription_id, id, ?2, 0 FROM feedback_items WHERE subscription_id = ?1 ORDER BY id`,
  )
    .bind(world.subscriptionId, await findStatusId(world, 'planned'))
    .run()
  await env.DB.prepare('UPDATE feedback_items SET status_id = ?2, created_at = 0 WHERE subscription_id = ?1')
    .bind(world.subscriptionId, await findStatusId(world, 'planned'))
    .run()
  await env.DB.prepare('UPDATE feedback_subscriptions SET created_at = 0 WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .run()
  await env.DB.prepare('DELETE FROM feedback_notices WHERE subscription_id = ? AND created_at > 0')
    .bind(world.subscriptionId)
    .run()
  const mails = await deliverMails(world, { minutes: 0 })
  expect(mails.map(({ subject }) => subject)).toEqual(['News about 60 items'])
  const shown = Array.from(mails[0]?.text?.matchAll(/"Idea (\d+)/g) ?? [], ([, n]) => Number(n))
  expect(shown).toEqual(Array.from({ length: 50 }, (_, n) => 59 - n))
  expect(mails[0]?.text).toContain('And 10 more.')
  const { bytes } = (await env.DB.prepare(
    'SELECT max(octet_length(variables)) AS bytes FROM email_recipients WHERE subscription_id = ?',
  )
    .bind(world.subscriptionId)
    .first<{ bytes: number }>()) ?? { bytes: 0 }
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(960)
})

test('a mail about an idea is visible only with access to the idea', async () => {
  const world = await createQuietWorkspace()
  const key = await createIdea(world)
  await vote(world, key, 'voter@example.com')
  await post(world, `${key}/status-updates`, { status: 'planned', message: 'In May' })
  expect(await deliver(world)).toHaveLength(1)
  const other = await world.row('products', {
    ...{ subscription_id: world.subscriptionId, external_key: `OT-${world.subscriptionId}`, name: 'Other' },
    ...{ created_at: 0, updated_at: 0 },
  })
  const [mailing] = (await world.client<{ id: number }[]>('GET', '/api/v2/emails?kind=digest')).body.data
  const subject = async (claims: Parameters<Workspace['key']>[0]) => {
    const apiKey = await world.key(claims)
    const { status, body } = await world.client<{ message: { subject: string; html: string; text: string } }>(
      'GET',
      `/api/v2/emails/${mailing?.id}/recipients/0`,
      { apiKey },
    )
    const { message } = body.data
    const tells = [message.subject, message.html, message.text].some((text) => /Dark mode|planned|In May/.test(text))
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
