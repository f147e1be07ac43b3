import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { EmailAddress, normalizeEmail } from '../../../src/http/schemas'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

interface Result {
  success: boolean
  message?: string
  user: { id: number; email: string; role: string; firstName: string; createdAt: string; updatedAt: string }
}

interface Added {
  inviteResults: Result[]
  segmentCount: number
}

async function insertSegment({ row, subscriptionId }: Workspace, name = 'Beta'): Promise<number> {
  return row('segments', { subscription_id: subscriptionId, name, created_at: 1, updated_at: 1 })
}

async function readCounts(segmentId: number) {
  const counts = await env.DB.prepare(
    `SELECT s.user_count AS counted, s.version AS version,
      (SELECT count(*) FROM segment_members WHERE segment_id = s.id) AS members FROM segments s WHERE s.id = ?`,
  )
    .bind(segmentId)
    .first<{ counted: number; version: number; members: number }>()
  if (!counts) throw new Error('No such segment')
  return counts
}

async function countUsers({ subscriptionId }: Workspace): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM users WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first<{ n: number }>()
  return row?.n ?? 0
}

async function listEventCounts({ subscriptionId }: Workspace): Promise<[key: string, count: number][]> {
  const { results } = await env.DB.prepare(
    `SELECT resource_key AS key, data ->> 'count' AS count FROM log
      WHERE subscription_id = ? AND type = 'segment.users_added' ORDER BY id`,
  )
    .bind(subscriptionId)
    .all<{ key: string; count: number }>()
  return results.map(({ key, count }) => [key, count])
}

const SegmentUser = z.strictObject({
  id: z.int().positive(),
  email: z.email(),
  role: z.literal('idm_member'),
  firstName: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

test('users are added in the given order, in one round trip with one event', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const json = [
    { name: ' Ada Lovelace ', email: ' Ada@Example.COM ' },
    { name: '7', email: 'seven@example.com' },
    { name: '', email: 'nameless@example.com' },
  ]
  const answer = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, { json })
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  const { inviteResults, segmentCount } = answer.body.data
  for (const { user } of inviteResults) SegmentUser.parse(user)
  expect(inviteResults.map(({ success, user }) => [success, user.email, user.firstName])).toEqual([
    [true, 'ada@example.com', 'Ada Lovelace'],
    [true, 'seven@example.com', '7'],
    [true, 'nameless@example.com', ''],
  ])
  expect(segmentCount).toBe(3)
  expect(await readCounts(id)).toEqual({ counted: 3, version: 2, members: 3 })
  expect(await listEventCounts(world)).toEqual([[String(id), 3]])
})

test('the same users again change only an empty name', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const add = (json: object[]) => world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, { json })
  const first = await add([
    { name: 'Ada', email: 'ada@example.com' },
    { name: '', email: 'bob@example.com' },
  ])
  const again = await add([
    { name: 'Somebody else', email: 'ADA@example.com' },
    { name: 'Bob', email: 'bob@example.com' },
  ])
  expect(again.body.data.inviteResults[0]).toEqual(first.body.data.inviteResults[0])
  expect(again.body.data.inviteResults[1]?.user).toMatchObject({
    id: first.body.data.inviteResults[1]?.user.id,
    firstName: 'Bob',
  })
  expect(await readCounts(id)).toEqual({ counted: 2, version: 2, members: 2 })
  expect(await listEventCounts(world)).toEqual([[String(id), 2]])

  await add([
    { name: 'Ada', email: 'ada@example.com' },
    { name: 'Cyd', email: 'cyd@example.com' },
  ])
  expect(await readCounts(id)).toEqual({ counted: 3, version: 3, members: 3 })
  expect(await listEventCounts(world)).toEqual([
    [String(id), 2],
    [String(id), 1],
  ])
})

test('a known user keeps role and names, and a removed user returns as a member', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const gone = await world.row('users', {
    subscription_id: world.subscriptionId,
    email: 'gone@example.com',
    first_name: 'Gone',
    role: 'admin',
    created_at: 1,
    updated_at: 1,
    deleted_at: 2,
  })
  const { body } = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, {
    json: [
      { name: 'Intruder', email: 'owner@example.com' },
      { name: 'Back', email: 'gone@example.com' },
    ],
  })
  expect(body.data.inviteResults.map(({ user }) => [user.id, user.role, user.firstName])).toEqual([
    [world.userId, 'owner', 'Olga'],
    [gone, 'idm_member', 'Gone'],
  ])
  expect(await countUsers(world)).toBe(2)
  const row = await env.DB.prepare('SELECT deleted_at FROM users WHERE id = ?').bind(gone).first()
  expect(row).toEqual({ deleted_at: null })
})

test('an invalid item is returned as sent, and the other users are added', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const items: [unknown, RegExp | undefined][] = [
    [{ name: 'Ada', email: 'ada@example.com' }, undefined],
    [{ name: 'No at', email: 'ada.example.com' }, /^email: /],
    [{ name: 'Two\nlines', email: 'two@example.com' }, /^name: /],
    [{ name: 'x'.repeat(201), email: 'long@example.com' }, /^name: /],
    [{ email: 'unnamed@example.com' }, /^name: /],
    [{ name: 'Number', email: 7 }, /^email: /],
    [{ name: 'Header', email: 'a@example.com\r\nBcc: b@example.com' }, /^email: /],
    [{ name: 'Long', email: `${'a'.repeat(250)}@example.com` }, /^email: /],
    [null, /object/],
    ['ada@example.com', /object/],
    [['Ada', 'ada@example.com'], /object/],
    [{ constructor: 1, name: 'Bob', email: 'bob@example.com' }, undefined],
    [{ name: 'Ada again', email: 'ADA@example.com' }, undefined],
  ]
  const answer = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, {
    json: items.map(([item]) => item),
  })
  expect(answer.status).toBe(200)
  expect(answer.body.message).toContain('10 of 13')
  const { inviteResults, segmentCount } = answer.body.data
  items.forEach(([item, reason], n) => {
    const result = inviteResults[n]
    expect([item, result?.success]).toEqual([item, reason === undefined])
    if (reason) expect(result?.message).toMatch(reason)
    else expect(result).not.toHaveProperty('message')
  })
  expect(inviteResults[1]?.user).toEqual({
    id: 0,
    email: 'ada.example.com',
    role: 'idm_member',
    firstName: 'No at',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect(inviteResults[12]?.user.id).toBe(inviteResults[0]?.user.id)
  expect([segmentCount, await countUsers(world)]).toEqual([2, 3])
})

test('each invalid item has a reason when no item is valid, and nothing is stored', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  await world.client('POST', `/api/v2/segments/${id}/create-users`, { json: [{ name: 'A', email: 'a@example.com' }] })
  const answer = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, {
    json: [{ name: 'Nobody', email: 'nobody' }, 7],
  })
  expect([answer.status, answer.cost.rowsWritten, answer.cost.roundTrips]).toEqual([200, 0, 1])
  expect(answer.body.data.inviteResults.map(({ success }) => success)).toEqual([false, false])
  expect(answer.body.data.segmentCount).toBe(1)
})

test('a body that is no array, empty or too long is refused, and nothing is stored', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const user = { name: 'Ada', email: 'ada@example.com' }
  for (const json of [user, {}, 'ada@example.com', null, [], Array.from({ length: 10_001 }, () => user)]) {
    const answer = await world.client('POST', `/api/v2/segments/${id}/create-users`, { json })
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'validation_failed'])
  }
  const raw = '[{"__proto__": {"email": "eve@example.com", "name": "Eve"}}]'
  const headers = { 'content-type': 'application/json' }
  const hidden = await world.client('POST', `/api/v2/segments/${id}/create-users`, { raw, headers })
  expect([hidden.status, hidden.body.error?.issues[0]?.path]).toEqual([400, '/0/__proto__'])
  expect(await countUsers(world)).toBe(1)
})

test('a foreign, removed or unknown segment is not found, and nothing is stored', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const theirs = await insertSegment(stranger)
  const removed = await insertSegment(world, 'Removed')
  await env.DB.prepare('UPDATE segments SET deleted_at = 1 WHERE id = ?').bind(removed).run()
  const json = [{ name: 'Ada', email: 'ada@example.com' }]
  for (const id of [theirs, removed, 9_007_199_254_740_991]) {
    for (const body of [json, ['nonsense']]) {
      const answer = await world.client('POST', `/api/v2/segments/${id}/create-users`, { json: body })
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'segment_not_found'])
    }
  }
  expect([await countUsers(world), (await readCounts(theirs)).members]).toEqual([1, 0])
})

test('the same addresses in parallel requests create each user once and are counted exactly', async () => {
  const world = await createWorkspace()
  const ids = [await insertSegment(world, 'One'), await insertSegment(world, 'Two')]
  const add = (id: number | undefined, from: number) =>
    world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, {
      json: Array.from({ length: 50 }, (_, n) => ({ name: `U${from + n}`, email: `u${from + n}@example.com` })),
    })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => add(ids[n % 2], (n % 3) * 25)))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(await countUsers(world)).toBe(1 + 100)
  for (const id of ids) expect(await readCounts(id)).toMatchObject({ counted: 100, members: 100 })
  const counts = await listEventCounts(world)
  expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBe(200)
})

runtimeTest('10,000 users need one batch after a check of the key', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const json = Array.from({ length: 10_000 }, (_, n) => ({ name: `User ${n}`, email: `user-${n}@example.com` }))
  const answer = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, { json })
  expect([answer.status, answer.cost.roundTrips, answer.cost.statements]).toEqual([200, 2, 11])
  expect(answer.body.data.segmentCount).toBe(10_000)
  expect(answer.body.data.inviteResults.map(({ user }) => user.email)).toEqual(json.map(({ email }) => email))
  expect(await readCounts(id)).toEqual({ counted: 10_000, version: 2, members: 10_000 })

  const one = [{ name: 'One more', email: 'more@example.com' }]
  const more = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, { json: one })
  expect(more.body.data.segmentCount).toBe(10_001)
  expect(more.cost.rowsRead).toBeLessThan(50)
})

test('users with texts above the size of a bound value need one batch and are counted exactly', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const json = Array.from({ length: 4_000 }, (_, n) => ({
    name: '名'.repeat(200),
    email: `${'a'.repeat(200)}${n}@example.com`,
  }))
  const answer = await world.client<Added>('POST', `/api/v2/segments/${id}/create-users`, { json })
  expect([answer.status, answer.cost.roundTrips, answer.cost.statements]).toEqual([200, 2, 11])
  expect(await readCounts(id)).toMatchObject({ counted: 4_000, members: 4_000 })
  expect(answer.body.data.inviteResults[3_999]?.user).toMatchObject({
    email: json[3_999]?.email,
    firstName: '名'.repeat(200),
  })
})

test('a retry with the same Idempotency-Key returns the same response and adds no user', async () => {
  const world = await createWorkspace()
  const id = await insertSegment(world)
  const json = [...Array.from({ length: 1_200 }, (_, n) => ({ name: `U${n}`, email: `u${n}@example.com` })), 'nonsense']
  const headers = { 'idempotency-key': 'once' }
  const path = `/api/v2/segments/${id}/create-users`
  const first = await world.client<Added>('POST', path, { json, headers })
  await world.client('POST', path, { json: [{ name: 'Late', email: 'late@example.com' }] })
  const again = await world.client<Added>('POST', path, { json, headers })
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await readCounts(id)).toMatchObject({ counted: 1_201, members: 1_201 })
  const other = await world.client('POST', path, { json: ['other'], headers })
  expect([other.status, other.body.error?.code]).toEqual([422, 'idempotency_key_reused'])
})

test('the quick check of addresses agrees with the schema', () => {
  const addresses = [
    'a@b.co',
    ' A@B.CO ',
    'a@b',
    'a b@c.de',
    'a@b.c',
    "o'neil+x@a-b.example",
    '',
    '@',
    'é@b.co',
    '\u212Aim@b.co',
  ]
  for (const text of [...addresses, `${'a'.repeat(242)}@example.com`, `${'a'.repeat(243)}@example.com`]) {
    expect([text, normalizeEmail(text)]).toEqual([text, EmailAddress.safeParse(text).data])
  }
  expect(normalizeEmail(' A@B.CO ')).toBe('a@b.co')
})

test('a key without segments:read sees only its own data of known users', async () => {
  const world = await createWorkspace()
  const { id } = (await world.client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'All' } })).body.data
  const add = async (...scopes: string[]) => {
    const json = [
      { name: '', email: 'owner@example.com' },
      { name: 'Ada', email: 'ada@example.com' },
    ]
    const options = { json, apiKey: await world.key({ scopes }) }
    const path = `/api/v2/segments/${id}/create-users`
    const { body } = await world.client<{ inviteResults: { user: { role: string; firstName: string } }[] }>(
      'POST',
      path,
      options,
    )
    return body.data.inviteResults.map(({ user }) => [user.role, user.firstName])
  }
  const ada = ['idm_member', 'Ada']
  expect(await add('segments:write')).toEqual([['idm_member', ''], ada])
  for (const reading of ['segments:read', 'products:read']) {
    expect(await add('segments:write', reading)).toEqual([['owner', 'Olga'], ada])
  }
})
