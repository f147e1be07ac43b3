import { expect, test } from 'vitest'
import { createWorkItemScenario } from './scenario'

interface FeatureResult {
  epicId: number
  metaData: Record<string, unknown>
}

test('a feature is updated with the response of a create, and its stories follow its epic', async () => {
  const here = await createWorkItemScenario()
  const first = await here.create('epics', { summary: 'One' })
  const second = await here.create('epics', { summary: 'Two' })
  await here.create('features', { summary: 'F', epicId: first.epicId, estimate: '3', startDate: '2026-01-01' })
  const { featureId } = await here.create('features', { summary: 'G' })
  const story = await here.create('storyMap/card', { summary: 'S', featureId: featureId - 1 })
  await here.create('storyMap/card', { summary: 'T' })
  const put = (json: object, headers = {}) =>
    here.client<FeatureResult>('PUT', `${here.at}/features/FE-1`, { json, headers })
  const epicOf = async (key: string) => (await here.detail(`storyMap/card/${key}`)).epicId

  const answer = await put({
    summary: 'Changed',
    epicId: second.epicId,
    estimate: null,
    startDate: null,
    score: 1.005,
    description: '<p onclick="x()">Pay</p>',
    persona: [{}],
    userId: [here.userId],
    userStories: ['US-2'],
  })
  expect([answer.status, answer.cost.roundTrips, answer.body.message]).toEqual([200, 1, 'Feature saved'])
  expect(answer.headers.get('etag')).toBe('"v2"')
  expect(answer.body.data).toMatchObject({
    summary: 'Changed',
    epicId: second.epicId,
    featureId: featureId - 1,
    type: 'impact_map',
    cardId: 0,
    externalKey: 'FE-1',
    metaData: {
      description: '<p>Pay</p>',
      estimate: '',
      startDate: '',
      score: '1.01',
      epicId: second.epicId,
      persona: [{ personaValue: '', personaId: 0 }],
      userId: `[${here.userId}]`,
    },
  })
  expect(Object.keys(answer.body.data.metaData)).toHaveLength(38)
  expect([await epicOf('US-1'), await epicOf('US-2')]).toEqual([second.epicId, second.epicId])
  expect((await here.events(story.externalKey)).at(-1)).toMatchObject({
    type: 'userstory.updated',
    data: { epicId: second.epicId, featureId: featureId - 1 },
    previous: { epicId: first.epicId },
  })

  const stale = await put({ summary: 'Late' }, { 'if-match': '"v1"' })
  expect([stale.status, stale.body.error?.code]).toEqual([412, 'precondition_failed'])
  const detached = await put({ epicId: 0 }, { 'if-match': '"v2"' })
  expect([detached.status, detached.body.data.epicId]).toEqual([200, 0])
  expect([await epicOf('US-1'), await epicOf('US-2')]).toEqual([0, 0])
  await put({ epicId: first.epicId })
  await put({ epicId: null })
  expect((await here.detail('features/FE-1')).epicId).toBe(0)
  expect((await here.detail('features/FE-2')).epicId).toBe(0)
})

test('a date that contradicts the stored date and an unknown epic are refused', async () => {
  const here = await createWorkItemScenario()
  await here.create('features', { summary: 'F', startDate: '2026-02-01', endDate: '2026-03-01' })
  const stranger = await createWorkItemScenario()
  const { epicId } = await stranger.create('epics', { summary: 'Theirs' })
  const put = (json: object) => here.client('PUT', `${here.at}/features/FE-1`, { json })
  const cases: [object, string][] = [
    [{ endDate: '2026-01-01' }, '/endDate'],
    [{ startDate: '2026-04-01' }, '/startDate'],
    [{ epicId }, '/epicId'],
    [{ userStories: ['US-9'] }, '/userStories/0'],
  ]
  for (const [json, path] of cases) {
    const answer = await put(json)
    expect([answer.status, answer.body.error?.issues.map((issue) => issue.path)]).toEqual([400, [path]])
  }
  const missing = await here.client('PUT', `${here.at}/features/EP-1`, { json: {} })
  expect([missing.status, missing.body.error?.code]).toEqual([404, 'feature_not_found'])
  const foreign = await stranger.client('PUT', `${stranger.at}/features/FE-1`, { json: { summary: 'x' } })
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'feature_not_found'])
})
