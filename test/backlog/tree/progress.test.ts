import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkItemScenario } from '../work-items/scenario'

interface Node {
  externalKey: string
  progressPercentage: number
  points: { total: number; done: number }
  children: Node[]
}

const PATHS = { EP: 'epics', FE: 'features', US: 'storyMap/card' } as const
const pathOf = (key: string) => `${PATHS[key.slice(0, 2) as keyof typeof PATHS]}/${key}`

async function createProgressScenario() {
  const here = await createWorkItemScenario()
  const read = async <D>(path: string) => (await here.client<D>('GET', `${here.at}/${path}`)).body.data
  const nodes = async () => {
    const { items, orphans } = await read<{ items: Node[]; orphans: Node[] }>('backlog')
    const all = (some: Node[]): Node[] => some.flatMap((node) => [node, ...all(node.children)])
    return new Map(all([...items, ...orphans]).map((node) => [node.externalKey, node]))
  }
  const put = async (key: string, json: object) => {
    const { status } = await here.client('PUT', `${here.at}/${pathOf(key)}`, { json })
    expect([key, status]).toEqual([key, 200])
  }
  const pointsOf = async (key: string) => (await nodes()).get(key)?.points
  return { ...here, read, nodes, put, pointsOf }
}

/** The percentage of each item. The record, the lists and the tree must agree. */
async function readPercentages({ read, nodes }: Awaited<ReturnType<typeof createProgressScenario>>) {
  const shown: Record<string, number> = {}
  for (const [key, node] of await nodes()) {
    const records = [
      await read<Node>(pathOf(key)),
      await read<Node>(`backlog/${key}`),
      ...(await read<Node[]>(`${PATHS[key.slice(0, 2) as keyof typeof PATHS]}?limit=100`)).filter(
        ({ externalKey }) => externalKey === key,
      ),
    ].map(({ progressPercentage }) => progressPercentage)
    expect([key, records]).toEqual([key, Array(3).fill(node.progressPercentage)])
    shown[key] = node.progressPercentage
  }
  return shown
}

test('an item shows the same percentage as a record, in lists and in the tree', async () => {
  const here = await createProgressScenario()
  const { create, put, client, at } = here
  const epic = await create('epics', { summary: 'E' })
  const other = await create('epics', { summary: 'O' })
  const feature = await create('features', { summary: 'F', epicId: epic.epicId, estimate: '4' })
  expect(await readPercentages(here)).toEqual({ 'EP-1': 0, 'EP-2': 0, 'FE-1': 0 })
  await put('FE-1', { progress: 'done' })
  expect(await readPercentages(here)).toEqual({ 'EP-1': 100, 'EP-2': 0, 'FE-1': 100 })
  await create('storyMap/card', { summary: 'S', featureId: feature.featureId, storyPoint: '3', progress: 'done' })
  await create('storyMap/card', { summary: 'S', featureId: feature.featureId, storyPoint: '1' })
  await create('storyMap/card', { summary: 'S', epicId: epic.epicId, storyPoint: '4', progressPercentage: 50 })
  // (3 × 100 + 1 × 0 + 4 × 50) / 8
  const some = { 'EP-1': 63, 'EP-2': 0, 'FE-1': 75, 'US-1': 100, 'US-2': 0, 'US-3': 50 }
  expect(await readPercentages(here)).toEqual(some)
  await put('FE-1', { epicId: other.epicId })
  expect(await readPercentages(here)).toEqual({ ...some, 'EP-1': 50, 'EP-2': 75 })
  await client('DELETE', `${at}/features/FE-1?cascade=true`)
  expect(await readPercentages(here)).toEqual({ 'EP-1': 50, 'EP-2': 0, 'US-3': 50 })
  await client('POST', `${at}/features/FE-1/restore`)
  expect(await readPercentages(here)).toEqual({ ...some, 'EP-1': 50, 'EP-2': 75 })
  await client('DELETE', `${at}/features/FE-1`)
  // The stories of the removed feature count for the epic.
  expect(await readPercentages(here)).toEqual({ 'EP-1': 50, 'EP-2': 75, 'US-1': 100, 'US-2': 0, 'US-3': 50 })
  await client('DELETE', `${at}/storyMap/card/US-1`)
  await client('DELETE', `${at}/storyMap/card/US-2`)
  await client('POST', `${at}/features/FE-1/restore`)
  // A feature without stories counts with the feature's own percentage again.
  expect(await readPercentages(here)).toEqual({ 'EP-1': 50, 'EP-2': 100, 'FE-1': 100, 'US-3': 50 })
})

test('a change of a child does not write the row or the log of its epic', async () => {
  const here = await createProgressScenario()
  const epic = await here.create('epics', { summary: 'E' })
  await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId, progressPercentage: 40 })
  const row = () => env.DB.prepare('SELECT * FROM work_items WHERE id = ?').bind(epic.epicId).first()
  const before = [await row(), await here.events('EP-1')]
  await here.put('US-1', { progress: 'done' })
  expect([await row(), await here.events('EP-1')]).toEqual(before)
  expect(await here.read('epics/EP-1')).toMatchObject({ progressPercentage: 100 })
  expect((await here.events('US-1')).at(-1)).toMatchObject({
    data: { progress: 'done', progressPercentage: 100 },
    previous: { progress: 'to-do', progressPercentage: 40 },
  })
})

test('the percentages of a page read one row per item', async () => {
  const here = await createProgressScenario()
  const epic = await here.create('epics', { summary: 'E' })
  const read = async () => (await here.client('GET', `${here.at}/epics`)).cost.rowsRead
  await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId })
  const few = await read()
  for (let n = 0; n < 20; n++) await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId })
  expect(await read()).toBe(few)
})

test('story points and remaining time are free text, and numeric points are counted', async () => {
  const here = await createProgressScenario()
  const epic = await here.create('epics', { summary: 'E' })
  for (const [storyPoint, points] of [
    ['3', 3],
    [' 2.5 ', 2.5],
    ['XL', 0],
    ['3 to 5', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['1.2.3', 0],
    ['.', 0],
    ['-4', 0],
    ['', 0],
    ['9'.repeat(500), 1_000_000],
  ] as const) {
    const story = await here.create('storyMap/card', { summary: 'S', storyPoint, remainingTime: `about ${points}` })
    expect(await here.read(`storyMap/card/${story.externalKey}`)).toMatchObject({
      storyPoint,
      remainingTime: `about ${points}`,
    })
    expect([storyPoint, await here.pointsOf(story.externalKey)]).toEqual([storyPoint, { total: points, done: 0 }])
    const version = await here.client<{ points: object }>('POST', `${here.at}/solution-versions`, {
      json: { name: 'V', items: [story.externalKey] },
    })
    expect([storyPoint, version.body.data.points]).toEqual([storyPoint, { total: points, done: 0 }])
  }
  await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId, storyPoint: 'M' })
  await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId, storyPoint: '2' })
  expect(await here.pointsOf('EP-1')).toEqual({ total: 2, done: 0 })
})

test('an item keeps its points through every conversion', async () => {
  const here = await createProgressScenario()
  const epic = await here.create('epics', { summary: 'E' })
  await here.create('storyMap/card', { summary: 'S', epicId: epic.epicId, storyPoint: '5', remainingTime: '2 d' })
  const convert = (key: string, type: string) =>
    here.client('POST', `${here.at}/backlog/${key}/convert`, { json: { type } })
  for (const [key, type, next] of [
    ['US-1', 'feature', 'FE-1'],
    ['FE-1', 'userstory', 'US-2'],
    ['US-2', 'epic', 'EP-2'],
    ['EP-2', 'feature', 'FE-2'],
    ['FE-2', 'userstory', 'US-3'],
  ] as const) {
    expect([key, (await convert(key, type)).status]).toEqual([key, 200])
    expect([next, await here.pointsOf(next)]).toEqual([next, { total: 5, done: 0 }])
  }
  await here.put('US-3', { storyPoint: 'XL' })
  await convert('US-3', 'feature')
  expect([await here.pointsOf('FE-3'), await here.read('features/FE-3')]).toMatchObject([
    { total: 0 },
    { storyPoint: 'XL', estimate: '' },
  ])
})
