import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { AttributeSet } from '../../../src/text/attributes'
import { createWorkspace, type Workspace } from '../../factories'

interface Result {
  success: boolean
  message?: string
  user: { id: number; email: string; role: string; firstName: string }
}

interface Member {
  id: number
  email: string
  firstName: string
  lastName: string
  role: string
  attributes: Record<string, unknown>
  segmentIds: number[]
  invitation: null
  source: string | null
  externalId: string | null
}

interface Event {
  type: string
  resourceKey: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const MEMBERS = '/api/v2/idea-manager/members'

/** A workspace with the operations that create people, with and without a segment. */
async function createBulkScenario() {
  const here = await createWorkspace()
  const segment = async (name: string, of: Workspace = here) =>
    of.row('segments', { subscription_id: of.subscriptionId, name, created_at: 1, updated_at: 1 })
  const id = await segment('All')
  return {
    here,
    id,
    segment,
    bulk: (json: unknown, options: object = {}) =>
      here.client<{ inviteResults: Result[] }>('POST', `${MEMBERS}/bulk-create?invite=false`, { json, ...options }),
    into: (json: unknown, options: object = {}) =>
      here.client<{ inviteResults: Result[]; segmentCount: number }>(
        'POST',
        `/api/v2/segments/${id}/bulk-create-users`,
        { json, ...options },
      ),
    member: async (email: string) => (await here.client<Member[]>('GET', `${MEMBERS}?email=${email}`)).body.data[0],
    events: async (query = '') => (await here.client<Event[]>('GET', `/api/v2/events?limit=100${query}`)).body.data,
  }
}

const summarizeEvents = (events: Event[]) => events.map(({ type, resourceKey, data }) => [type, resourceKey, data])

const readCounts = async (id: number) =>
  env.DB.prepare(
    'SELECT user_count AS counted, (SELECT count(*) FROM segment_members WHERE segment_id = s.id) AS members FROM segments s WHERE id = ?',
  )
    .bind(id)
    .first()

test('people become members with names, attributes and segments in one round trip and one event each', async () => {
  const { here, bulk, member, events, segment, id } = await createBulkScenario()
  const other = await segment('Other')
  const answer = await bulk([
    { name: 'Ada', email: ' ADA@example.com ', attributes: { plan: 'pro', seats: 12, trial: false, none: null } },
    { firstName: 'Grace', lastName: 'Hopper', name: 'Ignored', email: 'grace@example.com', segmentIds: [other, id] },
    { email: 'nameless@example.com', segmentIds: [id, id] },
  ])
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  expect(answer.body.data.inviteResults.map(({ success, user }) => [success, user.email, user.firstName])).toEqual([
    [true, 'ada@example.com', 'Ada'],
    [true, 'grace@example.com', 'Grace'],
    [true, 'nameless@example.com', ''],
  ])
  expect(await member('ada@example.com')).toMatchObject({
    firstName: 'Ada',
    role: 'idm_member',
    attributes: { plan: 'pro', seats: 12, trial: false },
    segmentIds: [],
    invitation: null,
  })
  const grace = await member('grace@example.com')
  expect(grace).toMatchObject({ firstName: 'Grace', lastName: 'Hopper', segmentIds: [id, other] })
  expect(await readCounts(id)).toEqual({ counted: 2, members: 2 })
  expect(await readCounts(other)).toEqual({ counted: 1, members: 1 })
  const created = await Promise.all(['ada', 'grace', 'nameless'].map((name) => member(`${name}@example.com`)))
  const idsIn = (segmentId: number) =>
    created.flatMap((one) => (one?.segmentIds.includes(segmentId) ? one.id : [])).toSorted((a, b) => a - b)
  expect(summarizeEvents(await events())).toEqual([
    ['segment.users_added', String(id), { count: 2, userIds: idsIn(id) }],
    ['segment.users_added', String(other), { count: 1, userIds: idsIn(other) }],
    ...created.map((one) => ['member.created', String(one?.id), one]),
  ])
  const single = await here.client<Member>('GET', `${MEMBERS}/${grace?.id}`)
  expect([single.body.data, single.headers.get('etag')]).toEqual([grace, expect.stringMatching(/^"v1-/)])
})

test('a known person gets attributes and segments, keeps role and names, and a repeat changes nothing', async () => {
  const { here, bulk, into, member, events, id } = await createBulkScenario()
  await bulk([{ name: 'Ada', email: 'ada@example.com', attributes: { plan: 'pro', seats: 1, city: 'London' } }])
  const json = [
    { name: 'Else', lastName: 'Body', email: 'ada@example.com', attributes: { seats: 2, city: null, new: '🙂' } },
    { name: 'Intruder', email: 'owner@example.com' },
  ]
  const first = await into(json)
  expect(first.body.data.inviteResults.map(({ user }) => [user.role, user.firstName])).toEqual([
    ['idm_member', 'Ada'],
    ['owner', 'Olga'],
  ])
  expect(first.body.data.segmentCount).toBe(2)
  const attributes = { plan: 'pro', seats: 2, new: '🙂' }
  expect(await member('ada@example.com')).toMatchObject({
    firstName: 'Ada',
    lastName: '',
    attributes,
    segmentIds: [id],
  })
  const again = await into(json)
  expect([again.body, again.cost.rowsWritten]).toEqual([first.body, 0])
  await into([{ email: 'ada@example.com', attributes: { plan: 'free' } }])
  const ada = await member('ada@example.com')
  const changes = (await events()).slice(1)
  expect(changes.map(({ type, resourceKey, previous }) => [type, resourceKey, previous])).toEqual([
    ['member.updated', String(ada?.id), { attributes: { plan: 'pro', seats: 1, city: 'London' } }],
    ['segment.users_added', String(id), null],
    ['member.updated', String(ada?.id), { attributes }],
  ])
  expect(changes[0]?.data).toMatchObject({ id: ada?.id, email: 'ada@example.com', attributes, segmentIds: [id] })
  expect(changes[2]?.data).toEqual(ada)
  // An ETag from before the bulk must not allow an overwrite.
  const { headers } = await here.client('GET', `/api/v2/users/${here.userId}`)
  const stale = headers.get('etag') ?? ''
  await bulk([{ email: 'owner@example.com', attributes: { a: 1 } }])
  const late = await here.client('PUT', `/api/v2/users/${here.userId}`, {
    json: { firstName: 'X' },
    headers: { 'if-match': stale },
  })
  expect(late.status).toBe(412)
})

test('a suppression stays, and a removed person returns as a member', async () => {
  const { here, bulk, into, member, events } = await createBulkScenario()
  const { subscriptionId } = here
  await env.DB.prepare(
    "INSERT INTO suppressions (subscription_id, email, segment_id, reason, created_at) VALUES (?, 'quiet@example.com', 0, 'complaint', 1)",
  )
    .bind(subscriptionId)
    .run()
  await here.row('users', {
    subscription_id: subscriptionId,
    email: 'gone@example.com',
    first_name: 'Gone',
    role: 'admin',
    created_at: 1,
    updated_at: 1,
    deleted_at: 2,
  })
  for (const add of [bulk, into]) await add([{ email: 'quiet@example.com', attributes: { a: 1 } }])
  expect(
    await env.DB.prepare('SELECT email, segment_id, reason, created_at FROM suppressions WHERE subscription_id = ?')
      .bind(subscriptionId)
      .all()
      .then(({ results }) => results),
  ).toEqual([{ email: 'quiet@example.com', segment_id: 0, reason: 'complaint', created_at: 1 }])
  expect(await member('gone@example.com')).toBeUndefined()
  await bulk([{ name: 'Back', email: 'gone@example.com', attributes: { a: 1 } }])
  expect(await member('gone@example.com')).toMatchObject({
    firstName: 'Gone',
    role: 'idm_member',
    attributes: { a: 1 },
  })
  const back = (await events()).at(-1)
  expect([back?.type, back?.previous, back?.data]).toEqual(['member.created', null, await member('gone@example.com')])
})

describe('an invalid bulk of members', () => {
  const named = (count: number, value: unknown = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, value]))

  test('lists the errors per item and creates the other members', async () => {
    const { bulk, member } = await createBulkScenario()
    const items: [unknown, RegExp | undefined][] = [
      [{ email: 'good@example.com', attributes: { constructor: 'x', toString: 1 } }, undefined],
      [{ email: 'a@example.com', attributes: [] }, /^attributes: Must be an object/],
      [{ email: 'a@example.com', attributes: { deep: {} } }, /^attributes: "deep" must be text/],
      [
        { email: 'a@example.com', attributes: { '': 1 } },
        /^attributes: "": The name of an attribute must not be empty/,
      ],
      [{ email: 'a@example.com', attributes: { ['n'.repeat(101)]: 1 } }, /^attributes: "n+": The name/],
      [{ email: 'a@example.com', attributes: { 'two\nlines': 1 } }, /^attributes: "two.+": The name/],
      [
        { email: 'a@example.com', attributes: { long: 'x'.repeat(1_001) } },
        /^attributes: "long" must have at most 1000/,
      ],
      [{ email: 'a@example.com', attributes: named(101) }, /^attributes: A person has at most 100/],
      [{ email: 'a@example.com', attributes: named(21, 'x'.repeat(1_000)) }, /^attributes: A person has at most 100/],
      [{ email: 'a@example.com', segmentIds: 7 }, /^segmentIds: Must be an array/],
      [{ email: 'a@example.com', segmentIds: ['7'] }, /^segmentIds: Item 1/],
      [{ email: 'a@example.com', segmentIds: [1.5] }, /^segmentIds: Item 1/],
      [{ email: 'a@example.com', segmentIds: Array(101).fill(1) }, /^segmentIds: Must be an array of at most 100/],
      [{ email: 'a@example.com', firstName: 7 }, /^firstName: Must be text/],
      [{ email: 'a@example.com', lastName: 'x'.repeat(201) }, /^lastName: Must have at most 200/],
      [{ name: 'No address' }, /^email: /],
      [{ email: 'fine@example.com', attributes: named(20, 'x'.repeat(900)) }, undefined],
    ]
    const answer = await bulk(items.map(([item]) => item))
    expect([answer.status, answer.body.message]).toEqual([
      200,
      `${items.length - 2} of ${items.length} users were not added`,
    ])
    items.forEach(([item, reason], n) => {
      const { success, message = '' } = answer.body.data.inviteResults[n] as Result
      expect([item, success, message]).toEqual([item, !reason, reason ? expect.stringMatching(reason) : ''])
    })
    expect(await member('a@example.com')).toBeUndefined()
    expect(await member('good@example.com')).toMatchObject({ attributes: { constructor: 'x', toString: 1 } })
  })

  test('refuses an attribute named __proto__ and an infinite number', async () => {
    const { here, member } = await createBulkScenario()
    const headers = { 'content-type': 'application/json' }
    const post = (raw: string) =>
      here.client<{ inviteResults: Result[] }>('POST', `${MEMBERS}/bulk-create?invite=false`, { raw, headers })
    const hidden = await post('[{"email": "eve@example.com", "attributes": {"__proto__": {"role": "owner"}}}]')
    expect([hidden.status, hidden.body.error?.issues[0]?.path]).toEqual([400, '/0/attributes/__proto__'])
    const endless = await post('[{"email": "eve@example.com", "attributes": {"n": 1e999}}]')
    expect(endless.body.data.inviteResults[0]).toMatchObject({
      success: false,
      message: expect.stringMatching(/^attributes: "n"/),
    })
    expect(await member('eve@example.com')).toBeUndefined()
    expect(new AttributeSet().add(JSON.parse('{"__proto__": 1}'))).toMatch(/^attributes: "__proto__": No attribute/)
  })

  test('leaves a known person unchanged when the attributes exceed the limit', async () => {
    const { here, bulk, into, member, events, id } = await createBulkScenario()
    await bulk([{ email: 'full@example.com', attributes: named(99) }])
    const before = [await member('full@example.com'), (await events()).length + 1]
    const full = { name: 'New', email: 'full@example.com', attributes: { b: 1, c: 2 } }
    const headers = { 'idempotency-key': 'once' }
    const answer = await into([full, { email: 'other@example.com' }], { headers })
    expect(answer.body.data.inviteResults.map(({ success }) => success)).toEqual([false, true])
    expect(answer.body.data.inviteResults[0]?.message).toMatch(/^attributes: A person has at most 100/)
    expect(answer.body.data.segmentCount).toBe(1)
    expect(await readCounts(id)).toEqual({ counted: 1, members: 1 })
    expect([await member('full@example.com'), (await events()).length - 1]).toEqual(before)
    expect((await into([full, { email: 'other@example.com' }], { headers })).body).toEqual(answer.body)
    expect((await into([full])).cost.rowsWritten).toBe(0)
    const fits = await into([{ ...full, attributes: { b: 1, a0: null, c: 2 } }])
    expect(fits.body.data.inviteResults[0]?.success).toBe(true)
    expect(Object.keys((await member('full@example.com'))?.attributes ?? {}).length).toBe(100)
    expect((await here.client<Member[]>('GET', `${MEMBERS}?segmentId=${id}`)).body.data.length).toBe(2)
  })

  test('is refused as a whole for a foreign, removed or unknown segment', async () => {
    const { here, bulk, segment, id } = await createBulkScenario()
    const stranger = await createWorkspace()
    const theirs = await segment('Theirs', stranger)
    const removed = await segment('Removed')
    await env.DB.prepare('UPDATE segments SET deleted_at = 1 WHERE id = ?').bind(removed).run()
    for (const wrong of [theirs, removed, 9_007_199_254_740_991]) {
      const answer = await bulk([
        { email: 'a@example.com', segmentIds: [id] },
        { email: 'b@example.com', segmentIds: [id, wrong] },
      ])
      expect([answer.status, answer.body.error?.issues]).toEqual([
        400,
        [expect.objectContaining({ path: '/1/segmentIds/1', code: 'unknown_reference' })],
      ])
    }
    const { body } = await here.client<Member[]>('GET', MEMBERS)
    expect(body.data.map(({ email }) => email)).toEqual(['owner@example.com'])
    expect([await readCounts(id), await readCounts(theirs)]).toEqual(Array(2).fill({ counted: 0, members: 0 }))
  })

  test('rejects the items that exceed 1,000 segments in a request', async () => {
    const { here, bulk, member } = await createBulkScenario()
    const { results } = await env.DB.prepare(
      `INSERT INTO segments (subscription_id, name, created_at, updated_at)
        SELECT ?, 'S' || value, 1, 1 FROM json_each(?) RETURNING id`,
    )
      .bind(here.subscriptionId, JSON.stringify(Array.from({ length: 1_001 }, (_, n) => n)))
      .all<{ id: number }>()
    const ids = results.map(({ id }) => id)
    const people = Array.from({ length: 11 }, (_, n) => ({
      email: `m${n}@example.com`,
      segmentIds: ids.slice(n * 100, n * 100 + 100),
    }))
    const answer = await bulk(people)
    expect(answer.body.data.inviteResults.map(({ success }) => success)).toEqual([...Array(10).fill(true), false])
    expect(answer.body.data.inviteResults[10]?.message).toMatch(/^segmentIds: A request names at most 1000/)
    expect((await member('m9@example.com'))?.segmentIds).toEqual(ids.slice(900, 1_000))
    expect(await member('m10@example.com')).toBeUndefined()
  })

  test('is refused for a key without segments:write or limited to products', async () => {
    const { here, bulk, into } = await createBulkScenario()
    const json = [{ email: 'a@example.com' }]
    for (const claims of [{ scopes: ['segments:read', 'products:write'] }, { products: [here.product.id] }]) {
      const apiKey = await here.key(claims as never)
      for (const add of [bulk, into]) expect((await add(json, { apiKey })).status).toBe(403)
      const read = await here.client<Member[]>('GET', MEMBERS, { apiKey })
      expect([read.status, read.body.data.length]).toEqual([200, 1])
    }
    const apiKey = await here.key({ scopes: ['products:read'] })
    for (const path of [MEMBERS, `${MEMBERS}/${here.userId}`, `${MEMBERS}/export`]) {
      expect((await here.client('GET', path, { apiKey })).status).toBe(403)
    }
  })
})

test('an address in several items is one person with the attributes and segments of all items', async () => {
  const { bulk, member, segment, id } = await createBulkScenario()
  const other = await segment('Other')
  const { body } = await bulk([
    { email: 'ada@example.com', attributes: { a: 1, b: 1 }, segmentIds: [other] },
    { name: 'Ada', email: 'ADA@example.com', attributes: { b: 2 }, segmentIds: [id] },
    { name: 'Other', email: 'ada@example.com', attributes: { c: 3 } },
    { email: 'ada@example.com', attributes: Object.fromEntries(Array.from({ length: 98 }, (_, n) => [`x${n}`, 0])) },
  ])
  expect(body.data.inviteResults.map(({ success }) => success)).toEqual([true, true, true, false])
  expect(await member('ada@example.com')).toMatchObject({
    firstName: 'Ada',
    attributes: { a: 1, b: 2, c: 3 },
    segmentIds: [id, other].sort((one, two) => one - two),
  })
})

test('10,000 people with long attributes need one batch and as few statements as one person', async () => {
  const { here, bulk, into, id } = await createBulkScenario()
  const note = '名'.repeat(100)
  const json = Array.from({ length: 10_000 }, (_, n) => ({
    name: `Person ${n}`,
    email: `person-${n}@example.com`,
    attributes: { note, n },
    segmentIds: [id],
  }))
  const one = await bulk([{ email: 'one@example.com', attributes: { n: 1 }, segmentIds: [id] }])
  const answer = await bulk(json)
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 2])
  // The first write has one more statement, which records the use of the key; the second has one for the long values.
  expect(answer.cost.statements).toBe(one.cost.statements)
  expect(answer.body.data.inviteResults.every(({ success }) => success)).toBe(true)
  expect(await readCounts(id)).toEqual({ counted: 10_001, members: 10_001 })
  const again = await into(json)
  expect([again.status, again.cost.rowsWritten, again.body.data.segmentCount]).toEqual([200, 0, 10_001])
  const emitted = await env.DB.prepare(
    `SELECT type, count(*) AS events, count(DISTINCT resource_key) AS keys, sum(data ->> 'email' <> '') AS whole
      FROM log WHERE subscription_id = ? GROUP BY type ORDER BY type`,
  )
    .bind(here.subscriptionId)
    .all()
  expect(emitted.results).toEqual([
    { type: 'member.created', events: 10_001, keys: 10_001, whole: 10_001 },
    { type: 'segment.users_added', events: 11, keys: 1, whole: null },
  ])
})

test('10,000 addresses of the maximum length are returned', async () => {
  const { into } = await createBulkScenario()
  const local = 'a'.repeat(60)
  const domain = `${Array(3).fill('b'.repeat(55)).join('.')}.example`
  const json = Array.from({ length: 10_000 }, (_, n) => ({ email: `${local}${String(n).padStart(4, '0')}@${domain}` }))
  const answer = await into(json)
  expect([answer.status, answer.body.data.segmentCount]).toEqual([200, 10_000])
})

test('people in parallel requests are created once and counted exactly', async () => {
  const { bulk, into, id, events } = await createBulkScenario()
  const people = (from: number) =>
    Array.from({ length: 40 }, (_, n) => ({
      email: `p${from + n}@example.com`,
      attributes: { [`from${from}`]: true },
      segmentIds: [id],
    }))
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 ? bulk : into)(people((n % 3) * 20))))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(await readCounts(id)).toEqual({ counted: 80, members: 80 })
  const all = [...(await events('&type=segment.users_added')), ...(await events('&type=member.created'))]
  const sums = all.flatMap(({ data }) => (data.count === undefined ? [] : [Number(data.count)]))
  expect(sums.reduce((sum, one) => sum + one, 0)).toBe(80)
  const created = all.filter(({ type }) => type === 'member.created').map(({ resourceKey }) => resourceKey)
  expect([created.length, new Set(created).size]).toEqual([80, 80])
})

test('members get the id in another system, and an item with the id of another member fails alone', async () => {
  const { bulk, member, events, here } = await createBulkScenario()
  const identity = async (email: string) => {
    const found = await member(email)
    return [found?.source, found?.externalId]
  }
  await bulk([
    { email: 'old@example.com', firstName: 'Old' },
    { email: 'pat@example.com', firstName: 'Pat' },
    { email: 'kim@example.com', source: 'crm', externalId: '9' },
    { email: 'lee@example.com', source: 'crm', externalId: '8' },
  ])
  const { body } = await bulk([
    { email: 'ada@example.com', source: 'crm', externalId: '1' },
    { email: 'old@example.com', source: 'crm', externalId: '2' },
    { email: 'bob@example.com', source: 'crm', externalId: '9' },
    { email: 'kim@example.com', source: 'crm', externalId: '10' },
    { email: 'eve@example.com', source: 'crm', externalId: '1' },
    { email: 'fay@example.com', source: 'crm' },
    { email: 'gus@example.com', source: 'C R M', externalId: '3' },
    { email: 'hal@example.com', source: null, externalId: null },
    { email: 'pat@example.com', source: 'crm', externalId: '8', attributes: { plan: 'pro' } },
  ])
  expect(body.data.inviteResults.map(({ success, message }) => message ?? success)).toEqual([
    true,
    true,
    'externalId: Another member has this id. Modify the other member, or send another id.',
    true,
    'externalId: Another item with a different address has this id.',
    'externalId: Send source and externalId together.',
    expect.stringMatching(/^source: Must be the name of another system/),
    true,
    'externalId: Another member has this id. Modify the other member, or send another id.',
  ])
  expect(await member('pat@example.com')).toMatchObject({ source: null, externalId: null, attributes: {} })
  expect(await identity('ada@example.com')).toEqual(['crm', '1'])
  expect(await identity('old@example.com')).toEqual(['crm', '2'])
  expect(await identity('kim@example.com')).toEqual(['crm', '9'])
  expect(await identity('hal@example.com')).toEqual([null, null])
  expect(await member('bob@example.com')).toBeUndefined()
  const updated = await events('&type=member.updated')
  expect(updated.map(({ previous }) => previous)).toEqual([{ source: null, externalId: null }])
  const gone = await member('ada@example.com')
  await here.client('DELETE', `/api/v2/idea-manager/members/${gone?.id}`)
  await bulk([{ email: 'ada2@example.com', source: 'crm', externalId: '1' }])
  expect(await identity('ada2@example.com')).toEqual(['crm', '1'])
  const before = (await events()).length
  await bulk([{ email: 'ada2@example.com', source: 'crm', externalId: '1' }])
  expect((await events()).length).toBe(before)
})
