import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { fileForm } from '../../world'

interface Segment {
  id: number
  name: string
  type: string
  rules: object | null
  userCount: number
  countedAt: string | null
  users?: { email: string }[]
}

const SEGMENTS = '/api/v2/segments'
const ON_PRO = { match: 'all', conditions: [{ attribute: 'attributes.plan', operator: 'eq', value: 'pro' }] }
const NOT_PRO = { match: 'all', conditions: [{ attribute: 'attributes.plan', operator: 'ne', value: 'pro' }] }

async function createDynamicScenario() {
  const here = await createWorkspace()
  const { client } = here
  const add = async (...people: [name: string, plan: string][]) => {
    const json = people.map(([name, plan]) => ({ firstName: name, email: `${name}@example.com`, attributes: { plan } }))
    const answer = await client('POST', '/api/v2/idea-manager/members/bulk-create', { json })
    expect(answer.status).toBe(200)
  }
  await add(['ada', 'pro'], ['bob', 'free'], ['cyd', 'pro'])
  const make = async (json: object = {}) =>
    client<Segment>('POST', SEGMENTS, { json: { name: 'Pro', type: 'dynamic', rules: ON_PRO, ...json } })
  const path = async (json: object = {}) => `${SEGMENTS}/${(await make(json)).body.data.id}`
  return { here, client, add, make, path }
}

const namesOf = (users: { email: string }[] = []) => users.map(({ email }) => email.split('@')[0])

test('a dynamic segment is counted on create, read and update, and a list shows the last count', async () => {
  const { client, add, make } = await createDynamicScenario()
  const made = await make()
  expect([made.status, made.cost.roundTrips]).toEqual([201, 1])
  expect(made.body.data).toMatchObject({ type: 'dynamic', rules: ON_PRO, userCount: 2, countedAt: expect.any(String) })
  const path = made.headers.get('location') ?? ''

  await add(['dan', 'pro'])
  const listed = async () => (await client<Segment[]>('GET', SEGMENTS)).body.data[0]
  expect(await listed()).toEqual(made.body.data)
  const found = await client<Segment>('GET', path)
  expect([found.cost.roundTrips, found.body.data.userCount]).toEqual([2, 3])
  expect(await listed()).toEqual(found.body.data)
  const again = await client<Segment>('GET', path)
  expect(again.body.data.userCount).toBe(3)
  const [first, second] = [found, again].map(({ headers }) => headers.get('etag')?.split('-')[0])
  expect(second).toBe(first)

  const changed = await client<Segment>('PUT', path, { json: { rules: NOT_PRO, color: 'red' } })
  expect([changed.status, changed.cost.roundTrips, changed.body.data.userCount]).toEqual([200, 1, 2])
  const { data } = (
    await client<{ type: string; data: Segment; previous: Partial<Segment> }[]>(
      'GET',
      '/api/v2/events?type=segment.updated',
    )
  ).body
  expect(data.map(({ data }) => data)).toEqual([changed.body.data])
  expect(data[0]?.previous).toEqual({
    rules: ON_PRO,
    color: null,
    userCount: 3,
    countedAt: again.body.data.countedAt,
  })
  const same = await client<Segment>('PUT', path, { json: { rules: NOT_PRO, color: 'red' } })
  expect([same.body, same.cost.rowsWritten]).toEqual([changed.body, 0])
  const renamed = await client<Segment>('PUT', path, { json: { rules: NOT_PRO, name: 'Others' } })
  expect(renamed.body.data).toMatchObject({ name: 'Others', userCount: 2, countedAt: changed.body.data.countedAt })
})

test('an event of a dynamic segment holds the segment as the response showed it', async () => {
  const { client, make } = await createDynamicScenario()
  const made = await make()
  const { data } = (await client<{ data: Segment }[]>('GET', '/api/v2/events?type=segment.created')).body
  expect(data.map(({ data }) => data)).toEqual([made.body.data])
})

test('the users of a dynamic segment are found in the segment, lists, member filters and previews', async () => {
  const { client, here, path } = await createDynamicScenario()
  const dynamic = await path()
  const manual = await path({ name: 'By hand', type: 'manual', rules: null })
  const json = ['bob', 'eve', 'ada'].map((name) => ({ name, email: `${name}@example.com` }))
  await client('POST', `${manual}/create-users`, { json })

  const withUsers = async (path: string) => (await client<Segment>('GET', `${path}?include=users`)).body.data
  expect(namesOf((await withUsers(dynamic)).users)).toEqual(['cyd', 'ada'])
  expect(namesOf((await withUsers(manual)).users)).toEqual(['eve', 'bob', 'ada'])
  expect(await client('GET', `${manual}?include=everything`)).toMatchObject({ status: 400 })
  expect((await client<Segment>('GET', manual)).body.data).not.toHaveProperty('users')

  const all = await client<Segment[]>('GET', `${SEGMENTS}/users?sort=name`)
  expect(all.body.data.map(({ name, users }) => [name, namesOf(users)])).toEqual([
    ['By hand', ['eve', 'bob', 'ada']],
    ['Pro', ['cyd', 'ada']],
  ])
  expect(all.cost.roundTrips).toBe(2)
  const some = await client<Segment[]>('GET', `${SEGMENTS}/users?fields=users&type=dynamic`)
  expect(some.body.data.map((one) => Object.keys(one))).toEqual([['users']])

  const page = async (at: string) => {
    const answer = await client<{ email: string }[]>('GET', at)
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    return { names: namesOf(answer.body.data), next: next ?? '' }
  }
  for (const [at, names] of [
    [dynamic, ['cyd', 'ada']],
    [manual, ['eve', 'bob', 'ada']],
  ] as const) {
    expect((await page(`${at}/users`)).names).toEqual(names)
    expect((await page(`${at}/users?sort=createdAt`)).names).toEqual(names.toReversed())
    const first = await page(`${at}/users?limit=1`)
    expect([first.names, (await page(first.next)).names]).toEqual([[names[0]], [names[1]]])
    expect((await page(`/api/v2/idea-manager/members?segmentId=${at.split('/').at(-1)}`)).names.sort()).toEqual(
      names.toSorted(),
    )
    const listed = await client<object[]>('GET', `${at}/users`)
    const members = await client<{ id: number }[]>('GET', '/api/v2/idea-manager/members?email=ada@example.com')
    expect(listed.body.data).toContainEqual(members.body.data[0])
  }
  expect((await page(`/api/v2/idea-manager/members?q=ada&segmentId=${dynamic.split('/').at(-1)}`)).names).toEqual([
    'ada',
  ])

  const preview = await client<{ userCount: number }>('POST', `${SEGMENTS}/preview`, { json: { rules: ON_PRO } })
  expect([preview.cost.roundTrips, preview.cost.rowsWritten]).toEqual([1, 0])
  expect(preview.body.data).toEqual({ userCount: 2, unsetCounts: [null], users: (await withUsers(dynamic)).users })
  const nobody = { match: 'all', conditions: [{ attribute: 'email', operator: 'eq', value: 'nobody' }] }
  const none = await client('POST', `${SEGMENTS}/preview`, { json: { rules: nobody } })
  expect(none.body.data).toEqual({ userCount: 0, unsetCounts: [null], users: [] })

  const stranger = await createWorkspace()
  for (const at of [`${dynamic}?include=users`, `${dynamic}/users`, `${manual}/users`]) {
    expect([at, (await stranger.client('GET', at)).body.error?.code]).toEqual([at, 'segment_not_found'])
  }
  const { body } = await stranger.client('GET', `/api/v2/idea-manager/members?segmentId=${dynamic.split('/').at(-1)}`)
  expect(body.error?.code).toBe('unknown_reference')
  await here.client('DELETE', dynamic)
  expect((await client('GET', `${dynamic}/users`)).status).toBe(404)
})

test('a manual segment refuses rules, a dynamic segment requires rules, and the type is fixed', async () => {
  const { client, make, path } = await createDynamicScenario()
  const dynamic = await path()
  const manual = await path({ name: 'By hand', type: 'manual', rules: null })
  const attempts: [string, string, object, number, string][] = [
    ['POST', SEGMENTS, { name: 'New', type: 'manual', rules: ON_PRO }, 409, 'conflict'],
    ['POST', SEGMENTS, { name: 'New', rules: ON_PRO }, 409, 'conflict'],
    ['POST', SEGMENTS, { name: 'New', type: 'dynamic' }, 400, 'validation_failed'],
    ['POST', SEGMENTS, { name: 'New', type: 'dynamic', rules: null }, 400, 'validation_failed'],
    ['POST', SEGMENTS, { name: 'New', type: 'odd' }, 400, 'validation_failed'],
    ['PUT', manual, { rules: ON_PRO }, 409, 'conflict'],
    ['PUT', manual, { type: 'dynamic' }, 409, 'conflict'],
    ['PUT', dynamic, { type: 'manual' }, 409, 'conflict'],
    ['PUT', dynamic, { rules: null }, 400, 'validation_failed'],
    ['PUT', dynamic, { rules: { match: 'all', conditions: [] } }, 400, 'validation_failed'],
  ]
  for (const [method, at, json, status, code] of attempts) {
    const answer = await client(method, at, { json })
    expect([method, at, json, answer.status, answer.body.error?.code]).toEqual([method, at, json, status, code])
  }
  expect((await make()).body.error?.code).toBe('conflict')
  for (const at of [manual, dynamic]) {
    const found = (await client<Segment>('GET', at)).body.data
    const put = await client<Segment>('PUT', at, { json: found })
    expect([put.status, put.body.data]).toEqual([200, found])
  }
})

test('the users of a dynamic segment cannot be changed by any operation', async () => {
  const { client, here, path } = await createDynamicScenario()
  const dynamic = await path()
  const id = Number(dynamic.split('/').at(-1))
  const manual = Number((await path({ name: 'By hand', type: 'manual', rules: null })).split('/').at(-1))
  const json = [{ name: 'Eve', email: 'eve@example.com' }]
  const member = { email: 'eve@example.com', segmentIds: [manual, id] }
  const file = () => fileForm('users', 'email\neve@example.com\n', 'users.csv')
  const users = [here.userId]
  const attempts = [
    await client('POST', `${dynamic}/create-users`, { json }),
    await client('POST', `${dynamic}/bulk-create-users`, { json }),
    await client('POST', `${dynamic}/import-users`, { raw: file() }),
    await client('POST', `${dynamic}/import-users?dryRun=true`, { raw: file() }),
    await client('POST', '/api/v2/idea-manager/members/bulk-create', { json: [member] }),
    await client('PUT', `${SEGMENTS}/manage-users`, { json: { action: 'remove', userIds: users, fromSegmentId: id } }),
    await client('PUT', `${SEGMENTS}/manage-users`, {
      json: { action: 'move', userIds: users, fromSegmentId: manual, toSegmentId: id },
    }),
  ]
  expect(attempts.map(({ status, body }) => [status, body.error?.code])).toEqual(attempts.map(() => [409, 'conflict']))
  for (const { body } of attempts) expect(body.message).toMatch(/dynamic/)
  const row = await env.DB.prepare('SELECT count(*) AS n FROM users WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first('n')
  expect(row).toBe(4)
})

test('a page of segments with users ends before the eleventh dynamic segment', async () => {
  const { client, path } = await createDynamicScenario()
  for (let n = 0; n < 12; n++) await path({ name: `Dynamic ${String(n).padStart(2, '0')}` })
  await path({ name: 'By hand', type: 'manual', rules: null })
  const first = await client<Segment[]>('GET', `${SEGMENTS}/users?sort=name`)
  expect(first.body.data.map(({ type }) => type)).toEqual(['manual', ...Array(10).fill('dynamic')])
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const rest = await client<Segment[]>('GET', next)
  expect(rest.body.data.map(({ name }) => name)).toEqual(['Dynamic 10', 'Dynamic 11'])
})

test('long attributes of members do not make a response too large', async () => {
  const { client, path } = await createDynamicScenario()
  const text = 'x'.repeat(1_000)
  const attributes = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`long ${n}`, text]))
  const manual = await path({ name: 'By hand', type: 'manual', rules: null })
  const json = Array.from({ length: 100 }, (_, n) => ({
    email: `m${n}@example.com`,
    attributes: { ...attributes, plan: 'pro' },
  }))
  await client('POST', `${manual}/bulk-create-users`, { json })
  await path()
  const { body } = await client<Segment[]>('GET', `${SEGMENTS}/users`)
  for (const { users } of body.data) {
    expect(users?.length).toBeGreaterThan(40)
    expect(users?.length).toBeLessThan(60)
  }
  const one = await client<Segment>('GET', `${manual}?include=users`)
  expect(one.body.data.users?.length).toBe(100)
})

runtimeTest('the counts and pages of many members read a bounded number of rows', async () => {
  const { here, client, path } = await createDynamicScenario()
  const fill = (from: number, to: number) =>
    env.DB.prepare(
      `INSERT INTO users (subscription_id, email, role, attributes, created_at, updated_at)
        SELECT ?1, 'm' || value || '@example.com', 'idm_member', '{"plan":"' || iif(value % 2, 'pro', 'free') || '"}', value, value
        FROM json_each(?2)`,
    )
      .bind(here.subscriptionId, JSON.stringify(Array.from({ length: to - from + 1 }, (_, n) => from + n)))
      .run()
  await fill(1, 200)
  const dynamic = await path()
  const manual = await path({ name: 'By hand', type: 'manual', rules: null })
  const join = () =>
    env.DB.prepare(
      `INSERT OR IGNORE INTO segment_members (subscription_id, segment_id, user_id, created_at)
        SELECT subscription_id, ?2, id, 1 FROM users WHERE subscription_id = ?1`,
    )
      .bind(here.subscriptionId, Number(manual.split('/').at(-1)))
      .run()
  await join()
  const cost = async (at: string) => (await client('GET', at)).cost
  const flat = [`${manual}/users?limit=10`, `${manual}?include=users`, `${SEGMENTS}/users?type=manual`, SEGMENTS]
  const costs = async () => Promise.all(flat.map(cost))
  const before = await costs()
  await fill(201, 2_000)
  await join()
  expect(await costs()).toEqual(before)
  const counted = await cost(dynamic)
  expect(counted.roundTrips).toBe(2)
  expect(counted.rowsRead).toBeLessThan(2_000 * 2.5)
  expect((await cost(`${dynamic}/users?limit=10`)).rowsRead).toBeLessThan(200)
})

test('a dynamic segment answers 304 until its count changes', async () => {
  const { client, add, path } = await createDynamicScenario()
  const dynamic = await path()
  const etag = (await client('GET', dynamic)).headers.get('etag') ?? ''
  const again = await client('GET', dynamic, { headers: { 'if-none-match': etag } })
  expect([again.status, again.cost.rowsWritten]).toEqual([304, 0])
  await add(['dan', 'pro'])
  const changed = await client<Segment>('GET', dynamic, { headers: { 'if-none-match': etag } })
  expect([changed.status, changed.body.data.userCount]).toEqual([200, 3])
})

test('the export of segments has the rules of a dynamic segment', async () => {
  const { here, client, make } = await createDynamicScenario()
  const { body: made } = await make()
  await client('POST', SEGMENTS, { json: { name: 'Manual' } })
  const { response } = await send('GET', `${SEGMENTS}/export?format=json`, { apiKey: await here.key() })
  const exported: Segment[] = await response.json()
  expect(exported.map(({ name, type, rules }) => [name, type, rules])).toEqual([
    ['Pro', 'dynamic', ON_PRO],
    ['Manual', 'manual', null],
  ])
  expect(exported[0]).toEqual(made.data)
})
