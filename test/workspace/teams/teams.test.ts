import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Team {
  id: number
  name: string
  color: string | null
  members: number[]
  products: string[]
}

const PATH = '/api/v2/teams'

test('an update replaces the members and products of a team', async () => {
  const { client, userId, product } = await createWorkspace()
  const json = { name: 'Payments', members: [userId, userId], products: [product.externalKey] }
  const made = await client<Team>('POST', PATH, { json })
  expect(made.body.data).toMatchObject({ members: [userId], products: [product.externalKey] })
  const path = made.headers.get('location') ?? ''
  const emptied = await client<Team>('PUT', path, { json: { members: [], color: 'red' } })
  expect(emptied.body.data).toMatchObject({ members: [], products: [product.externalKey], color: 'red' })
  expect((await client<Team>('GET', path)).body.data).toEqual(emptied.body.data)
  const { body } = await client<{ type: string; data: Team; previous: object }[]>(
    'GET',
    '/api/v2/events?type=team.updated',
  )
  expect(body.data.map(({ data, previous }) => [data, previous])).toEqual([
    [emptied.body.data, { color: null, members: [userId] }],
  ])
  const same = await client<Team>('PUT', path, { json: { members: [], color: 'red', products: [product.externalKey] } })
  expect([same.body.data, same.cost.rowsWritten]).toEqual([emptied.body.data, 0])
})

test('unknown members and products are listed, and nothing is stored', async () => {
  const { client } = await createWorkspace()
  const stranger = await createWorkspace()
  const json = { name: 'Team', members: [stranger.userId], products: [stranger.product.externalKey] }
  const refused = await client('POST', PATH, { json })
  expect(refused.status).toBe(400)
  expect(refused.body.error?.issues.map(({ path }) => path)).toEqual(['/members/0', '/products/0'])
  expect((await client<Team[]>('GET', PATH)).body.data).toEqual([])
})

test('a name is unique among teams that are not removed', async () => {
  const { client } = await createWorkspace()
  const { data } = (await client<Team>('POST', PATH, { json: { name: 'One' } })).body
  expect((await client('POST', PATH, { json: { name: 'One' } })).status).toBe(409)
  await client('DELETE', `${PATH}/${data.id}`)
  expect((await client('POST', PATH, { json: { name: 'One' } })).status).toBe(201)
  const restored = await client('POST', `${PATH}/${data.id}/restore`)
  expect([restored.status, restored.body.error?.code]).toEqual([409, 'conflict'])
})

test('the search finds teams by word beginnings in any accent and treats user text as words', async () => {
  const { client } = await createWorkspace()
  const stranger = await createWorkspace()
  await stranger.client('POST', PATH, { json: { name: 'Zoë elsewhere' } })
  for (const name of ["Zoë's éclairs", 'Zoo', 'AND', 'Payments (core)']) await client('POST', PATH, { json: { name } })
  const found = async (q: string) => {
    const answer = await client<Team[]>('GET', `${PATH}?sort=name&q=${encodeURIComponent(q)}`)
    expect([q, answer.status, answer.cost.roundTrips]).toEqual([q, 200, 1])
    return answer.body.data.map(({ name }) => name)
  }
  expect(await found('zo')).toEqual(['Zoo', "Zoë's éclairs"])
  expect(await found('ZOE ecl')).toEqual(["Zoë's éclairs"])
  expect(await found('and')).toEqual(['AND'])
  expect(await found('-zoo')).toEqual(['Zoo'])
  expect(await found('pay core')).toEqual(['Payments (core)'])
  for (const q of ['"', '(', '*', 'NEAR(', 'zoe OR', 'scope:s1k1', "' OR 1=1 --", '']) {
    expect(await found(q), q).toEqual([])
  }
  const { data } = (await client<Team[]>('GET', `${PATH}?q=zoo`)).body
  await client('PUT', `${PATH}/${data[0]?.id}`, { json: { name: 'Aquarium' } })
  expect(await found('zoo')).toEqual([])
  expect(await found('aqua')).toEqual(['Aquarium'])
})

test('a removed team leaves its work items, and a restore returns it to items without another team', async () => {
  const { client, product } = await createWorkspace()
  const at = `/api/initiatives/${product.externalKey}`
  const team = async (name: string) => (await client<Team>('POST', PATH, { json: { name } })).body.data.id
  const [first, second] = [await team('First'), await team('Second')]
  const made = async (path: string, teamId: number) => {
    const { headers, body } = await client<{ externalKey: string }>('POST', `${at}/${path}`, {
      json: { summary: 'Item', teamId },
    })
    return headers.get('location') ?? `${at}/${path}/${body.data.externalKey}`
  }
  const epic = await made('epics', first)
  const story = await made('storyMap/card', first)
  const moved = await made('features', first)
  const other = await made('epics', second)
  const teams = async () =>
    Promise.all(
      [epic, story, moved, other].map(async (path) => (await client<{ teamId: number }>('GET', path)).body.data.teamId),
    )
  const removed = await client('DELETE', `${PATH}/${first}`)
  expect([removed.status, removed.cost.roundTrips]).toEqual([200, 1])
  expect(await teams()).toEqual([null, null, null, second])
  await client('PUT', moved, { json: { teamId: second } })
  await client('POST', `${PATH}/${first}/restore`)
  expect(await teams()).toEqual([first, first, second, second])
  const { body } = await client<{ type: string; data: { teamId: number }; previous: object }[]>(
    'GET',
    `/api/v2/events?key=${epic.split('/').at(-1)}`,
  )
  expect(body.data.map(({ type, data, previous }) => [type, data.teamId, previous])).toEqual([
    ['epic.created', first, null],
    ['epic.updated', null, { teamId: first }],
    ['epic.updated', first, { teamId: null }],
  ])
})
