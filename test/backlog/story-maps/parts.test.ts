import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createMapScenario, eventsOf } from './scenario'

const joinTitles = (parts: readonly { title: string }[]) => parts.map(({ title }) => title).join('')

test('a new part comes last, or between the given neighbors', async () => {
  const { activity, lane, put, map } = await createMapScenario()
  const a = await activity('A')
  const b = await activity('B')
  const c = await activity('C', { afterId: a.id })
  expect([c.beforeId, c.afterId]).toEqual([b.id, a.id])
  const order = async () => joinTitles((await map()).activities)
  expect(await order()).toBe('ACB')
  const moved = await put(`activities/${b.id}`, { beforeId: a.id })
  expect([moved.status, moved.cost.roundTrips, moved.body.data]).toEqual([
    200,
    1,
    { ...b, beforeId: a.id, afterId: null },
  ])
  expect(await order()).toBe('BAC')
  await put(`activities/${b.id}`, { afterId: a.id, beforeId: c.id, title: 'D' })
  expect(await order()).toBe('ADC')
  await lane('1')
  const two = await lane('2')
  await lane('3', { beforeId: two.id })
  expect(joinTitles((await map()).swimlanes)).toBe('132')
})

test('a move to the present position writes nothing, and a real move emits its neighbors', async () => {
  const { world, activity, put } = await createMapScenario()
  const [a, b, c] = [await activity('A'), await activity('B'), await activity('C')]
  for (const json of [{ beforeId: c.id }, { afterId: a.id }, { afterId: a.id, beforeId: c.id }, { title: 'B' }]) {
    expect([json, (await put(`activities/${b.id}`, json)).cost.rowsWritten]).toEqual([json, 0])
  }
  await put(`activities/${b.id}`, { afterId: c.id })
  const events = await eventsOf(world, 'story_map_activity.updated')
  expect(events.map(({ data, previous }) => [data, previous])).toEqual([
    [
      { ...b, beforeId: null, afterId: c.id },
      { beforeId: c.id, afterId: a.id },
    ],
  ])
})

test('a step moves to another activity, at the end or between its steps', async () => {
  const { activity, step, put, map, world } = await createMapScenario()
  const [a, b] = [await activity('A'), await activity('B')]
  const one = await step(a.id, '1')
  const two = await step(a.id, '2')
  const three = await step(b.id, '3')
  const order = async () => (await map()).activities.map(({ steps }) => joinTitles(steps))
  await put(`steps/${one.id}`, { activityId: b.id })
  expect(await order()).toEqual(['2', '31'])
  expect((await eventsOf(world, 'story_map_step.updated'))[0]).toMatchObject({
    data: { id: one.id, activityId: b.id, beforeId: null, afterId: three.id },
    previous: { activityId: a.id, beforeId: two.id, afterId: null },
  })
  await put(`steps/${two.id}`, { activityId: b.id, beforeId: one.id })
  expect(await order()).toEqual(['', '321'])
  expect((await put(`steps/${two.id}`, { activityId: b.id })).cost.rowsWritten).toBe(0)
})

test('a part can be placed only beside parts of its own kind and parent', async () => {
  const { activity, step, lane, put, client, at } = await createMapScenario()
  const other = await createMapScenario()
  const [a, b] = [await activity('A'), await activity('B')]
  const [one, far] = [await step(a.id, '1'), await step(b.id, '2')]
  const theirs = await other.activity('Theirs')
  const first = await lane('L')
  const post = (kind: string, json: object) => client('POST', `${at}/${kind}`, { json })
  for (const [answer, path] of [
    [await post('activities', { title: 'x', beforeId: theirs.id + 99 }), '/beforeId'],
    [await put(`activities/${a.id}`, { afterId: theirs.id }), '/afterId'],
    [await put(`activities/${a.id}`, { beforeId: a.id }), '/beforeId'],
    [await put(`activities/${a.id}`, { beforeId: a.id, afterId: b.id }), '/beforeId'],
    [await post('activities', { title: 'x', beforeId: a.id, afterId: b.id }), '/beforeId'],
    [await post('steps', { title: 'x', activityId: a.id, beforeId: far.id }), '/beforeId'],
    [await put(`steps/${one.id}`, { afterId: far.id }), '/afterId'],
    [await post('steps', { title: 'x', activityId: theirs.id + 99 }), '/activityId'],
    [await post('steps', { title: 'x' }), '/activityId'],
    [await put(`steps/${one.id}`, { activityId: b.id + 99 }), '/activityId'],
    [await post('swimlanes', { title: 'x', versionKey: 'SV-1' }), '/versionKey'],
    [await put(`swimlanes/${first.id}`, { versionKey: 'EP-1' }), '/versionKey'],
    [await post('swimlanes', { title: '__proto__', color: {}, beforeId: '1' }), '/beforeId'],
  ] as const) {
    expect([path, answer.status, answer.body.error?.issues[0]?.path]).toEqual([path, 400, path])
  }
  expect((await put(`steps/${first.id + 999}`, { title: 'x' })).body.error?.code).toBe('step_not_found')
  // The ids of a map are not found in a second map.
  expect((await other.put(`activities/${a.id}`, { title: 'x' })).status).toBe(404)
})

test('a swimlane shows its version while the version exists', async () => {
  const { made, world, lane, put, map, client } = await createMapScenario()
  const versions = `/api/initiatives/${world.product.externalKey}/solution-versions`
  await made(versions, { name: 'V' })
  const { id } = await lane('L', { versionKey: 'SV-1' })
  const shown = async () => (await map()).swimlanes[0]?.versionKey
  expect(await shown()).toBe('SV-1')
  await client('DELETE', `${versions}/SV-1`)
  expect(await shown()).toBeNull()
  await client('POST', `${versions}/SV-1/restore`)
  expect(await shown()).toBe('SV-1')
  const cleared = await put(`swimlanes/${id}`, { versionKey: null })
  expect(cleared.body.data).toMatchObject({ versionKey: null })
})

test('an activity with steps can be removed only with a target for its steps', async () => {
  const { activity, step, remove, map, world } = await createMapScenario()
  const [a, b] = [await activity('A'), await activity('B')]
  for (const title of ['1', '2']) await step(a.id, title)
  await step(b.id, '3')
  const refused = await remove(`activities/${a.id}`)
  expect([refused.status, refused.body.error?.code, refused.body.message]).toEqual([
    409,
    'in_use',
    expect.stringContaining('moveTo'),
  ])
  for (const moveTo of [a.id, b.id + 99]) {
    const { status, body } = await remove(`activities/${a.id}?moveTo=${moveTo}`)
    expect([status, body.error?.issues[0]?.path]).toEqual([400, '/query/moveTo'])
  }
  expect((await remove(`activities/${a.id}?moveTo=${b.id}`)).status).toBe(200)
  const { activities } = await map()
  expect(activities.map(({ title, steps }) => [title, joinTitles(steps)])).toEqual([['B', '312']])
  expect((await eventsOf(world, 'story_map.steps_moved')).map(({ data }) => data)).toEqual([
    { fromActivityId: a.id, toActivityId: b.id, count: 2 },
  ])
  expect((await remove(`activities/${a.id}`)).status).toBe(404)
})

test('a step with cards can be removed only with a target for its cards', async () => {
  const { activity, step, story, place, remove, cards, map, world } = await createMapScenario()
  const { id } = await activity('A')
  const [one, two] = [await step(id, '1'), await step(id, '2')]
  const keys = [await story('a'), await story('b'), await story('c')] as const
  await place(keys[0], { stepId: one.id })
  await place(keys[1], { stepId: one.id, beforeKey: keys[0] })
  await place(keys[2], { stepId: two.id })
  expect((await remove(`steps/${one.id}`)).body.error?.code).toBe('in_use')
  expect((await remove(`steps/${one.id}?moveTo=${one.id}`)).status).toBe(400)
  expect(await cards()).toEqual({ 1: ['b', 'a'], 2: ['c'] })
  expect((await remove(`steps/${one.id}?moveTo=${two.id}`)).status).toBe(200)
  expect(await cards()).toEqual({ 2: ['c', 'b', 'a'] })
  expect((await eventsOf(world, 'story_map.cards_moved')).map(({ data }) => data)).toEqual([
    { fromStepId: one.id, toStepId: two.id, count: 2 },
  ])
  await remove(`cards/${keys[0]}`)
  await remove(`cards/${keys[1]}`)
  // A step with only the card of a removed story is empty.
  await env.DB.prepare("UPDATE work_items SET deleted_at = 1 WHERE subscription_id = ? AND summary = 'c'")
    .bind(world.subscriptionId)
    .run()
  expect((await remove(`steps/${two.id}`)).status).toBe(200)
  expect((await map()).unplaced).toBe(2)
})

test('a removed swimlane leaves its cards in their steps', async () => {
  const { activity, step, lane, story, place, remove, map } = await createMapScenario()
  const { id } = await step((await activity('A')).id, '1')
  const [one, two] = [await lane('L'), await lane('M')]
  const keys = [await story('a'), await story('b')] as const
  for (const key of keys) await place(key, { stepId: id, swimlaneId: one.id })
  const lanes = async () => (await map()).activities[0]?.steps[0]?.cards.map(({ swimlaneId }) => swimlaneId)
  await remove(`swimlanes/${one.id}?moveTo=${two.id}`)
  expect(await lanes()).toEqual([two.id, two.id])
  await remove(`swimlanes/${two.id}`)
  expect(await lanes()).toEqual([null, null])
})
