import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const PATH = '/api/feedback-items/statuses'
const IDEAS = '/api/feedback-items'

interface Status {
  id: number
  name: string
  order: number
  endsVoting: boolean
  progress: string | null
}

interface Item {
  external_key: string
  title: string
  status_id: number | null
  currentStatus: string | null
  is_pinned: true | null
  is_voting_open: boolean | null
  voting_start_time: string | null
  voting_end_time: string | null
}

interface Event {
  type: string
  actor: { userId: number | null; keyId: number | null; keyName: string | null }
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const listStatuses = async ({ client }: Workspace) => (await client<Status[]>('GET', PATH)).body.data
const findStatusId = async (world: Workspace, name: string) =>
  (await listStatuses(world)).find((status) => status.name === name)?.id ?? 0
const createIdea = async ({ client, product }: Workspace, body: object) =>
  (await client<Item>('POST', IDEAS, { json: { product: product.externalKey, ...body } })).body.data
const listEvents = async ({ client }: Workspace, key: string) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${key}`)).body.data

test('a new workspace has seven statuses in order', async () => {
  const world = await createWorkspace()
  const statuses = await listStatuses(world)
  expect(statuses.map(({ name, order, endsVoting, progress }) => [order, name, endsVoting, progress])).toEqual([
    [1, 'open', false, null],
    [2, 'under review', false, null],
    [3, 'planned', false, 'to-do'],
    [4, 'in progress', false, 'in-progress'],
    [5, 'completed', true, 'done'],
    [6, 'declined', true, null],
    [7, 'duplicate', true, null],
  ])
  const made = await world.client<Status>('POST', PATH, { json: { name: ' In beta ' } })
  expect([made.status, made.body.data]).toMatchObject([201, { name: 'In beta', order: 8, endsVoting: false }])
  expect(made.headers.get('location')).toBe(`${PATH}/${made.body.data.id}`)
})

test('a status name is unique in any spelling and free again after a removal', async () => {
  const world = await createWorkspace()
  const { client } = world
  for (const name of ['open', 'OPEN', ' Open ']) {
    const taken = await client('POST', PATH, { json: { name } })
    expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict'])
  }
  const open = await findStatusId(world, 'open')
  expect((await client('PUT', `${PATH}/${open}`, { json: { name: 'Planned' } })).status).toBe(409)
  expect((await client<Status>('PUT', `${PATH}/${open}`, { json: { name: 'OPEN' } })).body.data.name).toBe('OPEN')
  expect((await client('DELETE', `${PATH}/${open}`)).status).toBe(200)
  expect((await client('POST', PATH, { json: { name: 'open' } })).status).toBe(201)
  expect((await client('POST', `${PATH}/${open}/restore`)).status).toBe(409)
  const wrong = { name: '', color: 7, order: -1, endsVoting: 'no', progress: 'soon' }
  const refused = await client('POST', PATH, { json: wrong })
  expect(refused.body.error?.issues.map(({ path }) => path)).toEqual(Object.keys(wrong).map((name) => `/${name}`))
})

test('an item has no status until it is set, and the event shows the status', async () => {
  const world = await createWorkspace()
  const { client } = world
  const item = await createIdea(world, { title: 'Dark mode' })
  expect([item.status_id, item.currentStatus]).toEqual([null, null])
  const planned = await findStatusId(world, 'planned')
  const put = (json: object) => client<Item>('PUT', `${IDEAS}/IDEA-1`, { json })
  const set = await put({ status_id: planned, title: 'Night mode' })
  expect(set.body.data).toMatchObject({ status_id: planned, currentStatus: 'planned', title: 'Night mode' })
  const events = (await listEvents(world, 'IDEA-1')).slice(1)
  expect(events.map(({ type, actor, previous }) => [type, actor.userId, previous])).toEqual([
    ['feedback.updated', world.userId, { title: 'Dark mode', status_id: null }],
    ['feedback.status_changed', world.userId, { status_id: null, currentStatus: null }],
  ])
  expect(events[0]?.data).toEqual(set.body.data)
  expect(events[1]?.data).toMatchObject({ external_key: 'IDEA-1', status_id: planned, currentStatus: 'planned' })
  const again = await put({ status_id: planned })
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
  expect((await put({ status_id: null })).body.data).toMatchObject({ status_id: null, currentStatus: null })
  expect((await createIdea(world, { title: 'Second', status_id: planned })).currentStatus).toBe('planned')
  const stranger = await createWorkspace()
  for (const status_id of [await findStatusId(stranger, 'planned'), 0, 'planned', 1.5]) {
    const refused = await put({ status_id })
    expect([refused.status, refused.body.error?.issues[0]?.path]).toEqual([400, '/status_id'])
  }
})

test('a status change does not reveal an anonymous author', async () => {
  const world = await createWorkspace()
  await createIdea(world, { title: 'Mine', is_anonymous: true })
  await world.client('PUT', `${IDEAS}/IDEA-1`, { json: { status_id: await findStatusId(world, 'open') } })
  const changed = (await listEvents(world, 'IDEA-1')).at(-1)
  expect([changed?.type, changed?.actor]).toEqual([
    'feedback.status_changed',
    { userId: null, keyId: null, keyName: null },
  ])
})

test('a used status can be removed only with a target, and its items emit no event', async () => {
  const world = await createWorkspace()
  const { client } = world
  const [open, planned] = [await findStatusId(world, 'open'), await findStatusId(world, 'planned')]
  await createIdea(world, { title: 'One', status_id: open })
  await createIdea(world, { title: 'Gone', status_id: open })
  await client('DELETE', `${IDEAS}/IDEA-2`)
  const used = await client('DELETE', `${PATH}/${open}`)
  expect([used.status, used.body.error?.code]).toEqual([409, 'in_use'])
  expect((await client('DELETE', `${PATH}/${open}?moveTo=${open}`)).status).toBe(400)
  const unknown = await client('DELETE', `${PATH}/${open}?moveTo=999999999`)
  expect([unknown.status, unknown.body.error?.issues[0]?.path]).toEqual([400, '/query/moveTo'])
  const removed = await client('DELETE', `${PATH}/${open}?moveTo=${planned}`)
  expect([removed.status, removed.cost.roundTrips]).toEqual([200, 1])
  await client('POST', `${IDEAS}/IDEA-2/restore`)
  for (const key of ['IDEA-1', 'IDEA-2']) {
    expect((await client<Item>('GET', `${IDEAS}/${key}`)).body.data.currentStatus).toBe('planned')
  }
  const types = (await listEvents(world, 'IDEA-1')).map(({ type }) => type)
  expect(types).toEqual(['feedback.created', 'feedback.updated'])
})

test('items are found by status name or id and by pin', async () => {
  const world = await createWorkspace()
  const { client } = world
  const planned = await findStatusId(world, 'planned')
  await createIdea(world, { title: 'One', status_id: planned, is_pinned: true })
  await createIdea(world, { title: 'Two', is_pinned: false })
  await createIdea(world, { title: 'Three', status_id: planned })
  const titles = async (query: string) =>
    (await client<Item[]>('GET', `${IDEAS}?${query}`)).body.data.map(({ title }) => title)
  for (const value of ['planned', 'PLANNED', planned]) {
    expect([value, await titles(`status=${value}`)]).toEqual([value, ['Three', 'One']])
    expect(await titles(`status=${value}&sort=most-voted`)).toEqual(['Three', 'One'])
  }
  const unknown = await client('GET', `${IDEAS}?status=planned,nowhere`)
  expect([unknown.status, unknown.body.error?.issues[0]?.path]).toEqual([400, '/query/status'])
  expect(await titles('pinned=true')).toEqual(['One'])
  expect(await titles('pinned=false&sort=oldest')).toEqual(['Two', 'Three'])
  const put = (json: object) => client<Item>('PUT', `${IDEAS}/IDEA-1`, { json })
  expect((await put({ is_pinned: false })).body.data.is_pinned).toBeNull()
  expect((await put({ is_pinned: null })).cost.rowsWritten).toBe(0)
  expect(await titles('pinned=true')).toEqual([])
})

test('the voting window must be in order, even with the stored end', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
  const crossed = { voting_start_time: late, voting_end_time: early }
  const refused = await client('POST', IDEAS, { json: { title: 'A', product: product.externalKey, ...crossed } })
  expect([refused.status, refused.body.error?.issues[0]?.path]).toEqual([400, '/voting_end_time'])
  const item = await createIdea(world, { title: 'A', voting_start_time: early, voting_end_time: late })
  expect(item).toMatchObject({ voting_start_time: early, voting_end_time: late, is_voting_open: null })
  const put = (json: object) => client<Item>('PUT', `${IDEAS}/IDEA-1`, { json })
  for (const [name, at] of [
    ['voting_start_time', '2026-03-01'],
    ['voting_end_time', '2025-12-01'],
  ] as const) {
    const wrong = await put({ [name]: at })
    expect([wrong.status, wrong.body.error?.issues[0]?.path]).toEqual([400, `/${name}`])
  }
  const open = await put({ voting_start_time: null, voting_end_time: '2025-12-01', is_voting_open: false })
  expect(open.body.data).toMatchObject({
    voting_start_time: null,
    voting_end_time: '2025-12-01T00:00:00.000Z',
    is_voting_open: false,
  })
})
