import { env } from 'cloudflare:workers'
import { beforeEach, expect, test, vi } from 'vitest'
import { signInvitationToken, signUnsubscribeToken } from '../../../src/http/link-token'
import { call, send } from '../../client'
import { UNLIMITED } from '../../contract/table'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { fileForm } from '../../world'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'

const MEMBERS = '/api/v2/idea-manager/members'
const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Member {
  id: number
  email: string
  firstName: string
  updatedAt: string
  invitation: { status: string; sentAt: string; expiresAt: string; resendCount: number } | null
}

interface Result {
  success: boolean
  message?: string
  user: { id: number; email: string; firstName: string; role: string }
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

async function createInvitationScenario() {
  const made = await createWorkspace()
  const { subscriptionId } = made
  const client: Workspace['client'] = (method, path, options) =>
    made.client(method, path, { env: { ...UNLIMITED, ...RESEND }, ...options })
  await env.DB.prepare("UPDATE subscriptions SET name = 'Acme <Tools>' WHERE id = ?").bind(subscriptionId).run()
  const add = async (name: string, query = '') => {
    const json = { firstName: name, email: `${name}@example.com` }
    const { status, body } = await client<Member>('POST', `${MEMBERS}${query}`, { json })
    expect(status).toBe(201)
    return body.data
  }
  const get = async (id: number) => (await client<Member>('GET', `${MEMBERS}/${id}`)).body.data
  const pass = (ms: number) =>
    env.DB.prepare(
      'UPDATE invitations SET sent_at = sent_at - ?1, expires_at = expires_at - ?1 WHERE subscription_id = ?2',
    )
      .bind(ms, subscriptionId)
      .run()
  const again = async (json: object, options = {}) => {
    const { status, body, cost } = await client<{ inviteResults: Result[] }>('PUT', `${MEMBERS}/re-invite`, {
      json,
      ...options,
    })
    expect(status).toBe(200)
    return { results: body.data.inviteResults, message: body.message, cost }
  }
  const events = async (type: string) =>
    (
      await client<{ resourceKey: string; data: Record<string, unknown>; actor: object }[]>(
        'GET',
        `/api/v2/events?type=${type}`,
      )
    ).body.data
  const mailings = async () => {
    const { results } = await env.DB.prepare(
      'SELECT id, reference, total FROM emails WHERE subscription_id = ? ORDER BY id',
    )
      .bind(subscriptionId)
      .all<{ id: number; reference: string; total: number }>()
    return results
  }
  const deliver = async () => {
    const resend = fakeResend()
    const simulation = simulateQueue(RESEND, resend.fetch)
    for (const { reference } of await mailings())
      simulation.enqueue({ kind: 'mail.accepted', subscriptionId, randomName: reference })
    await simulation.drain()
    return resend.accepted
  }
  const linkOf = async (userId: number, round = 1) =>
    `/invitations/${await signInvitationToken(env.SIGNING_SECRETS, { subscriptionId, userId, round, addressRound: 0 })}`
  return { here: made, client, add, get, pass, again, events, mailings, deliver, linkOf, subscriptionId }
}

async function openLink(method: string, path: string) {
  const { response, cost } = await send(method, path)
  return { status: response.status, text: await response.text(), cost, headers: response.headers }
}

test('a new member gets a mail with a link, and the button of its page joins once', async () => {
  const { client, add, get, deliver, events, mailings } = await createInvitationScenario()
  const ada = await add('ada')
  expect(ada.invitation).toEqual({
    status: 'pending',
    sentAt: expect.any(String),
    expiresAt: expect.any(String),
    resendCount: 0,
  })
  const { sentAt = '', expiresAt = '' } = ada.invitation ?? {}
  expect(Date.parse(expiresAt) - Date.parse(sentAt)).toBe(30 * DAY)
  expect((await events('member.invited')).map(({ resourceKey, data }) => [resourceKey, data])).toEqual([
    [String(ada.id), { count: 1, userIds: [ada.id] }],
  ])
  expect((await mailings()).length).toBe(1)
  const [message, ...others] = await deliver()
  expect(others).toEqual([])
  expect(message).toMatchObject({ to: ['ada@example.com'], subject: 'You are invited to Acme <Tools>' })
  expect(message?.html).toContain('Acme &lt;Tools&gt; invites you to follow its ideas')
  const link = /https:\/\/groundwork\.test(\/invitations\/[\w.-]+)/.exec(message?.text ?? '')?.[1] ?? ''
  expect(message?.html).toContain(link)

  // The stored mail shows a link without a token.
  const [mailing] = await mailings()
  const rendered = await client<{ message: { text: string } }>('GET', `/api/v2/emails/${mailing?.id}/recipients/0`)
  expect(rendered.body.data.message.text).toBe(message?.text?.replace(link, '/invitations/hidden'))
  expect((await openLink('POST', '/invitations/hidden')).status).toBe(404)

  const asked = await openLink('GET', link)
  expect([asked.status, asked.cost.roundTrips, asked.headers.get('cache-control')]).toEqual([200, 1, 'no-store'])
  expect(asked.text).toContain('Join Acme &lt;Tools&gt;')
  expect(asked.text).toContain('<form method="post">')
  expect(asked.text).not.toContain('<script')
  expect((await get(ada.id)).invitation?.status).toBe('pending')

  const joined = await openLink('POST', link)
  expect([joined.status, joined.cost.roundTrips]).toEqual([200, 1])
  expect(joined.text).toContain('Welcome to Acme &lt;Tools&gt;')
  expect(joined.text).not.toContain('/sign-in')
  const member = await get(ada.id)
  expect(member.invitation?.status).toBe('accepted')
  const joinedEvents = await events('member.joined')
  expect(joinedEvents.map(({ data, actor }) => [data, actor])).toEqual([
    [member, { userId: null, keyId: null, keyName: null }],
  ])

  for (const method of ['GET', 'POST']) {
    const reused = await openLink(method, link)
    expect([reused.status, reused.cost.rowsWritten]).toEqual([200, 0])
    expect(reused.text).toContain('Welcome to')
    expect(reused.text).not.toContain('<form')
  }
  expect(await get(ada.id)).toEqual(member)
  expect(await events('member.joined')).toEqual(joinedEvents)
})

test('a user gets the first invitation by re-invite, and its page leads to the sign-in', async () => {
  const { client, again, linkOf } = await createInvitationScenario()
  const json = { email: 'grace@example.com', role: 'member' }
  const { body } = await client<{ id: number }>('POST', '/api/v2/users', { json })
  const { results } = await again({ userIds: [body.data.id] })
  expect(results.map(({ success }) => success)).toEqual([true])
  const link = await linkOf(body.data.id)
  expect((await openLink('GET', link)).text).toContain('to work with its team')
  expect((await openLink('POST', link)).text).toContain(
    '<a class="btn primary" href="/sign-in?next=/console">Sign in</a>',
  )
})

test('parallel accepts join once', async () => {
  const { add, linkOf, events } = await createInvitationScenario()
  const link = await linkOf((await add('ada')).id)
  const answers = await Promise.all(Array.from({ length: 5 }, () => openLink('POST', link)))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
  expect((await events('member.joined')).length).toBe(1)
})

test('a forged link or a link of another kind or workspace is invalid', async () => {
  const here = await createInvitationScenario()
  const stranger = await createInvitationScenario()
  const ada = await here.add('ada')
  const link = await here.linkOf(ada.id)
  const [, token = ''] = link.split('/invitations/')
  const [named = '', signature = ''] = token.split('.')
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  const unsubscribing = await signUnsubscribeToken(env.SIGNING_SECRETS, {
    subscriptionId: here.subscriptionId,
    emailId: ada.id,
    position: 1,
  })
  const tokens = [
    'x',
    named,
    `${named}.${other}`,
    `${named}.`,
    `${stranger.subscriptionId}-${ada.id}-1.${signature}`,
    `${here.subscriptionId}-${ada.id}-2.${signature}`,
    `0${token}`,
    `${token}=`,
    unsubscribing,
    'a'.repeat(5_000),
    '%00',
  ]
  for (const method of ['GET', 'POST']) {
    for (const one of tokens) {
      const { status, text } = await openLink(method, `/invitations/${one}`)
      expect([method, one, status]).toEqual([method, one, 404])
      expect(text).toContain('This link does not work')
    }
  }
  expect((await openLink('POST', `/unsubscribe/${token}`)).status).toBe(404)
  // The link has a valid signature, but the user belongs to a different workspace.
  expect((await openLink('POST', await stranger.linkOf(ada.id))).status).toBe(410)
  expect((await here.get(ada.id)).invitation?.status).toBe('pending')
  for (const method of ['PUT', 'DELETE']) expect((await openLink(method, link)).status).toBeGreaterThanOrEqual(404)
})

test('an invitation expires after 30 days and can be sent again', async () => {
  const { add, get, pass, linkOf, again } = await createInvitationScenario()
  const ada = await add('ada')
  const link = await linkOf(ada.id)
  await pass(30 * DAY)
  expect((await get(ada.id)).invitation?.status).toBe('expired')
  for (const method of ['GET', 'POST']) {
    const { status, text } = await openLink(method, link)
    expect([status, text.includes('has expired'), text.includes('<form')]).toEqual([410, true, false])
  }
  const { results } = await again({ userIds: [ada.id] })
  expect(results.map(({ success }) => success)).toEqual([true])
  expect((await get(ada.id)).invitation).toMatchObject({ status: 'pending', resendCount: 1 })
  expect((await openLink('POST', link)).status).toBe(200)
  expect((await get(ada.id)).invitation?.status).toBe('accepted')
})

test('a removal cancels the invitation for good, and a restored member needs a new invitation', async () => {
  const { client, add, get, again, linkOf, pass } = await createInvitationScenario()
  const ada = await add('ada')
  const link = await linkOf(ada.id)
  await client('DELETE', `${MEMBERS}/${ada.id}`)
  const gone = await openLink('POST', link)
  expect([gone.status, gone.text.includes('no longer valid')]).toEqual([410, true])
  await client('POST', `${MEMBERS}/${ada.id}/restore`)
  expect((await get(ada.id)).invitation?.status).toBe('canceled')
  expect((await openLink('GET', link)).status).toBe(410)
  await pass(HOUR)
  expect((await again({ userIds: [ada.id] })).results[0]?.success).toBe(true)
  expect((await get(ada.id)).invitation).toMatchObject({ status: 'pending', resendCount: 0 })
  expect((await openLink('POST', link)).status).toBe(410)
  expect((await openLink('POST', await linkOf(ada.id, 2))).status).toBe(200)

  // A removal through /users cancels the invitation too. A member created again is invited again, at most once per
  // hour.
  const bob = await add('bob')
  await client('DELETE', `/api/v2/users/${bob.id}`)
  expect((await openLink('POST', await linkOf(bob.id))).status).toBe(410)
  expect((await add('bob')).invitation?.status).toBe('canceled')
  await client('DELETE', `${MEMBERS}/${bob.id}`)
  await pass(HOUR)
  const back = await add('bob')
  expect([back.id, back.invitation?.status]).toEqual([bob.id, 'pending'])
  expect((await openLink('GET', await linkOf(bob.id))).status).toBe(410)
  expect((await openLink('GET', await linkOf(bob.id, 2))).status).toBe(200)
})

test('a re-invite reports a result for each person, waits an hour, and mails each person once', async () => {
  const { client, here, add, get, pass, again, mailings, linkOf, events, deliver } = await createInvitationScenario()
  const [ada, bob, cyd] = [await add('ada'), await add('bob'), await add('cyd', '?invite=false')]
  const stranger = await createInvitationScenario()
  const eve = await stranger.add('eve')
  expect(cyd.invitation).toBeNull()
  await openLink('POST', await linkOf(bob.id))
  await deliver()

  const early = await again({ userIds: [ada.id, bob.id, cyd.id, eve.id, 9_007_199_254_740_991, ada.id] })
  expect(early.cost.roundTrips).toBe(1)
  expect(early.message).toBe('1 of 5 invitations were sent')
  expect(early.results.map(({ success, message = '', user }) => [success, message.slice(0, 30), user.id])).toEqual([
    [false, 'The member was invited within ', ada.id],
    [false, 'The member has already accepte', bob.id],
    [true, '', cyd.id],
    [false, 'The member does not exist.', eve.id],
    [false, 'The member does not exist.', 9_007_199_254_740_991],
  ])
  expect(early.results[3]?.user).toMatchObject({ email: '', firstName: '' })
  expect((await get(cyd.id)).invitation).toMatchObject({ status: 'pending', resendCount: 0 })

  await pass(HOUR)
  await client('POST', '/api/v2/idea-manager/members', { json: { email: 'dan@example.com' } })
  const before = await get(ada.id)
  const { results } = await again({ emails: [' ADA@example.com ', 'dan@example.com', 'nobody@example.com'] })
  expect(results.map(({ success, user }) => [success, user.email])).toEqual([
    [true, 'ada@example.com'],
    [false, 'dan@example.com'],
    [false, 'nobody@example.com'],
  ])
  const after = await get(ada.id)
  expect(after.invitation).toMatchObject({ status: 'pending', resendCount: 1 })
  expect(after.updatedAt >= before.updatedAt).toBe(true)
  // The link of the first mail stays valid.
  expect((await openLink('GET', await linkOf(ada.id))).status).toBe(200)

  const all = await again({ all: true })
  expect(all.results.map(({ success, user }) => [user.email, success]).sort()).toEqual([
    ['ada@example.com', false],
    ['cyd@example.com', true],
    ['dan@example.com', false],
  ])
  const none = await again({ all: true })
  expect([none.results.filter(({ success }) => success), none.cost.rowsWritten]).toEqual([[], 0])

  expect((await events('member.invited')).map(({ data }) => data.count)).toEqual([1, 1, 1, 1, 1, 1])
  expect((await mailings()).map(({ total }) => total)).toEqual(Array(6).fill(1))
  const sent = await deliver()
  expect(sent.map(({ to }) => String(to)).sort()).toEqual(
    ['ada', 'cyd', 'cyd', 'dan'].map((name) => `${name}@example.com`),
  )

  // A key without read scopes sees only the data of its own request.
  await pass(HOUR)
  const apiKey = await here.key({ scopes: ['segments:write'] })
  const blind = await again({ userIds: [ada.id] }, { apiKey })
  expect(blind.results.map(({ success, user }) => [success, user.email, user.firstName])).toEqual([[true, '', '']])
})

test('an invited admin is asked to join the team, and a person without a name gets a plain greeting', async () => {
  const { here, client, again, deliver, linkOf } = await createInvitationScenario()
  const json = { email: 'admin@example.com', role: 'admin' }
  const { body } = await client<{ id: number }>('POST', '/api/v2/users', { json })
  expect((await again({ userIds: [body.data.id, here.userId] })).message).toBe('2 of 2 invitations were sent')
  const messages = await deliver()
  const textTo = (email: string) => messages.find(({ to }) => to.includes(email))?.text ?? ''
  expect(textTo('admin@example.com')).toMatch(/^Hello,\n\nAcme <Tools> invites you to work with its team\./)
  expect(textTo('owner@example.com')).toMatch(/^Hello Olga,\n\nAcme <Tools> invites you to work with its team\./)
  const { text } = await openLink('GET', await linkOf(body.data.id))
  expect(text).toContain('invites admin@example.com to work with its team.')
})

test('parallel re-invites send one mail to each person', async () => {
  const { add, pass, again, mailings, get } = await createInvitationScenario()
  const [ada, bob] = [await add('ada'), await add('bob')]
  await pass(HOUR)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => again(n % 2 ? { all: true } : { userIds: [ada.id, bob.id] })),
  )
  const sent = answers.flatMap(({ results }) => results.filter(({ success }) => success))
  expect(sent.map(({ user }) => user.id).sort()).toEqual([ada.id, bob.id].sort())
  expect((await mailings()).reduce((sum, { total }) => sum + total, 0)).toBe(4)
  expect((await get(ada.id)).invitation?.resendCount).toBe(1)
})

test('a suppressed address is not invited, and a re-invite says so', async () => {
  const { add, again, mailings, subscriptionId } = await createInvitationScenario()
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'ada@example.com', 0, 'complaint', 0)",
  )
    .bind(subscriptionId)
    .run()
  const ada = await add('ada')
  expect(ada.invitation).toBeNull()
  const { results } = await again({ userIds: [ada.id] })
  expect(results[0]).toMatchObject({ success: false, message: expect.stringMatching(/is suppressed/) })
  expect(await mailings()).toEqual([])
})

test('a bulk create invites new people, segments and imports invite on request, and known people are skipped', async () => {
  const { client, get, mailings, deliver, pass } = await createInvitationScenario()
  const idsOf = (body: { data: { inviteResults: Result[] } }) => body.data.inviteResults.map(({ user }) => user.id)
  const bulk = (names: string[], path: string) =>
    client<{ inviteResults: Result[] }>('POST', path, {
      json: names.map((name) => ({ name, email: `${name}@example.com`, attributes: { n: 1 } })),
    })
  const statuses = async (ids: number[]) =>
    Promise.all(ids.map(async (id) => (await get(id)).invitation?.status ?? null))

  const first = idsOf((await bulk(['ada', 'bob'], `${MEMBERS}/bulk-create?invite=false`)).body)
  expect(await statuses(first)).toEqual([null, null])
  const second = await bulk(['ada', 'cyd', 'cyd'], `${MEMBERS}/bulk-create`)
  expect(second.status).toBe(200)
  expect(await statuses(idsOf(second.body))).toEqual([null, 'pending', 'pending'])

  const { id } = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'All' } })).body.data
  const quiet = await bulk(['dan'], `/api/v2/segments/${id}/create-users`)
  expect(await statuses(idsOf(quiet.body))).toEqual([null])
  const loud = await bulk(['dan', 'eve'], `/api/v2/segments/${id}/create-users?invite=true`)
  expect(await statuses(idsOf(loud.body))).toEqual([null, 'pending'])
  const louder = await bulk(['fay'], `/api/v2/segments/${id}/bulk-create-users?invite=true`)
  expect(await statuses(idsOf(louder.body))).toEqual(['pending'])

  // A removed user returns as a new member, and is invited like a new member.
  const [ada = 0, bob = 0] = first
  await client('DELETE', `${MEMBERS}/${ada}`)
  await client('DELETE', `${MEMBERS}/${bob}`)
  await pass(HOUR)
  expect(idsOf((await bulk(['ada'], `${MEMBERS}/bulk-create`)).body)).toEqual([ada])
  expect(await statuses([ada])).toEqual(['pending'])
  expect(idsOf((await bulk(['bob'], `/api/v2/segments/${id}/create-users?invite=true`)).body)).toEqual([bob])
  expect(await statuses([bob])).toEqual(['pending'])

  expect((await mailings()).map(({ total }) => total)).toEqual([1, 1, 1, 1, 1])
  expect((await deliver()).map(({ to }) => String(to).split('@')[0]).sort()).toEqual([
    'ada',
    'bob',
    'cyd',
    'eve',
    'fay',
  ])
  expect((await bulk(['gil'], `${MEMBERS}/bulk-create?invite=maybe`)).status).toBe(400)
})

test('an import invites new people on request in the request and the queue, and never in a dry run', async () => {
  const { client, get, mailings, deliver, subscriptionId, pass } = await createInvitationScenario()
  const file = (names: string[]) =>
    fileForm('users', ['email', ...names.map((name) => `${name}@example.com`)].join('\n'), 'users.csv')
  const invited = async () => {
    const { results } = await env.DB.prepare(
      `SELECT u.email AS email FROM invitations i JOIN users u ON u.id = i.user_id
        WHERE i.subscription_id = ? AND i.status = 'pending' ORDER BY u.email`,
    )
      .bind(subscriptionId)
      .all<{ email: string }>()
    return results.map(({ email }) => email.split('@')[0])
  }
  const path = `${MEMBERS}/import-users`
  expect((await client('POST', path, { raw: file(['ada', 'bob']) })).status).toBe(201)
  expect((await client('POST', `${path}?invite=true&dryRun=true`, { raw: file(['cyd']) })).status).toBe(200)
  expect(await invited()).toEqual([])
  const { body } = await client<{ id: number }[]>('GET', `${MEMBERS}?email=bob@example.com`)
  const bob = body.data[0]?.id ?? 0
  await client('DELETE', `${MEMBERS}/${bob}`)
  const run = await client<{ id: number }>('POST', `${path}?invite=true`, { raw: file(['ada', 'bob', 'cyd', 'cyd']) })
  expect([run.status, run.cost.roundTrips]).toEqual([201, 2])
  expect(await invited()).toEqual(['bob', 'cyd'])
  expect((await get(bob)).invitation?.status).toBe('pending')
  expect((await deliver()).map(({ to }) => String(to)).sort()).toEqual(['bob@example.com', 'cyd@example.com'])

  const { id } = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'All' } })).body.data
  const many = Array.from({ length: 6_000 }, (_, n) => `m${n}`)
  const waiting = await client<{ id: number; status: string }>(
    'POST',
    `/api/v2/segments/${id}/import-users?invite=true`,
    {
      raw: file([...many, 'ada']),
    },
  )
  expect(waiting.body.data.status).toBe('pending')
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  simulation.enqueue({ kind: 'import.run', subscriptionId, importId: waiting.body.data.id })
  await simulation.drain()
  expect((await invited()).length).toBe(6_002)
  expect((await mailings()).reduce((sum, { total }) => sum + total, 0)).toBe(6_002)

  const found = await client<{ id: number }[]>('GET', `${MEMBERS}?email=cyd@example.com`)
  const cyd = found.body.data[0]?.id ?? 0
  // An undone import removes its members, so their links are invalid.
  await pass(HOUR)
  const undone = await client('POST', `/api/v2/imports/${run.body.data.id}/undo`)
  expect(undone.status).toBe(200)
  const token = await signInvitationToken(env.SIGNING_SECRETS, {
    subscriptionId,
    userId: cyd,
    round: 1,
    addressRound: 0,
  })
  expect((await openLink('POST', `/invitations/${token}`)).status).toBe(410)
})

runtimeTest('3,000 people are invited in the batch that creates them, and a removed person gets no mail', async () => {
  const { client, mailings, deliver, again, pass } = await createInvitationScenario()
  const json = Array.from({ length: 3_000 }, (_, n) => ({ email: `m${n}@example.com` }))
  const answer = await client<{ inviteResults: Result[] }>('POST', `${MEMBERS}/bulk-create`, { json })
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  expect((await mailings()).map(({ total }) => total)).toEqual([3_000])
  await client('DELETE', `${MEMBERS}/${answer.body.data.inviteResults[7]?.user.id}`)
  const sent = (await deliver()).map(({ to }) => String(to))
  expect([sent.length, sent.includes('m7@example.com')]).toEqual([2_999, false])
  await pass(HOUR)
  const all = await again({ all: true })
  expect([all.results.length, all.cost.roundTrips]).toEqual([2_999, 1])
  const one = await client<Member>('POST', MEMBERS, { json: { email: 'one@example.com' } })
  expect(one.cost.rowsRead).toBeLessThan(100)
  await pass(HOUR)
  expect((await again({ userIds: [one.body.data.id] })).cost.rowsRead).toBeLessThan(100)
})

test('a re-invite without a selection or with several selections is refused', async () => {
  const { client } = await createInvitationScenario()
  const cases: [object, string][] = [
    [{}, '/userIds'],
    [{ userIds: [1], all: true }, '/userIds'],
    [{ userIds: [1], emails: ['ada@example.com'] }, '/userIds'],
    [{ all: false }, '/all'],
    [{ userIds: [] }, '/userIds'],
    [{ userIds: ['1'] }, '/userIds/0'],
    [{ emails: ['nobody'] }, '/emails/0'],
    [{ userIds: Array(10_001).fill(1) }, '/userIds'],
  ]
  for (const [json, path] of cases) {
    const { status, body } = await client('PUT', `${MEMBERS}/re-invite`, { json })
    expect([json, status, body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  expect((await call('PUT', `${MEMBERS}/re-invite`, { json: { all: true } })).status).toBe(401)
})

test('an invitation proves the address that it was mailed to: a new address ends the link, and the next mail has a new link', async () => {
  const { client, add, get, deliver, pass, again } = await createInvitationScenario()
  const ada = await add('ada')
  const waiting = await add('ben')
  const change = (id: number, email: string) => client('PUT', `/api/v2/users/${id}`, { json: { email } })
  // The mail waits, goes to the address that was invited, and its link has ended.
  await change(waiting.id, 'new-ben@example.com')
  const mails = await deliver()
  const linkTo = (address: string, sent = mails) =>
    /\/invitations\/[\w.-]+/.exec(sent.find(({ to }) => to.includes(address))?.text ?? '')?.[0] ?? ''
  await change(ada.id, 'new-ada@example.com')
  for (const link of [linkTo('ada@example.com'), linkTo('ben@example.com')])
    for (const method of ['GET', 'POST']) {
      const page = await openLink(method, link)
      expect([page.status, page.cost.rowsWritten, page.text.includes('new-')]).toEqual([410, 0, false])
    }
  expect((await get(ada.id)).invitation?.status).toBe('pending')
  await pass(2 * 3_600_000)
  await again({ userIds: [ada.id] })
  const link = linkTo('new-ada@example.com', await deliver())
  expect((await openLink('POST', link)).text).toContain('new-ada@example.com has accepted')
  await change(ada.id, 'ada@example.com')
  const page = await openLink('GET', link)
  expect([page.status, page.text.includes('ada@')]).toEqual([410, false])
  expect((await openLink('GET', linkTo('ada@example.com'))).status).toBe(410)
})
