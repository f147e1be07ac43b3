import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { send } from '../../../client'
import { PATH, type Receipt } from '../scenario'
import { createPair, type Item, listPathOf, type Pair, pathOf, type Side } from './pair'

afterEach(() => void vi.useRealTimers())

const createItem = async (side: Side, type: Item['type'], json: object): Promise<Item> => {
  const { body } = await side.client<{ externalKey: string }>('POST', listPathOf(side, type), { json })
  const { externalKey } = body.data
  return (await side.client<Item>('GET', pathOf(side, { type, externalKey }))).body.data
}

const modify = async (side: Side, item: Item, json: object) => {
  const { status, body } = await side.client('PUT', pathOf(side, item), { json })
  expect([status, body.error?.issues ?? []]).toEqual([200, []])
}

const listReceipts = async (side: Side) =>
  (await side.client<Receipt[]>('GET', `${PATH}/${side.incoming.id}/receipts?sort=createdAt`)).body.data

const summariesOf = async (pair: Pair, side: Side) => (await pair.items(side)).map(({ summary }) => summary)

const countEventsOf = async ({ space }: Side) =>
  (
    await env.DB.prepare('SELECT max(id) AS n FROM log WHERE subscription_id = ?')
      .bind(space.subscriptionId)
      .first<{ n: number }>()
  )?.n

test('a created item arrives once with its fields, and changes of both sides meet in one item', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const json = { summary: 'Checkout', tags: '["mobile"]', estimate: '8', score: 1.5, startDate: '2026-02-01' }
  const item = await createItem(here, 'epic', json)
  await pair.settle()
  const [copy, ...others] = await pair.items(there)
  expect(others).toEqual([])
  expect(copy).toMatchObject({ ...json, startDate: '2026-02-01T00:00:00.000Z', type: 'epic' })
  await modify(there, copy as Item, { summary: 'Checkout for all', tags: '[]', startDate: null })
  await modify(here, item, { estimate: '13' })
  await pair.settle()
  const expected = { summary: 'Checkout for all', tags: '[]', startDate: null, estimate: '13' }
  for (const side of pair.sides) expect(await pair.items(side)).toMatchObject([expected])
  expect(pair.counts.deliveries).toBe(3)
  expect((await listReceipts(here)).map(({ status }) => status)).toEqual(['processed'])
})

test('a delivery without a valid signature is refused', async () => {
  const pair = await createPair()
  const [, there] = pair.sides
  const { pathname } = new URL(there.incoming.url)
  const headers = { 'webhook-id': 'evt_1_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' }
  expect((await send('POST', pathname, { raw: '{}', headers })).response.status).toBe(401)
})

test('the later change of a field wins on both sides, whatever the order of the deliveries is', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const item = await createItem(here, 'userstory', { summary: 'Pay' })
  await pair.settle()
  const [copy] = (await pair.items(there)) as [Item]
  await modify(there, copy, { summary: 'Earlier', color: 'red' })
  pair.setClock(pair.simulation.now + 10)
  await modify(here, item, { summary: 'Later' })
  // The same moment: the side that created the item wins.
  await modify(there, copy, { description: '<p>Copy</p>' })
  await modify(here, item, { description: '<p>Original</p>' })
  const delays = [60, 30, 0, 0]
  pair.nextFault = () => ({ delay: delays.pop() ?? 0 })
  await pair.settle()
  const expected = { summary: 'Later', color: 'red', description: '<p>Original</p>' }
  for (const side of pair.sides) expect(await pair.items(side)).toMatchObject([expected])
})

test('a change of a person at any moment of a delivery wins, because it is later', async () => {
  const pair = await createPair()
  const { simulation } = pair
  const [here, there] = pair.sides
  const item = await createItem(here, 'epic', { summary: 'Start' })
  await pair.settle()
  const [copy] = (await pair.items(there)) as [Item]
  let moments = 0
  for (let isReached = true; isReached; moments++) {
    await modify(here, item, { summary: `Delivered ${moments}` })
    pair.setClock(simulation.now + 10)
    isReached = false
    let actions = 0
    simulation.beforeAction = async () => {
      if (actions++ !== moments) return
      isReached = true
      await modify(there, copy, { summary: `Person ${moments}` })
    }
    await pair.settle()
    simulation.beforeAction = async () => {}
    const expected = isReached ? `Person ${moments}` : `Delivered ${moments}`
    for (const side of pair.sides) expect(await summariesOf(pair, side)).toEqual([expected])
  }
  expect(moments).toBeGreaterThan(10)
})

test('deliveries that change nothing write no event', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  await createItem(here, 'feature', { summary: 'Card', businessValue: '5' })
  await pair.settle()
  const before = await countEventsOf(there)
  await env.DB.prepare('DELETE FROM incoming_receipts').run()
  const { status } = await here.client('POST', `/api/v2/webhooks/${here.webhookId}/replay`, {
    json: { from: '2026-01-01' },
  })
  expect(status).toBe(200)
  await pair.settle()
  expect(pair.counts.deliveries).toBe(2)
  expect(await countEventsOf(there)).toBe(before)
  expect(await listReceipts(there)).toMatchObject([{ status: 'ignored', outcome: expect.stringContaining('already') }])
})

test('a removal and a restore arrive, and a removed item keeps later values for its restore', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const item = await createItem(here, 'epic', { summary: 'Checkout' })
  await pair.settle()
  await here.client('DELETE', pathOf(here, item))
  await pair.settle()
  expect(await summariesOf(pair, there)).toEqual([])
  await here.client('POST', `${pathOf(here, item)}/restore`)
  await modify(here, item, { summary: 'Checkout again' })
  // The later change arrives before the restore.
  const delays = [0, 90]
  pair.nextFault = () => ({ delay: delays.pop() ?? 0 })
  await pair.settle()
  expect(await summariesOf(pair, there)).toEqual(['Checkout again'])
})

test('an item waits for its parent, and leaves a parent that the other side removed', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const epic = await createItem(here, 'epic', { summary: 'Checkout' })
  await createItem(here, 'userstory', { summary: 'Pay', epicId: epic.id })
  pair.nextFault = (type) => (type === 'epic.created' ? { refuses: 503 } : {})
  pair.wake()
  for (let minute = 0; minute < 30; minute++) {
    await pair.handleDueMessages()
    pair.setClock(pair.simulation.now + 60_000)
    await pair.cron()
  }
  // The receipt of the story ends after ten attempts, and the story waits on.
  expect(await listReceipts(there)).toMatchObject([
    { status: 'ignored', outcome: expect.stringContaining('parent: The parent is not here yet.') },
  ])
  expect(await summariesOf(pair, there)).toEqual(['Pay'])
  pair.nextFault = () => ({})
  await pair.settle()
  const [story, copy] = (await pair.items(there)) as [Item, Item]
  expect([copy.summary, story.summary, story.epicId]).toEqual(['Checkout', 'Pay', copy.id])
  // Both sides change the epic at once: a child here, and the removal there.
  await createItem(here, 'userstory', { summary: 'Refund', epicId: epic.id })
  await there.client('DELETE', pathOf(there, copy))
  await pair.settle()
  for (const side of pair.sides) {
    const items = await pair.items(side)
    expect(items.map(({ summary, epicId }) => [summary, epicId]).sort()).toEqual([
      ['Pay', 0],
      ['Refund', 0],
    ])
  }
})

test('a conversion keeps the item', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const item = await createItem(here, 'userstory', { summary: 'Pay', storyPoint: '5' })
  await pair.settle()
  const [copy] = (await pair.items(there)) as [Item]
  await here.client('POST', `${here.at}/backlog/${item.externalKey}/convert`, { json: { type: 'feature' } })
  await pair.settle()
  expect(await pair.items(there)).toMatchObject([{ id: copy.id, type: 'feature', estimate: '5', storyPoint: '' }])
  const [converted] = (await pair.items(there)) as [Item]
  await modify(there, converted, { estimate: '8' })
  await pair.settle()
  expect(await pair.items(here)).toMatchObject([{ id: item.id, type: 'feature', estimate: '8' }])
})

const convert = async (side: Side, key: string, type: Item['type']): Promise<string> => {
  const path = `${side.at}/backlog/${key}/convert`
  const { status, body } = await side.client<Item>('POST', path, { json: { type } })
  expect(status).toBe(200)
  return body.data.externalKey
}

interface Late {
  what: string
  /** Types at the other side, one after the other. */
  types: Item['type'][]
  start: (epic: Item, feature: Item) => object
  /** Changes of this side after the conversions, which arrive later. */
  changes: (epic: Item, feature: Item) => object[]
  expected: object
}

const STORY = { type: 'userstory', epic: undefined, feature: undefined, points: '' }
const LATE: Late[] = [
  {
    what: 'a text of points',
    types: ['feature', 'userstory'],
    start: () => ({ storyPoint: '5' }),
    changes: () => [{ storyPoint: 'large' }],
    expected: { ...STORY, points: 'large' },
  },
  {
    what: 'the parent of a story that was an epic for a moment',
    types: ['epic', 'userstory'],
    start: () => ({}),
    changes: (epic) => [{ epicId: epic.id }],
    expected: { ...STORY, epic: 'Checkout' },
  },
  {
    what: 'the feature of a story that was a feature for a moment',
    types: ['feature', 'userstory'],
    start: () => ({}),
    changes: (_, feature) => [{ featureId: feature.id }],
    expected: { ...STORY, epic: 'Checkout', feature: 'Cart' },
  },
  {
    what: 'the epic of the feature of a story that is a feature now',
    types: ['feature'],
    start: () => ({}),
    changes: (_, feature) => [{ featureId: feature.id, storyPoint: '3' }],
    expected: { type: 'feature', epic: 'Checkout', feature: undefined, points: '3' },
  },
]

test.each(LATE)('a conversion that arrives late leaves $what', async ({ types, start, changes, expected }) => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const epic = await createItem(here, 'epic', { summary: 'Checkout' })
  const feature = await createItem(here, 'feature', { summary: 'Cart', epicId: epic.id })
  const item = await createItem(here, 'userstory', { summary: 'Pay', ...start(epic, feature) })
  await pair.settle()
  let key = (await pair.items(there)).find(({ summary }) => summary === 'Pay')?.externalKey ?? ''
  for (const type of types) {
    key = await convert(there, key, type)
    pair.setClock(pair.simulation.now + 10)
  }
  for (const json of changes(epic, feature)) await modify(here, item, json)
  await pair.settle()
  for (const side of pair.sides) {
    const items = await pair.items(side)
    const nameOf = (id: number) => items.find((one) => one.id === id)?.summary
    const one = items.find(({ summary }) => summary === 'Pay') as Item
    expect({
      ...{ type: one.type, epic: nameOf(one.epicId), feature: nameOf(one.featureId) },
      points: one.type === 'userstory' ? one.storyPoint : one.estimate,
    }).toEqual(expected)
  }
})

test('a conversion that arrives late shows no points of earlier', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const story = await createItem(here, 'userstory', { summary: 'Pay', storyPoint: 'large' })
  const key = await convert(here, story.externalKey, 'feature')
  await pair.settle()
  const [copy] = (await pair.items(there)) as [Item]
  await convert(there, copy.externalKey, 'userstory')
  pair.setClock(pair.simulation.now + 10)
  for (const estimate of ['8', '']) await modify(here, { ...story, type: 'feature', externalKey: key }, { estimate })
  await pair.settle()
  for (const side of pair.sides) expect(await pair.items(side)).toMatchObject([{ type: 'userstory', storyPoint: '' }])
})

test('a text that is longer than a delivery stays, and the receipt says so', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  await createItem(here, 'epic', { summary: 'Long', description: `<p>${'long '.repeat(9_000)}</p>`, color: 'red' })
  await pair.settle()
  expect(await pair.items(there)).toMatchObject([{ summary: 'Long', description: '', color: 'red' }])
  expect(await listReceipts(there)).toMatchObject([
    { outcome: expect.stringContaining('description, urls: The delivery is too short') },
  ])
})

test('a mapping turns fields off, and other mappings are refused', async () => {
  const pair = await createPair()
  const [here, there] = pair.sides
  const at = `${PATH}/${there.incoming.id}`
  const action = 'upsert_work_item'
  const put = async (json: object) => (await there.client('PUT', at, { json: { action, ...json } })).status
  expect(await put({ mapping: { description: '=' } })).toBe(200)
  expect(await put({ mapping: { summary: '=' } })).toBe(400)
  expect(await put({ mapping: { externalId: '$.data.id', description: '$.data.description' } })).toBe(400)
  expect(await put({ action: 'create_feedback', mapping: { title: '$.data.summary' } })).toBe(400)
  const product = there.space.product.externalKey
  const created = await there.client('POST', PATH, {
    json: { provider: 'groundwork', product, action, mapping: { color: '=red' } },
  })
  expect([created.status, created.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['/mapping']])
  await createItem(here, 'epic', { summary: 'Checkout', description: '<p>Secret</p>', color: 'red' })
  await pair.settle()
  expect(await pair.items(there)).toMatchObject([{ summary: 'Checkout', description: '', color: 'red' }])
})

test('the preview names the item and the fields', async () => {
  const pair = await createPair()
  const [, there] = pair.sides
  const payload = {
    ...{ type: 'epic.updated', timestamp: '2026-01-31T09:00:00.000Z' },
    ...{ data: { id: 7, externalKey: 'EP-1', summary: 'New' }, previous: { summary: 'Old' } },
  }
  const preview = async (json: object) => {
    const { body } = await there.client<object>('POST', `${PATH}/${there.incoming.id}/test`, { json })
    return body.data
  }
  expect(await preview({ payload })).toMatchObject({
    outcome: 'processed',
    reason: 'A delivery gives the item with the id 7 its later values of summary.',
  })
  expect(await preview({ payload: { ...payload, type: 'epic.deleted' } })).toMatchObject({
    reason: 'The event removes the item with the id 7.',
  })
  expect(await preview({ payload: { ...payload, type: 'kpi.updated' } })).toMatchObject({
    outcome: 'ignored',
    reason: 'The event kpi.updated is not about a work item.',
  })
})
