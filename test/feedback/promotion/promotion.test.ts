import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm } from '../../world'

const IDEAS = '/api/feedback-items'

interface Item {
  external_key: string
  status_id: number | null
  currentStatus: string | null
  work_item_internal_id: number | null
  work_item_external_id: string | null
  work_item_type: string
}

interface Event {
  type: string
  actor: { userId: number | null }
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const createIdea = async ({ client, product }: Workspace, body: object = {}) =>
  (await client<Item>('POST', IDEAS, { json: { title: 'Dark mode', product: product.externalKey, ...body } })).body.data
    .external_key
const promote = ({ client }: Workspace, key: string, type: string, apiKey?: string) =>
  client<Item>('POST', `${IDEAS}/${key}/promote`, { json: { type }, ...(apiKey && { apiKey }) })
const readIdea = async ({ client }: Workspace, key: string) => (await client<Item>('GET', `${IDEAS}/${key}`)).body.data
const readStatus = async (world: Workspace, key: string) => (await readIdea(world, key)).currentStatus
const listEvents = async ({ client }: Workspace, key: string) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${key}`)).body.data

test('a promoted idea and its work item refer to each other, and the item copies the idea', async () => {
  const world = await createWorkspace()
  const P = `/api/initiatives/${world.product.externalKey}`
  for (const [type, made, folder] of [
    ['epic', 'EP-1', 'epics'],
    ['feature', 'FE-1', 'features'],
    ['userstory', 'US-1', 'storyMap/card'],
  ] as const) {
    const key = await createIdea(world, { long_description: '<p>Rest</p>', tags: ['UI', 'night'] })
    const promoted = await promote(world, key, type)
    expect([promoted.status, promoted.cost.roundTrips]).toEqual([200, 1])
    const item = await world.client<{ id: number; ideas: string[] }>('GET', `${P}/${folder}/${made}`)
    expect(promoted.body.data).toMatchObject({
      external_key: key,
      work_item_internal_id: item.body.data.id,
      work_item_external_id: made,
      work_item_type: type,
      currentStatus: 'planned',
    })
    expect(await readIdea(world, key)).toEqual(promoted.body.data)
    expect(item.body.data).toMatchObject({
      type,
      summary: 'Dark mode',
      description: '<p>Rest</p>',
      tags: '["UI","night"]',
      progress: 'to-do',
      ideas: [key],
    })
    const tagged = await world.client<{ externalKey: string }[]>('GET', `${P}/${folder}?tag=ui`)
    expect(tagged.body.data.map(({ externalKey }) => externalKey)).toEqual([made])
    const events = await listEvents(world, key)
    expect(events.map(({ type }) => type)).toEqual([
      ...['feedback.created', 'feedback.updated', 'feedback.status_changed', 'feedback.promoted'],
    ])
    expect(events.at(-1)?.data).toEqual(promoted.body.data)
    expect(events[2]?.actor.userId).toBe(world.userId)
    expect(await listEvents(world, made)).toMatchObject([{ type: `${type}.created`, data: { ideas: [key] } }])
    const again = await promote(world, key, 'epic')
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining(made)])
  }
})

test('the progress of the work item sets the status of the idea on every path', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const P = `/api/initiatives/${product.externalKey}`
  const key = await createIdea(world)
  await promote(world, key, 'epic')
  const after = async (change: Promise<{ status: number }>) => [(await change).status, await readStatus(world, key)]
  const put = (progress: string) => client('PUT', `${P}/epics/EP-1`, { json: { progress } })
  expect(await after(put('in-progress'))).toEqual([200, 'in progress'])
  // A progress without a status keeps the status.
  expect(await after(put('blocked'))).toEqual([200, 'in progress'])
  const bulk = [{ op: 'update', type: 'epic', externalKey: 'EP-1', body: { progress: 'done' } }]
  expect(await after(client('POST', `${P}/backlog/bulk`, { json: bulk }))).toEqual([200, 'completed'])
  const file = fileForm('file', 'key,type,summary,progress\nEP-1,epic,Dark mode,to-do\n', 'a.csv')
  expect(await after(client('POST', `${P}/backlog/import?onConflict=update`, { raw: file }))).toEqual([201, 'planned'])
  await client('PUT', `${P}/epics/EP-1`, { json: { jiraId: '77' } })
  const external = { type: 'epic', summary: 'Dark mode', progress: 'done' }
  expect(await after(client('PUT', `${P}/backlog/external/jira/77`, { json: external }))).toEqual([200, 'completed'])
  const statusEvents = (await listEvents(world, key)).filter(({ type }) => type === 'feedback.status_changed')
  expect(statusEvents.map(({ data, actor }) => [data.currentStatus, actor.userId])).toEqual([
    ['planned', world.userId],
    ['in progress', world.userId],
    ['completed', world.userId],
    ['planned', world.userId],
    ['completed', world.userId],
  ])
})

test('a workspace defines the status for each progress', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const statuses = await client<{ id: number; name: string }[]>('GET', `${IDEAS}/statuses`)
  const idOf = (name: string) => statuses.body.data.find((status) => status.name === name)?.id
  await client('PUT', `${IDEAS}/statuses/${idOf('in progress')}`, { json: { progress: null } })
  await client('PUT', `${IDEAS}/statuses/${idOf('under review')}`, { json: { progress: 'in-progress' } })
  const key = await createIdea(world)
  await promote(world, key, 'userstory')
  const card = `/api/initiatives/${product.externalKey}/storyMap/card/US-1`
  await client('PUT', card, { json: { progress: 'in-progress' } })
  expect(await readStatus(world, key)).toBe('under review')
})

test('an idea with a removed work item looks unpromoted until the work item is restored', async () => {
  const world = await createWorkspace()
  const P = `/api/initiatives/${world.product.externalKey}`
  const key = await createIdea(world)
  await promote(world, key, 'epic')
  await world.client('DELETE', `${P}/epics/EP-1`)
  const bare = { work_item_internal_id: null, work_item_external_id: null, work_item_type: 'active' }
  expect(await readIdea(world, key)).toMatchObject(bare)
  await world.client('POST', `${P}/epics/EP-1/restore`)
  expect(await readIdea(world, key)).toMatchObject({ work_item_external_id: 'EP-1', work_item_type: 'epic' })
  await world.client('POST', `${P}/backlog/EP-1/convert`, { json: { type: 'feature' } })
  expect(await readIdea(world, key)).toMatchObject({ work_item_external_id: 'FE-1', work_item_type: 'feature' })
  await world.client('DELETE', `${P}/features/FE-1`)
  expect((await promote(world, key, 'epic')).body.data.work_item_external_id).toBe('EP-2')
})

test('a promotion needs backlog:write and the product', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const alone = await world.key({ scopes: ['feedback:read', 'feedback:write'] })
  const refused = await promote(world, key, 'epic', alone)
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('backlog:write')])
  const other = await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  expect((await promote(world, key, 'epic', await world.key({ products: [other.body.data.id] }))).status).toBe(404)
  expect((await promote(world, key, 'card')).status).toBe(400)
  const into = await createIdea(world)
  await world.client('POST', `${IDEAS}/${key}/merge`, { json: { into } })
  expect((await promote(world, key, 'epic')).status).toBe(409)
  expect(
    (await world.client<object[]>('GET', `/api/initiatives/${world.product.externalKey}/epics`)).body.data,
  ).toEqual([])
})
