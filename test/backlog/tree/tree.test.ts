import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { copyNewestRow } from '../../contract/copy-rows'
import { createWorkItemScenario } from '../work-items/scenario'

interface Node {
  type?: string
  externalKey: string
  progress?: string
  progressPercentage: number
  points: { total: number; done: number }
  children: Node[]
}

interface Tree {
  items: Node[]
  orphans: Node[]
}

async function createTree() {
  const here = await createWorkItemScenario()
  const epic = await here.create('epics', { summary: 'E', estimate: '100' })
  await here.create('epics', { summary: 'Alone', estimate: '8', progress: 'done' })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId, estimate: '50' })
  await here.create('features', { summary: 'Childless', epicId: epic.epicId, estimate: '2' })
  const loose = await here.create('features', { summary: 'Loose' })
  const story = (json: object) => here.create('storyMap/card', { summary: 'S', ...json })
  await story({ featureId: feature.featureId, storyPoint: '3', progress: 'done' })
  await story({ featureId: feature.featureId, storyPoint: '1.5', progressPercentage: 50 })
  await story({ epicId: epic.epicId, storyPoint: '0.1' })
  await story({ featureId: loose.featureId, progressPercentage: 30 })
  await story({ featureId: loose.featureId, progressPercentage: 41, tags: '["odd"]' })
  await story({ storyPoint: '5' })
  const tree = async (query = '') => {
    const answer = await here.client<Tree>('GET', `${here.at}/backlog${query}`)
    expect([query, answer.status, answer.cost.roundTrips]).toEqual([query, 200, 1])
    return answer.body.data
  }
  return { ...here, epic, feature, tree }
}

/** Key, points, percentage and children of a node. */
const summarizeNode = ({ externalKey, points, progressPercentage, children }: Node): unknown[] => [
  externalKey,
  `${points.done}/${points.total}`,
  progressPercentage,
  ...(children.length ? [children.map(summarizeNode)] : []),
]

test('the tree holds every item in its place with sums of its children', async () => {
  const { tree } = await createTree()
  const whole = await tree()
  expect(whole.items.map(summarizeNode)).toEqual([
    [
      'EP-1',
      '3/6.6',
      57,
      [
        [
          'FE-1',
          '3/4.5',
          83,
          [
            ['US-1', '3/3', 100],
            ['US-2', '0/1.5', 50],
          ],
        ],
        ['FE-2', '0/2', 0],
        ['US-3', '0/0.1', 0],
      ],
    ],
    ['EP-2', '8/8', 100],
  ])
  expect(whole.orphans.map(summarizeNode)).toEqual([
    [
      'FE-3',
      '0/0',
      36,
      [
        ['US-4', '0/0', 30],
        ['US-5', '0/0', 41],
      ],
    ],
    ['US-6', '0/5', 0],
  ])
  expect(whole.items[0]).toMatchObject({ type: 'epic', progress: 'to-do', score: 0, summary: 'E' })
})

test('a lower depth keeps the sums, and a filter keeps the parents of matching items', async () => {
  const { tree, epic } = await createTree()
  const one = await tree('?depth=1')
  expect([one.items.map(summarizeNode), one.orphans.map(summarizeNode)]).toEqual([
    [
      ['EP-1', '3/6.6', 57],
      ['EP-2', '8/8', 100],
    ],
    [
      ['FE-3', '0/0', 36],
      ['US-6', '0/5', 0],
    ],
  ])
  const two = await tree('?depth=2')
  expect(two.items[0]?.children.map(summarizeNode)).toEqual([
    ['FE-1', '3/4.5', 83],
    ['FE-2', '0/2', 0],
    ['US-3', '0/0.1', 0],
  ])
  const done = await tree('?progress=done')
  expect(done.items.map(summarizeNode)).toEqual([
    ['EP-1', '3/6.6', 57, [['FE-1', '3/4.5', 83, [['US-1', '3/3', 100]]]]],
    ['EP-2', '8/8', 100],
  ])
  expect(done.orphans).toEqual([])
  expect((await tree('?progress=done&depth=1')).items.map(summarizeNode)).toEqual([
    ['EP-1', '3/6.6', 57],
    ['EP-2', '8/8', 100],
  ])
  expect((await tree('?tag=odd')).orphans.map(summarizeNode)).toEqual([['FE-3', '0/0', 36, [['US-5', '0/0', 41]]]])
  expect((await tree('?q=childless')).items.map(summarizeNode)).toEqual([['EP-1', '3/6.6', 57, [['FE-2', '0/2', 0]]]])
  expect((await tree(`?epicId=${epic.epicId}&progress=done`)).items.map(summarizeNode)).toEqual([
    ['EP-1', '3/6.6', 57, [['FE-1', '3/4.5', 83, [['US-1', '3/3', 100]]]]],
  ])
  expect(await tree('?q=nothing')).toEqual({ items: [], orphans: [] })
})

test('nodes have the requested fields, and invalid parameters are listed', async () => {
  const { tree, client, at } = await createTree()
  const { items, orphans } = await tree('?fields=externalKey,points&depth=2')
  expect(orphans[1]).toEqual({ externalKey: 'US-6', points: { total: 5, done: 0 }, children: [] })
  expect(Object.keys(items[0]?.children[0] ?? {})).toEqual(['externalKey', 'points', 'children'])
  for (const query of [
    'fields=description',
    'fields=__proto__',
    'depth=0',
    'depth=4',
    'depth=x',
    'epicId=-1',
    'sort=order',
    'backlog=1',
  ])
    expect([query, (await client('GET', `${at}/backlog?${query}`)).status]).toEqual([query, 400])
})

test('an editor gets owners, tags and the ETag of a change in one request, only by name', async () => {
  const here = await createWorkItemScenario()
  const { data: me } = (await here.client<{ user: { id: number } }>('GET', '/api/v2/me')).body
  const epic = await here.create('epics', { summary: 'E', userId: [me.user.id], tags: '["web"]' })
  await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId })
  const read = async (query: string) =>
    (await here.client<{ items: Record<string, unknown>[] }>('GET', `${here.at}/backlog${query}`)).body.data.items[0]
  expect(await read('?fields=externalKey,userId,tags,etag&tag=web')).toEqual({
    externalKey: 'EP-1',
    userId: [me.user.id],
    tags: '["web"]',
    etag: '"v1"',
    children: [],
  })
  expect(await read('?fields=externalKey,etag')).toMatchObject({ children: [{ externalKey: 'US-1', etag: '"v1"' }] })
  expect(Object.keys((await read('')) ?? {})).not.toContain('etag')
  const change = (etag: string) =>
    here.client('PUT', `${here.at}/epics/EP-1`, { json: { summary: 'New' }, headers: { 'if-match': etag } })
  expect([(await change('"v1"')).status, (await change('"v1"')).status]).toEqual([200, 412])
  expect(await read('?fields=etag')).toMatchObject({ etag: '"v2"' })
})

test('an editor gets the keys of the versions of each item, only by name', async () => {
  const here = await createWorkItemScenario()
  await here.create('epics', { summary: 'E' })
  await here.create('epics', { summary: 'Other' })
  for (const [name, items] of [
    ['Spring', ['EP-1']],
    ['Summer', ['EP-1']],
    ['Autumn', ['EP-1']],
  ] as const)
    await here.client('POST', `${here.at}/solution-versions`, { json: { name, items } })
  await here.client('DELETE', `${here.at}/solution-versions/SV-2`)
  const { body, cost } = await here.client<{ items: Record<string, unknown>[] }>(
    'GET',
    `${here.at}/backlog?fields=externalKey,versions`,
  )
  expect(cost.roundTrips).toBe(1)
  expect(body.data.items).toEqual([
    { externalKey: 'EP-1', versions: ['SV-1', 'SV-3'], children: [] },
    { externalKey: 'EP-2', versions: [], children: [] },
  ])
})

test('a tree of 5,000 items takes one round trip and stays below 1 MB with few fields', async () => {
  const here = await createTree()
  await copyNewestRow('work_items', here.subscriptionId, 5_000, {
    feature_id: `iif(n % 2, ${here.feature.featureId}, NULL)`,
    epic_id: `iif(n % 2, ${here.epic.epicId}, NULL)`,
  })
  const answer = await here.client<Tree>('GET', `${here.at}/backlog?fields=externalKey,summary,progressPercentage`)
  expect(answer.cost.roundTrips).toBe(1)
  expect(answer.body.data.orphans.length).toBe(2_502)
  expect(answer.body.data.items[0]?.children[0]?.children.length).toBe(2_502)
  expect(new TextEncoder().encode(JSON.stringify(answer.body)).length).toBeLessThan(1_000_000)
  await copyNewestRow('work_items', here.subscriptionId, 5_000)
  const many = await here.client('GET', `${here.at}/backlog`)
  expect([many.status, many.body.error?.issues[0]?.path]).toEqual([400, '/query/depth'])
  expect(many.body.message).toContain('depth')
  const { body } = await here.client<Tree>('GET', `${here.at}/backlog?epicId=${here.epic.epicId}&depth=1`)
  expect(body.data.items.map(({ externalKey }) => externalKey)).toEqual(['EP-1'])
})

test('the tree holds only items of its product that are not removed', async () => {
  const { client, at, tree } = await createTree()
  await client('DELETE', `${at}/features/FE-1?cascade=true`)
  expect((await tree()).items.map(summarizeNode)[0]).toEqual([
    'EP-1',
    '0/2.1',
    0,
    [
      ['FE-2', '0/2', 0],
      ['US-3', '0/0.1', 0],
    ],
  ])
  const other = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const elsewhere = await client<Tree>('GET', `/api/initiatives/${other.body.data.externalKey}/backlog`)
  expect(elsewhere.body.data).toEqual({ items: [], orphans: [] })
  const stranger = await createWorkItemScenario()
  expect((await stranger.client('GET', `${at}/backlog`)).status).toBe(404)
})

test('an item of any type is retrieved by its present or former key', async () => {
  const { client, at, subscriptionId, feature } = await createTree()
  for (const [key, path] of [
    ['EP-1', 'epics'],
    ['FE-1', 'features'],
    ['US-1', 'storyMap/card'],
  ]) {
    const one = await client('GET', `${at}/backlog/${key}`)
    const other = await client('GET', `${at}/${path}/${key}`)
    expect([key, one.body, one.headers.get('etag')]).toEqual([key, other.body, other.headers.get('etag')])
  }
  await env.DB.prepare("INSERT INTO work_item_keys VALUES (?, 'EP-77', ?, 0)")
    .bind(subscriptionId, feature.featureId)
    .run()
  expect((await client<{ externalKey: string }>('GET', `${at}/backlog/EP-77`)).body.data.externalKey).toBe('FE-1')
  for (const [method, path] of [
    ['GET', 'epics/EP-77'],
    ['PUT', 'epics/EP-77'],
    ['DELETE', 'epics/EP-77'],
  ] as const) {
    const answer = await client(method, `${at}/${path}`, method === 'PUT' ? { json: { summary: 'x' } } : {})
    expect([method, answer.status, answer.body.error?.code]).toEqual([method, 404, 'epic_not_found'])
    expect(answer.body.message).toContain('FE-1')
  }
  const missing = await client('GET', `${at}/backlog/US-99`)
  expect([missing.status, missing.body.error?.code]).toEqual([404, 'work_item_not_found'])
  const stranger = await createWorkItemScenario()
  expect((await stranger.client('GET', `${stranger.at}/backlog/EP-77`)).status).toBe(404)
})
