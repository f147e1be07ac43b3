import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { EVENT_DATA } from '../../../src/event-data'
import { publishScheduledEntries } from '../../../src/feedback/changelog/publishing/publish'
import { send } from '../../client'
import { readClock } from '../../clock'
import type { Workspace } from '../../factories'
import { freezeTime } from '../../fake-clock'
import { createQuietWorkspace, deliver, deliverMails } from '../../people/digests/followed-ideas'

const CHANGELOG = '/api/v2/changelog'
const SUBSCRIPTION = `${CHANGELOG}/subscription`

const follow = async ({ client }: Workspace, email: string) =>
  expect((await client('POST', SUBSCRIPTION, { json: { email } })).body).toMatchObject({ data: { subscribed: true } })

async function createEntry({ client }: Workspace, json: object = {}): Promise<string> {
  const { status, body } = await client<{ externalKey: string }>('POST', CHANGELOG, {
    json: { title: 'Dark mode', content: '<p>Choose the <b>dark</b> theme.</p>', ...json },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return `${CHANGELOG}/${body.data.externalKey}`
}

async function publish(world: Workspace, json: object = {}): Promise<string> {
  const at = await createEntry(world, json)
  expect((await world.client('POST', `${at}/publish`)).status).toBe(200)
  return at
}

test('followers get one mail about a publication, with the beginning of its text', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  await follow(world, 'ben@example.com')
  await publish(world)
  const mails = await deliverMails(world)
  expect(mails.map(({ to, subject }) => `${to} ${subject}`).sort()).toEqual([
    ...['ada@example.com Dark mode', 'ben@example.com Dark mode'],
  ])
  expect(mails[0]?.text).toContain('Dark mode\nChoose the dark theme.')
  expect(mails[0]?.text).toContain('follow the idea or the changelog')
  expect(await deliver(world)).toEqual([])
})

test('news of an hour is one mail, and `now` and `none` decide about its time', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  await publish(world)
  await publish(world, { title: 'Offline', product: world.product.externalKey })
  await publish(world, { title: 'Quiet', notify: 'none' })
  expect(await deliver(world)).toEqual(['ada@example.com News about 2 items'])
  await publish(world, { title: 'At once', notify: 'now' })
  expect(await deliver(world, { minutes: 0 })).toEqual(['ada@example.com At once'])
})

test('an entry that a status publishes mails its followers once, as the operation does', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  const created = await createEntry(world, { title: 'Created', status: 'published', notify: 'now' })
  expect(await deliver(world, { minutes: 0 })).toEqual(['ada@example.com Created'])
  const modified = await createEntry(world, { title: 'Modified', notify: 'now' })
  for (const at of [created, modified]) await world.client('PUT', at, { json: { status: 'published' } })
  expect(await deliver(world, { minutes: 0 })).toEqual(['ada@example.com Modified'])
})

test('the publication decides about the mail, and the entry keeps the decision', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  const at = await createEntry(world)
  const { body } = await world.client('POST', `${at}/publish`, { json: { notify: 'none' } })
  expect(body.data).toMatchObject({ status: 'published', notify: 'none' })
  expect(await deliver(world)).toEqual([])
  await world.client('POST', `${at}/unpublish`)
  await world.client('POST', `${at}/publish`, { json: { notify: 'now' } })
  expect(await deliver(world, { minutes: 0 })).toEqual(['ada@example.com Dark mode'])
})

test('the publisher, people who left and later followers get no mail', async () => {
  const world = await createQuietWorkspace()
  freezeTime()
  expect((await world.client('POST', SUBSCRIPTION)).status).toBe(200)
  await publish(world)
  vi.setSystemTime(readClock() + 1)
  await follow(world, 'late@example.com')
  expect(await deliver(world)).toEqual([])
  expect((await world.client('DELETE', SUBSCRIPTION)).status).toBe(200)
  const again = await world.client('DELETE', SUBSCRIPTION)
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
  const twice = await world.client('POST', SUBSCRIPTION, { json: { email: 'late@example.com' } })
  expect([twice.status, twice.cost.rowsWritten]).toEqual([200, 0])
  const types = 'member.changelog_followed,member.changelog_left'
  const { body } = await world.client<{ type: string; data: object }[]>('GET', `/api/v2/events?type=${types}`)
  expect(body.data.map(({ type }) => type)).toEqual([
    ...['member.changelog_followed', 'member.changelog_followed', 'member.changelog_left'],
  ])
  for (const { data } of body.data) expect(EVENT_DATA['member.changelog_left'].parse(data)).toEqual(data)
})

test('an entry that is taken back before its mail leaves is mailed once after the second publication', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  const at = await publish(world)
  await deliver(world, { minutes: 0 })
  await world.client('POST', `${at}/unpublish`)
  expect(await deliver(world)).toEqual([])
  await world.client('POST', `${at}/publish`)
  expect(await deliver(world)).toEqual(['ada@example.com Dark mode'])
  await world.client('POST', `${at}/unpublish`)
  await world.client('POST', `${at}/publish`)
  expect(await deliver(world)).toEqual([])
})

test('a removed entry, and an entry of a removed product, mail nobody', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  const at = await publish(world)
  await publish(world, { product: world.product.externalKey })
  await deliver(world, { minutes: 0 })
  await world.client('DELETE', at)
  await world.client('DELETE', `/api/initiatives/${world.product.externalKey}`)
  expect(await deliver(world)).toEqual([])
})

test('the cron mails the followers of a scheduled entry once', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  await createEntry(world, { publishAt: new Date(readClock() + 1_000).toISOString() })
  const run = () => publishScheduledEntries({ store: openStore(env.DB, readClock() + 2_000) })
  await Promise.all([run(), run()])
  expect(await deliver(world, { minutes: 62 })).toEqual(['ada@example.com Dark mode'])
})

test('the page of preferences shows and changes who follows', async () => {
  const world = await createQuietWorkspace()
  await follow(world, 'ada@example.com')
  await publish(world)
  const [mail] = await deliverMails(world)
  const [, choose = ''] = /https?:\/\/[^/\s]+(\/preferences\/[\w.-]+)/.exec(mail?.text ?? '') ?? []
  const open = async (form?: string[][]) => {
    const { response, cost } = await send(form ? 'POST' : 'GET', choose, form ? { raw: new URLSearchParams(form) } : {})
    return { isChecked: (await response.text()).includes('value="changelog" checked'), ...cost }
  }
  expect((await open()).isChecked).toBe(true)
  await publish(world, { title: 'Waiting' })
  await deliver(world, { minutes: 0 })
  const left = await open([
    ['action', 'save'],
    ['digest', 'off'],
    ['kind', 'status'],
  ])
  expect(left.isChecked).toBe(false)
  expect(await deliver(world)).toEqual([])
  const refused = await world.client('POST', SUBSCRIPTION, { json: { email: 'ada@example.com' } })
  expect(refused.status).toBe(409)
  const again = [
    ['action', 'save'],
    ['digest', 'off'],
    ['kind', 'status'],
    ['kind', 'changelog'],
  ]
  expect((await open(again)).isChecked).toBe(true)
  expect(await open(again)).toMatchObject({ isChecked: true, rowsWritten: 0, roundTrips: 2 })
  await publish(world, { title: 'Back' })
  expect(await deliver(world)).toEqual(['ada@example.com Back'])
})

test('5,000 followers are looked up in slices and mailed once each', async () => {
  const world = await createQuietWorkspace()
  await env.DB.batch(
    [
      `INSERT INTO users (subscription_id, email, role, created_at, updated_at)
        SELECT ?1, 'm' || value || '@example.com', 'idm_member', 0, 0 FROM json_each(?2)`,
      `INSERT INTO changelog_followers (subscription_id, user_id, created_at)
        SELECT subscription_id, id, 0 FROM users WHERE subscription_id = ?1 AND role = 'idm_member' AND ?2 IS NOT NULL`,
    ].map((text) =>
      env.DB.prepare(text).bind(world.subscriptionId, JSON.stringify(Array.from({ length: 5_000 }, (_, n) => n))),
    ),
  )
  await publish(world)
  const mails = await deliverMails(world)
  expect(new Set(mails.map(({ to }) => String(to))).size).toBe(5_000)
  expect(mails.length).toBe(5_000)
})
