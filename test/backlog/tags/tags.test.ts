import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

interface Tag {
  id: number
  name: string
  slug: string
  usageCount: number
}

const pathOf = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}/tags`

async function createIdea({ client, product }: Workspace, tags: string[]) {
  const { body } = await client<{ external_key: string; tags: { slug: string }[] }>('POST', '/api/feedback-items', {
    json: { title: 'An idea', product: product.externalKey, tags },
  })
  return body.data
}

async function listTags(world: Workspace): Promise<[string, number][]> {
  const { body } = await world.client<Tag[]>('GET', pathOf(world))
  return body.data.map(({ slug, usageCount }) => [slug, usageCount])
}

test('a tag name is unique in its product in any spelling', async () => {
  const world = await createWorkspace()
  const path = pathOf(world)
  const made = await world.client<Tag>('POST', path, { json: { name: 'Größe & Farbe' } })
  expect([made.status, made.body.data.slug, made.body.data.usageCount]).toEqual([201, 'grosse-and-farbe', 0])
  expect((await world.client('POST', path, { json: { name: 'grosse and FARBE' } })).status).toBe(409)
  const other = await world.client<Tag>('POST', path, { json: { name: 'Other' } })
  const renamed = await world.client('PUT', `${path}/${other.body.data.id}`, { json: { name: 'Größe and Farbe' } })
  expect([renamed.status, renamed.body.error?.code]).toEqual([409, 'conflict'])
  const respelled = await world.client<Tag>('PUT', `${path}/${made.body.data.id}`, { json: { name: 'GRÖSSE & Farbe' } })
  expect(respelled.body.data).toMatchObject({ name: 'GRÖSSE & Farbe', slug: 'grosse-and-farbe' })
})

test('a tag counts its ideas and work items', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  await createIdea(world, ['Mobile', 'Dark'])
  const second = await createIdea(world, ['mobile'])
  expect(await listTags(world)).toEqual([
    ['dark', 1],
    ['mobile', 2],
  ])
  const epics = `/api/initiatives/${product.externalKey}/epics`
  const epic = await client<{ externalKey: string }>('POST', epics, {
    json: { summary: 'E', tags: '["MOBILE","new"]' },
  })
  expect(Object.fromEntries(await listTags(world))).toEqual({ dark: 1, mobile: 3 })
  await client('POST', pathOf(world), { json: { name: 'New' } })
  expect(Object.fromEntries(await listTags(world))).toEqual({ dark: 1, mobile: 3, new: 1 })
  await client('PUT', `${epics}/${epic.body.data.externalKey}`, { json: { tags: '["new","Néw"]' } })
  expect(Object.fromEntries(await listTags(world))).toEqual({ dark: 1, mobile: 2, new: 1 })
  await client('DELETE', `/api/feedback-items/${second.external_key}`)
  expect(Object.fromEntries(await listTags(world))).toEqual({ dark: 1, mobile: 1, new: 1 })
  await client('POST', `/api/feedback-items/${second.external_key}/restore`)
  expect(Object.fromEntries(await listTags(world))).toEqual({ dark: 1, mobile: 2, new: 1 })
})

test('a merge moves each record once and removes the merged tag', async () => {
  const world = await createWorkspace()
  const both = await createIdea(world, ['One', 'Two'])
  const one = await createIdea(world, ['One'])
  const { body } = await world.client<Tag[]>('GET', pathOf(world))
  const [first, second] = body.data as [Tag, Tag]
  const merge = `${pathOf(world)}/${first.id}/merge`
  for (const into of [first.id, 999_999]) {
    const refused = await world.client('POST', merge, { json: { into } })
    expect(refused.body.error?.issues.map(({ path }) => path)).toEqual(['/into'])
  }
  const stranger = await createWorkspace()
  await createIdea(stranger, ['Theirs'])
  const theirs = (await stranger.client<Tag[]>('GET', pathOf(stranger))).body.data[0] as Tag
  expect((await world.client('POST', merge, { json: { into: theirs.id } })).status).toBe(400)
  const merged = await world.client<Tag>('POST', merge, { json: { into: second.id } })
  expect(merged.body.data).toMatchObject({ slug: 'two', usageCount: 2 })
  expect(await listTags(world)).toEqual([['two', 2]])
  for (const { external_key } of [both, one]) {
    const found = await world.client<{ tags: { slug: string }[] }>('GET', `/api/feedback-items/${external_key}`)
    expect(found.body.data.tags.map(({ slug }) => slug)).toEqual(['two'])
  }
})

test('a removed tag disappears from ideas and returns when it is restored', async () => {
  const world = await createWorkspace()
  const { external_key } = await createIdea(world, ['Gone'])
  const { id } = (await world.client<Tag[]>('GET', pathOf(world))).body.data[0] as Tag
  const shown = async () =>
    (await world.client<{ tags: { slug: string }[] }>('GET', `/api/feedback-items/${external_key}`)).body.data.tags
      .length
  await world.client('DELETE', `${pathOf(world)}/${id}`)
  expect(await shown()).toBe(0)
  await world.client('POST', `${pathOf(world)}/${id}/restore`)
  expect(await shown()).toBe(1)
  expect(await listTags(world)).toEqual([['gone', 1]])
})
