import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm } from '../../world'

interface Asset {
  id: number
  artifactId: number
  usedAt: string
  description: string | null
  file: string
  path: string
  updatedAt: string
}

interface Event {
  type: string
  data: object
  previous: object | null
}

const baseOf = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}`

async function upload(world: Workspace, description?: string): Promise<Asset> {
  const raw = fileForm('file', 'content', 'note.txt', 'text/plain')
  if (description) raw.set('description', description)
  return (await world.client<Asset>('POST', `${baseOf(world)}/assets`, { raw })).body.data
}

const pathOf = (world: Workspace, { id }: Asset) => `${baseOf(world)}/assets/${id}`

const eventsOf = async ({ client }: Workspace, { id }: Asset) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${id}`)).body.data.filter(({ type }) => type.startsWith('asset.'))

async function createEpic({ client, ...world }: Workspace, summary: string) {
  const path = `/api/initiatives/${world.product.externalKey}/epics`
  const { body } = await client<{ epicId: number; externalKey: string }>('POST', path, { json: { summary } })
  const files = async () =>
    (await client<{ files: { file: { id: number } }[] }>('GET', `${path}/${body.data.externalKey}`)).body.data.files
  return { id: body.data.epicId, key: body.data.externalKey, files }
}

test('the event of an upload holds the record', async () => {
  const world = await createWorkspace()
  const asset = await upload(world, 'A note')
  expect(await eventsOf(world, asset)).toMatchObject([{ type: 'asset.created', data: asset, previous: null }])
})

test('the size in kB is rounded to the nearest hundredth', async () => {
  const world = await createWorkspace()
  for (const [bytes, size] of [
    [1, '0.00'],
    [5, '0.00'],
    [6, '0.01'],
    [1023, '1.00'],
    [1024, '1.00'],
    [1126, '1.10'],
    [102_400, '100.00'],
    [1_234_567, '1205.63'],
  ] as const) {
    const raw = fileForm('file', new Uint8Array(bytes).fill(97), 'a.txt', 'text/plain')
    const { body } = await world.client<Asset & { size: string }>('POST', `${baseOf(world)}/assets`, { raw })
    expect([bytes, body.data.size]).toEqual([bytes, size])
  }
})

test('an update changes the sent members, and null clears the description', async () => {
  const world = await createWorkspace()
  const asset = await upload(world, 'A note')
  const path = pathOf(world, asset)
  const put = (json: object, headers = {}) => world.client<Asset>('PUT', path, { json, headers })
  const changed = await put({ description: 'Two', usedAt: 'persona' })
  expect([changed.status, changed.cost.roundTrips, changed.headers.get('etag')]).toEqual([200, 1, '"v2"'])
  expect(changed.body.data).toEqual({
    ...asset,
    description: 'Two',
    usedAt: 'persona',
    updatedAt: changed.body.data.updatedAt,
  })
  const cleared = await put({ description: null })
  expect(cleared.body.data.description).toBeNull()
  expect((await world.client<Asset>('GET', path)).body.data).toEqual(cleared.body.data)
  for (const json of [{}, { description: null, usedAt: 'persona' }, { artifactKey: null }]) {
    const same = await put(json)
    expect([same.body.data, same.headers.get('etag'), same.cost.rowsWritten]).toEqual([cleared.body.data, '"v3"', 0])
  }
  const events = await eventsOf(world, asset)
  expect(events.slice(1).map(({ type, data, previous }) => [type, data, previous])).toEqual([
    ['asset.updated', changed.body.data, { description: 'A note', usedAt: '' }],
    ['asset.updated', cleared.body.data, { description: 'Two' }],
  ])
  expect((await put({ description: 'x' }, { 'if-match': '"v2"' })).status).toBe(412)
  expect((await world.client('DELETE', path, { headers: { 'if-match': '"v2"' } })).status).toBe(412)
  for (const [json, field] of [
    [{ usedAt: 'nothing' }, '/usedAt'],
    [{ usedAt: null }, '/usedAt'],
    [{ description: 7 }, '/description'],
    [{ artifactKey: '' }, '/artifactKey'],
  ] as const) {
    const refused = await put(json)
    expect([json, refused.status, refused.body.error?.issues[0]?.path]).toEqual([json, 400, field])
  }
  expect(await eventsOf(world, asset)).toHaveLength(3)
})

test('a file is attached to work items by their keys and detached from all', async () => {
  const world = await createWorkspace()
  const asset = await upload(world)
  const [first, second] = [await createEpic(world, 'One'), await createEpic(world, 'Two')]
  const put = async (json: object) => (await world.client<Asset>('PUT', pathOf(world, asset), { json })).body.data
  const attached = await put({ artifactKey: first.key })
  expect(attached).toMatchObject({ artifactId: first.id, usedAt: 'epic' })
  expect(await first.files()).toMatchObject([
    { file: { id: asset.id, artifactId: first.id, usedAt: 'epic', file: asset.file } },
  ])
  expect(await put({ artifactKey: first.key })).toEqual(attached)
  const both = await put({ artifactKey: second.key, usedAt: 'document' })
  expect(both).toMatchObject({ artifactId: second.id, usedAt: 'document' })
  expect([(await first.files()).length, (await second.files()).length]).toEqual([1, 1])
  const detached = await put({ artifactKey: null, description: 'Free' })
  expect(detached).toMatchObject({ artifactId: 0, usedAt: '', description: 'Free' })
  expect([await first.files(), await second.files()]).toEqual([[], []])
  expect((await world.client('GET', pathOf(world, asset))).body.data).toEqual(detached)
  const changes = (await eventsOf(world, asset)).slice(1)
  expect(changes.map(({ data, previous }) => [data, previous])).toEqual([
    [attached, { artifactId: 0, usedAt: '' }],
    [both, { artifactId: first.id, usedAt: 'epic' }],
    [detached, { artifactId: second.id, usedAt: 'document', description: null }],
  ])
})

test('a file cannot be attached to a work item of another product', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const asset = await upload(world)
  const theirs = await createEpic(stranger, 'Theirs')
  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const elsewhere = await createEpic({ ...world, product: { ...world.product, ...other.body.data } }, 'Elsewhere')
  const gone = await createEpic(world, 'Gone')
  await env.DB.prepare('UPDATE work_items SET deleted_at = 1 WHERE id = ?').bind(gone.id).run()
  expect(theirs.key).toBe(elsewhere.key)
  for (const artifactKey of [theirs.key, gone.key, 'EP-99', String(elsewhere.id), 'KPI-1']) {
    const refused = await world.client('PUT', pathOf(world, asset), { json: { artifactKey } })
    expect([refused.status, refused.body.error?.code, refused.body.error?.issues[0]?.path]).toEqual([
      400,
      'unknown_reference',
      '/artifactKey',
    ])
  }
  expect(await eventsOf(world, asset)).toHaveLength(1)
})

test('a removed file is hidden until a restore returns it with its bytes and links', async () => {
  const world = await createWorkspace()
  const asset = await upload(world, 'A note')
  const path = pathOf(world, asset)
  const home = await createEpic(world, 'Home')
  const before = (await world.client<Asset>('PUT', path, { json: { artifactKey: home.key } })).body.data
  const removed = await world.client('DELETE', path)
  expect([removed.status, removed.body.data, removed.cost.roundTrips]).toEqual([200, {}, 1])
  for (const [method, at, json] of [
    ['GET', path],
    ['GET', `${path}/download`],
    ['PUT', path, {}],
    ['DELETE', path],
  ] as const) {
    const gone = await world.client(method, at, json && { json })
    expect([method, gone.status, gone.body.error?.code]).toEqual([method, 404, 'asset_not_found'])
  }
  expect((await world.client<Asset[]>('GET', `${baseOf(world)}/assets`)).body.data).toEqual([])
  expect(await home.files()).toEqual([])

  const restored = await world.client<Asset>('POST', `${path}/restore`)
  expect([restored.status, restored.body.data, restored.cost.roundTrips]).toEqual([200, before, 1])
  const again = await world.client<Asset>('POST', `${path}/restore`)
  expect([again.status, again.body.data, again.cost.rowsWritten]).toEqual([200, before, 0])
  expect(await home.files()).toMatchObject([{ file: { id: asset.id } }])
  const bytes = await env.FILES.get(before.path)
  expect(await bytes?.text()).toBe('content')
  const events = await eventsOf(world, asset)
  expect(events.slice(2).map(({ type, data }) => [type, data])).toEqual([
    ['asset.deleted', before],
    ['asset.restored', before],
  ])
})

test('a file cannot be changed from another workspace or with a key for another product', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const asset = await upload(world)
  const other = await world.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const apiKey = await world.key({ products: [other.body.data.id] })
  const attempts = async (client: Workspace['client'], base: string, options = {}) => {
    const path = `${base}/assets/${asset.id}`
    const put = await client('PUT', path, { json: { description: 'Mine' }, ...options })
    const others = [await client('DELETE', path, options), await client('POST', `${path}/restore`, options)]
    return [put, ...others].map(({ status, body }) => `${status} ${body.error?.code}`)
  }
  expect(await attempts(stranger.client, baseOf(stranger))).toEqual(Array(3).fill('404 asset_not_found'))
  expect(await attempts(stranger.client, baseOf(world))).toEqual(Array(3).fill('404 product_not_found'))
  const elsewhere = `/api/initiatives/${other.body.data.externalKey}`
  expect(await attempts(world.client, elsewhere)).toEqual(Array(3).fill('404 asset_not_found'))
  expect(await attempts(world.client, baseOf(world), { apiKey })).toEqual(Array(3).fill('403 insufficient_scope'))
  expect(await eventsOf(world, asset)).toHaveLength(1)
})
