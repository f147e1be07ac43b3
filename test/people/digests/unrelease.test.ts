import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { chooseDueBatch } from '../../../src/people/digests/content'
import { acceptDigests } from '../../../src/people/digests/queries/accept'
import { listDetails, listDueRows } from '../../../src/people/digests/queries/due'
import { createMailing } from '../../../src/people/mail/statements'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { RESEND } from '../mail/queue-simulation'
import {
  countRows,
  createColleague,
  createIdea,
  createQuietWorkspace,
  deliver,
  deliverMails,
  IDEAS,
  MINUTE,
  post,
  setStatus,
  vote,
} from './followed-ideas'

interface Version {
  status: string
  releaseDate: string | null
  releasedAt: string | null
  name: string
}

interface Event {
  type: string
  data: object
  previous: object | null
}

const PLANNED_RELEASE_DATE = '2027-04-01T00:00:00.000Z'

/** A version with an epic that is done, and with an idea that a voter follows. */
async function createFollowedVersion(body: object = {}) {
  const world = await createQuietWorkspace()
  const base = `/api/initiatives/${world.product.externalKey}`
  const key = await createIdea(world)
  await vote(world, key, 'voter@example.com')
  await post(world, `${key}/promote`, { type: 'epic' })
  await world.client('PUT', `${base}/epics/EP-1`, { json: { progress: 'done' } })
  await deliver(world)
  await world.client('POST', `${base}/solution-versions`, { json: { name: 'Spring', items: ['EP-1'], ...body } })
  const path = `${base}/solution-versions/SV-1`
  const send = (verb: string, options: object = {}) => world.client<Version>('POST', `${path}/${verb}`, options)
  return {
    world,
    key,
    path,
    read: async () => (await world.client<Version>('GET', path)).body.data,
    release: (json: object = {}) => send('release', { json }),
    unrelease: (options: object = {}) => send('unrelease', options),
    listEvents: async () => (await world.client<Event[]>('GET', '/api/v2/events?key=SV-1')).body.data,
  }
}

const summarize = ({ status, body }: Awaited<ReturnType<Workspace['client']>>) => [status, body.error?.code]
const CONFLICT = [409, 'conflict']

test('a release that is taken back mails nobody, and the version is as it was before', async () => {
  for (const [body, expected] of [
    [{}, { status: 'planned', releaseDate: null }],
    [
      { status: 'in-progress', releaseDate: '2027-04-01' },
      { status: 'in-progress', releaseDate: PLANNED_RELEASE_DATE },
    ],
  ] as const) {
    const { world, key, read, release, unrelease, listEvents } = await createFollowedVersion(body)
    const before = await read()
    const idea = await world.client('GET', `${IDEAS}/${key}`)
    expect((await release()).status).toBe(200)
    // The recipients are known before the release is taken back.
    expect(await deliver(world, { minutes: 0 })).toEqual([])
    expect(await countRows(world, 'notice_people')).toBe(1)
    const released = await read()
    const back = await unrelease()
    expect([back.status, back.cost.roundTrips, back.body.message]).toEqual([200, 1, 'Release taken back'])
    expect(back.body.data).toEqual({ ...before, updatedAt: expect.any(String) })
    expect(back.body.data).toMatchObject({ ...expected, releasedAt: null })
    const events = (await listEvents()).slice(-2)
    expect(events.map(({ type }) => type)).toEqual(['solution_version.updated', 'solution_version.unreleased'])
    for (const { data, previous } of events) {
      expect(data).toEqual(back.body.data)
      expect(previous).toMatchObject({ status: 'released', releasedAt: released.releasedAt })
    }
    // A release changes no idea.
    expect((await world.client('GET', `${IDEAS}/${key}`)).body.data).toEqual(idea.body.data)
    expect(await deliver(world)).toEqual([])
    expect([await countRows(world, 'notice_people'), await countRows(world, 'notice_digests')]).toEqual([0, 0])
  }
})

test('a release without recipients yet is taken back without mail too', async () => {
  const { world, release, unrelease } = await createFollowedVersion()
  await release()
  await unrelease()
  expect(await deliver(world)).toEqual([])
})

test('a second release of the version is mailed once, and other news keeps its mail', async () => {
  const { world, key, release, unrelease, path } = await createFollowedVersion()
  await release()
  await deliver(world, { minutes: 0 })
  await unrelease()
  await world.client('PUT', path, { json: { name: 'Summer' } })
  expect((await release()).body.data).toMatchObject({ status: 'released', name: 'Summer' })
  await setStatus(world, key, 'under review')
  const mails = await deliverMails(world)
  expect(mails.map(({ to }) => to.join())).toEqual(['voter@example.com'])
  expect(mails[0]?.text?.match(/is released/g)).toHaveLength(1)
  expect(mails[0]?.text).toContain('Summer is released, and contains "Dark mode".')
  expect(mails[0]?.text).toContain('"Dark mode" is now "under review".')
  expect(await deliver(world)).toEqual([])
})

test('a release is final when its mail has left, in whichever mail', async () => {
  const { world, key, release, unrelease, read } = await createFollowedVersion()
  await release()
  // The news about the idea is sent at once, with the release that waits.
  await setStatus(world, key, 'under review', 'now')
  const [mail] = await deliverMails(world, { minutes: 0 })
  expect(mail?.text).toContain('Spring is released')
  const released = await read()
  const refused = await unrelease()
  expect(summarize(refused)).toEqual(CONFLICT)
  expect([refused.body.message, refused.cost.rowsWritten]).toEqual([expect.stringContaining('its mail has left'), 0])
  expect(await read()).toEqual(released)
})

test('a release that is mailed at once, or whose time is over, is final', async () => {
  const atOnce = await createFollowedVersion()
  await atOnce.release({ notify: 'now' })
  expect(summarize(await atOnce.unrelease())).toEqual(CONFLICT)
  expect(await deliver(atOnce.world, { minutes: 0 })).toEqual(['voter@example.com Spring is released'])
  const soon = await createFollowedVersion()
  const env = { NOTICE_DELAY_MINUTES: '0' }
  await soon.world.client('POST', `${soon.path}/release`, { json: {}, env })
  expect(summarize(await soon.unrelease())).toEqual(CONFLICT)
})

test('a release without mail can be taken back, whatever the delay of mail is', async () => {
  const { world, path, unrelease } = await createFollowedVersion()
  const env = { NOTICE_DELAY_MINUTES: '0' }
  await world.client('POST', `${path}/release`, { json: { notify: 'none' }, env })
  expect((await unrelease()).body.data.status).toBe('planned')
  expect(await deliver(world)).toEqual([])
})

test('a release that is taken back while its mail is prepared mails nobody', async () => {
  const { world, release, unrelease } = await createFollowedVersion()
  const { subscriptionId } = world
  await release()
  await deliver(world, { minutes: 0 })
  const store = openStore(env.DB, readClock() + 61 * MINUTE)
  const { people, read, chosen } = chooseDueBatch((await listDueRows(store, subscriptionId)).rows)
  const shown = (await listDetails(store, subscriptionId, chosen)).map(({ id }) => id)
  expect(shown).toHaveLength(1)
  await unrelease()
  const mailing = createMailing({ subject: 'News', text: 'News', html: '' }, RESEND, 'https://example.com')
  const list = JSON.stringify
  const ids = { people: list(people), read: list(read), chosen: list(chosen), shown: list(shown) }
  const mailings = await countRows(world, 'emails')
  await acceptDigests(store, subscriptionId, { ...ids, shared: '{}' }, mailing)
  expect([await countRows(world, 'emails'), await countRows(world, 'notice_digests')]).toEqual([mailings, 0])
})

test('only a released version of the own workspace can be taken back', async () => {
  const { world, path, release, unrelease } = await createFollowedVersion()
  const before = await unrelease()
  expect([...summarize(before), before.cost.rowsWritten]).toEqual([...CONFLICT, 0])
  expect(before.body.message).toContain('is not released')
  await release()
  const stranger = await createWorkspace()
  expect((await unrelease({ apiKey: await stranger.key() })).status).toBe(404)
  expect((await unrelease({ apiKey: await world.key({ scopes: ['backlog:read'] }) })).status).toBe(403)
  const { apiKey } = await createColleague(world, 'cleo@example.com')
  expect((await unrelease({ apiKey })).status).toBe(200)
  expect(summarize(await unrelease())).toEqual(CONFLICT)
  await release()
  await world.client('POST', `${path}/archive`)
  expect(summarize(await unrelease())).toEqual(CONFLICT)
})

test('parallel requests take a release back once', async () => {
  const { world, release, unrelease, listEvents, read } = await createFollowedVersion()
  await release()
  const responses = await Promise.all([unrelease(), release(), unrelease(), release(), unrelease()])
  const statuses = responses.map(({ status }) => status)
  expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
  const types = (await listEvents()).map(({ type }) => type)
  const count = (type: string) => types.filter((one) => one === `solution_version.${type}`).length
  const { status } = await read()
  expect(count('released') - count('unreleased')).toBe(status === 'released' ? 1 : 0)
  expect(count('updated')).toBe(count('released') + count('unreleased'))
  expect(count('released') + count('unreleased')).toBe(1 + statuses.filter((one) => one === 200).length)
  const mails = await deliverMails(world)
  expect(mails).toHaveLength(status === 'released' ? 1 : 0)
  for (const { text } of mails) expect(text?.match(/is released/g)).toHaveLength(1)
})
