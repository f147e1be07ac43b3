import { expect, test } from 'vitest'
import { createWorkItemScenario } from '../work-items/scenario'

interface Converted {
  externalKey: string
  type: string
  epicId: number
  featureId: number
  features: string[]
  userStories: string[]
  previousKeys: string[]
}

async function createTree() {
  const here = await createWorkItemScenario()
  const epic = await here.create('epics', { summary: 'E' })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId, tags: '["t"]' })
  await here.create('storyMap/card', { summary: 'S', featureId: feature.featureId })
  const convert = (key: string, type: string) =>
    here.client<Converted>('POST', `${here.at}/backlog/${key}/convert`, { json: { type } })
  return { ...here, epic, feature, convert }
}

test('a feature becomes an epic with its stories, and its former key still finds it', async () => {
  const here = await createTree()
  const file = await here.asset()
  await here.client('PUT', `${here.at}/features/FE-1`, { json: { files: [{ file: { id: file } }] } })
  const answer = await here.convert('FE-1', 'epic')
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  expect(answer.headers.get('location')).toBe(`${here.at}/epics/EP-2`)
  expect(answer.body.data).toMatchObject({
    id: here.feature.featureId,
    externalKey: 'EP-2',
    type: 'epic',
    epicId: 0,
    userStories: ['US-1'],
    features: [],
    previousKeys: ['FE-1'],
    files: [{ file: { id: file, usedAt: 'epic' } }],
  })
  expect(await here.detail('storyMap/card/US-1')).toMatchObject({ epicId: here.feature.featureId, featureId: 0 })
  expect(await here.detail('backlog/FE-1')).toEqual(await here.detail('epics/EP-2'))
  const gone = await here.client('GET', `${here.at}/features/FE-1`)
  expect([gone.status, gone.body.message?.includes('EP-2')]).toEqual([404, true])
  expect((await here.detail('epics/EP-1')).features).toEqual([])
  const found = async (path: string) => (await here.client<Converted[]>('GET', `${here.at}/${path}`)).body.data
  expect((await found('epics?sort=order')).map(({ externalKey }) => externalKey)).toEqual(['EP-1', 'EP-2'])
  expect((await found('epics?q=f')).length).toBe(1)
  expect(await found('features')).toEqual([])
  expect((await here.events('FE-1')).map(({ type }) => type)).toEqual([
    'feature.created',
    'feature.updated',
    'feature.deleted',
  ])
  const [created] = await here.events('EP-2')
  expect([created?.type, created?.data]).toEqual(['epic.created', await here.detail('epics/EP-2')])
  expect((await here.events('US-1')).at(-1)).toMatchObject({ type: 'userstory.updated', data: { featureId: 0 } })
})

test('an item can change through all types, and each of its keys finds it', async () => {
  const here = await createTree()
  await here.create('storyMap/card', { summary: 'T', epicId: here.epic.epicId, attributes: { a: 1 } })
  const keys = ['US-2']
  for (const [type, key] of [
    ['feature', 'FE-2'],
    ['userstory', 'US-3'],
    ['epic', 'EP-2'],
    ['userstory', 'US-4'],
  ] as const) {
    const { status, body } = await here.convert(keys.at(-1) ?? '', type)
    expect([status, body.data.externalKey, body.data.previousKeys]).toEqual([200, key, [...keys]])
    expect(body.data.epicId).toBe(keys.length < 3 ? here.epic.epicId : 0)
    keys.push(key)
  }
  for (const key of keys) expect(await here.detail(`backlog/${key}`)).toMatchObject({ externalKey: 'US-4' })
  const again = await here.client('POST', `${here.at}/backlog/FE-2/move`, { json: { beforeKey: 'US-1' } })
  expect(again.body.data).toMatchObject({ externalKey: 'US-4', beforeKey: 'US-1' })
})

test('an item whose children do not fit the new type cannot be converted', async () => {
  const here = await createTree()
  for (const [key, type] of [
    ['EP-1', 'feature'],
    ['EP-1', 'userstory'],
    ['FE-1', 'userstory'],
  ] as const) {
    const { status, body, cost } = await here.convert(key, type)
    expect([key, type, status, body.error?.code, cost.rowsWritten]).toEqual([key, type, 409, 'conflict', 0])
  }
  for (const [key, type] of [
    ['EP-1', 'story'],
    ['EP-1', '__proto__'],
  ] as const)
    expect([type, (await here.convert(key, type)).status]).toEqual([type, 400])
  const same = await here.convert('EP-1', 'epic')
  expect([same.status, same.body.data.externalKey, same.cost.rowsWritten]).toEqual([200, 'EP-1', 0])
  expect((await here.convert('EP-9', 'feature')).status).toBe(404)
  const stranger = await createWorkItemScenario()
  expect((await stranger.client('POST', `${here.at}/backlog/EP-1/convert`, { json: { type: 'epic' } })).status).toBe(
    404,
  )
  await here.client('PUT', `${here.at}/features/FE-1`, { json: { epicId: 0 } })
  await here.create('storyMap/card', { summary: 'Direct', epicId: here.epic.epicId })
  const { body } = await here.convert('EP-1', 'feature')
  expect(body.data).toMatchObject({ externalKey: 'FE-2', userStories: ['US-2'] })
  expect(await here.detail('storyMap/card/US-2')).toMatchObject({ epicId: 0, featureId: here.epic.epicId })
})

test('a removed child returns to a converted parent or its nearest valid parent', async () => {
  const here = await createTree()
  const direct = await here.create('storyMap/card', { summary: 'Direct', epicId: here.epic.epicId })
  const remove = async (path: string) => expect((await here.client('DELETE', `${here.at}/${path}`)).status).toBe(200)
  const restore = async (path: string) => {
    expect((await here.client('POST', `${here.at}/${path}/restore`)).status).toBe(200)
    const { epicId, featureId } = await here.detail(path)
    return { epicId, featureId }
  }
  const become = async (key: string, type: string) =>
    expect([type, (await here.convert(key, type)).status]).toEqual([type, 200])
  const [inFeature, inEpic] = ['storyMap/card/US-1', 'storyMap/card/US-2']
  await remove(inFeature)
  await become('FE-1', 'epic')
  expect(await restore(inFeature)).toEqual({ epicId: here.feature.featureId, featureId: 0 })
  await remove(inFeature)
  await become('FE-1', 'feature')
  expect(await restore(inFeature)).toEqual({ epicId: 0, featureId: here.feature.featureId })
  await remove(inFeature)
  await become('FE-1', 'userstory')
  expect(await restore(inFeature)).toEqual({ epicId: 0, featureId: 0 })

  const feature = await here.create('features', { summary: 'G', epicId: here.epic.epicId })
  await remove(`features/${feature.externalKey}`)
  await remove(inEpic)
  await become('EP-1', 'feature')
  expect(await restore(`features/${feature.externalKey}`)).toEqual({ epicId: 0, featureId: 0 })
  expect(await restore(inEpic)).toEqual({ epicId: 0, featureId: here.epic.epicId })
  await remove(inEpic)
  await become('EP-1', 'userstory')
  expect(await restore(inEpic)).toEqual({ epicId: 0, featureId: 0 })
  expect(direct.externalKey).toBe('US-2')
})
