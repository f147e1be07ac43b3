import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { publishScheduledEntries } from '../../../src/feedback/changelog/publishing/publish'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm, PIXEL_PNG } from '../../world'

const CHANGELOG = '/api/v2/changelog'

interface Entry {
  id: number
  externalKey: string
  title: string
  content: string
  labels: string[]
  cover: number | null
  product: string | null
  status: string
  publishAt: string | null
  publishedAt: string | null
  ideas: string[]
  versions: string[]
}

async function call<T = Entry>({ client }: Pick<Workspace, 'client'>, method: string, path: string, json?: object) {
  const { status, body } = await client<T>(method, path, { ...(json && { json }) })
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body.data
}
const create = (world: Workspace, json: object) => call(world, 'POST', CHANGELOG, json)
const keysOf = async (world: Pick<Workspace, 'client'>, query: string) =>
  (await call<Entry[]>(world, 'GET', `${CHANGELOG}?${query}`)).map(({ externalKey }) => externalKey)
const listEvents = async (world: Pick<Workspace, 'client'>, key: string) =>
  call<{ type: string; data: Entry; previous: Partial<Entry> | null; actor: unknown }[]>(
    ...[world, 'GET', `/api/v2/events?key=${key}`],
  )
const typesOf = async (world: Workspace, key: string) => (await listEvents(world, key)).map(({ type }) => type)

const createIdea = async (world: Workspace, product = world.product.externalKey) =>
  (await call<{ external_key: string }>(world, 'POST', '/api/feedback-items', { title: 'Dark mode', product }))
    .external_key
const createVersion = async (world: Workspace, product = world.product.externalKey) =>
  (await call(world, 'POST', `/api/initiatives/${product}/solution-versions`, { name: 'Spring' })).externalKey

test('an entry is sanitized, linked, listed by its filters, and found by the search', async () => {
  const world = await createWorkspace()
  const [idea, version] = [await createIdea(world), await createVersion(world)]
  const upload = await world.client<{ id: number }>('POST', `/api/initiatives/${world.product.externalKey}/assets`, {
    raw: fileForm('file', PIXEL_PNG, 'dot.png', 'image/png'),
  })
  const cover = upload.body.data.id
  const entry = await create(world, {
    ...{
      title: 'Dark mode',
      content: '<p>For night shifts<script>alert(1)</script></p>',
      labels: ['New', 'New', 'UI'],
    },
    ...{ cover, ideas: [idea], versions: [version], product: world.product.externalKey },
  })
  expect(entry).toMatchObject({
    ...{ externalKey: 'CL-1', content: '<p>For night shifts</p>', labels: ['New', 'UI'], cover, status: 'draft' },
    ...{ product: world.product.externalKey, publishAt: null, publishedAt: null, ideas: [idea], versions: [version] },
  })
  const other = await create(world, { title: 'Faster search', publishAt: '2999-01-01T00:00:00.000Z' })
  expect(other).toMatchObject({ status: 'scheduled', product: null, ideas: [], versions: [], cover: null })
  for (const [query, keys] of Object.entries({
    'status=draft': ['CL-1'],
    'status=draft,scheduled': ['CL-2', 'CL-1'],
    'status=published': [],
    'label=UI': ['CL-1'],
    'label=ui': [],
    [`idea=${idea}`]: ['CL-1'],
    [`version=${version}&sort=-publishedAt`]: ['CL-1'],
    [`product=${world.product.externalKey}`]: ['CL-1'],
    'q=night': ['CL-1'],
    'q=new&sort=publishedAt': ['CL-1'],
  }))
    expect([query, await keysOf(world, query)]).toEqual([query, keys])
  const unknown = await world.client('GET', `${CHANGELOG}?idea=IDEA-99`)
  expect([unknown.status, unknown.body.error?.issues?.[0]?.path]).toEqual([400, '/query/idea'])
  const found = await call<{ type: string; externalKey: string }[]>(world, 'GET', '/api/v2/search?q=shifts')
  expect(found).toMatchObject([{ type: 'changelog_entry', externalKey: 'CL-1' }])
  await call(world, 'DELETE', `/api/initiatives/${world.product.externalKey}/assets/${cover}`)
  expect((await call(world, 'GET', `${CHANGELOG}/CL-1`)).cover).toBeNull()
  expect((await listEvents(world, 'CL-1')).at(-1)).toMatchObject({ data: { cover: null }, previous: { cover } })
  await call(world, 'POST', `/api/initiatives/${world.product.externalKey}/assets/${cover}/restore`)
  expect(await call(world, 'GET', `${CHANGELOG}/CL-1`)).toEqual((await listEvents(world, 'CL-1')).at(-1)?.data)
})

test('an entry is published and taken back, and each step emits its event once', async () => {
  const world = await createWorkspace()
  const { externalKey } = await create(world, { title: 'Dark mode', publishAt: '2999-01-01' })
  const published = await call(world, 'POST', `${CHANGELOG}/${externalKey}/publish`)
  expect(published).toMatchObject({ status: 'published', publishAt: null, publishedAt: expect.any(String) })
  const again = await world.client('POST', `${CHANGELOG}/${externalKey}/publish`)
  expect([again.status, again.cost.rowsWritten]).toEqual([409, 0])
  const scheduled = await world.client('PUT', `${CHANGELOG}/${externalKey}`, { json: { publishAt: '2999-01-01' } })
  expect([scheduled.status, scheduled.cost.rowsWritten]).toEqual([409, 0])
  const draft = await call(world, 'POST', `${CHANGELOG}/${externalKey}/unpublish`)
  expect(draft).toMatchObject({ status: 'draft', publishedAt: null })
  expect((await world.client('POST', `${CHANGELOG}/${externalKey}/unpublish`)).status).toBe(409)
  await call(world, 'PUT', `${CHANGELOG}/${externalKey}`, { publishAt: '2999-01-01' })
  expect(await call(world, 'PUT', `${CHANGELOG}/${externalKey}`, { publishAt: null })).toMatchObject({
    ...{ status: 'draft', publishAt: null },
  })
  const types = ['created', 'updated', 'published', 'updated', 'unpublished', 'updated', 'updated']
  expect(await typesOf(world, externalKey)).toEqual(types.map((type) => `changelog_entry.${type}`))
  const last = (await listEvents(world, externalKey)).at(-1)
  expect(last?.previous).toEqual({ publishAt: '2999-01-01T00:00:00.000Z', status: 'scheduled' })
})

test('the status of a create and of a modify publishes, takes back and schedules', async () => {
  const world = await createWorkspace()
  const published = await create(world, { title: 'At once', status: 'published', notify: 'none' })
  expect(published).toMatchObject({ status: 'published', publishedAt: expect.stringMatching(/Z$/), publishAt: null })
  const typesOfCreate = ['changelog_entry.created', 'changelog_entry.updated', 'changelog_entry.published']
  expect(await typesOf(world, published.externalKey)).toEqual(typesOfCreate)
  const put = (json: object) => call(world, 'PUT', `${CHANGELOG}/${published.externalKey}`, json)
  expect(await put({ status: 'published', publishAt: null })).toEqual(published)
  expect(await typesOf(world, published.externalKey)).toEqual(typesOfCreate)
  expect(await put({ status: 'draft', title: 'Later' })).toMatchObject({
    status: 'draft',
    publishedAt: null,
    title: 'Later',
  })
  const publishAt = '2999-01-01T00:00:00.000Z'
  expect(await put({ publishAt, status: 'scheduled' })).toMatchObject({ status: 'scheduled', publishAt })
  expect(await put({ status: 'scheduled' })).toMatchObject({ status: 'scheduled', publishAt })
  expect(await put({ status: 'draft' })).toMatchObject({ status: 'draft', publishAt: null })
  expect(await put({ status: 'published' })).toMatchObject({ status: 'published' })
  expect((await typesOf(world, published.externalKey)).filter((type) => /published/.test(type))).toEqual([
    ...['changelog_entry.published', 'changelog_entry.unpublished', 'changelog_entry.published'],
  ])
})

test('a status that does not fit the time is refused, and nothing is stored', async () => {
  const world = await createWorkspace()
  const { externalKey } = await create(world, { title: 'Draft' })
  const publishAt = '2999-01-01T00:00:00.000Z'
  const cases: [method: string, path: string, json: object, at: string][] = [
    ['POST', CHANGELOG, { title: 'A', status: 'published', publishAt }, '/status'],
    ['POST', CHANGELOG, { title: 'A', status: 'draft', publishAt }, '/status'],
    ['POST', CHANGELOG, { title: 'A', status: 'scheduled' }, '/publishAt'],
    ['POST', CHANGELOG, { title: 'A', status: 'gone' }, '/status'],
    ['PUT', `${CHANGELOG}/${externalKey}`, { status: 'scheduled' }, '/status'],
    ['PUT', `${CHANGELOG}/${externalKey}`, { status: 'published', publishAt }, '/status'],
  ]
  for (const [method, path, json, at] of cases) {
    const { status, body, cost } = await world.client(method, path, { json })
    expect([json, status, body.error?.issues[0]?.path, cost.rowsWritten]).toEqual([json, 400, at, 0])
  }
})

test('a key that is limited to products neither sees nor changes links to records of other products', async () => {
  const world = await createWorkspace()
  const other = (await call(world, 'POST', '/api/initiatives', { name: 'Other' })).externalKey
  const [own, foreign, more] = [await createIdea(world), await createIdea(world, other), await createIdea(world)]
  const product = world.product.externalKey
  const { externalKey } = await create(world, { title: 'Both', product, ideas: [own, foreign] })
  await create(world, { title: 'For everybody', ideas: [foreign] })
  const apiKey = await world.key({ products: [world.product.id] })
  const limited: Pick<Workspace, 'client'> = {
    client: (method, path, options) => world.client(method, path, { apiKey, ...options }),
  }
  const at = `${CHANGELOG}/${externalKey}`
  expect((await call(limited, 'GET', at)).ideas).toEqual([own])
  expect((await call(limited, 'GET', `${CHANGELOG}/CL-2`)).ideas).toEqual([])
  expect((await listEvents(limited, externalKey)).map(({ data }) => data.ideas)).toEqual([[own]])
  expect((await limited.client('PUT', at, { json: { ideas: [foreign] } })).status).toBe(400)
  expect((await limited.client('PUT', `${CHANGELOG}/CL-2`, { json: { title: 'Mine' } })).status).toBe(403)
  expect((await limited.client('POST', `${CHANGELOG}/CL-2/publish`)).status).toBe(403)
  expect((await limited.client('POST', CHANGELOG, { json: { title: 'For everybody' } })).status).toBe(403)
  expect((await call(limited, 'PUT', at, { ideas: [more] })).ideas).toEqual([more])
  expect((await call(world, 'GET', at)).ideas).toEqual([foreign, more])
  const event = (await listEvents(world, externalKey)).at(-1)
  expect([event?.data.ideas, event?.previous?.ideas]).toEqual([
    [foreign, more],
    [own, foreign],
  ])
})

test('the cron publishes each scheduled entry exactly once, also in concurrent runs', async () => {
  const world = await createWorkspace()
  const due = new Date(readClock() + 3_600_000).toISOString()
  const scheduled = await create(world, { title: 'Soon', publishAt: due })
  const removed = await create(world, { title: 'Removed', publishAt: due })
  const later = await create(world, { title: 'Later', publishAt: '2999-01-01' })
  await call(world, 'DELETE', `${CHANGELOG}/${removed.externalKey}`)
  const run = (at: number) => publishScheduledEntries({ store: openStore(env.DB, at) })
  await run(Date.parse(due) - 1)
  expect((await call(world, 'GET', `${CHANGELOG}/${scheduled.externalKey}`)).status).toBe('scheduled')
  await Promise.all([run(Date.parse(due)), run(Date.parse(due)), run(Date.parse(due) + 1)])
  await run(Date.parse(due) + 60_000)
  expect(await call(world, 'GET', `${CHANGELOG}/${scheduled.externalKey}`)).toMatchObject({
    ...{ status: 'published', publishAt: null },
  })
  expect(await typesOf(world, scheduled.externalKey)).toEqual([
    ...['changelog_entry.created', 'changelog_entry.updated', 'changelog_entry.published'],
  ])
  expect(await keysOf(world, 'status=scheduled')).toEqual([later.externalKey])
  const restored = await call(world, 'POST', `${CHANGELOG}/${removed.externalKey}/restore`)
  expect(restored.status).toBe('scheduled')
  await run(Date.parse(due) + 120_000)
  expect(await keysOf(world, 'status=published')).toEqual([removed.externalKey, scheduled.externalKey])
})

test('a cron run that is killed publishes nothing, and the next run publishes', async () => {
  const world = await createWorkspace()
  const { externalKey } = await create(world, { title: 'Soon', publishAt: '2026-01-01' })
  await env.DB.prepare(
    `CREATE TRIGGER killed BEFORE UPDATE ON changelog_entries WHEN OLD.subscription_id = ${world.subscriptionId}
      BEGIN SELECT RAISE(ABORT, 'The run is killed'); END`,
  ).run()
  const run = () => publishScheduledEntries({ store: openStore(env.DB, readClock()) })
  await expect(run()).rejects.toThrow()
  await env.DB.prepare('DROP TRIGGER killed').run()
  expect(await typesOf(world, externalKey)).toEqual(['changelog_entry.created'])
  await run()
  expect((await call(world, 'GET', `${CHANGELOG}/${externalKey}`)).status).toBe('published')
})

test('an entry is removed and restored with its product', async () => {
  const world = await createWorkspace()
  const product = (await call(world, 'POST', '/api/initiatives', { name: 'Other' })).externalKey
  const { externalKey } = await create(world, { title: 'Dark mode', product })
  await call(world, 'DELETE', `/api/initiatives/${product}`)
  expect((await world.client('GET', `${CHANGELOG}/${externalKey}`)).status).toBe(404)
  await call(world, 'POST', `/api/initiatives/${product}/restore`)
  expect((await call(world, 'GET', `${CHANGELOG}/${externalKey}`)).product).toBe(product)
})
