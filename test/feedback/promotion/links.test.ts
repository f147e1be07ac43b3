import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'
const NO_ITEM = { work_item_internal_id: null, work_item_external_id: null, work_item_type: 'active' }

interface Idea {
  id: number
  external_key: string
  currentStatus: string | null
  work_item_external_id: string | null
  work_item_type: string
}

interface Event {
  id: number
  type: string
  actor: { userId: number | null }
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

type Options = Parameters<Workspace['client']>[2]

async function createLinkScenario() {
  const here = await createWorkspace()
  const { client, product } = here
  const path = `/api/initiatives/${product.externalKey}`
  const readData = async <T>(at: string) => (await client<T>('GET', at)).body.data
  return {
    ...here,
    path,
    async idea(body: object = {}) {
      const json = { title: 'Dark mode', product: product.externalKey, ...body }
      return (await client<Idea>('POST', IDEAS, { json })).body.data.external_key
    },
    async epic(progress = 'to-do', of = product.externalKey) {
      const json = { type: 'epic', summary: 'Themes', progress }
      const made = await client<{ epicId: number; externalKey: string }>('POST', `/api/initiatives/${of}/epics`, {
        json,
      })
      return made.body.data.externalKey
    },
    readIdea: (key: string) => readData<Idea>(`${IDEAS}/${key}`),
    readEpic: (key: string) => readData<{ id: number; ideas: string[] }>(`${path}/epics/${key}`),
    readStatus: async (key: string) => (await readData<Idea>(`${IDEAS}/${key}`)).currentStatus,
    events: (key: string) => readData<Event[]>(`/api/v2/events?key=${key}`),
    link: (key: string, workItem: string, options: Options = {}) =>
      client<Idea>('POST', `${IDEAS}/${key}/link`, { json: { workItem }, ...options }),
    unlink: (key: string, options: Options = {}) => client<Idea>('DELETE', `${IDEAS}/${key}/link`, options),
    promote: (key: string, json: object, options: Options = {}) =>
      client<Idea>('POST', `${IDEAS}/${key}/promote`, { json, ...options }),
  }
}

test('an idea and an existing work item show each other, and both get one event', async () => {
  const world = await createLinkScenario()
  const epic = await world.epic('in-progress')
  const [first, second] = [await world.idea(), await world.idea()]
  await world.link(first, epic)
  const { id } = await world.readEpic(epic)
  const linked = await world.link(second, epic)
  expect([linked.status, linked.cost.roundTrips]).toEqual([200, 1])
  expect(linked.body.message).toBe(`Feedback item linked to ${epic}`)
  const shown = { work_item_internal_id: id, work_item_external_id: epic, work_item_type: 'epic' }
  expect(linked.body.data).toMatchObject({ external_key: second, ...shown, currentStatus: 'in progress' })
  expect(await world.readIdea(second)).toEqual(linked.body.data)
  const after = await world.readEpic(epic)
  expect(after.ideas).toEqual([first, second])

  const events = await world.events(second)
  expect(events.map(({ type }) => type)).toEqual(['feedback.created', 'feedback.updated', 'feedback.status_changed'])
  expect(events[1]?.data).toEqual(linked.body.data)
  expect(events[1]?.previous).toEqual({ ...NO_ITEM, status_id: null })
  expect(events[2]?.actor.userId).toBe(world.userId)
  const itemEvents = (await world.events(epic)).filter(({ type }) => type === 'epic.updated')
  expect(itemEvents.map(({ data, previous }) => [data.ideas, previous])).toEqual([
    [[first], { ideas: [] }],
    [[first, second], { ideas: [first] }],
  ])
  expect(itemEvents.at(-1)?.data).toEqual(after)
})

test('the same work item again writes nothing, and another work item is a 409 that names the first', async () => {
  const world = await createLinkScenario()
  const [epic, other, key] = [await world.epic(), await world.epic(), await world.idea()]
  const linked = await world.link(key, epic)
  await world.client('PUT', `${IDEAS}/${key}`, { json: { status_id: null } })
  const before = await world.client<Event[]>('GET', '/api/v2/events')
  for (const again of [await world.link(key, epic), await world.promote(key, { into: epic })]) {
    expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
    expect(again.body.data).toMatchObject({ external_key: key, work_item_external_id: epic, currentStatus: null })
  }
  for (const refused of [
    await world.link(key, other),
    await world.promote(key, { into: other }),
    await world.promote(key, { type: 'epic' }),
  ])
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(`already linked to ${epic}`)])
  expect((await world.client('GET', '/api/v2/events')).body.data).toEqual(before.body.data)
  expect(linked.status).toBe(200)
})

test('the progress of a linked item sets the status of all its ideas', async () => {
  const world = await createLinkScenario()
  const epic = await world.epic()
  const progress = async (now: string) =>
    (await world.client('PUT', `${world.path}/epics/${epic}`, { json: { progress: now } })).status
  expect(await progress('blocked')).toBe(200)
  const [first, second] = [await world.idea(), await world.idea()]
  const statuses = async () => [await world.readStatus(first), await world.readStatus(second)]
  await world.link(first, epic)
  await world.link(second, epic)
  // A progress without a status keeps the status.
  expect(await statuses()).toEqual([null, null])
  await progress('done')
  expect(await statuses()).toEqual(['completed', 'completed'])
  await world.unlink(second)
  await progress('in-progress')
  expect(await statuses()).toEqual(['in progress', 'completed'])
})

test('an unlinked idea can be linked to another item, and an idea without an item stays as it is', async () => {
  const world = await createLinkScenario()
  const [epic, other, key] = [await world.epic('done'), await world.epic(), await world.idea()]
  const linked = await world.link(key, epic)
  const unlinked = await world.unlink(key)
  expect([unlinked.status, unlinked.cost.roundTrips]).toEqual([200, 1])
  expect(unlinked.body.data).toMatchObject({ ...NO_ITEM, currentStatus: 'completed' })
  expect(await world.readIdea(key)).toEqual(unlinked.body.data)
  expect((await world.readEpic(epic)).ideas).toEqual([])
  const [last] = (await world.events(key)).slice(-1)
  expect(last).toMatchObject({ type: 'feedback.updated', data: unlinked.body.data })
  const { work_item_external_id, work_item_type } = linked.body.data
  expect(last?.previous).toMatchObject({ work_item_external_id, work_item_type })
  expect((await world.events(epic)).at(-1)).toMatchObject({ data: { ideas: [] }, previous: { ideas: [key] } })

  const again = await world.unlink(key)
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
  expect(again.body.data).toEqual(unlinked.body.data)
  expect((await world.link(key, other)).body.data).toMatchObject({ work_item_external_id: other })
  const stale = { headers: { 'If-Match': '"1"' } }
  expect((await world.unlink(key, stale)).status).toBe(412)
  await world.promote(await world.idea(), { type: 'feature' })
  expect((await world.unlink('IDEA-2')).body.data).toMatchObject(NO_ITEM)
})

test('a promotion into an existing item links the item', async () => {
  const world = await createLinkScenario()
  const [epic, key] = [await world.epic('in-progress'), await world.idea()]
  const promoted = await world.promote(key, { into: epic })
  expect(promoted.body).toMatchObject({
    message: `Feedback item linked to ${epic}`,
    data: { work_item_external_id: epic, currentStatus: 'in progress' },
  })
  expect((await world.events(key)).map(({ type }) => type).sort()).toEqual([
    'feedback.created',
    'feedback.status_changed',
    'feedback.updated',
  ])
  for (const json of [{}, { type: 'epic', into: epic }, { into: 'EP-99' }, { into: '' }])
    expect((await world.promote(await world.idea(), json)).status).toBe(400)
  expect((await world.client<object[]>('GET', `${world.path}/epics`)).body.data).toHaveLength(1)
})

test('a link follows a converted item, and a removed item frees the idea', async () => {
  const world = await createLinkScenario()
  const [epic, other, key] = [await world.epic(), await world.epic(), await world.idea()]
  await world.client('POST', `${world.path}/backlog/${epic}/convert`, { json: { type: 'feature' } })
  // The former key still leads to the item.
  expect((await world.link(key, epic)).body.data).toMatchObject({ work_item_external_id: 'FE-1' })
  await world.client('DELETE', `${world.path}/features/FE-1`)
  expect((await world.unlink(key)).cost.rowsWritten).toBe(0)
  expect((await world.link(key, other)).body.data).toMatchObject({ work_item_external_id: other })
  await world.client('POST', `${world.path}/features/FE-1/restore`)
  expect(await world.readIdea(key)).toMatchObject({ work_item_external_id: other })
})

test('unknown items, items of another product and of another workspace are a 400', async () => {
  const world = await createLinkScenario()
  const there = await createLinkScenario()
  const made = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const hidden = await world.epic('to-do', made.body.data.externalKey)
  const [epic, key] = [await world.epic(), await world.idea()]
  const removed = await world.epic()
  await world.client('DELETE', `${world.path}/epics/${removed}`)
  const foreign = [await there.epic(), await there.epic(), await there.epic(), await there.epic()]
  for (const workItem of [hidden, removed, foreign.at(-1) ?? '', 'EP-99', key]) {
    const refused = await world.link(key, workItem)
    expect(refused.body).toMatchObject({
      error: { code: 'unknown_reference', issues: [{ path: '/workItem', code: 'unknown_reference' }] },
    })
    expect([refused.status, refused.cost.rowsWritten]).toEqual([400, 0])
  }
  expect((await world.promote(key, { into: hidden })).body).toMatchObject({ error: { issues: [{ path: '/into' }] } })
  const stranger = { apiKey: await there.key() }
  expect([(await world.link(key, epic, stranger)).status, (await world.unlink(key, stranger)).status]).toEqual([
    404, 404,
  ])
  expect(await world.readIdea(key)).toMatchObject(NO_ITEM)
  expect((await world.readEpic(epic)).ideas).toEqual([])
  // A refusal tells a limited key nothing about items of other products.
  await world.link(key, epic)
  const limited = { apiKey: await world.key({ products: [world.product.id] }) }
  const [known, unknown] = [await world.link(key, hidden, limited), await world.link(key, 'EP-99', limited)]
  expect([known.status, known.body.message]).toEqual([400, unknown.body.message])
})

test('a link needs both areas and the product, and no merged idea', async () => {
  const world = await createLinkScenario()
  const [epic, key, into] = [await world.epic(), await world.idea(), await world.idea()]
  const alone = { apiKey: await world.key({ scopes: ['feedback:read', 'feedback:write'] }) }
  for (const refused of [
    await world.link(key, epic, alone),
    await world.promote(key, { into: epic }, alone),
    await world.unlink(key, alone),
  ])
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('backlog:write')])
  const reader = { apiKey: await world.key({ scopes: ['feedback:read', 'backlog:write'] }) }
  expect((await world.link(key, epic, reader)).status).toBe(403)
  const other = await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const elsewhere = { apiKey: await world.key({ products: [other.body.data.id] }) }
  expect([(await world.link(key, epic, elsewhere)).status, (await world.unlink(key, elsewhere)).status]).toEqual([
    404, 404,
  ])
  const limited = { apiKey: await world.key({ products: [world.product.id] }) }
  expect((await world.link(key, epic, limited)).status).toBe(200)
  expect((await world.unlink(key, limited)).status).toBe(200)
  await world.client('POST', `${IDEAS}/${key}/merge`, { json: { into } })
  expect([(await world.link(key, epic)).status, (await world.unlink(key)).status]).toEqual([409, 409])
})

test('of several links at the same time, one wins and the others name its work item', async () => {
  const world = await createLinkScenario()
  const epics = [await world.epic(), await world.epic(), await world.epic()]
  const key = await world.idea()
  const made = await Promise.all(epics.map((epic) => world.link(key, epic)))
  const won = made.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  const winner = won[0]?.body.data.work_item_external_id
  for (const { status, body } of made)
    if (status !== 200) expect([status, body.message]).toEqual([409, expect.stringContaining(`linked to ${winner}`)])
  const shown = await Promise.all(epics.map(async (epic) => (await world.readEpic(epic)).ideas))
  expect(shown).toEqual(epics.map((epic) => (epic === winner ? [key] : [])))
})

test('a work item has a limited number of ideas', async () => {
  const world = await createLinkScenario()
  const { externalKey: product } = world.product
  const epic = await world.epic()
  const json = Array.from({ length: 201 }, (_, n) => ({ title: `Idea ${n}`, product }))
  const made = await world.client<{ results: { externalKey: string }[] }>('POST', `${IDEAS}/bulk-create`, { json })
  const keys = made.body.data.results.map(({ externalKey }) => externalKey)
  await world.link(keys[0] ?? '', epic)
  const { id } = await world.readEpic(epic)
  await env.DB.prepare('UPDATE feedback_items SET work_item_id = ?1 WHERE subscription_id = ?2 AND external_key <> ?3')
    .bind(id, world.subscriptionId, keys[200])
    .run()
  const refused = await world.link(keys[200] ?? '', epic)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('at most 200')])
  expect((await world.link(keys[0] ?? '', epic)).status).toBe(200)
  await world.unlink(keys[7] ?? '')
  expect((await world.link(keys[200] ?? '', epic)).status).toBe(200)
})
