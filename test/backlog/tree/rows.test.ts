import { expect, test } from 'vitest'
import { copyNewestRow } from '../../contract/copy-rows'
import { runtimeTest } from '../../runtime-test'
import { createWorkItemScenario } from '../work-items/scenario'

// Rows of a product with 20,000 items: what a request reads stays below.
const MOST = 25_000
const COUNT = 20_000

test('a search for one letter and filters without a match read the product once', async () => {
  const here = await createWorkItemScenario()
  const { epicId } = await here.create('epics', { summary: 'An epic' })
  await here.create('storyMap/card', { summary: 'A story', epicId })
  await copyNewestRow('work_items', here.subscriptionId, COUNT)
  const team = await here.client<{ id: number }>('POST', '/api/v2/teams', { json: { name: 'Design' } })
  const owned = [`userId=${here.userId}`, `teamId=${team.body.data.id}`]
  const queries = ['q=a', 'q=zz', 'progress=done', 'tag=none', ...owned, 'updatedSince=2100-01-01']
  const found = []
  for (const query of queries) {
    const { cost, status } = await here.client('GET', `${here.at}/backlog?${query}`)
    expect([query, status]).toEqual([query, query === 'q=a' ? 400 : 200])
    if (cost.rowsRead >= MOST) found.push(`${query}: ${cost.rowsRead}`)
  }
  expect(found).toEqual([])
})

runtimeTest('a search that finds thousands of epics reads each epic twice', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'An epic' })
  await copyNewestRow('work_items', here.subscriptionId, 9_000)
  const { body, cost, status } = await here.client<{ items: unknown[] }>('GET', `${here.at}/backlog?q=a&fields=id`)
  expect([status, body.data.items.length]).toEqual([200, 9_001])
  expect(cost.rowsRead).toBeLessThan(MOST)
})

test('parents that match themselves do not count twice toward the size of the tree', async () => {
  const here = await createWorkItemScenario()
  const { epicId } = await here.create('epics', { summary: 'An epic' })
  const { featureId } = await here.create('features', { summary: 'A feature', epicId })
  await here.create('storyMap/card', { summary: 'A story', featureId })
  // With the two parents twice it is more than a tree has; each once it is as many as a tree has.
  await copyNewestRow('work_items', here.subscriptionId, 9_997)
  const { body, status } = await here.client<{ items: { children: { children: unknown[] }[] }[]; orphans: unknown[] }>(
    'GET',
    `${here.at}/backlog?q=a&fields=id`,
  )
  expect(status).toBe(200)
  expect(body.data.orphans).toEqual([])
  expect(body.data.items[0]?.children[0]?.children).toHaveLength(9_998)
})

runtimeTest('a solution version reads the stored sums of its items instead of the stories', async () => {
  const here = await createWorkItemScenario()
  const { epicId, externalKey } = await here.create('epics', { summary: 'An epic' })
  await here.create('storyMap/card', { summary: 'A story', epicId, storyPoint: '2', progress: 'done' })
  await copyNewestRow('work_items', here.subscriptionId, COUNT - 1)
  const json = { name: 'All', items: [externalKey] }
  const { body } = await here.client<{ externalKey: string }>('POST', `${here.at}/solution-versions`, { json })
  const version = await here.client<object>('GET', `${here.at}/solution-versions/${body.data.externalKey}`)
  expect(version.body.data).toMatchObject({ progress: 100, points: { total: 2 * COUNT, done: 2 * COUNT } })
  expect(version.cost.rowsRead).toBeLessThan(20)
})
