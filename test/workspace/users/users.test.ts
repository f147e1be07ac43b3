import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ROLE_SCOPES, USER_ROLES } from '../../../src/roles'
import { call } from '../../client'
import { createWorkspace } from '../../factories'
import { createUniqueId } from '../../unique'

interface User {
  id: number
  email: string
  firstName: string
  role: string
}

const PATH = '/api/v2/users'

test('a user is created, found by address, changed, and hidden from another workspace', async () => {
  const { client, userId } = await createWorkspace()
  const made = await client<User>('POST', PATH, { json: { email: ' Grace@Example.com', firstName: 'Grace' } })
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({ email: 'grace@example.com', firstName: 'Grace', role: 'member' })
  const path = made.headers.get('location') ?? ''
  const found = await client<User[]>('GET', `${PATH}?email=GRACE@example.com`)
  expect(found.body.data).toEqual([made.body.data])
  const changed = await client<User>('PUT', path, { json: { role: 'admin', firstName: '' } })
  expect(changed.body.data).toMatchObject({ role: 'admin', firstName: '' })
  expect((await client<User[]>('GET', `${PATH}?role=owner`)).body.data.map(({ id }) => id)).toEqual([userId])
  const stranger = await createWorkspace()
  expect((await stranger.client('GET', path)).status).toBe(404)
})

test('an address belongs to one user, even while the user is removed', async () => {
  const { client } = await createWorkspace()
  const first = await client<User>('POST', PATH, { json: { email: 'a@example.com', firstName: 'Anna' } })
  const second = await client<User>('POST', PATH, { json: { email: 'b@example.com' } })
  const taken = await client('POST', PATH, { json: { email: 'A@example.com' } })
  expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict'])
  await client('DELETE', `${PATH}/${first.body.data.id}`)
  const moved = await client('PUT', `${PATH}/${second.body.data.id}`, { json: { email: 'a@example.com' } })
  expect([moved.status, moved.body.error?.code]).toEqual([409, 'conflict'])
  const again = await client<User>('POST', PATH, { json: { email: 'a@example.com', role: 'admin' } })
  expect(again.body.data).toMatchObject({ id: first.body.data.id, firstName: '', role: 'admin' })
})

test('a workspace always keeps an owner', async () => {
  const { client, userId } = await createWorkspace()
  for (const attempt of [
    await client('PUT', `${PATH}/${userId}`, { json: { role: 'admin' } }),
    await client('DELETE', `${PATH}/${userId}`),
  ]) {
    expect([attempt.status, attempt.body.error?.code]).toEqual([409, 'conflict'])
  }
  expect((await client('PUT', `${PATH}/${userId}`, { json: { role: 'owner', firstName: 'Olga' } })).status).toBe(200)
  const other = await client<User>('POST', PATH, { json: { email: 'second@example.com', role: 'owner' } })
  expect((await client('DELETE', `${PATH}/${other.body.data.id}`)).status).toBe(200)
  await client('POST', `${PATH}/${other.body.data.id}/restore`)
  expect((await client('PUT', `${PATH}/${userId}`, { json: { role: 'admin' } })).status).toBe(200)
})

test('a removed person loses keys and segments, and a restore returns the segments', async () => {
  const world = await createWorkspace()
  const { client } = world
  const { data: person } = (await client<User>('POST', PATH, { json: { email: 'p@example.com', firstName: 'Pia' } }))
    .body
  const { data: segment } = (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name: 'Beta' } })).body
  await client('POST', `/api/v2/segments/${segment.id}/create-users`, {
    json: [
      { name: 'Pia', email: 'p@example.com' },
      { name: 'Quinn', email: 'q@example.com' },
    ],
  })
  const count = async () =>
    (await client<{ userCount: number }>('GET', `/api/v2/segments/${segment.id}`)).body.data.userCount
  expect(await count()).toBe(2)
  const apiKey = await world.key({ userId: person.id })
  expect((await call('GET', '/api/v2/me', { apiKey })).status).toBe(200)
  const removed = await client('DELETE', `${PATH}/${person.id}`)
  expect([removed.status, removed.cost.roundTrips]).toEqual([200, 1])
  expect((await call('GET', '/api/v2/me', { apiKey })).status).toBe(401)
  expect(await count()).toBe(1)
  await client('POST', `${PATH}/${person.id}/restore`)
  expect(await count()).toBe(2)
  expect((await call('GET', '/api/v2/me', { apiKey })).status).toBe(401)
  const revoked = await env.DB.prepare(
    "SELECT count(*) AS n FROM log WHERE subscription_id = ? AND type = 'api_key.revoked'",
  )
    .bind(world.subscriptionId)
    .first<{ n: number }>()
  expect(revoked?.n).toBe(1)
  // The segment emits events for added and removed users, too.
  const { data: members } = (await client<User[]>('GET', '/api/v2/idea-manager/members')).body
  const quinn = members.find(({ email }) => email === 'q@example.com')
  const eventList = await client<{ type: string; resourceKey: string; data: object }[]>('GET', '/api/v2/events')
  expect(
    eventList.body.data
      .filter(({ type }) => type.startsWith('segment.users'))
      .map(({ type, resourceKey, data }) => [type, resourceKey, data]),
  ).toEqual([
    ['segment.users_added', String(segment.id), { count: 2, userIds: [person.id, quinn?.id] }],
    ['segment.users_removed', String(segment.id), { count: 1, userIds: [person.id] }],
    ['segment.users_added', String(segment.id), { count: 1, userIds: [person.id] }],
  ])
})

test('a person who is removed and created again is new, and a restore returns nothing', async () => {
  const world = await createWorkspace()
  const { client } = world
  const segment = async (name: string) =>
    (await client<{ id: number }>('POST', '/api/v2/segments', { json: { name } })).body.data.id
  const [old, present] = [await segment('Old'), await segment('Present')]
  const json = [{ name: 'Pia', email: 'p@example.com' }]
  const add = (id: number) => client('POST', `/api/v2/segments/${id}/create-users`, { json })
  const segments = async () => {
    const path = '/api/v2/idea-manager/members?email=p@example.com'
    return (await client<{ id: number; segmentIds: number[] }[]>('GET', path)).body.data[0]
  }
  const counts = async () =>
    (await client<{ id: number; userCount: number }[]>('GET', '/api/v2/segments?sort=name')).body.data.map(
      ({ userCount }) => userCount,
    )
  await add(old)
  const { id = 0 } = (await segments()) ?? {}
  const team = (
    await client<{ id: number }>('POST', '/api/v2/teams', { json: { name: 'Core', members: [id] } })
  ).headers.get('location')
  const members = async () => (await client<{ members: number[] }>('GET', team ?? '')).body.data.members
  await client('DELETE', `${PATH}/${id}`)
  await client('POST', `${PATH}/${id}/restore`)
  expect([(await segments())?.segmentIds, await members()]).toEqual([[old], [id]])
  const revivals = [
    () => add(present),
    () => client('POST', '/api/v2/idea-manager/members/bulk-create', { json: [{ ...json[0], segmentIds: [present] }] }),
    async () => {
      await client('POST', PATH, { json: { email: 'p@example.com' } })
      await add(present)
    },
  ]
  for (const revive of revivals) {
    await client('DELETE', `${PATH}/${id}`)
    await revive()
    expect((await segments())?.segmentIds).toEqual([present])
    expect((await client('POST', `${PATH}/${id}/restore`)).status).toBe(200)
    expect((await segments())?.segmentIds).toEqual([present])
    await client('DELETE', `${PATH}/${id}`)
    await client('POST', `${PATH}/${id}/restore`)
    expect([(await segments())?.segmentIds, await counts(), await members()]).toEqual([[present], [0, 1], []])
  }
})

test('the log holds no name and no address of a person', async () => {
  const world = await createWorkspace()
  const { data } = (
    await world.client<User>('POST', PATH, { json: { email: 'secret@example.com', firstName: 'Sara' } })
  ).body
  await world.client('PUT', `${PATH}/${data.id}`, { json: { firstName: 'Sarah', lastName: 'Secret' } })
  const { results } = await env.DB.prepare('SELECT data, previous, person_id FROM log WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all<{ data: string; previous: string | null; person_id: number }>()
  expect(results).toHaveLength(2)
  for (const { data: eventData, previous, person_id } of results) {
    expect(`${eventData}${previous}`).not.toMatch(/secret|sara/i)
    expect(person_id).toBe(data.id)
  }
})

test('the operation getMe needs no scope and describes the key', async () => {
  const world = await createWorkspace()
  const apiKey = await world.key({ scopes: ['kpis:read'], products: [world.product.id] })
  const me = await call('GET', '/api/v2/me', { apiKey })
  expect(me.body.data).toMatchObject({
    workspace: { id: world.subscriptionId, name: 'Test', eraseAt: null },
    user: { id: world.userId, firstName: 'Olga', role: 'owner' },
    scopes: ['kpis:read'],
    products: [world.product.externalKey],
  })
})

test('nobody restores or erases a removed person whose role has scopes beyond their own', async () => {
  const { client, session, key } = await createWorkspace()
  const createPerson = async (role: string) =>
    (await client<User>('POST', PATH, { json: { email: `${createUniqueId()}@example.com`, role } })).body.data.id
  const signIn = async (role: 'admin' | 'member') =>
    (await session({ userId: await createPerson(role), scopes: ROLE_SCOPES[role] })).headers
  const [admin, member] = [await signIn('admin'), await signIn('member')]
  const keyOfMembers = { 'x-api-key': await key({ scopes: ['segments:write'] }) }
  const restore = async (door: string, id: number, headers: Record<string, string>) =>
    (await call('POST', `${door}/${id}/restore`, { headers })).status
  const MEMBERS = '/api/v2/idea-manager/members'
  for (const role of USER_ROLES) {
    const id = await createPerson(role)
    await client('DELETE', `${PATH}/${id}`)
    const statuses: Record<string, number> = {}
    for (const [name, door, headers] of [
      ['key of members', MEMBERS, keyOfMembers],
      ['member', MEMBERS, member],
      ['admin of members', MEMBERS, admin],
      ['admin', PATH, admin],
    ] as const) {
      statuses[name] = await restore(door, id, headers)
      await client('DELETE', `${PATH}/${id}`)
    }
    if (role === 'idm_member') expect(new Set(Object.values(statuses))).toEqual(new Set([200]))
    const erased = await call('DELETE', `${MEMBERS}/${id}/permanent`, { headers: keyOfMembers })
    expect([role, erased.status]).toEqual([role, role === 'idm_member' ? 200 : 403])
    if (role === 'idm_member') continue
    const [isOwner, isAdmin] = [role === 'owner', role === 'admin']
    expect({ role, ...statuses }).toEqual({
      role,
      'key of members': 403,
      member: isOwner || isAdmin ? 403 : 200,
      'admin of members': isOwner ? 403 : 200,
      admin: isOwner ? 403 : 200,
    })
    expect((await client<User>('POST', `${PATH}/${id}/restore`)).body.data.role).toBe(role)
  }
})
