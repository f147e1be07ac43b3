import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'

interface Version {
  externalKey: string
  name: string
  description: string | null
  status: string
  startDate: string | null
  releaseDate: string | null
  releasedAt: string | null
  items: string[]
  progress: number
  points: { total: number; done: number }
}

const baseOf = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}`
const versionsPath = (world: Workspace) => `${baseOf(world)}/solution-versions`

async function createItem(world: Workspace, kind: 'epics' | 'features' | 'storyMap/card', json: object) {
  const { body } = await world.client<{ externalKey: string; epicId: number; featureId: number }>(
    'POST',
    `${baseOf(world)}/${kind}`,
    { json: { summary: 'Some', ...json } },
  )
  expect(body.message).toMatch(/saved/)
  return body.data
}

const createVersion = (world: Workspace, json: object) => world.client<Version>('POST', versionsPath(world), { json })

interface Event {
  type: string
  data: object
  previous: object | null
}

const eventsOf = async ({ client }: Workspace, key: string) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${key}`)).body.data

test('a version is created with its items in order, retrieved and listed', async () => {
  const world = await createWorkspace()
  const epic = await createItem(world, 'epics', {})
  const story = await createItem(world, 'storyMap/card', { storyPoint: '3' })
  const items = [story.externalKey, epic.externalKey, story.externalKey]
  const description = '<p onclick="x()">Faster</p>'
  const made = await createVersion(world, { name: 'Spring', description, startDate: '2027-01-01', items })
  expect([made.status, made.headers.get('location'), made.cost.roundTrips]).toEqual([
    201,
    `${versionsPath(world)}/SV-1`,
    1,
  ])
  expect(made.body.data).toEqual({
    id: expect.any(Number),
    externalKey: 'SV-1',
    initiativeId: world.product.id,
    name: 'Spring',
    description: '<p>Faster</p>',
    status: 'planned',
    startDate: '2027-01-01T00:00:00.000Z',
    releaseDate: null,
    releasedAt: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    items: [story.externalKey, epic.externalKey],
    progress: 0,
    points: { total: 3, done: 0 },
  })
  expect((await world.client('GET', `${versionsPath(world)}/SV-1`)).body.data).toEqual(made.body.data)
  const retrieved = await world.client('GET', `${versionsPath(world)}/SV-1?include=itemDetails`)
  const item = { summary: 'Some', progress: 'to-do' }
  expect([retrieved.body.data, retrieved.cost.roundTrips]).toEqual([
    {
      ...made.body.data,
      itemDetails: [
        { ...item, externalKey: story.externalKey, type: 'userstory', points: 3 },
        { ...item, externalKey: epic.externalKey, type: 'epic', points: 0 },
      ],
    },
    1,
  ])
  await createVersion(world, { name: 'Summer', status: 'in-progress', releaseDate: '2027-06-01' })
  const keys = async (query: string) =>
    (await world.client<Version[]>('GET', `${versionsPath(world)}?${query}`)).body.data.map(
      ({ externalKey }) => externalKey,
    )
  expect(await keys('')).toEqual(['SV-2', 'SV-1'])
  expect(await keys('sort=releaseDate')).toEqual(['SV-2', 'SV-1'])
  expect(await keys('status=planned')).toEqual(['SV-1'])
})

test('the progress counts each lowest item once, weighted by points', async () => {
  const world = await createWorkspace()
  const epic = await createItem(world, 'epics', { estimate: '100' })
  const feature = await createItem(world, 'features', { epicId: epic.epicId, estimate: '50' })
  const done = await createItem(world, 'storyMap/card', {
    featureId: feature.featureId,
    progress: 'done',
    storyPoint: '6',
  })
  const half = await createItem(world, 'storyMap/card', {
    epicId: epic.epicId,
    progressPercentage: 50,
    storyPoint: '2',
  })
  const bare = await createItem(world, 'features', { estimate: '2' })
  const { body } = await createVersion(world, {
    name: 'All',
    items: [epic, feature, done, half, bare].map(({ externalKey }) => externalKey),
  })
  // (6 × 100 + 2 × 50 + 2 × 0) / 10
  expect(body.data).toMatchObject({ progress: 70, points: { total: 10, done: 6 } })
  const path = `${versionsPath(world)}/SV-1`
  const put = async (items: string[]) => (await world.client<Version>('PUT', path, { json: { items } })).body.data
  expect(await put([feature.externalKey])).toMatchObject({ progress: 100, points: { total: 6, done: 6 } })
  expect(await put([])).toMatchObject({ items: [], progress: 0, points: { total: 0, done: 0 } })

  await world.client('PUT', `${baseOf(world)}/storyMap/card/${done.externalKey}`, { json: { storyPoint: null } })
  const unweighted = await put([done.externalKey])
  expect(unweighted).toMatchObject({ progress: 100, points: { total: 0, done: 0 } })
})

test('an update replaces the items, and the event shows the change', async () => {
  const world = await createWorkspace()
  const [one, two] = [
    await createItem(world, 'epics', {}),
    await createItem(world, 'epics', { progress: 'done', estimate: '4' }),
  ]
  const [first, second] = [one.externalKey, two.externalKey]
  await createVersion(world, { name: 'V', items: [first] })
  const path = `${versionsPath(world)}/SV-1`
  const put = (json: object) => world.client<Version>('PUT', path, { json })
  const changed = await put({ items: [second, first], name: 'V' })
  expect(changed.body.data).toMatchObject({ items: [second, first], progress: 100, points: { total: 4, done: 4 } })
  const [, event] = await eventsOf(world, 'SV-1')
  expect(event).toMatchObject({
    type: 'solution_version.updated',
    data: changed.body.data,
    previous: { items: [first], progress: 0, points: { total: 0, done: 0 } },
  })
  expect(Object.keys(event?.previous ?? {})).toEqual(['items', 'progress', 'points'])
  expect((await put({ items: [second, first] })).cost.rowsWritten).toBe(0)
  const turned = await put({ items: [first, second] })
  expect(turned.body.data.items).toEqual([first, second])
  expect(Object.keys((await eventsOf(world, 'SV-1')).at(-1)?.previous ?? {})).toEqual(['items'])
})

test('a removed item leaves the version until it is restored', async () => {
  const world = await createWorkspace()
  const [one, two] = [await createItem(world, 'epics', {}), await createItem(world, 'epics', {})]
  await createVersion(world, { name: 'V', items: [one.externalKey, two.externalKey] })
  const path = `${versionsPath(world)}/SV-1`
  const items = async () => (await world.client<Version>('GET', path)).body.data.items
  const setDeleted = (at: number | null) =>
    env.DB.prepare('UPDATE work_items SET deleted_at = ? WHERE id = ?').bind(at, one.epicId).run()
  await setDeleted(1)
  expect(await items()).toEqual([two.externalKey])
  const refused = await world.client('PUT', path, { json: { items: [one.externalKey] } })
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'unknown_reference'])
  await world.client('PUT', path, { json: { items: [] } })
  await setDeleted(null)
  expect(await items()).toEqual([one.externalKey])
})

test('a released version can only be archived and then removed', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createItem(world, 'epics', { progress: 'done' })
  await createVersion(world, { name: 'V', items: [externalKey], startDate: '2026-01-01' })
  const path = `${versionsPath(world)}/SV-1`
  const act = (method: string, to = '', json?: object) =>
    world.client<Version>(method, `${path}${to}`, json ? { json } : {})
  const before = (await act('GET')).body.data
  const released = await act('POST', '/release')
  expect([released.status, released.cost.roundTrips]).toEqual([200, 1])
  const { releasedAt } = released.body.data
  expect(releasedAt).toMatch(/Z$/)
  expect(released.body.data).toMatchObject({ status: 'released', releaseDate: releasedAt, items: [externalKey] })
  expect((await eventsOf(world, 'SV-1')).at(-1)).toMatchObject({
    type: 'solution_version.released',
    data: released.body.data,
    previous: { status: 'planned', releasedAt: null, releaseDate: before.releaseDate },
  })
  const attempts = [
    await act('PUT', '', { name: 'Other' }),
    await act('PUT', '', { items: [] }),
    await act('PUT', '', { status: 'planned' }),
    await act('POST', '/release'),
    await act('DELETE'),
  ]
  for (const { status, body } of attempts) expect([status, body.error?.code]).toEqual([409, 'conflict'])
  expect(attempts[0]?.body.message).toContain('You can archive the version')
  expect((await act('GET')).body.data).toEqual(released.body.data)

  const archived = await act('POST', '/archive')
  expect(archived.body.data).toMatchObject({ status: 'archived', releasedAt })
  expect((await act('POST', '/archive')).cost.rowsWritten).toBe(0)
  expect((await act('PUT', '', { status: 'planned' })).status).toBe(409)
  expect((await act('POST', '/release')).status).toBe(409)
  expect((await act('DELETE')).status).toBe(200)
  expect((await act('POST', '/restore')).body.data.status).toBe('archived')
})

test('a version with open items needs force for a release, and the refusal lists the items', async () => {
  const world = await createWorkspace()
  const done = await createItem(world, 'epics', { progress: 'done' })
  const open = await createItem(world, 'features', { progress: 'in-progress' })
  const removed = await createItem(world, 'storyMap/card', {})
  const last = await createItem(world, 'storyMap/card', {})
  await createVersion(world, { name: 'V', items: [open, done, removed, last].map(({ externalKey }) => externalKey) })
  await world.client('DELETE', `${baseOf(world)}/storyMap/card/${removed.externalKey}`)
  const release = (json?: object) =>
    world.client<Version>('POST', `${versionsPath(world)}/SV-1/release`, json ? { json } : {})
  for (const json of [undefined, {}, { force: false }]) {
    const { status, body, cost } = await release(json)
    expect([status, body.error?.code, cost.roundTrips, cost.rowsWritten]).toEqual([409, 'unfinished_items', 1, 0])
    expect(body.error?.issues).toEqual([
      { path: '/items/0', code: 'unfinished_item', message: 'FE-1 is not done: its progress is "in-progress".' },
      { path: '/items/2', code: 'unfinished_item', message: 'US-2 is not done: its progress is "to-do".' },
    ])
    expect(body.message).toContain('2 items of the version are not done: FE-1, US-2.')
  }
  expect((await release({ force: 'yes' })).status).toBe(400)
  expect((await release({ force: true })).body.data.status).toBe('released')
  expect((await release({ force: true })).body.error?.code).toBe('conflict')
})

test('a version archived without a release can return to its status', async () => {
  const world = await createWorkspace()
  await createVersion(world, { name: 'V' })
  const path = `${versionsPath(world)}/SV-1`
  await world.client('POST', `${path}/archive`)
  expect((await world.client('POST', `${path}/release`)).status).toBe(409)
  const back = await world.client<Version>('PUT', path, { json: { status: 'in-progress' } })
  expect([back.status, back.body.data.status]).toEqual([200, 'in-progress'])
  expect((await world.client<Version>('POST', `${path}/release`)).body.data.status).toBe('released')
})

test('parallel releases release the version once', async () => {
  const world = await createWorkspace()
  await createVersion(world, { name: 'V' })
  const path = `${versionsPath(world)}/SV-1/release`
  const answers = await Promise.all([1, 2, 3, 4].map(() => world.client('POST', path)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const types = (await eventsOf(world, 'SV-1')).map(({ type }) => type)
  expect(types).toEqual(['solution_version.created', 'solution_version.updated', 'solution_version.released'])
})

test('a duplicate of a released version is planned and has its dates and items', async () => {
  const world = await createWorkspace()
  const { externalKey } = await createItem(world, 'epics', { estimate: '5' })
  const dates = { startDate: '2026-01-01', releaseDate: '2026-02-01' }
  await createVersion(world, { name: 'V', description: 'It.', items: [externalKey], ...dates })
  await world.client('POST', `${versionsPath(world)}/SV-1/release`)
  const copy = await world.client<Version>('POST', `${versionsPath(world)}/SV-1/duplicate`, { json: { name: 'W' } })
  expect([copy.status, copy.headers.get('location')]).toEqual([201, `${versionsPath(world)}/SV-2`])
  expect(copy.body.data).toMatchObject({
    externalKey: 'SV-2',
    name: 'W',
    description: 'It.',
    status: 'planned',
    startDate: '2026-01-01T00:00:00.000Z',
    releaseDate: '2026-02-01T00:00:00.000Z',
    releasedAt: null,
    items: [externalKey],
    points: { total: 5, done: 0 },
  })
  expect(await eventsOf(world, 'SV-2')).toMatchObject([{ type: 'solution_version.created', data: copy.body.data }])
})

test('invalid members are listed, and nothing is stored', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const theirs = await createItem(stranger, 'epics', {})
  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const elsewhere = { ...world, product: { ...world.product, ...other.body.data } }
  await createItem(elsewhere, 'epics', {})
  for (const [json, issues] of [
    [{}, ['/name']],
    [{ name: ' ', status: 'released', items: ['KPI-1', 7] }, ['/name', '/status', '/items/0', '/items/1']],
    [{ name: 'V', startDate: '2026-02-01', releaseDate: '2026-01-01' }, ['/releaseDate']],
    [{ name: 'V', items: [theirs.externalKey, 'US-9', 'EP-1'] }, ['/items/0', '/items/1', '/items/2']],
    [{ name: 'V', items: '__proto__' }, ['/items']],
    [{ name: 'V', items: Array(1001).fill('EP-1') }, ['/items']],
  ] as const) {
    const { status, body } = await createVersion(world, json)
    expect([json, status, body.error?.issues.map(({ path }) => path)]).toEqual([json, 400, issues])
  }
  expect((await world.client('GET', versionsPath(world))).body.data).toEqual([])
  await createVersion(world, { name: 'V', releaseDate: '2026-02-01' })
  const path = `${versionsPath(world)}/SV-1`
  const late = await world.client('PUT', path, { json: { startDate: '2026-03-01' } })
  expect([late.status, late.body.error?.issues[0]?.path]).toEqual([400, '/startDate'])
  // A version is not found under the path of a different product.
  expect((await world.client('GET', `${versionsPath(elsewhere)}/SV-1`)).status).toBe(404)
  expect((await world.client('POST', `${versionsPath(elsewhere)}/SV-1/release`)).status).toBe(404)
})

test('the export of versions has the items of each version in order', async () => {
  const world = await createWorkspace()
  const [one, two] = [await createItem(world, 'epics', {}), await createItem(world, 'epics', {})]
  await createVersion(world, { name: 'Spring', items: [two.externalKey, one.externalKey] })
  await createVersion(world, { name: 'Summer' })
  const { response } = await send('GET', `${versionsPath(world)}/export?format=json`, { apiKey: await world.key() })
  const exported: Version[] = await response.json()
  expect(exported.map(({ name, items }) => [name, items])).toEqual([
    ['Spring', [two.externalKey, one.externalKey]],
    ['Summer', []],
  ])
})
