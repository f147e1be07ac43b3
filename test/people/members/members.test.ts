import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createBackgroundDeps } from '../../../src/background'
import { runCronJobs } from '../../../src/cron'
import { readClock } from '../../clock'
import { UNLIMITED } from '../../contract/table'
import { createWorkspace, type Workspace } from '../../factories'

const MEMBERS = '/api/v2/idea-manager/members'
const DAY = 86_400_000

interface Member {
  id: number
  email: string
  firstName: string
  lastName: string
  role: string
  attributes: Record<string, unknown>
  segmentIds: number[]
}

async function createMemberScenario() {
  const made = await createWorkspace()
  const client: Workspace['client'] = (method, path, options) =>
    made.client(method, path, { env: UNLIMITED, ...options })
  const create = (json: object) => client<Member>('POST', `${MEMBERS}?invite=false`, { json })
  return { here: made, client, create }
}

test('a member is created with names, attributes and segments in one round trip, and found', async () => {
  const { client, create } = await createMemberScenario()
  const segment = async (name: string) =>
    (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name } })).body.data.id
  const [one, two] = [await segment('One'), await segment('Two')]
  const made = await create({
    email: ' Ada@Example.com ',
    name: 'Ada',
    lastName: 'Lovelace',
    attributes: { plan: 'pro', seats: 3, none: null },
    segmentIds: [two, one, two],
  })
  expect([made.status, made.cost.roundTrips]).toEqual([201, 1])
  expect(made.body.data).toMatchObject({
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    role: 'idm_member',
    attributes: { plan: 'pro', seats: 3 },
    segmentIds: [one, two],
    invitation: null,
  })
  const found = await client<Member>('GET', made.headers.get('location') ?? '')
  expect(found.body.data).toEqual(made.body.data)
  for (const id of [one, two]) {
    expect((await client<{ userCount: number }>('GET', `/api/v2/segments/${id}`)).body.data.userCount).toBe(1)
  }
  const { body } = await client<{ type: string; resourceKey: string }[]>(
    'GET',
    '/api/v2/events?type=segment.users_added',
  )
  expect(body.data.map(({ resourceKey }) => Number(resourceKey))).toEqual([one, two])
  expect(
    (await create({ email: 'boss@example.com', role: 'admin', firstName: '', name: 'Ignored' })).body.data,
  ).toMatchObject({
    role: 'admin',
    firstName: '',
  })
})

test('a used address is a conflict, even in parallel, and a removed member returns with the new data', async () => {
  const { client, create } = await createMemberScenario()
  const both = await Promise.all([create({ email: 'ada@example.com' }), create({ email: 'ADA@example.com' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  expect((await create({ email: 'owner@example.com' })).body.error?.code).toBe('conflict')
  const { id } = both.find(({ status }) => status === 201)?.body.data ?? { id: 0 }
  await client('PUT', `${MEMBERS}/${id}`, { json: { firstName: 'Ada', attributes: { plan: 'pro' } } })
  await client('DELETE', `${MEMBERS}/${id}`)
  const back = await create({ email: 'ada@example.com', lastName: 'New' })
  expect(back.body.data).toMatchObject({ id, firstName: '', lastName: 'New', attributes: {}, segmentIds: [] })
})

test('an invalid member is refused, and no member is created', async () => {
  const { here, create, client } = await createMemberScenario()
  const stranger = await createMemberScenario()
  const theirs = (await stranger.client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'X' } })).body.data
    .id
  const cases: [object, string][] = [
    [{}, '/email'],
    [{ email: 'nobody' }, '/email'],
    [{ email: 'a@example.com, b@example.com' }, '/email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, '/email'],
    [{ email: 'a@example.com', role: 'owner' }, '/role'],
    [{ email: 'a@example.com', firstName: 'x'.repeat(201) }, '/firstName'],
    [{ email: 'a@example.com', attributes: [] }, '/attributes'],
    [{ email: 'a@example.com', attributes: { plan: { name: 'pro' } } }, '/attributes'],
    [{ email: 'a@example.com', attributes: { '': 1 } }, '/attributes'],
    [{ email: 'a@example.com', attributes: { long: 'x'.repeat(1_001) } }, '/attributes'],
    [{ email: 'a@example.com', segmentIds: ['1'] }, '/segmentIds/0'],
    [{ email: 'a@example.com', segmentIds: [theirs] }, '/segmentIds/0'],
  ]
  for (const [json, path] of cases) {
    const { status, body } = await create(json)
    expect([json, status, body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  const rules = { match: 'all', conditions: [{ attribute: 'email', operator: 'is_set' }] }
  const dynamic = await client<{ id: number }>('POST', '/api/v2/segments', {
    json: { name: 'D', type: 'dynamic', rules },
  })
  const refused = await create({ email: 'a@example.com', segmentIds: [dynamic.body.data.id] })
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  const raw = '{"email": "a@example.com", "attributes": {"__proto__": "x"}}'
  const hidden = await client('POST', MEMBERS, { raw, headers: { 'content-type': 'application/json' } })
  expect(hidden.status).toBe(400)
  const count = await env.DB.prepare('SELECT count(*) AS n FROM users WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first('n')
  expect(count).toBe(1)
})

test('attributes are merged, null removes an attribute, and an invalid update changes nothing', async () => {
  const { client, create } = await createMemberScenario()
  const { id } = (await create({ email: 'ada@example.com', attributes: { plan: 'pro', seats: 3 } })).body.data
  const path = `${MEMBERS}/${id}`
  const put = (json: object) => client<Member>('PUT', path, { json })
  const changed = await put({
    firstName: 'Ada',
    attributes: { seats: null, plan: 'free', since: '2026-01-01', '$[0]': 'odd' },
  })
  expect([changed.status, changed.cost.roundTrips]).toEqual([200, 1])
  expect(changed.body.data).toMatchObject({
    firstName: 'Ada',
    attributes: { plan: 'free', since: '2026-01-01', '$[0]': 'odd' },
  })
  const same = await put({ firstName: 'Ada', attributes: { plan: 'free', unheard: null } })
  expect([same.cost.rowsWritten, same.body]).toEqual([0, changed.body])
  const { body } = await client<{ data: Member; previous: object }[]>('GET', '/api/v2/events?type=member.updated')
  expect(body.data.map(({ data, previous }) => [data, previous])).toEqual([
    [changed.body.data, { firstName: null, attributes: { plan: 'pro', seats: 3 } }],
  ])

  const many = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 'x'.repeat(length)]))
  for (const attributes of [many(98, 1), many(20, 1_000)]) {
    const refused = await put({ attributes })
    expect([refused.status, refused.body.error?.issues[0]?.path]).toEqual([400, '/attributes'])
  }
  expect((await client<Member>('GET', path)).body.data).toEqual(changed.body.data)
  expect((await put({ attributes: many(97, 1) })).status).toBe(200)
})

test('a new address is stored, keeps suppressions, and is refused if somebody has it', async () => {
  const { client } = await createWorkspace()
  const add = async (email: string) => (await client<{ id: number }>('POST', MEMBERS, { json: { email } })).body.data.id
  const [id] = [await add('old@example.com'), await add('taken@example.com')]
  await client('POST', '/api/v2/suppressions', { json: { email: 'old@example.com' } })
  const put = (email: string) => client<{ email: string }>('PUT', `${MEMBERS}/${id}`, { json: { email } })
  expect((await put('old@example.com')).cost.rowsWritten).toBe(0)
  expect((await put('New@example.com')).body.data.email).toBe('new@example.com')
  const { body } = await client<{ email: string }[]>('GET', '/api/v2/suppressions')
  expect(body.data.map(({ email }) => email).sort()).toEqual(['new@example.com', 'old@example.com'])
  expect((await put('taken@example.com')).status).toBe(409)
  expect((await put('nobody')).body.error?.issues[0]?.path).toBe('/email')
})

test('a key for members alone leaves the address of a colleague', async () => {
  const world = await createWorkspace()
  const invite = { email: 'colleague@example.com', role: 'member' }
  const { id } = (await world.client<{ id: number }>('POST', '/api/v2/users', { json: invite })).body.data
  const apiKey = await world.key({ scopes: ['segments:read', 'segments:write'] })
  const put = (email: string) => world.client('PUT', `${MEMBERS}/${id}`, { json: { email }, apiKey })
  expect((await put('colleague@example.com')).status).toBe(200)
  expect((await put('attacker@example.com')).body.error?.code).toBe('insufficient_scope')
})

test('a member of another workspace, an unknown member and a removed member are not found', async () => {
  const { client, create } = await createMemberScenario()
  const stranger = await createMemberScenario()
  const theirs = (await stranger.create({ email: 'eve@example.com', firstName: 'Eve' })).body.data
  const gone = (await create({ email: 'gone@example.com' })).body.data
  await client('DELETE', `${MEMBERS}/${gone.id}`)
  for (const id of [theirs.id, gone.id, 9_007_199_254_740_991]) {
    for (const [method, json] of [['GET'], ['PUT', { firstName: 'X' }], ['DELETE']] as const) {
      const { status, body } = await client(method, `${MEMBERS}/${id}`, json && { json })
      expect([method, status, body.error?.code]).toEqual([method, 404, 'member_not_found'])
    }
  }
  expect((await client('POST', `${MEMBERS}/${theirs.id}/restore`)).status).toBe(404)
  expect((await stranger.client<Member>('GET', `${MEMBERS}/${theirs.id}`)).body.data).toEqual(theirs)
})

test('a removed member is anonymous, keeps votes and ideas, and loses the name for good with the purge', async () => {
  const { here, client, create } = await createMemberScenario()
  const author = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const { id } = (await create({ ...author, attributes: { plan: 'pro' } })).body.data
  const idea = { title: 'Hello', product: here.product.externalKey, user: { email: author.email, name: 'Ada' } }
  const { slug } = (await client<{ slug: string }>('POST', '/api/feedback-items', { json: idea })).body.data
  const shown = async () => {
    const { body } = await client<{ user: object; vote: number }[]>('GET', `/api/feedback-items?slug=${slug}`)
    return body.data[0]
  }
  const key = await here.key({ userId: id, scopes: ['feedback:read'] })
  const readEventsAsText = async () => {
    const { body } = await client<{ data: { email?: string; user?: object } }[]>('GET', `/api/v2/events?key=${id}`)
    return JSON.stringify(body.data)
  }
  const before = await shown()
  expect(before?.user).toEqual(author)
  expect(await readEventsAsText()).toContain('Lovelace')
  const segments = async () => (await client<Member>('GET', `${MEMBERS}/${id}`)).body.data

  expect((await client('DELETE', `${MEMBERS}/${id}`)).body.data).toEqual({})
  expect((await shown())?.user).toEqual({ firstName: '', lastName: '', email: '' })
  expect(await readEventsAsText()).not.toMatch(/Lovelace|ada@/)
  expect((await client('GET', `/api/feedback-items`, { apiKey: key })).status).toBe(401)
  expect((await client('DELETE', `${MEMBERS}/${here.userId}`)).body.error?.code).toBe('conflict')

  const restored = await client<Member>('POST', `${MEMBERS}/${id}/restore`)
  expect(restored.body.data).toMatchObject({ ...author, attributes: { plan: 'pro' } })
  expect([await shown(), await segments()]).toEqual([before, restored.body.data])
  expect(await readEventsAsText()).toContain('Lovelace')

  await client('DELETE', `${MEMBERS}/${id}`)
  await create({ email: 'last@example.com' })
  const deps = {
    ...createBackgroundDeps({ ...env, ...UNLIMITED } as never, createExecutionContext()),
    now: () => readClock() + 31 * DAY,
  }
  await runCronJobs(deps)
  expect((await client('POST', `${MEMBERS}/${id}/restore`)).status).toBe(404)
  expect((await shown())?.user).toEqual({ firstName: '', lastName: '', email: '' })
  const { results } = await env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(id).all()
  expect(results).toEqual([])
  const log = await env.DB.prepare(
    "SELECT count(*) AS n FROM log WHERE subscription_id = ? AND (data LIKE '%ovelace%' OR previous LIKE '%ovelace%' OR data LIKE '%ada@%')",
  )
    .bind(here.subscriptionId)
    .first('n')
  expect(log).toBe(0)
})

test('a removed member leaves removed segments too, and a restore returns to both', async () => {
  const { client, create } = await createMemberScenario()
  const segment = async (name: string) =>
    (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name } })).body.data.id
  const [standing, removed] = [await segment('Standing'), await segment('Removed')]
  const counts = async () => {
    const each = [standing, removed].map(async (id) => {
      const path = `/api/v2/segments/${id}?include=users`
      const { body } = await client<{ userCount: number; users: Member[] }>('GET', path)
      expect(body.data.users.length).toBe(body.data.userCount)
      return body.data.userCount
    })
    return Promise.all(each)
  }
  const segmentIds = [standing, removed]
  const { id } = (await create({ email: 'ada@example.com', segmentIds })).body.data
  await create({ email: 'bob@example.com', segmentIds })
  await client('DELETE', `/api/v2/segments/${removed}`)
  await client('DELETE', `${MEMBERS}/${id}`)
  await client('POST', `/api/v2/segments/${removed}/restore`)
  expect(await counts()).toEqual([1, 1])

  expect((await client<Member>('POST', `${MEMBERS}/${id}/restore`)).body.data.segmentIds).toEqual(segmentIds)
  expect(await counts()).toEqual([2, 2])

  await client('DELETE', `/api/v2/segments/${removed}`)
  await client('DELETE', `${MEMBERS}/${id}`)
  await client('POST', `/api/v2/segments/${removed}/restore`)
  const back = await create({ email: 'ada@example.com', segmentIds })
  expect([back.status, back.body.data.segmentIds]).toEqual([201, segmentIds])
  expect(await counts()).toEqual([2, 2])
})
