import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'

interface StatusUpdate {
  id: number
  status: string
  message: string | null
  notify: string
  user: { id: number; firstName: string; lastName: string }
  createdAt: string
}

interface Idea {
  external_key: string
  status_id: number | null
  currentStatus: string | null
  status_updates: { id: number; status: string; message: string | null; created_at: string }[]
}

const createIdea = async ({ client, product }: Workspace, body: object = {}) =>
  (await client<Idea>('POST', IDEAS, { json: { title: 'Dark mode', product: product.externalKey, ...body } })).body.data
    .external_key
const post = ({ client }: Workspace, key: string, json: object, options: object = {}) =>
  client<StatusUpdate>('POST', `${IDEAS}/${key}/status-updates`, { json, ...options })
const list = async ({ client }: Workspace, key: string) =>
  (await client<StatusUpdate[]>('GET', `${IDEAS}/${key}/status-updates`)).body.data
const getIdea = async ({ client }: Workspace, key: string) => (await client<Idea>('GET', `${IDEAS}/${key}`)).body.data
const findStatusId = async ({ client }: Workspace, name: string) =>
  (await client<{ id: number; name: string }[]>('GET', `${IDEAS}/statuses`)).body.data.find((one) => one.name === name)
    ?.id
const listEvents = async ({ client }: Workspace, key: string) =>
  (await client<{ type: string; data: Record<string, unknown> }[]>('GET', `/api/v2/events?key=${key}`)).body.data

test('a status update sets the status, is listed and shown on the idea, and emits its event', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const first = await post(world, key, { status: 'Planned', message: '  We begin in May. ' })
  expect([first.status, first.cost.roundTrips]).toEqual([201, 1])
  expect(first.body.data).toEqual({
    ...{ id: first.body.data.id, status: 'planned', message: 'We begin in May.', notify: 'later' },
    user: { id: world.userId, firstName: 'Olga', lastName: 'Owner' },
    createdAt: first.body.data.createdAt,
  })
  const statusId = await findStatusId(world, 'in progress')
  const second = await post(world, key, { status: statusId, notify: 'none' })
  const third = await post(world, key, { status: String(statusId), message: '', notify: 'now' })
  expect((await list(world, key)).map(({ status, message }) => [status, message])).toEqual([
    ['in progress', null],
    ['in progress', null],
    ['planned', 'We begin in May.'],
  ])
  const idea = await getIdea(world, key)
  expect([idea.status_id, idea.currentStatus]).toEqual([statusId, 'in progress'])
  expect(idea.status_updates).toEqual(
    [third, second, first].map(({ body: { data } }) => ({
      ...{ id: data.id, status: data.status, message: data.message, created_at: data.createdAt },
    })),
  )
  const events = await listEvents(world, key)
  const types = ['feedback.updated', 'feedback.status_changed', 'feedback.status_update_created']
  expect(events.map(({ type }) => type)).toEqual([
    'feedback.created',
    ...types,
    ...types,
    'feedback.status_update_created',
  ])
  expect(events.at(-1)?.data).toEqual({ ...third.body.data, external_key: key })
})

test('an idea shows its five newest status updates', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  for (let n = 0; n < 7; n++) await post(world, key, { status: 'planned', message: `Step ${n}` })
  const shown = (await getIdea(world, key)).status_updates.map(({ message }) => message)
  expect(shown).toEqual([6, 5, 4, 3, 2].map((n) => `Step ${n}`))
  expect(await list(world, key)).toHaveLength(7)
})

test('an unknown status, a wrong notify and a long message are refused', async () => {
  const [world, other] = [await createWorkspace(), await createWorkspace()]
  const key = await createIdea(world)
  const foreign = await findStatusId(other, 'planned')
  for (const json of [
    { status: 'nowhere' },
    { status: foreign },
    { status: String(foreign) },
    { status: '' },
    { status: 0 },
    { status: 'planned', notify: 'soon' },
    { status: 'planned', message: 'x'.repeat(2_001) },
    { message: 'Hello' },
    { status: 'planned', mesage: 'Hello' },
  ])
    expect([json, (await post(world, key, json)).status]).toEqual([json, 400])
  expect((await post(other, key, { status: 'planned' })).status).toBe(404)
  expect(await list(world, key)).toEqual([])
  expect((await getIdea(world, key)).currentStatus).toBeNull()
})

test('status updates stay with a merged idea, and go and return with a removed idea', async () => {
  const world = await createWorkspace()
  const [key, into] = [await createIdea(world), await createIdea(world)]
  await post(world, key, { status: 'planned', message: 'Soon' })
  await world.client('POST', `${IDEAS}/${key}/merge`, { json: { into } })
  expect(await list(world, key)).toEqual([])
  expect((await post(world, key, { status: 'completed' })).status).toBe(409)
  await post(world, into, { status: 'completed' })
  await world.client('POST', `${IDEAS}/${key}/unmerge`, {})
  expect((await list(world, key)).map(({ status }) => status)).toEqual(['planned'])
  expect((await list(world, into)).map(({ status }) => status)).toEqual(['completed'])
  await world.client('DELETE', `${IDEAS}/${key}`)
  expect((await world.client('GET', `${IDEAS}/${key}/status-updates`)).status).toBe(404)
  await world.client('POST', `${IDEAS}/${key}/restore`, {})
  expect((await list(world, key)).map(({ message }) => message)).toEqual(['Soon'])
})

test('an erased person stays in no status update, and a name is hidden from keys that read no people', async () => {
  const world = await createWorkspace()
  const member = await world.row('users', {
    ...{ subscription_id: world.subscriptionId, email: 'pm@example.com', first_name: 'Pam', role: 'member' },
    ...{ created_at: 0, updated_at: 0 },
  })
  const key = await createIdea(world)
  const apiKey = await world.key({ userId: member, scopes: ['feedback:write'] })
  const own = await post(world, key, { status: 'planned' }, { apiKey })
  expect(own.body.data.user).toEqual({ id: member, firstName: 'Pam', lastName: '' })
  await world.client('DELETE', `/api/v2/idea-manager/members/${member}`)
  expect((await list(world, key)).map(({ user }) => user)).toEqual([{ id: member, firstName: '', lastName: '' }])
})

test('a key limited to another product can neither post nor set a status by a status update', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  const other = await world.row('products', {
    ...{ subscription_id: world.subscriptionId, external_key: `OT-${world.subscriptionId}`, name: 'Other' },
    ...{ created_at: 0, updated_at: 0 },
  })
  const limited = await world.key({ products: [other] })
  expect((await post(world, key, { status: 'planned' }, { apiKey: limited })).status).toBe(404)
  const reader = await world.key({ scopes: ['feedback:read'] })
  expect((await post(world, key, { status: 'planned' }, { apiKey: reader })).status).toBe(403)
})
