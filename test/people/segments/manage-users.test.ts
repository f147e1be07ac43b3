import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

const SEGMENTS = '/api/v2/segments'

async function createMoveScenario() {
  const here = await createWorkspace()
  const { client } = here
  const segment = async (name: string, users: string[]) => {
    const { id } = (await client<{ id: number }>('POST', SEGMENTS, { json: { name } })).body.data
    const json = users.map((user) => ({ name: user, email: `${user}@example.com` }))
    const { body } = await client<{ inviteResults: { user: { id: number } }[] }>(
      'POST',
      `${SEGMENTS}/${id}/create-users`,
      { json },
    )
    return { id, ids: body.data.inviteResults.map(({ user }) => user.id) }
  }
  const from = await segment('From', ['ada', 'bob', 'cyd'])
  const to = await segment('To', ['cyd', 'dan'])
  const manage = (json: object) => client<Record<string, number | null>>('PUT', `${SEGMENTS}/manage-users`, { json })
  const members = async (id: number) => {
    const { results } = await env.DB.prepare(
      `SELECT u.first_name AS name, s.user_count AS counted FROM segment_members m JOIN users u ON u.id = m.user_id
        JOIN segments s ON s.id = m.segment_id WHERE m.segment_id = ? ORDER BY u.id`,
    )
      .bind(id)
      .all<{ name: string; counted: number }>()
    for (const { counted } of results) expect(counted).toBe(results.length)
    return results.map(({ name }) => name).join(' ')
  }
  const listUserEvents = async () => {
    const { body } = await client<{ type: string; resourceKey: string; data: { count: number } }[]>(
      'GET',
      '/api/v2/events?limit=100',
    )
    return body.data
      .filter(({ type }) => type.startsWith('segment.users_'))
      .slice(2)
      .map(({ type, resourceKey, data }) => [type, Number(resourceKey), data.count])
  }
  return { here, client, from, to, manage, members, told: listUserEvents }
}

test('users are moved and removed with exact counts, events and responses', async () => {
  const { here, from, to, manage, members, told: listUserEvents } = await createMoveScenario()
  const [ada = 0, bob = 0, cyd = 0] = from.ids
  const [, dan = 0] = to.ids
  const moved = await manage({
    action: 'move',
    userIds: [ada, cyd, ada, dan, here.userId, 9_007_199_254_740_991],
    fromSegmentId: from.id,
    toSegmentId: to.id,
  })
  expect([moved.status, moved.cost.roundTrips]).toEqual([200, 1])
  expect(moved.body.data).toEqual({ changed: 2, fromSegmentCount: 1, toSegmentCount: 3 })
  expect([await members(from.id), await members(to.id)]).toEqual(['bob', 'ada cyd dan'])

  const removed = await manage({ action: 'remove', userIds: [bob, cyd], fromSegmentId: to.id })
  expect(removed.body.data).toEqual({ changed: 1, fromSegmentCount: 2, toSegmentCount: null })
  expect([await members(from.id), await members(to.id)]).toEqual(['bob', 'ada dan'])
  expect(await listUserEvents()).toEqual([
    ['segment.users_added', to.id, 1],
    ['segment.users_removed', from.id, 2],
    ['segment.users_removed', to.id, 1],
  ])

  const again = await manage({ action: 'remove', userIds: [bob, cyd], fromSegmentId: to.id })
  expect([again.body.data, again.cost.rowsWritten]).toEqual([
    { changed: 0, fromSegmentCount: 2, toSegmentCount: null },
    0,
  ])
  const last = await manage({ action: 'remove', userIds: [bob], fromSegmentId: from.id, toSegmentId: null })
  expect(last.body.data).toEqual({ changed: 1, fromSegmentCount: 0, toSegmentCount: null })
})

test('a user in parallel moves is moved once', async () => {
  const { from, to, manage, members } = await createMoveScenario()
  const move = (one: { id: number }, other: { id: number }) =>
    manage({ action: 'move', userIds: from.ids, fromSegmentId: one.id, toSegmentId: other.id })
  const answers = await Promise.all([move(from, to), move(from, to), move(from, to)])
  expect(answers.map(({ body }) => body.data.changed).sort()).toEqual([0, 0, 3])
  expect([await members(from.id), await members(to.id)]).toEqual(['', 'ada bob cyd dan'])
})

test('missing, removed and foreign segments are refused, and no user is moved', async () => {
  const { client, from, to, manage, members } = await createMoveScenario()
  const stranger = await createMoveScenario()
  const userIds = from.ids
  const cases: [object, string, string][] = [
    [
      { action: 'move', userIds, fromSegmentId: from.id, toSegmentId: stranger.to.id },
      'unknown_reference',
      '/toSegmentId',
    ],
    [
      { action: 'move', userIds, fromSegmentId: stranger.from.id, toSegmentId: to.id },
      'unknown_reference',
      '/fromSegmentId',
    ],
    [{ action: 'remove', userIds, fromSegmentId: 9_007_199_254_740_991 }, 'unknown_reference', '/fromSegmentId'],
    [{ action: 'move', userIds, fromSegmentId: from.id }, 'validation_failed', '/toSegmentId'],
    [{ action: 'move', userIds, fromSegmentId: from.id, toSegmentId: from.id }, 'validation_failed', '/toSegmentId'],
    [{ action: 'remove', userIds, fromSegmentId: from.id, toSegmentId: to.id }, 'validation_failed', '/toSegmentId'],
    [{ action: 'copy', userIds, fromSegmentId: from.id }, 'validation_failed', '/action'],
    [{ action: 'remove', userIds: [], fromSegmentId: from.id }, 'validation_failed', '/userIds'],
    [{ action: 'remove', userIds: ['1'], fromSegmentId: from.id }, 'validation_failed', '/userIds/0'],
    [{ action: 'remove', userIds: Array(10_001).fill(1), fromSegmentId: from.id }, 'validation_failed', '/userIds'],
    [{ action: 'remove', fromSegmentId: from.id }, 'validation_failed', '/userIds'],
  ]
  for (const [json, code, path] of cases) {
    const { status, body } = await manage(json)
    expect([json, status, body.error?.code, body.error?.issues[0]?.path]).toEqual([json, 400, code, path])
  }
  // Ids of a foreign workspace are in no segment of this workspace.
  const foreign = await manage({
    action: 'move',
    userIds: stranger.from.ids,
    fromSegmentId: from.id,
    toSegmentId: to.id,
  })
  expect(foreign.body.data.changed).toBe(0)
  await client('DELETE', `${SEGMENTS}/${to.id}`)
  const gone = await manage({ action: 'move', userIds, fromSegmentId: from.id, toSegmentId: to.id })
  expect(gone.body.error?.issues[0]?.path).toBe('/toSegmentId')
  expect([await members(from.id), await stranger.members(stranger.to.id)]).toEqual(['ada bob cyd', 'cyd dan'])
})
