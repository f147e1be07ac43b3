import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'

interface Key {
  id: number
  name: string
  userId: number
  scopes: string[]
  products: string[] | null
  revokedAt: string | null
  token?: string
}

interface Event {
  type: string
  actor: { userId: number }
  data: object
  previous: object | null
}

const PATH = '/api/v2/api-keys'

function insertUser({ row, subscriptionId }: Workspace, fields: object = {}) {
  const stamps = { created_at: 0, updated_at: 0 }
  return row('users', {
    subscription_id: subscriptionId,
    email: `${createUniqueId()}@example.com`,
    role: 'member',
    ...stamps,
    ...fields,
  })
}

const eventsOf = async ({ client }: Workspace, id: number) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${id}`)).body.data.filter(({ type }) => type.startsWith('api_key.'))

test('a key with every scope can create a key for another user', async () => {
  const world = await createWorkspace()
  const userId = await insertUser(world)
  const made = await world.client<Key>('POST', PATH, { json: { name: 'theirs', scopes: ['*'], userId } })
  expect([made.status, made.cost.roundTrips, made.body.data.userId]).toEqual([201, 1, userId])
  const listed = (await world.client<Key[]>('GET', PATH)).body.data
  expect(listed.map(({ userId }) => userId)).toEqual([userId, world.userId])

  const apiKey = `Bearer ${made.body.data.token}`
  const item = await call<{ user_id: number }>('POST', '/api/feedback-items', {
    apiKey,
    json: { title: 'Theirs', product: world.product.externalKey },
  })
  expect(item.body.data.user_id).toBe(userId)
  const [event] = (await world.client<Event[]>('GET', '/api/v2/events?type=feedback.created')).body.data
  expect(event?.actor.userId).toBe(userId)
  const rotated = await world.client<Key>('POST', `${PATH}/${made.body.data.id}/rotate`)
  expect(rotated.body.data.userId).toBe(userId)
})

test('only a key with every scope creates keys for other users, who must be in the workspace', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const userId = await insertUser(world)
  const narrow = await world.key({ scopes: ['keys:read', 'keys:write'] })
  const make = (userId: unknown, apiKey?: string) =>
    world.client<Key>('POST', PATH, {
      json: { name: 'x', scopes: ['keys:read'], userId },
      ...(apiKey && { apiKey }),
    })
  const refused = await make(userId, narrow)
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.message).toContain('Leave userId out')
  expect((await make(world.userId, narrow)).body.data.userId).toBe(world.userId)
  for (const [unknown, code] of [
    [stranger.userId, 'unknown_reference'],
    [await insertUser(world, { deleted_at: 1 }), 'unknown_reference'],
    [0, 'validation_failed'],
    ['1', 'validation_failed'],
  ] as const) {
    const answer = await make(unknown)
    expect([answer.status, answer.body.error?.code, answer.body.error?.issues[0]?.path]).toEqual([400, code, '/userId'])
  }
  expect((await world.client<Key[]>('GET', `${PATH}?fields=name`)).body.data).toHaveLength(3)
})

test('the log holds a key as the list shows it, without the token', async () => {
  const world = await createWorkspace()
  const json = { name: 'ci', scopes: ['products:read'], products: [world.product.externalKey] }
  const { token, ...first } = (await world.client<Key>('POST', PATH, { json })).body.data
  const rotated = await world.client<Key>('POST', `${PATH}/${first.id}/rotate`)
  const { token: next, ...second } = rotated.body.data
  const find = async (id: number) =>
    (await world.client<Key[]>('GET', PATH)).body.data.find((listed) => listed.id === id)
  const ending = await find(first.id)
  expect(ending?.revokedAt).not.toBeNull()
  const revoked = (await world.client<Key>('DELETE', `${PATH}/${first.id}`)).body.data
  expect(await find(first.id)).toEqual(revoked)
  const again = await world.client<Key>('DELETE', `${PATH}/${first.id}`)
  expect([again.body.data, again.cost.rowsWritten]).toEqual([revoked, 0])

  expect((await eventsOf(world, first.id)).map(({ type, data, previous }) => [type, data, previous])).toEqual([
    ['api_key.created', first, null],
    ['api_key.revoked', ending, { revokedAt: null }],
    ['api_key.revoked', revoked, { revokedAt: ending?.revokedAt }],
  ])
  expect((await eventsOf(world, second.id)).map(({ type, data }) => [type, data])).toEqual([
    ['api_key.created', second],
  ])
  const log = await env.DB.prepare('SELECT data, previous FROM log WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all()
  for (const secret of [token, next]) expect(JSON.stringify(log.results)).not.toContain(secret?.split('.')[2])
})

test('a key of another workspace is not found', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const { id } = (await world.client<Key>('POST', PATH, { json: { name: 'ci', scopes: ['*'] } })).body.data
  for (const [method, path] of [
    ['DELETE', `${PATH}/${id}`],
    ['POST', `${PATH}/${id}/rotate`],
  ] as const) {
    const answer = await stranger.client(method, path)
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'api_key_not_found'])
  }
  expect(await eventsOf(world, id)).toHaveLength(1)
})
