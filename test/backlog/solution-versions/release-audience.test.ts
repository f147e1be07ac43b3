import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'
const at = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}`

async function createVersion(world: Workspace) {
  const { client } = world
  const epic = (
    await client<{ externalKey: string; epicId: number }>('POST', `${at(world)}/epics`, {
      json: { summary: 'Work in tunnels' },
    })
  ).body.data
  const feature = (
    await client<{ externalKey: string }>('POST', `${at(world)}/features`, {
      json: { summary: 'Queue', epicId: epic.epicId },
    })
  ).body.data
  const version = await client<{ externalKey: string }>('POST', `${at(world)}/solution-versions`, {
    json: { name: 'Spring', items: [epic.externalKey] },
  })
  return { epic: epic.externalKey, feature: feature.externalKey, version: version.body.data.externalKey }
}

async function createIdea({ client, product }: Workspace, title: string, item: string) {
  const { body } = await client<{ external_key: string }>('POST', IDEAS, {
    json: { title, product: product.externalKey, user: { email: 'author@example.com' } },
  })
  const key = body.data.external_key
  expect((await client('POST', `${IDEAS}/${key}/link`, { json: { workItem: item } })).status).toBe(200)
  return key
}
const vote = ({ client }: Workspace, key: string, email: string) =>
  client('POST', `${IDEAS}/${key}/vote`, { json: { type: 'up', email } })
const readAudience = (world: Workspace, version: string) =>
  world.client('GET', `${at(world)}/solution-versions/${version}/release/audience`)

test('the audience of a release counts each follower of its ideas once, in one round trip', async () => {
  const world = await createWorkspace()
  const { epic, feature, version } = await createVersion(world)
  expect((await readAudience(world, version)).body.data).toMatchObject({ recipients: 0, ideas: 0, isComplete: true })
  const [dark, quiet] = [await createIdea(world, 'Dark mode', epic), await createIdea(world, 'Quiet mode', feature)]
  for (const idea of [dark, quiet]) await vote(world, idea, 'voter@example.com')
  await vote(world, quiet, 'bounced@example.com')
  await world.client('POST', `${IDEAS}/${quiet}/vote`, { json: { type: 'up' } })
  await world.client('POST', '/api/v2/suppressions', { json: { email: 'bounced@example.com' } })
  const reply = await readAudience(world, version)
  expect([reply.status, reply.cost.roundTrips]).toEqual([200, 1])
  expect(reply.body.data).toEqual({
    recipients: 2,
    followers: 3,
    stopped: 0,
    suppressed: 1,
    ideas: 2,
    isComplete: true,
  })
})

test('the audience of a release leaves out removed ideas and ideas of other items', async () => {
  const world = await createWorkspace()
  const { epic, version } = await createVersion(world)
  const { client } = world
  const other = await client<{ externalKey: string }>('POST', `${at(world)}/epics`, { json: { summary: 'Elsewhere' } })
  await createIdea(world, 'Elsewhere', other.body.data.externalKey)
  const removed = await createIdea(world, 'Removed', epic)
  await client('DELETE', `${IDEAS}/${removed}`)
  expect((await readAudience(world, version)).body.data).toMatchObject({ recipients: 0, ideas: 0 })
})

test('the audience of an unknown version, and of another workspace, is a 404', async () => {
  const world = await createWorkspace()
  const other = await createWorkspace()
  const { version } = await createVersion(other)
  expect((await readAudience(world, version)).status).toBe(404)
  const foreign = await world.client('GET', `${at(other)}/solution-versions/${version}/release/audience`)
  expect(foreign.status).toBe(404)
})
