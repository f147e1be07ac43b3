import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'
import { baseOf, createMapScenario, eventsOf, type StoryMap } from './scenario'

test('the whole map is read in one round trip and in order', async () => {
  const { client, at, id, world, activity, step, lane, place, story, made } = await createMapScenario()
  await made(`${baseOf(world)}/solution-versions`, { name: 'Spring' })
  const pay = await activity('Pay', { color: '#fff' })
  const look = await activity('Look', { beforeId: pay.id })
  const search = await step(look.id, 'Search')
  const choose = await step(pay.id, 'Choose', { color: 'red' })
  const receipt = await step(pay.id, 'Receipt')
  const later = await lane('Later')
  const first = await lane('First', { beforeId: later.id, versionKey: 'SV-1' })
  const [one, two, three, four] = [
    await story('One'),
    await story('Two', { progress: 'done' }),
    await story('Three'),
    '',
  ]
  await story('Four')
  await place(one, { stepId: choose.id })
  await place(two, { stepId: choose.id, swimlaneId: first.id, beforeKey: one })
  await place(three, { stepId: search.id, swimlaneId: later.id })
  const answer = await client<StoryMap>('GET', at)
  expect([answer.status, answer.cost.roundTrips, four]).toEqual([200, 1, ''])
  expect(answer.body.data).toEqual({
    id,
    title: 'Map',
    description: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    activities: [
      {
        id: look.id,
        title: 'Look',
        color: null,
        steps: [
          {
            id: search.id,
            title: 'Search',
            color: null,
            cards: [{ externalKey: three, summary: 'Three', progress: 'to-do', swimlaneId: later.id }],
          },
        ],
      },
      {
        id: pay.id,
        title: 'Pay',
        color: '#fff',
        steps: [
          {
            id: choose.id,
            title: 'Choose',
            color: 'red',
            cards: [
              { externalKey: two, summary: 'Two', progress: 'done', swimlaneId: first.id },
              { externalKey: one, summary: 'One', progress: 'to-do', swimlaneId: null },
            ],
          },
          { id: receipt.id, title: 'Receipt', color: null, cards: [] },
        ],
      },
    ],
    swimlanes: [
      { id: first.id, title: 'First', versionKey: 'SV-1' },
      { id: later.id, title: 'Later', versionKey: null },
    ],
    unplaced: 1,
  })
  const etag = answer.headers.get('etag') ?? ''
  await place(three, { stepId: receipt.id })
  const fresh = await client('GET', at, { headers: { 'if-none-match': etag } })
  expect(fresh.status).toBe(200)
})

test('a map is updated, removed with its content and restored, and its stories stay', async () => {
  const { client, at, world, activity, step, place, story, map } = await createMapScenario()
  const { id } = await step((await activity('Pay')).id, 'Choose')
  const key = await story('One')
  await place(key, { stepId: id })
  const description = '<p onclick="x()">All of it</p>'
  const changed = await client<StoryMap>('PUT', at, { json: { title: 'Other', description } })
  expect(changed.body.data).toEqual(await map())
  expect(changed.body.data).toMatchObject({ title: 'Other', description: '<p>All of it</p>' })
  expect(changed.body.data.activities[0]?.steps[0]?.cards).toHaveLength(1)
  expect((await eventsOf(world, 'story_map.updated')).at(-1)).toMatchObject({
    data: changed.body.data,
    previous: { title: 'Map', description: null },
  })
  const removed = await client('DELETE', at)
  expect([removed.status, removed.body.data]).toEqual([200, {}])
  for (const path of ['', '/export', `/steps/${id}`]) expect((await client('GET', `${at}${path}`)).status).toBe(404)
  expect((await place(key, { stepId: id })).status).toBe(404)
  expect((await client('GET', `${baseOf(world)}/storyMap/card/${key}`)).status).toBe(200)
  const restored = await client<StoryMap>('POST', `${at}/restore`)
  expect([restored.status, restored.body.data]).toEqual([200, changed.body.data])
})

test('a card is shown while its story exists as a story', async () => {
  const { world, activity, step, place, story, map, remove } = await createMapScenario()
  const { id } = await step((await activity('Pay')).id, 'Choose')
  const key = await story('One')
  await place(key, { stepId: id })
  const set = (sql: string) =>
    env.DB.prepare(`UPDATE work_items SET ${sql} WHERE subscription_id = ? AND summary = 'One'`)
      .bind(world.subscriptionId)
      .run()
  const state = async () => {
    const { activities, unplaced } = await map()
    return [activities[0]?.steps[0]?.cards.length, unplaced]
  }
  expect(await state()).toEqual([1, 0])
  await set('deleted_at = 1')
  expect(await state()).toEqual([0, 0])
  expect((await remove(`cards/${key}`)).status).toBe(404)
  await set('deleted_at = NULL')
  expect(await state()).toEqual([1, 0])
  await set("type = 'feature'")
  expect(await state()).toEqual([0, 0])
  await set("type = 'userstory'")
  expect(await state()).toEqual([1, 0])
})

test('the event of a large map holds its name and truncated: true', async () => {
  const { world, client, at, id } = await createMapScenario()
  const rows = Array.from({ length: 401 }, (_, n) => n)
  await env.DB.prepare(
    `INSERT INTO story_map_activities (subscription_id, story_map_id, title, rank, created_at, updated_at)
     SELECT ?1, ?2, 'A' || value, printf('a%05dV', value), 0, 0 FROM json_each(?3)`,
  )
    .bind(world.subscriptionId, id, JSON.stringify(rows))
    .run()
  const changed = await client<StoryMap>('PUT', at, { json: { title: 'Large' } })
  expect(changed.body.data.activities).toHaveLength(401)
  const [event] = (await eventsOf(world, 'story_map.updated')).slice(-1)
  expect(event?.data).toMatchObject({ title: 'Large', truncated: true })
  expect(event?.data).not.toHaveProperty('activities')
})

test('a map is found only in its product', async () => {
  const { world, client, at, id } = await createMapScenario()
  const stranger = await createWorkspace()
  const other = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const elsewhere = `/api/initiatives/${other.body.data.externalKey}/storyMap`
  expect((await client('GET', `${elsewhere}/${id}`)).status).toBe(404)
  expect((await client('GET', elsewhere)).body.data).toEqual([])
  expect((await client('POST', `${elsewhere}/${id}/activities`, { json: { title: 'x' } })).status).toBe(404)
  expect((await stranger.client('GET', `${baseOf(stranger)}/storyMap/${id}`)).status).toBe(404)
  expect((await client('GET', `${baseOf(world)}/storyMap/card`)).status).toBe(200)
  for (const [json, path] of [
    [{}, '/title'],
    [{ title: ' ' }, '/title'],
    [{ title: 'x', description: 7 }, '/description'],
  ] as const) {
    const { status, body } = await client('POST', `${baseOf(world)}/storyMap`, { json })
    expect([json, status, body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  expect((await client('PUT', at, { json: { title: 'x' }, headers: { 'if-match': '"v9"' } })).status).toBe(412)
})
