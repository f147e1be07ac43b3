import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { signConfirmationToken, signInvitationToken } from '../../../src/http/link-token'
import { enqueueDueConfirmations } from '../../../src/people/confirmations/handler'
import { send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { fakeResend, MESSAGE, RESEND, simulateQueue } from '../mail/queue-simulation'

interface Confirmation {
  userId: number
  email: string
  status: string
  askedAt: string | null
  confirmedAt: string | null
}

async function createScenario(segmentFields: object = { doubleOptIn: true }) {
  const space: Workspace = await createWorkspace()
  const { client, subscriptionId } = space
  const provider = fakeResend()
  const queue = simulateQueue(RESEND, provider.fetch)
  const call = async <T>(method: string, path: string, json?: unknown) => {
    const { status, body } = await client<T>(method, path, { ...(json !== undefined && { json }), env: RESEND })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body.data
  }
  const segment = await call<{ id: number; doubleOptIn: boolean }>('POST', '/api/v2/segments', {
    ...{ name: 'News', ...segmentFields },
  })
  const at = `/api/v2/segments/${segment.id}`
  return {
    ...{ ...space, provider, queue, call, segment, at },
    join: (...names: string[]) =>
      call<{ inviteResults: { user: { id: number } }[] }>(
        'POST',
        `${at}/create-users`,
        names.map((name) => ({ name, email: addressOf(name) })),
      ).then(({ inviteResults }) => inviteResults.map(({ user }) => user.id)),
    /** A minute passes, and the cron and the queue do their work. */
    async passMinute() {
      queue.now = Math.max(queue.now, readClock()) + 60_000
      await enqueueDueConfirmations({ store: openStore(env.DB, queue.now), outlet: queue.outlet })
      // The cron finds the workspaces of the other tests, too.
      queue.queue = queue.queue.filter(({ body }) => body.subscriptionId === subscriptionId)
      while (await queue.step());
    },
    list: (query = '') => call<Confirmation[]>('GET', `${at}/confirmations${query}`),
    /** Addresses of a mailing to the segment. */
    mailSegment: async () =>
      (await call<{ email: string }[]>('POST', `${at}/email`, MESSAGE)).map(({ email }) => email).sort(),
    askedAddresses: () =>
      provider.accepted
        .filter(({ subject }) => subject.startsWith('Please confirm'))
        .flatMap(({ to }) => to)
        .sort(),
    linkTo(name: string) {
      const letter = provider.accepted.findLast(({ to }) => to.includes(addressOf(name)))
      return new URL(/https?:\/\/\S+\/confirmations\/[\w.-]+/.exec(letter?.text ?? '')?.[0] ?? '').pathname
    },
    tokenOf: (userId: number) =>
      signConfirmationToken(env.SIGNING_SECRETS, { subscriptionId, segmentId: segment.id, userId, addressRound: 0 }),
  }
}

const addressOf = (name: string) => `${name.toLowerCase()}@example.com`

async function openPage(method: string, path: string) {
  const { response, cost } = await send(method, path)
  return { status: response.status, text: await response.text(), roundTrips: cost.roundTrips }
}

test('people who join a segment with double opt-in get its mail only after confirming by the link', async () => {
  const scenario = await createScenario({})
  const { call, at, segment } = scenario
  await scenario.join('Early')
  expect(segment.doubleOptIn).toBe(false)
  expect((await call<{ doubleOptIn: boolean }>('PUT', at, { doubleOptIn: true })).doubleOptIn).toBe(true)
  const [ada, ben] = (await scenario.join('Ada', 'Ben')) as [number, number]
  expect(await scenario.list('?sort=createdAt')).toEqual([
    { userId: ada, email: 'ada@example.com', status: 'pending', askedAt: null, confirmedAt: null },
    { userId: ben, email: 'ben@example.com', status: 'pending', askedAt: null, confirmedAt: null },
  ])
  expect(await scenario.mailSegment()).toEqual(['early@example.com'])

  await scenario.passMinute()
  expect(scenario.askedAddresses()).toEqual(['ada@example.com', 'ben@example.com'])
  const link = scenario.linkTo('Ada')
  const asked = await openPage('GET', link)
  expect([asked.status, asked.roundTrips]).toEqual([200, 1])
  expect(asked.text).toContain('<form method="post">')
  expect(asked.text).toContain('“News” to ada@example.com')
  // A mail scanner opens links, and opening confirms nothing.
  expect(await scenario.mailSegment()).toEqual(['early@example.com'])

  const confirmed = await openPage('POST', link)
  expect([confirmed.status, confirmed.roundTrips]).toEqual([200, 1])
  expect(confirmed.text).toContain('ada@example.com gets the e-mails of “News”.')
  expect((await openPage('POST', link)).text).toContain('Confirmed')
  expect((await openPage('GET', link)).text).not.toContain('<form')
  expect(await scenario.mailSegment()).toEqual(['ada@example.com', 'early@example.com'])
  expect((await scenario.list('?status=confirmed')).map(({ userId }) => userId)).toEqual([ada])
  expect((await scenario.list('?status=pending')).map(({ userId }) => userId)).toEqual([ben])

  const events = await call<{ resourceKey: string; data: object; origin: unknown }[]>(
    'GET',
    '/api/v2/events?type=segment.users_confirmed',
  )
  expect(events.map(({ resourceKey, data }) => [resourceKey, data])).toEqual([
    [String(segment.id), { count: 1, userIds: [ada] }],
  ])
  // Nobody is asked twice.
  await scenario.passMinute()
  expect(scenario.askedAddresses()).toHaveLength(2)
  // Without double opt-in everybody gets the mail.
  await call('PUT', at, { doubleOptIn: false })
  expect(await scenario.mailSegment()).toEqual(['ada@example.com', 'ben@example.com', 'early@example.com'])
})

test('every way into a segment asks, and a person who returns is not asked again', async () => {
  const { call, at, segment, ...scenario } = await createScenario()
  const other = await call<{ id: number }>('POST', '/api/v2/segments', { name: 'Other' })
  const [moved] = (
    await call<{ inviteResults: { user: { id: number } }[] }>('POST', `/api/v2/segments/${other.id}/create-users`, [
      { name: 'Moved', email: 'moved@example.com' },
    ])
  ).inviteResults.map(({ user }) => user.id) as [number]
  const move = { action: 'move', userIds: [moved], fromSegmentId: other.id, toSegmentId: segment.id }
  await call('PUT', '/api/v2/segments/manage-users', move)
  const members = '/api/v2/idea-manager/members'
  await call('POST', members, { email: 'made@example.com', name: 'Made', segmentIds: [segment.id] })
  await call('POST', `${members}/bulk-create`, [{ email: 'bulk@example.com', segmentIds: [segment.id] }])
  const [returned] = (await scenario.join('Returned')) as [number]
  const all = ['bulk@example.com', 'made@example.com', 'moved@example.com', 'returned@example.com']
  await scenario.passMinute()
  expect(scenario.askedAddresses()).toEqual(all)

  // Ada confirms and leaves; the confirmation stays valid when she returns. The other person stays pending.
  await openPage('POST', scenario.linkTo('Moved'))
  const leave = { action: 'remove', userIds: [moved, returned], fromSegmentId: segment.id }
  await call('PUT', '/api/v2/segments/manage-users', leave)
  expect((await scenario.list()).map(({ email }) => email).sort()).toEqual(['bulk@example.com', 'made@example.com'])
  expect((await openPage('GET', scenario.linkTo('Returned'))).status).toBe(410)
  await scenario.join('Moved', 'Returned')
  await scenario.passMinute()
  expect(scenario.askedAddresses()).toEqual(all)
  expect(await scenario.mailSegment()).toEqual(['moved@example.com'])
  // A restored person has the former memberships.
  await call('DELETE', `${members}/${moved}`)
  await call('POST', `${members}/${moved}/restore`)
  expect(await scenario.mailSegment()).toEqual(['moved@example.com'])
})

test('you can ask pending members again, once an hour', async () => {
  const { call, client, at, ...scenario } = await createScenario()
  const [ada, ben, zoe] = (await scenario.join('Ada', 'Ben', 'Zoe')) as [number, number, number]
  const ask = (...userIds: number[]) =>
    call<{ requested: number }>('POST', `${at}/confirmations/request`, { userIds }).then(({ requested }) => requested)
  await scenario.passMinute()
  expect(await ask(ada, ben)).toBe(0)
  await openPage('POST', scenario.linkTo('Ben'))
  const age = 'UPDATE segment_confirmations SET asked_at = asked_at - 3700000 WHERE subscription_id = ?'
  await env.DB.prepare(age).bind(scenario.subscriptionId).run()
  expect(await ask(ada, ada, ben, 999_999)).toBe(1)
  await scenario.passMinute()
  expect(scenario.askedAddresses()).toEqual([
    ...['ada@example.com', 'ada@example.com', 'ben@example.com', 'zoe@example.com'],
  ])
  const events = await call<{ data: object }[]>('GET', '/api/v2/events?type=segment.confirmations_requested')
  expect(events.map(({ data }) => data)).toEqual([{ count: 1, userIds: [ada] }])
  await call('PUT', at, { doubleOptIn: false })
  const refused = await client('POST', `${at}/confirmations/request`, { json: { userIds: [zoe] } })
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The segment asks for no confirmation. Set `doubleOptIn` first.',
  ])
})

test('a suppressed address is not asked, and a removed segment asks after its restore', async () => {
  const { call, at, segment, ...scenario } = await createScenario()
  await call('POST', '/api/v2/suppressions', { email: 'stopped@example.com', segmentId: segment.id })
  const [stopped] = (await scenario.join('Stopped', 'Ada')) as [number, number]
  await call('DELETE', at)
  await scenario.passMinute()
  expect(scenario.provider.accepted).toEqual([])
  await call('POST', `${at}/restore`)
  scenario.queue.now += 86_400_000
  await scenario.passMinute()
  expect(scenario.askedAddresses()).toEqual(['ada@example.com'])
  expect((await scenario.list()).find(({ userId }) => userId === stopped)).toMatchObject({
    ...{ status: 'pending', askedAt: null },
  })
  const page = await openPage('POST', `/confirmations/${await scenario.tokenOf(stopped)}`)
  expect(page.text).toContain('stopped@example.com has unsubscribed.')
})

test('a dynamic segment has no double opt-in', async () => {
  const { client, ...scenario } = await createScenario()
  const rules = { match: 'all', conditions: [{ attribute: 'voteCount', operator: 'gte', value: 1 }] }
  const dynamic = { name: 'Dynamic', type: 'dynamic', rules }
  const created = await client('POST', '/api/v2/segments', { json: { ...dynamic, doubleOptIn: true } })
  expect([created.status, created.body.error?.issues]).toMatchObject([400, [{ path: '/doubleOptIn' }]])
  const { id } = await scenario.call<{ id: number }>('POST', '/api/v2/segments', dynamic)
  const modified = await client('PUT', `/api/v2/segments/${id}`, { json: { doubleOptIn: true } })
  expect([modified.status, modified.body.error?.issues]).toMatchObject([400, [{ path: '/doubleOptIn' }]])
})

test('a link of another workspace, person or purpose confirms nothing', async () => {
  const { segment, ...scenario } = await createScenario()
  const other = await createScenario()
  const [ada] = (await scenario.join('Ada')) as [number]
  const sign = (subscriptionId: number, segmentId: number, userId: number) =>
    signConfirmationToken(env.SIGNING_SECRETS, { subscriptionId, segmentId, userId, addressRound: 0 })
  const tokens = [
    await sign(other.subscriptionId, segment.id, ada),
    await sign(scenario.subscriptionId, other.segment.id, ada),
    await sign(scenario.subscriptionId, segment.id, ada + 1),
  ]
  for (const token of tokens) expect((await openPage('POST', `/confirmations/${token}`)).status).toBe(410)
  const link = { subscriptionId: scenario.subscriptionId, userId: segment.id, round: ada, addressRound: 0 }
  const invitation = await signInvitationToken(env.SIGNING_SECRETS, link)
  expect((await openPage('POST', `/confirmations/${invitation}`)).status).toBe(404)
  expect(await scenario.mailSegment()).toEqual([])
})

test('a link confirms the address that it was mailed to, and no later address of the person', async () => {
  const scenario = await createScenario()
  const [ada] = (await scenario.join('Ada')) as [number]
  await scenario.passMinute()
  const link = scenario.linkTo('Ada')
  expect((await openPage('GET', link)).status).toBe(200)
  await scenario.call('PUT', `/api/v2/users/${ada}`, { email: 'new@example.com' })
  for (const method of ['GET', 'POST']) {
    const page = await openPage(method, link)
    expect([page.status, page.text.includes('new@example.com')]).toEqual([410, false])
  }
  expect((await scenario.list()).map(({ status }) => status)).toEqual(['pending'])
})
