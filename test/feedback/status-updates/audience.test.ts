import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'

const createIdea = async ({ client, product }: Workspace) =>
  (
    await client<{ external_key: string }>('POST', IDEAS, {
      json: { title: 'Dark mode', product: product.externalKey, user: { email: 'author@example.com' } },
    })
  ).body.data.external_key
const vote = ({ client }: Workspace, key: string, email: string, type = 'up') =>
  client('POST', `${IDEAS}/${key}/vote`, { json: { type, email } })
const person = (email: string) => ({ id: expect.any(Number), firstName: '', lastName: '', email })
const readAudience = ({ client }: Workspace, key: string) => client('GET', `${IDEAS}/${key}/status-updates/audience`)

test('the audience of a status update counts the followers without the caller, in one round trip', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  await vote(world, key, 'voter@example.com')
  await vote(world, key, 'against@example.com', 'down')
  await world.client('POST', `${IDEAS}/${key}/vote`, { json: { type: 'up' } })
  const reply = await readAudience(world, key)
  expect([reply.status, reply.cost.roundTrips]).toEqual([200, 1])
  expect(reply.body.data).toEqual({
    ...{ recipients: 2, followers: 2, stopped: 0, suppressed: 0, isComplete: true },
    people: ['author@example.com', 'voter@example.com'].map((email) => person(email)),
    reply: { author: person('author@example.com'), nobodyBecause: null },
  })
  await vote(world, key, 'voter@example.com', 'none')
  expect((await readAudience(world, key)).body.data).toMatchObject({ recipients: 1, followers: 1 })
})

test('the audience of a status update names the followers who get no mail', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  await vote(world, key, 'bounced@example.com')
  await world.client('POST', '/api/v2/suppressions', { json: { email: 'bounced@example.com' } })
  expect((await readAudience(world, key)).body.data).toEqual({
    ...{ recipients: 1, followers: 2, stopped: 0, suppressed: 1, isComplete: true },
    people: [person('author@example.com')],
    reply: { author: person('author@example.com'), nobodyBecause: null },
  })
})

test('the audience of a status update names the first 20 people', async () => {
  const world = await createWorkspace()
  const key = await createIdea(world)
  for (let n = 0; n < 21; n++) await vote(world, key, `voter-${n}@example.com`)
  const { recipients, people } = (await readAudience(world, key)).body.data as { recipients: number; people: unknown[] }
  expect([recipients, people.length]).toEqual([22, 20])
  expect(people.at(-1)).toEqual(person('voter-18@example.com'))
})

test('the audience of an unknown item is a 404', async () => {
  const reply = await readAudience(await createWorkspace(), 'IDEA-9')
  expect([reply.status, reply.body.error?.code]).toEqual([404, 'feedback_item_not_found'])
})
