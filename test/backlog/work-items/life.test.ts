import { expect, test } from 'vitest'
import { createWorkItemScenario } from './scenario'

async function createTree() {
  const here = await createWorkItemScenario()
  const epic = await here.create('epics', { summary: 'E' })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId })
  await here.create('storyMap/card', { summary: 'In F', featureId: feature.featureId })
  await here.create('storyMap/card', { summary: 'In E', epicId: epic.epicId })
  const [e, f, s, t] = ['epics/EP-1', 'features/FE-1', 'storyMap/card/US-1', 'storyMap/card/US-2']
  const status = async (path: string) => (await here.client('GET', `${here.at}/${path}`)).status
  const remove = async (path: string) => {
    const answer = await here.client('DELETE', `${here.at}/${path}`)
    expect([path, answer.status, answer.cost.roundTrips]).toEqual([path, 200, 1])
  }
  const restore = async (path: string) => {
    const answer = await here.client<{ externalKey: string }>('POST', `${here.at}/${path}/restore`)
    expect([path, answer.status, answer.cost.roundTrips]).toEqual([path, 200, 1])
    const { headers, body } = await here.client('GET', `${here.at}/${path}`)
    expect([answer.body.data, headers.get('etag') === null]).toEqual([body.data, false])
    return answer
  }
  const put = async (path: string, json: object) =>
    expect((await here.client('PUT', `${here.at}/${path}`, { json })).status).toBe(200)
  const parents = async (path: string) => {
    const { epicId, featureId } = await here.detail(path)
    return { epicId, featureId }
  }
  const kinds = async (key: string) => (await here.events(key)).map(({ type }) => type)
  const place = { e, f, s, t, epicId: epic.epicId, featureId: feature.featureId }
  return { ...here, ...place, status, remove, restore, put, parents, kinds }
}

test('a removed epic detaches its children, and its restore attaches them again', async () => {
  const here = await createTree()
  const { e, f, s, t, epicId, featureId } = here
  await here.remove(e)
  expect([await here.status(e), await here.status(f), await here.status(s)]).toEqual([404, 200, 200])
  expect(await here.parents(f)).toEqual({ epicId: 0, featureId: 0 })
  expect(await here.parents(s)).toEqual({ epicId: 0, featureId })
  expect(await here.parents(t)).toEqual({ epicId: 0, featureId: 0 })
  expect(await here.kinds('FE-1')).toEqual(['feature.created', 'feature.updated'])
  await here.restore(e)
  expect(await here.detail(e)).toMatchObject({ features: ['FE-1'], userStories: ['US-1', 'US-2'] })
  expect(await here.parents(s)).toEqual({ epicId, featureId })
  expect(await here.parents(t)).toEqual({ epicId, featureId: 0 })
  expect(await here.kinds('EP-1')).toEqual(['epic.created', 'epic.deleted', 'epic.restored'])
  expect((await here.events('US-2')).at(-1)).toMatchObject({
    type: 'userstory.updated',
    data: { epicId },
    previous: { epicId: 0 },
  })
})

test('a child that was moved meanwhile stays in its new place', async () => {
  const here = await createTree()
  const { e, f, s, t } = here
  const second = await here.create('epics', { summary: 'Two' })
  await here.remove(e)
  await here.put(f, { epicId: second.epicId })
  await here.put(t, { epicId: second.epicId })
  await here.restore(e)
  expect(await here.detail(e)).toMatchObject({ features: [], userStories: [] })
  expect((await here.parents(s)).epicId).toBe(second.epicId)
})

test('a removal with cascade removes the children too, and the restore returns them', async () => {
  const here = await createTree()
  const { e, f, s, t } = here
  await here.remove(`${e}?cascade=true`)
  for (const path of [e, f, s, t]) expect([path, await here.status(path)]).toEqual([path, 404])
  expect((await here.client<object[]>('GET', `${here.at}/storyMap/card`)).body.data).toEqual([])
  for (const [key, type] of [
    ['FE-1', 'feature'],
    ['US-1', 'userstory'],
    ['US-2', 'userstory'],
  ] as const)
    expect(await here.kinds(key)).toEqual([`${type}.created`, `${type}.deleted`])
  await here.restore(e)
  expect(await here.detail(e)).toMatchObject({ features: ['FE-1'], userStories: ['US-1', 'US-2'] })
  expect(await here.detail(f)).toMatchObject({ userStories: ['US-1'] })
  expect(await here.kinds('US-1')).toEqual(['userstory.created', 'userstory.deleted', 'userstory.restored'])
  const again = await here.client('POST', `${here.at}/${e}/restore`)
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
})

test('an item that was removed alone is not restored with another item', async () => {
  const here = await createTree()
  const { e, s, t } = here
  await here.remove(t)
  await here.remove(`${e}?cascade=true`)
  await here.restore(s)
  expect(await here.parents(s)).toEqual({ epicId: 0, featureId: 0 })
  await here.remove(s)
  await here.restore(e)
  expect([await here.status(s), await here.status(t)]).toEqual([404, 404])
  expect(await here.detail(e)).toMatchObject({ features: ['FE-1'], userStories: [] })
  await here.restore(t)
  expect(await here.detail(e)).toMatchObject({ userStories: ['US-2'] })
})

test('a story of a removed feature stays in its epic and returns to the feature', async () => {
  const here = await createTree()
  const { e, f, s, epicId, featureId } = here
  await here.remove(f)
  expect(await here.parents(s)).toEqual({ epicId, featureId: 0 })
  await here.restore(f)
  expect(await here.parents(s)).toEqual({ epicId, featureId })
  await here.remove(`${f}?cascade=true`)
  expect([await here.status(s), await here.status(e)]).toEqual([404, 200])
  await here.restore(f)
  expect(await here.parents(s)).toEqual({ epicId, featureId })
})

test('a restored child of removed parents is detached and returns when they are restored', async () => {
  const here = await createTree()
  const { e, f, s, epicId, featureId } = here
  const teamId = (await here.client<{ id: number }>('POST', '/api/v2/teams', { json: { name: 'T' } })).body.data.id
  await here.put(s, { teamId })
  await here.remove(`${e}?cascade=true`)
  await here.client('DELETE', `/api/v2/teams/${teamId}`)
  await here.restore(s)
  expect(await here.detail(s)).toMatchObject({ epicId: 0, featureId: 0, teamId: null })
  await here.restore(f)
  expect(await here.parents(f)).toEqual({ epicId: 0, featureId: 0 })
  expect(await here.parents(s)).toEqual({ epicId: 0, featureId })
  await here.restore(e)
  expect(await here.parents(s)).toEqual({ epicId, featureId })
  expect((await here.client('POST', `/api/v2/teams/${teamId}/restore`)).status).toBe(200)
  expect(await here.detail(s)).toMatchObject({ teamId })
})

test('a child removed after its parent returns to it in any order of restores', async () => {
  for (const [first, second] of [
    ['e', 'f'],
    ['f', 's'],
    ['e', 't'],
  ] as const) {
    for (const order of [
      [first, second],
      [second, first],
    ] as const) {
      const here = await createTree()
      const { f, s, t, epicId, featureId } = here
      await here.remove(here[first])
      await here.remove(here[second])
      for (const one of order) await here.restore(here[one])
      expect([order, await here.parents(f)]).toEqual([order, { epicId, featureId: 0 }])
      expect([order, await here.parents(s)]).toEqual([order, { epicId, featureId }])
      expect([order, await here.parents(t)]).toEqual([order, { epicId, featureId: 0 }])
    }
  }
})

test('a story of two parents removed together stays and returns to both', async () => {
  for (const order of ['ef', 'fe']) {
    const here = await createTree()
    const { e, f, s, epicId, featureId } = here
    const json = [
      { op: 'delete', type: 'feature', externalKey: 'FE-1' },
      { op: 'delete', type: 'epic', externalKey: 'EP-1' },
    ]
    expect((await here.client('POST', `${here.at}/backlog/bulk`, { json })).status).toBe(200)
    expect(await here.parents(s)).toEqual({ epicId: 0, featureId: 0 })
    for (const one of order) await here.restore(one === 'e' ? e : f)
    expect([order, await here.parents(f)]).toEqual([order, { epicId, featureId: 0 }])
    expect([order, await here.parents(s)]).toEqual([order, { epicId, featureId }])
  }
})

test('a restored story follows its feature that moved meanwhile', async () => {
  const here = await createTree()
  const { f, s, featureId } = here
  const second = await here.create('epics', { summary: 'Two' })
  await here.remove(s)
  await here.put(f, { epicId: second.epicId })
  await here.restore(s)
  expect(await here.parents(s)).toEqual({ epicId: second.epicId, featureId })
})

test('an item cannot be removed or restored from another workspace or product, or with a stale version', async () => {
  const here = await createTree()
  const stranger = await createWorkItemScenario()
  const theirs = await stranger.client('DELETE', `${here.at}/epics/EP-1`)
  expect(theirs.status).toBe(404)
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const elsewhere = `/api/initiatives/${other.body.data.externalKey}/epics/EP-1`
  expect((await here.client('DELETE', elsewhere)).status).toBe(404)
  expect((await here.client('DELETE', `${here.at}/epics/EP-1`, { headers: { 'if-match': '"v9"' } })).status).toBe(412)
  expect((await here.client('DELETE', `${here.at}/epics/EP-1?cascade=maybe`)).status).toBe(400)
  await here.remove(here.e)
  expect((await here.client('POST', `${elsewhere}/restore`)).status).toBe(404)
  expect((await here.client('POST', `${here.at}/features/EP-1/restore`)).status).toBe(404)
  expect((await here.client('DELETE', `${here.at}/epics/EP-1`)).status).toBe(404)
})
