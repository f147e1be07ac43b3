import { expect, test } from 'vitest'
import { createWorkItemScenario } from '../work-items/scenario'

interface Item {
  id: number
  externalKey: string
  summary: string
  epicId: number
  jiraId: string
}

async function createExternalScenario() {
  const here = await createWorkItemScenario()
  const upsert = (source: string, id: string, json: object) =>
    here.client<Item>('PUT', `${here.at}/backlog/external/${source}/${encodeURIComponent(id)}`, { json })
  const count = async (path: string) => (await here.client<object[]>('GET', `${here.at}/${path}`)).body.data.length
  return { ...here, upsert, count }
}

test('an upsert creates an item for a foreign id and then updates it, in one round trip each', async () => {
  const here = await createExternalScenario()
  const first = await here.upsert('linear', 'LIN/4 2', { type: 'epic', summary: 'E', tags: '["a"]', score: 2 })
  expect([first.status, first.cost.roundTrips]).toEqual([201, 1])
  expect(first.body.data).toEqual(await here.detail('epics/EP-1'))
  const second = await here.upsert('linear', 'LIN/4 2', { type: 'epic', summary: 'F', tags: '["b"]' })
  expect([second.status, second.cost.roundTrips]).toEqual([200, 1])
  expect(second.body.data).toMatchObject({ externalKey: 'EP-1', summary: 'F', score: 2 })
  expect((await here.events('EP-1')).map(({ type, previous }) => [type, previous])).toEqual([
    ['epic.created', null],
    ['epic.updated', { summary: 'E', tags: '["a"]' }],
  ])
  expect((await here.events('EP-1')).at(-1)?.data).toEqual(second.body.data)
  const same = await here.upsert('linear', 'LIN/4 2', { type: 'epic', summary: 'F', tags: '["b"]' })
  expect([same.status, same.cost.rowsWritten]).toEqual([200, 0])
  expect((await here.upsert('linear', 'lin/4 2', { type: 'epic', summary: 'Other' })).status).toBe(201)
  expect((await here.upsert('github', 'LIN/4 2', { type: 'epic', summary: 'Another' })).body.data.externalKey).toBe(
    'EP-3',
  )
  expect((await here.client<object[]>('GET', `${here.at}/epics?tag=b`)).body.data.length).toBe(1)
  await here.create('epics', { summary: 'Next' })
  expect(await here.count('epics')).toBe(4)
})

test('the foreign id of Jira is the jiraId of an item', async () => {
  const here = await createExternalScenario()
  await here.create('storyMap/card', { summary: 'S', jiraId: '10001' })
  const found = await here.upsert('jira', '10001', { type: 'userstory', summary: 'T', storyPoint: '3' })
  expect([found.status, found.body.data.externalKey, found.body.data.summary]).toEqual([200, 'US-1', 'T'])
  const made = await here.upsert('jira', '10002', { type: 'feature', summary: 'F', jiraId: 'else' })
  expect([made.status, made.body.data.jiraId]).toEqual([201, '10002'])
  expect((await here.upsert('jira', '10002', { type: 'feature', summary: 'G' })).status).toBe(200)
})

test('parents, children and dates are checked as for the type of the item', async () => {
  const here = await createExternalScenario()
  const epic = (await here.upsert('linear', 'e', { type: 'epic', summary: 'E' })).body.data
  const feature = (await here.upsert('linear', 'f', { type: 'feature', summary: 'F', epicId: epic.id })).body.data
  expect(feature.epicId).toBe(epic.id)
  const story = await here.upsert('linear', 's', { type: 'userstory', summary: 'S', featureId: feature.id })
  expect(story.body.data).toMatchObject({ epicId: epic.id, featureId: feature.id })
  const second = await here.upsert('linear', 'e2', { type: 'epic', summary: 'E2', features: ['FE-1'] })
  expect([second.status, second.body.data]).toEqual([201, await here.detail('epics/EP-2')])
  expect(second.body.data).toMatchObject({ features: ['FE-1'], userStories: ['US-1'] })
  expect((await here.events('EP-2')).map(({ data }) => data)).toEqual([second.body.data])
  expect((await here.upsert('linear', 'f', { type: 'feature', summary: 'F', epicId: 0 })).body.data.epicId).toBe(0)
  expect((await here.detail('storyMap/card/US-1')).epicId).toBe(0)
  expect((await here.upsert('linear', 's', { type: 'userstory', summary: 'S', featureId: 0 })).body.data).toMatchObject(
    {
      epicId: 0,
      featureId: 0,
    },
  )
  await here.upsert('linear', 'd', { type: 'epic', summary: 'D', startDate: '2026-02-01', endDate: '2026-03-01' })
  const stranger = await createExternalScenario()
  const theirs = (await stranger.upsert('linear', 'e', { type: 'epic', summary: 'Theirs' })).body.data
  const refused: [string, string, object, number, string][] = [
    ['linear', 'd', { type: 'epic', summary: 'D', endDate: '2026-01-01' }, 400, '/endDate'],
    ['linear', 'x', { type: 'epic' }, 400, '/summary'],
    ['linear', 'x', { type: 'saga', summary: 'x' }, 400, '/type'],
    ['linear', 'x', { type: 'feature', summary: 'x', epicId: theirs.id }, 400, '/epicId'],
    ['linear', 'x', { type: 'epic', summary: 'x', startDate: '2026-02-01', endDate: '2026-01-01' }, 400, '/endDate'],
    ['Lin ear', 'x', { type: 'epic', summary: 'x' }, 400, '/path/source'],
    ['linear', 'x'.repeat(201), { type: 'epic', summary: 'x' }, 400, '/path/external_id'],
  ]
  for (const [source, id, json, status, path] of refused) {
    const answer = await here.upsert(source, id, json)
    expect([source, id, answer.status, answer.body.error?.issues[0]?.path]).toEqual([source, id, status, path])
    expect(answer.cost.rowsWritten).toBe(0)
  }
  const other = await here.upsert('linear', 'e', { type: 'feature', summary: 'x' })
  expect([other.status, other.body.error?.code]).toEqual([409, 'conflict'])
  expect((await here.upsert('linear', '__proto__', { type: 'epic', summary: 'P' })).status).toBe(201)
})

test('parallel upserts of the same id create one item', async () => {
  const here = await createExternalScenario()
  for (const source of ['linear', 'jira']) {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => here.upsert(source, '7', { type: 'userstory', summary: `S${n}` })),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 11 }, () => 200), 201])
    expect(new Set(all.map(({ body }) => body.data.id)).size).toBe(1)
  }
  expect(await here.count('storyMap/card')).toBe(2)
})

test('an upsert of a removed item creates a new item in this product', async () => {
  const here = await createExternalScenario()
  await here.upsert('linear', '1', { type: 'epic', summary: 'E' })
  await here.client('DELETE', `${here.at}/epics/EP-1`)
  const anew = await here.upsert('linear', '1', { type: 'feature', summary: 'F' })
  expect([anew.status, anew.body.data.externalKey]).toEqual([201, 'FE-1'])
  expect((await here.upsert('linear', '1', { type: 'feature', summary: 'G' })).body.data.externalKey).toBe('FE-1')
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const path = `/api/initiatives/${other.body.data.externalKey}/backlog/external/linear/1`
  expect((await here.client('PUT', path, { json: { type: 'epic', summary: 'X' } })).status).toBe(201)
})
