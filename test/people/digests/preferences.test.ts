import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { EVENT_DATA } from '../../../src/event-data'
import { signPreferencesToken, signUnsubscribeToken } from '../../../src/http/link-token'
import { send } from '../../client'
import { readClock } from '../../clock'
import type { Workspace } from '../../factories'
import {
  createColleague,
  createIdea,
  createQuietWorkspace,
  deliver,
  deliverMails,
  IDEAS,
  setStatus,
  vote,
} from './followed-ideas'

const DAY_MINUTES = 24 * 60

async function openPage(method: string, path: string, form?: Record<string, string | string[]>) {
  const fields = Object.entries(form ?? {}).flatMap(([name, values]) => [values].flat().map((value) => [name, value]))
  const { response, cost } = await send(method, path, form ? { raw: new URLSearchParams(fields) } : {})
  return { status: response.status, text: await response.text(), headers: response.headers, cost }
}

/** An idea with a voter, and the links of the voter's mail. */
async function createFollower(options: { title?: string } = {}) {
  const world = await createQuietWorkspace()
  const key = await createIdea(world, options)
  await vote(world, key, 'voter@example.com')
  await setStatus(world, key, 'planned')
  const [mail] = await deliverMails(world)
  const paths = Array.from(mail?.text?.matchAll(/https?:\/\/[^/\s]+(\/\S+)/g) ?? [], ([, path = '']) => path)
  const stop = paths.find((path) => path.includes('?idea=')) ?? ''
  const choose = paths.find((path) => path.startsWith('/preferences/') && !path.includes('?')) ?? ''
  return { world, key, stop, choose, mail }
}

const checked = (text: string) => Array.from(text.matchAll(/value="(\w+)" checked/g), ([, value]) => value)

test('a link in the mail stops mail about one idea, after a confirmation', async () => {
  const { world, key, stop, mail } = await createFollower({ title: '<b>Dark</b> mode' })
  expect(mail?.html).toContain(`<a href="`)
  expect(mail?.html).toContain('>Stop mail about this idea</a>')
  const page = await openPage('GET', stop)
  expect([page.status, page.cost.roundTrips, page.cost.rowsWritten]).toEqual([200, 1, 0])
  expect(page.text).toContain('Do you want to stop mail about “&lt;b&gt;Dark&lt;/b&gt; mode”?')
  expect(page.text).not.toMatch(/<script|onclick|<b>Dark/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await openPage('POST', stop, { action: 'stop' })).text).toContain('You get no mail about “&lt;b&gt;Dark')
  const again = await openPage('POST', stop, { action: 'stop' })
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
  await setStatus(world, key, 'completed')
  expect(await deliver(world)).toEqual([])
  const { body } = await world.client<{ type: string; data: { user_id: number } }[]>('GET', `/api/v2/events?key=${key}`)
  const left = body.data.filter(({ type }) => type === 'feedback.unsubscribed')
  expect(left.map(({ data }) => EVENT_DATA['feedback.unsubscribed'].safeParse(data).success)).toEqual([true])
})

test('a stop takes back a mail that waits, and another idea still mails', async () => {
  const { world, key, stop } = await createFollower()
  const other = await createIdea(world, { title: 'Offline' })
  await vote(world, other, 'voter@example.com')
  await setStatus(world, key, 'completed')
  await setStatus(world, other, 'planned')
  await deliver(world, { minutes: 0 })
  await openPage('POST', stop, { action: 'stop' })
  expect(await deliver(world)).toEqual(['voter@example.com Offline: planned'])
})

test('a page shows titles only of ideas that the person follows', async () => {
  const { world, choose } = await createFollower()
  const foreign = await createIdea(world, { title: 'Secret plan' })
  const page = await openPage('GET', `${choose}?idea=${foreign}`)
  expect([page.status, page.text.includes('Secret')]).toEqual([200, false])
  const posted = await openPage('POST', `${choose}?idea=${foreign}`, { action: 'stop' })
  expect([posted.text.includes('Secret'), posted.cost.rowsWritten]).toEqual([false, 0])
  expect((await openPage('GET', `${choose}?idea=${'x'.repeat(100)}&utm=1`)).status).toBe(200)
})

test('a person chooses the kinds of mail, and the choice holds for mail that waits', async () => {
  const { world, key, choose } = await createFollower()
  const page = await openPage('GET', choose)
  expect(checked(page.text)).toEqual(['status', 'release', 'reply', 'mention', 'off'])
  expect(page.text).not.toContain('assigned')
  await setStatus(world, key, 'completed')
  await deliver(world, { minutes: 0 })
  const saved = await openPage('POST', choose, { action: 'save', kind: ['release', 'mention'], digest: 'off' })
  expect(checked(saved.text)).toEqual(['release', 'mention', 'off'])
  const audience = await world.client('GET', `${IDEAS}/${key}/status-updates/audience`)
  expect(audience.body.data).toMatchObject({ stopped: 1, recipients: 0 })
  expect(await deliver(world)).toEqual([])
  const same = await openPage('POST', choose, { action: 'save', kind: ['release', 'mention'], digest: 'off' })
  expect(same.cost.rowsWritten).toBe(0)
  await setStatus(world, key, 'declined')
  expect(await deliver(world)).toEqual([])
  const { body } = await world.client<{ data: object; actor: object; resourceKey: string }[]>(
    'GET',
    '/api/v2/events?type=member.mail_preferences_updated',
  )
  expect(body.data.map(({ data }) => EVENT_DATA['member.mail_preferences_updated'].parse(data))).toEqual([
    { id: Number(body.data[0]?.resourceKey), digest: 'off', stoppedKinds: ['status', 'reply'] },
  ])
  await openPage('POST', choose, { action: 'save', kind: ['status'], digest: 'off' })
  await setStatus(world, key, 'planned')
  expect(await deliver(world)).toEqual(['voter@example.com Dark mode: planned'])
})

test('a daily digest waits for six in the morning, a weekly digest for Monday, and a new choice moves what waits', async () => {
  const { world, key, choose } = await createFollower()
  const save = (digest: string) => openPage('POST', choose, { action: 'save', kind: ['status'], digest })
  await save('daily')
  await setStatus(world, key, 'in progress', 'now')
  await deliver(world, { minutes: 0 })
  const dueAt = async () =>
    new Date(
      (await env.DB.prepare('SELECT due_at FROM notice_digests WHERE subscription_id = ?')
        .bind(world.subscriptionId)
        .first<number>('due_at')) ?? 0,
    )
  const daily = await dueAt()
  expect(daily.toISOString()).toMatch(/T06:00:00\.000Z$/)
  expect(daily.getTime() - readClock()).toBeLessThanOrEqual(DAY_MINUTES * 60_000)
  await save('weekly')
  const weekly = await dueAt()
  expect([weekly.getUTCDay(), weekly.getUTCHours(), weekly >= daily]).toEqual([1, 6, true])
  expect(weekly.getTime() - readClock()).toBeLessThanOrEqual(7 * DAY_MINUTES * 60_000)
  await setStatus(world, key, 'completed')
  expect(await deliver(world, { minutes: Math.floor((weekly.getTime() - readClock()) / 60_000) - 1 })).toEqual([])
  expect(await deliver(world, { minutes: Math.ceil((weekly.getTime() - readClock()) / 60_000) })).toEqual([
    'voter@example.com Dark mode: completed',
  ])
  await setStatus(world, key, 'planned')
  await deliver(world, { minutes: 0 })
  await save('off')
  expect(await deliver(world)).toEqual(['voter@example.com Dark mode: planned'])
})

test('a colleague can turn off assignments, and the page stops all mail at a wish', async () => {
  const world = await createQuietWorkspace()
  const { apiKey } = await createColleague(world, 'cleo@example.com')
  const key = await createIdea(world)
  await world.client('POST', `${IDEAS}/${key}/subscription`, { apiKey })
  await setStatus(world, key, 'planned')
  const [mail] = await deliverMails(world)
  const [, choose = ''] = /Choose your mail: https?:\/\/[^/]+(\S+)/.exec(mail?.text ?? '') ?? []
  const page = await openPage('GET', choose)
  expect(checked(page.text)).toContain('assignment')
  const [, stopAll = ''] = /action="\.\.(\/unsubscribe\/[^"]+)"/.exec(page.text) ?? []
  expect((await openPage('POST', stopAll, {})).text).toContain('gets no more e-mails')
  expect((await openPage('GET', choose)).text).toContain('All mail to cleo@example.com is stopped')
  await setStatus(world, key, 'completed')
  expect(await deliver(world)).toEqual([])
})

async function findMailing({ subscriptionId }: Workspace): Promise<number> {
  const mailing = env.DB.prepare('SELECT max(id) AS id FROM emails WHERE subscription_id = ?').bind(subscriptionId)
  return (await mailing.first<number>('id')) ?? 0
}

test('a forged link, a link for another purpose and a link of another workspace do not work', async () => {
  const { world, choose } = await createFollower()
  const { subscriptionId } = world
  const emailId = await findMailing(world)
  const link = { subscriptionId, emailId, position: 0, addressRound: 0 }
  const other = await createFollower()
  for (const token of [
    await signUnsubscribeToken(env.SIGNING_SECRETS, link),
    choose
      .replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
      .split('/')
      .at(-1) ?? '',
    'nothing',
  ]) {
    expect((await openPage('GET', `/preferences/${token}`)).status).toBe(404)
    expect((await openPage('POST', `/preferences/${token}`, { action: 'save', digest: 'off' })).status).toBe(404)
  }
  const mixed = await signPreferencesToken(env.SIGNING_SECRETS, { ...link, subscriptionId: other.world.subscriptionId })
  expect((await openPage('GET', `/preferences/${mixed}`)).status).toBe(410)
  expect((await openPage('POST', `/preferences/${mixed}`, { action: 'stop' })).status).toBe(410)
})

test('a wrong or large form changes nothing', async () => {
  const { choose } = await createFollower()
  for (const form of [
    {},
    { action: 'save' },
    { action: 'save', digest: 'hourly' },
    { action: 'save', digest: 'off', kind: 'everything' },
    { action: 'stop' },
    { __proto__: 'x', action: 'drop' },
  ]) {
    const { status, text, cost } = await openPage('POST', choose, form as Record<string, string>)
    expect([form, status, cost.rowsWritten, text.includes('Nothing was changed')]).toEqual([form, 200, 0, true])
  }
  expect((await openPage('POST', choose, { action: 'x'.repeat(5_000) })).status).toBe(413)
})

test('the preferences of a removed member are gone, and an export of the person shows them', async () => {
  const { world, choose } = await createFollower()
  await openPage('POST', choose, { action: 'save', kind: ['status'], digest: 'weekly' })
  const { body } = await world.client<{ id: number; email: string }[]>('GET', '/api/v2/idea-manager/members')
  const member = body.data.find(({ email }) => email === 'voter@example.com')?.id
  const path = `/api/v2/idea-manager/members/${member}`
  const exported = await send('GET', `${path}/export`, { apiKey: await world.key() })
  expect(((await exported.response.json()) as { mailPreferences: object }).mailPreferences).toEqual([
    { digest: 'weekly', stoppedKinds: ['release', 'reply', 'mention'] },
  ])
  await world.client('DELETE', path)
  expect((await openPage('GET', choose)).status).toBe(410)
  await world.client('POST', `${path}/restore`, {})
  expect(checked((await openPage('GET', choose)).text)).toEqual(['status', 'weekly'])
})

test('a link leads to the preferences of the address of its mail, and of no later address of the person', async () => {
  const { world, key, choose, stop } = await createFollower()
  const { body } = await world.client<{ id: number }[]>('GET', '/api/v2/users?email=voter@example.com')
  const change = (email: string) => world.client('PUT', `/api/v2/users/${body.data[0]?.id}`, { json: { email } })
  await change('new@example.com')
  for (const path of [choose, stop])
    for (const form of [undefined, { action: 'save', kind: ['status'], digest: 'daily' }, { action: 'stop' }]) {
      const page = await openPage(form ? 'POST' : 'GET', path, form)
      expect([page.status, page.cost.rowsWritten, page.text.includes('new@')]).toEqual([410, 0, false])
    }
  // The link to unsubscribe outlives the change.
  await setStatus(world, key, 'completed')
  const [mail] = await deliverMails(world)
  const link = /\/preferences\/[\w.-]+$/m.exec(mail?.text ?? '')?.[0] ?? ''
  expect([mail?.to, (await openPage('GET', link)).status]).toEqual([['new@example.com'], 200])
})
