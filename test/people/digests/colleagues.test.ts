import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import type { Workspace } from '../../factories'
import {
  countRows,
  createColleague,
  createIdea,
  createQuietWorkspace,
  deliver,
  deliverMails,
  post,
  vote,
} from './followed-ideas'

const findMember = async ({ client }: Workspace, email: string) =>
  (await client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')).body.data.find(
    (one) => one.email === email,
  )?.id ?? 0

async function createTeam() {
  const world = await createQuietWorkspace()
  const cleo = await createColleague(world, 'cleo@example.com')
  const dan = await createColleague(world, 'dan@example.com')
  return { world, cleo, dan, P: `/api/initiatives/${world.product.externalKey}` }
}

test('a public comment of the team mails the author of the idea, and a reply the author of the comment too', async () => {
  const { world, cleo } = await createTeam()
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  await vote(world, key, 'voter@example.com')
  const customer = await world.key({ userId: await findMember(world, 'voter@example.com') })
  const comment = await post(world, `${key}/comments`, { text: '<p>I need this</p>' }, { apiKey: customer })
  expect(await deliver(world)).toEqual([])
  await post(
    world,
    `comments/${comment.body.data.id}/reply`,
    { text: '<p>We <b>look</b> at this &amp; that</p><p>Soon</p>' },
    { apiKey: cleo.apiKey },
  )
  const mails = await deliverMails(world)
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    'author@example.com New reply: Dark mode',
    'voter@example.com New reply: Dark mode',
  ])
  expect(mails[0]?.text).toContain('The team has replied to you on "Dark mode":\nWe look at this & that\nSoon')
  expect(mails[0]?.html).toContain('We look at this &amp; that<br>Soon')
  await post(world, `${key}/comments`, { text: 'Any news?' }, { apiKey: cleo.apiKey })
  expect(await deliver(world)).toEqual(['author@example.com New reply: Dark mode'])
})

test('a private comment mails nobody but the colleagues whom it mentions, and its text stays out of the mail', async () => {
  const { world, cleo, dan } = await createTeam()
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  const author = await findMember(world, 'author@example.com')
  const mentions = [cleo.id, author]
  const hush = await post(world, `${key}/comments`, { text: 'Hush hush', isPrivate: true, mentions })
  await post(
    world,
    `comments/${hush.body.data.id}/reply`,
    { text: 'Hush too', mentions: [dan.id] },
    { apiKey: cleo.apiKey },
  )
  const mails = await deliverMails(world)
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    'cleo@example.com You were mentioned: Dark mode',
    'dan@example.com You were mentioned: Dark mode',
  ])
  for (const { text, html } of mails) expect(`${text}${html}`).not.toContain('Hush')
  const { results } = await env.DB.prepare('SELECT variables FROM emails WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all()
  expect(JSON.stringify(results)).not.toContain('Hush')
  const { body } = await world.client<{ data: object }[]>('GET', '/api/v2/events?type=comment.created')
  expect(JSON.stringify(body.data)).not.toContain('Hush')
})

test('a mention mails once: new mentions of a changed comment only, and not who is no longer mentioned', async () => {
  const { world, cleo, dan, P } = await createTeam()
  await world.client('POST', `${P}/epics`, { json: { summary: 'Checkout' } })
  const path = `${P}/backlog/EP-1/comments`
  const made = await world.client<{ id: number }>('POST', path, {
    json: { text: 'Look', mentions: [cleo.id, world.userId] },
  })
  expect(await deliver(world)).toEqual(['cleo@example.com You were mentioned: Checkout'])
  const comment = `${P}/backlog/comments/${made.body.data.id}`
  await world.client('PUT', comment, { json: { text: 'Look again', mentions: [cleo.id, dan.id] } })
  expect(await deliver(world)).toEqual(['dan@example.com You were mentioned: Checkout'])
  await world.client('PUT', comment, { json: { mentions: [] } })
  await world.client('PUT', comment, { json: { mentions: [cleo.id] } })
  await deliver(world, { minutes: 0 })
  await world.client('PUT', comment, { json: { mentions: [] } })
  expect(await deliver(world)).toEqual([])
  await world.client('PUT', comment, { json: { mentions: [cleo.id] } })
  await deliver(world, { minutes: 0 })
  await world.client('DELETE', comment)
  expect(await deliver(world)).toEqual([])
})

test('a person who is answered and mentioned reads the comment once', async () => {
  const { world, cleo } = await createTeam()
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  const author = await findMember(world, 'author@example.com')
  await post(world, `${key}/comments`, { text: 'Thank you', mentions: [author] }, { apiKey: cleo.apiKey })
  const [mail, ...others] = await deliverMails(world)
  expect([mail?.subject, others.length]).toEqual(['You were mentioned: Dark mode', 0])
  expect(mail?.text?.match(/Thank you/g)).toHaveLength(1)
})

test('the author of an anonymous idea is not told of a reply, because a mailing shows its recipients', async () => {
  const { world, cleo } = await createTeam()
  const key = await createIdea(world, { user: { email: 'hidden@example.com' }, is_anonymous: true })
  await post(world, `${key}/comments`, { text: 'Hello' }, { apiKey: cleo.apiKey })
  expect(await countRows(world, 'notices')).toBe(0)
  expect(await deliver(world)).toEqual([])
})

test('an assignment mails the colleague, whichever door it comes through, and only while it stands', async () => {
  const { world, cleo, dan, P } = await createTeam()
  const customer = await createIdea(world, { user: { email: 'customer@example.com' } }).then(() =>
    findMember(world, 'customer@example.com'),
  )
  const epic = (json: object) => world.client('PUT', `${P}/epics/EP-1`, { json })
  await world.client('POST', `${P}/epics`, { json: { summary: 'Checkout', userId: [cleo.id, world.userId, customer] } })
  expect(await deliver(world)).toEqual(['cleo@example.com Assigned to you: Checkout'])
  await epic({ userId: [cleo.id, dan.id] })
  expect(await deliver(world)).toEqual(['dan@example.com Assigned to you: Checkout'])
  await epic({ userId: [dan.id] })
  await epic({ userId: [dan.id, cleo.id] })
  await deliver(world, { minutes: 0 })
  await epic({ userId: [dan.id] })
  expect(await deliver(world)).toEqual([])
  await epic({ summary: 'Payment' })
  expect(await deliver(world)).toEqual([])

  const upsert = (json: object) => world.client('PUT', `${P}/backlog/external/linear/L-1`, { json })
  await upsert({ type: 'feature', summary: 'Pay', userId: [cleo.id] })
  await upsert({ type: 'feature', summary: 'Pay', userId: [cleo.id, dan.id] })
  expect(await deliver(world)).toEqual([
    'cleo@example.com Assigned to you: Pay',
    'dan@example.com Assigned to you: Pay',
  ])
  await world.client('POST', `${P}/backlog/bulk`, {
    json: [
      { op: 'create', type: 'userstory', body: { summary: 'Card', userId: [cleo.id] } },
      { op: 'update', type: 'epic', externalKey: 'EP-1', body: { userId: [dan.id, cleo.id] } },
    ],
  })
  expect(await deliver(world)).toEqual(['cleo@example.com News about 2 items'])
})

test('a mail about the backlog is visible only with access to the backlog', async () => {
  const { world, cleo, P } = await createTeam()
  await world.client('POST', `${P}/epics`, { json: { summary: 'Checkout', userId: [cleo.id] } })
  await deliver(world)
  const [mailing] = (await world.client<{ id: number }[]>('GET', '/api/v2/emails?kind=digest')).body.data
  const read = async (scopes: ('mail:read' | 'feedback:read' | 'backlog:read')[]) => {
    const apiKey = await world.key({ scopes })
    const path = `/api/v2/emails/${mailing?.id}/recipients/0`
    return (await world.client<{ message: { text: string } }>('GET', path, { apiKey })).body.data.message.text
  }
  expect(await read(['mail:read', 'feedback:read'])).not.toMatch(/Checkout|EP-1/)
  expect(await read(['mail:read', 'backlog:read'])).toContain('EP-1 "Checkout" is assigned to you.')
})

test('an import assigns without mail', async () => {
  const { world, cleo, P } = await createTeam()
  await world.client('POST', `${P}/epics`, { json: { summary: 'Checkout', userId: [cleo.id] } })
  await deliver(world)
  const { response } = await send('GET', `${P}/backlog/export?format=json`, { apiKey: await world.key() })
  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const path = `/api/initiatives/${other.body.data.externalKey}/backlog/import`
  expect((await world.client('POST', path, { json: await response.json() })).status).toBe(201)
  const { body } = await world.client<{ userId: number[] }[]>('GET', '/api/v2/work-items')
  expect(body.data.map(({ userId }) => userId)).toEqual([[cleo.id], [cleo.id]])
  expect(await deliver(world)).toEqual([])
})
