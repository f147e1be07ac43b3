import { env } from 'cloudflare:workers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'
const MINUTE = 60_000

interface Vote {
  externalKey: string
  vote: number
  downVote: number
  haveIVoted: number
  type: string
}

interface Voter {
  userId: number
  email: string
  type: string
}

interface Item {
  id: number
  vote: number
  haveIVoted: number
  votes: string[]
}

interface Event {
  type: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const createIdea = async ({ client, product }: Workspace, body: object = {}) =>
  (
    await client<{ external_key: string }>('POST', IDEAS, {
      json: { title: 'A', product: product.externalKey, ...body },
    })
  ).body.data.external_key
const vote = ({ client }: Workspace, key: string, json: object, apiKey?: string) =>
  client<Vote>('POST', `${IDEAS}/${key}/vote`, { json, ...(apiKey && { apiKey }) })
const readIdea = async ({ client }: Workspace, key: string) => (await client<Item>('GET', `${IDEAS}/${key}`)).body.data
const listVoteEvents = async ({ client }: Workspace, key: string) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${key}&type=feedback.voted`)).body.data

test('each voter has one vote, and the same vote again changes nothing', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const first = await vote(world, key, { type: 'up' })
  expect([first.status, first.cost.roundTrips]).toEqual([200, 1])
  expect(first.body.data).toEqual({ externalKey: key, vote: 1, downVote: 0, haveIVoted: 1, type: 'up' })
  const again = await vote(world, key, { type: 'up' })
  expect([again.body.data, again.cost.rowsWritten]).toEqual([first.body.data, 0])
  expect(await readIdea(world, key)).toMatchObject({ vote: 1, haveIVoted: 1, votes: [String(world.userId)] })
  const down = await vote(world, key, { type: 'down' })
  expect(down.body.data).toEqual({ externalKey: key, vote: 0, downVote: 1, haveIVoted: 1, type: 'down' })
  expect(await readIdea(world, key)).toMatchObject({ vote: 0, haveIVoted: 1, votes: [] })
  const none = await vote(world, key, { type: 'none' })
  expect(none.body.data).toEqual({ externalKey: key, vote: 0, downVote: 0, haveIVoted: 0, type: 'none' })
  expect((await vote(world, key, { type: 'none' })).cost.rowsWritten).toBe(0)
  const eventChanges = (await listVoteEvents(world, key)).map(({ data, previous }) => [data, previous])
  const data = { external_key: key, user_id: world.userId }
  expect(eventChanges).toEqual([
    [{ ...data, type: 'up', vote: 1, down_vote: 0 }, { type: 'none' }],
    [{ ...data, type: 'down', vote: 0, down_vote: 1 }, { type: 'up' }],
    [{ ...data, type: 'none', vote: 0, down_vote: 0 }, { type: 'down' }],
  ])
})

test('an unknown voter becomes a member without an invitation', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const voted = await vote(world, key, { type: 'up', email: ' Ada@Example.com ' })
  expect(voted.body.data).toMatchObject({ vote: 1, haveIVoted: 0, type: 'up' })
  expect((await vote(world, key, { type: 'up', email: 'ada@example.com' })).cost.rowsWritten).toBe(0)
  const [voter, ...others] = (await world.client<Voter[]>('GET', `${IDEAS}/${key}/voters`)).body.data
  expect([voter, others]).toMatchObject([{ email: 'ada@example.com', type: 'up' }, []])
  const member = await world.client<{ role: string; invitation: unknown }>(
    'GET',
    `/api/v2/idea-manager/members/${voter?.userId}`,
  )
  expect(member.body.data).toMatchObject({ role: 'idm_member', invitation: null })
  await vote(world, key, { type: 'down' })
  const listed = await world.client<Voter[]>('GET', `${IDEAS}/${key}/voters?sort=createdAt`)
  expect(listed.body.data.map(({ email, type }) => [email, type])).toEqual([
    ['ada@example.com', 'up'],
    ['owner@example.com', 'down'],
  ])
  const limited = await world.key({ products: [world.product.id] })
  const refused = await vote(world, key, { type: 'up', email: 'grace@example.com' }, limited)
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect((await vote(world, key, { type: 'down', email: 'ada@example.com' }, limited)).body.data.vote).toBe(0)
  await world.client('DELETE', `/api/v2/users/${voter?.userId}`)
  expect((await vote(world, key, { type: 'up', email: 'ada@example.com' })).status).toBe(409)
  const after = (await world.client<Voter[]>('GET', `${IDEAS}/${key}/voters`)).body.data
  expect(after.map(({ email }) => email).sort()).toEqual(['', 'owner@example.com'])
})

test('the counts equal the rows after 200 parallel votes', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const voters = Array.from({ length: 200 }, (_, n) => `voter-${n % 120}@example.com`)
  const types = ['up', 'down', 'up', 'none']
  const answers = await Promise.all(voters.map((email, n) => vote(world, key, { type: types[n % 4], email })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const counted = await env.DB.prepare(
    `SELECT i.vote, i.down_vote AS down, (SELECT count(*) FROM feedback_votes WHERE feedback_id = i.id AND type = 'up') AS ups,
      (SELECT count(*) FROM feedback_votes WHERE feedback_id = i.id AND type = 'down') AS downs
     FROM feedback_items i WHERE i.subscription_id = ?`,
  )
    .bind(world.subscriptionId)
    .first<Record<string, number>>()
  expect([counted?.vote, counted?.down]).toEqual([counted?.ups, counted?.downs])
  expect(counted?.ups).toBeGreaterThan(50)
})

test('a vote outside the window, on a closed item or with a final status is refused', async () => {
  const world = await createWorkspace()
  const [past, future] = ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']
  const { body } = await world.client<{ id: number; name: string }[]>('GET', `${IDEAS}/statuses`)
  const statusId = (name: string) => body.data.find((status) => status.name === name)?.id
  const closed: [object, string][] = [
    [{ is_voting_open: false }, 'is_voting_open'],
    [{ voting_end_time: past }, 'voting_end_time'],
    [{ voting_start_time: future }, 'voting_start_time'],
    [{ status_id: statusId('completed') }, 'status'],
    [{ status_id: statusId('declined'), is_voting_open: true }, 'status'],
  ]
  for (const [given, says] of closed) {
    const key = await createIdea(world, given)
    for (const type of ['up', 'down', 'none']) {
      const refused = await vote(world, key, { type })
      expect([given, refused.status, refused.body.error?.code]).toEqual([given, 409, 'conflict'])
      expect(refused.body.message).toContain(says)
    }
    expect(await listVoteEvents(world, key)).toEqual([])
  }
  const open = await createIdea(world, {
    ...{ voting_start_time: past, voting_end_time: future, is_voting_open: true },
    status_id: statusId('open'),
  })
  expect((await vote(world, open, { type: 'up' })).status).toBe(200)
})

test('a vote on a rejected item is refused', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const voted = async (visibility_level: string | null) => {
    await world.client('PUT', `${IDEAS}/${key}`, { json: { visibility_level } })
    return (await vote(world, key, { type: 'up' })).status
  }
  expect([await voted('rejected'), await voted('approved'), await voted('pending')]).toEqual([409, 200, 200])
})

test('an invalid vote and a vote on an item out of reach are refused', async () => {
  const [world, stranger] = [await createWorkspace(), await createWorkspace()]
  const key = await createIdea(world)
  for (const [json, path] of [
    [{}, '/type'],
    [{ type: 'maybe' }, '/type'],
    [{ type: 'up', email: 'nobody' }, '/email'],
    [{ type: ['up'], email: 7 }, '/type'],
  ] as const) {
    const refused = await vote(world, key, json)
    expect([refused.status, refused.body.error?.issues[0]?.path]).toEqual([400, path])
  }
  const other = await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const limited = await world.key({ products: [other.body.data.id] })
  expect((await vote(world, key, { type: 'up' }, limited)).status).toBe(404)
  expect((await vote(stranger, key, { type: 'up' })).status).toBe(404)
  expect((await stranger.client('GET', `${IDEAS}/${key}/voters`)).status).toBe(404)
  await world.client('DELETE', `${IDEAS}/${key}`)
  expect((await vote(world, key, { type: 'up' })).status).toBe(404)
})

test('the sort orders follow the votes, and trending needs ten times the votes per week of age', async () => {
  const world = await createWorkspace()
  const made = [await createIdea(world), await createIdea(world), await createIdea(world)]
  const [first = '', second = '', third = ''] = made
  const week = 7 * 86_400_000
  for (const [n, key] of made.entries()) {
    await env.DB.prepare('UPDATE feedback_items SET created_at = ? WHERE subscription_id = ? AND external_key = ?')
      .bind(readClock() - (2 - n) * week, world.subscriptionId, key)
      .run()
  }
  const order = async (sort: string) =>
    (await world.client<{ external_key: string }[]>('GET', `${IDEAS}?sort=${sort}`)).body.data.map(
      ({ external_key }) => external_key,
    )
  const up = async (key: string, count: number) => {
    for (let n = 0; n < count; n++) await vote(world, key, { type: 'up', email: `${key}-${n}@example.com` })
  }
  expect(await order('trending')).toEqual([third, second, first])
  await up(second, 11)
  await up(first, 10)
  expect(await order('trending')).toEqual([second, third, first])
  expect(await order('most-voted')).toEqual([second, first, third])
  await vote(world, third, { type: 'down' })
  for (let n = 0; n < 10; n++) await vote(world, third, { type: 'down', email: `down-${n}@example.com` })
  expect(await order('trending')).toEqual([second, first, third])
  expect(await order('newest')).toEqual([third, second, first])
  expect(await order('oldest')).toEqual([first, second, third])
  await world.client('PUT', `${IDEAS}/${first}`, { json: { title: 'Newer' } })
  expect((await order('recently-updated'))[0]).toBe(first)
  const voted = async (value: boolean) =>
    (await world.client<{ external_key: string }[]>('GET', `${IDEAS}?voted=${value}`)).body.data.map(
      ({ external_key }) => external_key,
    )
  expect([await voted(true), await voted(false)]).toEqual([[third], [second, first]])
})

test('a vote keeps its time when it is repeated, also the copy that a merge made, and a changed vote gets a new time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const world = await createWorkspace()
  const [source, target] = [await createIdea(world), await createIdea(world)]
  const voters = async (key: string) =>
    (await world.client<(Voter & { createdAt: string })[]>('GET', `${IDEAS}/${key}/voters?sort=createdAt`)).body.data
  const voteLater = async (key: string, email: string, type: string) => {
    vi.setSystemTime(readClock() + MINUTE)
    expect((await vote(world, key, { type, email })).status).toBe(200)
    return new Date(readClock()).toISOString()
  }
  const times = {
    copied: await voteLater(source, 'copied@example.com', 'up'),
    changed: await voteLater(source, 'changed@example.com', 'up'),
    own: await voteLater(target, 'own@example.com', 'up'),
  }
  await world.client('POST', `${IDEAS}/${source}/merge`, { json: { into: target } })
  await voteLater(target, 'copied@example.com', 'up')
  await voteLater(target, 'own@example.com', 'up')
  const changedAt = await voteLater(target, 'changed@example.com', 'down')
  const expected = [
    { email: 'copied@example.com', type: 'up', createdAt: times.copied },
    { email: 'own@example.com', type: 'up', createdAt: times.own },
    { email: 'changed@example.com', type: 'down', createdAt: changedAt },
  ]
  expect(await voters(target)).toMatchObject(expected)
  await world.client('POST', `${IDEAS}/${source}/unmerge`)
  expect(await voters(target)).toMatchObject(expected)
  expect(await voters(source)).toMatchObject([
    { email: 'copied@example.com', type: 'up', createdAt: times.copied },
    { email: 'changed@example.com', type: 'up', createdAt: times.changed },
  ])
})

test('taking back a vote ends a subscription by the vote only, for this person and this item only', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world, { user: { email: 'author@example.com' } })
  const other = await createIdea(world)
  const readFollowers = async (idea: string) => {
    const { body } = await world.client<{ people: { email: string }[] }>(
      'GET',
      `${IDEAS}/${idea}/status-updates/audience`,
    )
    return body.data.people.map(({ email }) => email.replace('@example.com', '')).sort()
  }
  const cleo = await world.row('users', {
    ...{
      subscription_id: world.subscriptionId,
      email: 'cleo@example.com',
      role: 'member',
      created_at: 0,
      updated_at: 0,
    },
  })
  const apiKey = await world.key({ userId: cleo })
  await world.client('POST', `${IDEAS}/${key}/comments`, { json: { text: 'Yes' }, apiKey })
  await world.client('DELETE', `${IDEAS}/${key}/subscription`, { apiKey })
  await world.client('POST', `${IDEAS}/${key}/subscription`, { json: { email: 'asked@example.com' } })
  for (const name of ['asked', 'author', 'voter', 'stays', 'cleo'])
    for (const idea of [key, other]) await vote(world, idea, { type: 'up', email: `${name}@example.com` })
  expect(await readFollowers(key)).toEqual(['asked', 'author', 'stays', 'voter'])
  for (const name of ['asked', 'author', 'voter', 'cleo'])
    await vote(world, key, { type: 'none', email: `${name}@example.com` })
  // Cleo commented and left, which a vote does not change, whether given or taken back.
  expect(await readFollowers(key)).toEqual(['asked', 'author', 'stays'])
  await vote(world, key, { type: 'up', email: 'cleo@example.com' })
  expect(await readFollowers(key)).toEqual(['asked', 'author', 'stays'])
  expect(await readFollowers(other)).toEqual(['asked', 'author', 'cleo', 'stays', 'voter'])
  // A voter follows also without a subscription, so the rows show whose subscription ended.
  const { results } = await env.DB.prepare(
    `SELECT substr(u.email, 1, instr(u.email, '@') - 1) AS person, s.reason FROM feedback_subscriptions s
     JOIN users u ON u.id = s.user_id JOIN feedback_items i ON i.id = s.feedback_id
     WHERE s.subscription_id = ? AND (i.external_key = ? OR u.email = 'voter@example.com') ORDER BY 1`,
  )
    .bind(world.subscriptionId, key)
    .all()
  expect(results).toEqual([
    { person: 'asked', reason: 'asked' },
    { person: 'author', reason: 'author' },
    { person: 'cleo', reason: 'left' },
    { person: 'stays', reason: 'vote' },
    // Of the other item.
    { person: 'voter', reason: 'vote' },
  ])
})
