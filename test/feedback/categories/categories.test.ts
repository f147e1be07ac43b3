import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

interface Category {
  id: number
  name: string
  description: string | null
  slug: string
  updatedAt: string
}

interface Item {
  external_key: string
  category_id: number
  category: { id: number; name: string; slug: string }
}

interface Event {
  type: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const PATH = '/api/feedback-items/categories'
const pathOf = ({ id }: Category) => `${PATH}/${id}`

const createCategory = async ({ client }: Workspace, name: string, description?: string) =>
  (await client<Category>('POST', PATH, { json: { name, description } })).body.data

const createIdea = async ({ client, product }: Workspace, category_id: number) =>
  (
    await client<Item>('POST', '/api/feedback-items', {
      json: { title: 'An idea', product: product.externalKey, category_id },
    })
  ).body.data

const readIdea = async ({ client }: Workspace, { external_key }: Item) =>
  (await client<Item>('GET', `/api/feedback-items/${external_key}`)).body.data

const listSlugs = async ({ client }: Workspace) =>
  (await client<Category[]>('GET', PATH)).body.data.map(({ slug }) => slug)

const listEvents = async ({ client }: Workspace, key: string | number) =>
  (await client<Event[]>('GET', `/api/v2/events?key=${key}&limit=100`)).body.data

test('a category is created, found, and listed by name', async () => {
  const { client } = await createWorkspace()
  const made = await client<Category>('POST', PATH, { json: { name: ' Größe & Farbe ', description: 'Looks' } })
  expect([made.status, made.cost.roundTrips, made.body.data]).toEqual([
    201,
    1,
    {
      id: expect.any(Number),
      name: 'Größe & Farbe',
      description: 'Looks',
      slug: 'grosse-and-farbe',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    },
  ])
  const found = await client<Category>('GET', made.headers.get('location') ?? '')
  expect(found.body.data).toEqual(made.body.data)
  const second = await client<Category>('POST', PATH, { json: { name: 'Access' } })
  const listed = await client<Category[]>('GET', PATH)
  expect(listed.body.data).toEqual([second.body.data, made.body.data])
})

test('a category name is unique in the workspace in any spelling', async () => {
  const world = await createWorkspace()
  const first = await createCategory(world, 'Usability')
  const again = await world.client('POST', PATH, { json: { name: ' USABILITY!' } })
  expect([again.status, again.body.error?.code]).toEqual([409, 'conflict'])
  const other = await createCategory(world, 'Speed')
  const renamed = await world.client('PUT', pathOf(other), { json: { name: 'usability' } })
  expect([renamed.status, renamed.body.error?.code]).toEqual([409, 'conflict'])
  const respelled = await world.client<Category>('PUT', pathOf(first), { json: { name: 'USABILITY' } })
  expect(respelled.body.data).toMatchObject({ name: 'USABILITY', slug: 'usability' })
  expect((await createCategory(await createWorkspace(), 'Usability')).slug).toBe('usability')
})

test('an update changes name and slug, null clears the description, and an empty update changes nothing', async () => {
  const world = await createWorkspace()
  const before = await createCategory(world, 'Usability', 'How it feels')
  const empty = await world.client<Category>('PUT', pathOf(before), { json: {} })
  expect([empty.status, empty.body.data, empty.cost.rowsWritten]).toEqual([200, before, 0])
  const changed = await world.client<Category>('PUT', pathOf(before), {
    json: { name: 'Ease of use', description: null },
  })
  expect(changed.body.data).toMatchObject({ name: 'Ease of use', slug: 'ease-of-use', description: null })
  const [, updated, ...more] = await listEvents(world, before.id)
  expect([updated?.type, updated?.data, more]).toEqual(['category.updated', changed.body.data, []])
  expect(updated?.previous).toEqual({ name: 'Usability', slug: 'usability', description: 'How it feels' })
})

test('a category with items can be removed only with a target for the items', async () => {
  const world = await createWorkspace()
  const [from, to] = [await createCategory(world, 'From'), await createCategory(world, 'To')]
  const items = [await createIdea(world, from.id), await createIdea(world, from.id)]
  const bystander = await createIdea(world, to.id)
  const refused = await world.client('DELETE', pathOf(from))
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'in_use'])
  for (const [moveTo, code] of [
    [from.id, 'validation_failed'],
    [999_999, 'unknown_reference'],
    [(await createCategory(await createWorkspace(), 'Theirs')).id, 'unknown_reference'],
  ]) {
    const wrong = await world.client('DELETE', `${pathOf(from)}?moveTo=${moveTo}`)
    expect([wrong.status, wrong.body.error?.code]).toEqual([400, code])
    expect(wrong.body.error?.issues.map(({ path }) => path)).toEqual(['/query/moveTo'])
  }
  expect(await readIdea(world, items[0] as Item)).toEqual(items[0])

  const removed = await world.client('DELETE', `${pathOf(from)}?moveTo=${to.id}`)
  expect([removed.status, removed.cost.roundTrips]).toEqual([200, 1])
  for (const item of items) {
    const moved = await readIdea(world, item)
    expect([moved.category_id, moved.category.slug]).toEqual([to.id, 'to'])
    const [, updated, ...more] = await listEvents(world, item.external_key)
    expect([updated?.type, updated?.data, updated?.previous, more]).toEqual([
      'feedback.updated',
      moved,
      { category_id: from.id },
      [],
    ])
  }
  expect(await readIdea(world, bystander)).toEqual(bystander)
  expect((await listEvents(world, bystander.external_key)).length).toBe(1)
  expect(await listSlugs(world)).toEqual(['to'])
})

test('a category of another workspace is not found, and its items stay unchanged', async () => {
  const [world, stranger] = [await createWorkspace(), await createWorkspace()]
  const mine = await createCategory(world, 'Mine')
  const theirs = await createIdea(stranger, (await createCategory(stranger, 'Theirs')).id)
  for (const [method, path, json] of [
    ['GET', '', undefined],
    ['PUT', '', { name: 'Ours' }],
    ['DELETE', '', undefined],
    ['POST', '/merge', { into: theirs.category_id }],
    ['POST', '/restore', undefined],
  ] as const) {
    const answer = await stranger.client(method, `${pathOf(mine)}${path}`, { json })
    expect([method, path, answer.status, answer.body.error?.code]).toEqual([method, path, 404, 'category_not_found'])
  }
  expect(await listSlugs(stranger)).toEqual(['theirs'])
  await world.client('DELETE', pathOf(mine))
  expect(await readIdea(stranger, theirs)).toEqual(theirs)
})

test("a removed item follows its category, and has none after the category's removal", async () => {
  const world = await createWorkspace()
  const [from, to] = [await createCategory(world, 'From'), await createCategory(world, 'To')]
  const item = await createIdea(world, from.id)
  const path = `/api/feedback-items/${item.external_key}`
  await world.client('DELETE', path)
  await world.client('POST', `${pathOf(from)}/merge`, { json: { into: to.id } })
  expect((await world.client<Item>('POST', `${path}/restore`)).body.data.category.slug).toBe('to')
  await world.client('DELETE', path)
  expect((await world.client('DELETE', pathOf(to))).status).toBe(200)
  expect((await world.client<Item>('POST', `${path}/restore`)).body.data.category_id).toBe(0)
  expect((await listEvents(world, item.external_key)).map(({ type }) => type)).toEqual([
    'feedback.created',
    'feedback.deleted',
    'feedback.restored',
    'feedback.deleted',
    'feedback.restored',
  ])
})

test('a merge moves the items, removes the merged category and returns the other category', async () => {
  const world = await createWorkspace()
  const [one, other] = [await createCategory(world, 'One'), await createCategory(world, 'Other')]
  const item = await createIdea(world, one.id)
  for (const into of [one.id, 999_999]) {
    const refused = await world.client('POST', `${pathOf(one)}/merge`, { json: { into } })
    expect([refused.status, refused.body.error?.issues.map(({ path }) => path)]).toEqual([400, ['/into']])
  }
  const merged = await world.client<Category>('POST', `${pathOf(one)}/merge`, { json: { into: other.id } })
  expect([merged.status, merged.body.data, merged.cost.roundTrips]).toEqual([200, other, 1])
  expect((await readIdea(world, item)).category_id).toBe(other.id)
  expect((await listEvents(world, item.external_key)).at(-1)).toMatchObject({
    type: 'feedback.updated',
    previous: { category_id: one.id },
  })
  expect((await listEvents(world, one.id)).at(-1)?.type).toBe('category.deleted')
  expect(await listSlugs(world)).toEqual(['other'])
})

test('a removed category can be restored unless its name is taken', async () => {
  const world = await createWorkspace()
  const category = await createCategory(world, 'Usability')
  await world.client('DELETE', pathOf(category))
  expect((await world.client('GET', pathOf(category))).status).toBe(404)
  const successor = await createCategory(world, 'usability')
  const refused = await world.client('POST', `${pathOf(category)}/restore`)
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  await world.client('PUT', pathOf(successor), { json: { name: 'Another' } })
  const restored = await world.client<Category>('POST', `${pathOf(category)}/restore`)
  expect(restored.body.data).toEqual(category)
  expect(await listSlugs(world)).toEqual(['another', 'usability'])
})

test('a key that is limited to products reads categories and cannot write them', async () => {
  const world = await createWorkspace()
  const category = await createCategory(world, 'Usability')
  const other = await createCategory(world, 'Other')
  const apiKey = await world.key({ products: [world.product.id] })
  for (const path of [PATH, pathOf(category)]) expect((await world.client('GET', path, { apiKey })).status).toBe(200)
  for (const [method, path, json] of [
    ['POST', PATH, { name: 'New' }],
    ['PUT', pathOf(category), { name: 'New' }],
    ['DELETE', `${pathOf(category)}?moveTo=${other.id}`, undefined],
    ['POST', `${pathOf(category)}/merge`, { into: other.id }],
    ['POST', `${pathOf(category)}/restore`, undefined],
  ] as const) {
    const answer = await world.client(method, path, { apiKey, json })
    expect([method, path, answer.status, answer.body.error?.code]).toEqual([method, path, 403, 'insufficient_scope'])
  }
  expect(await listSlugs(world)).toEqual(['other', 'usability'])
})
