import { expect, test } from 'vitest'
import { call } from '../client'
import { readClock } from '../clock'
import { createWorkspace, type Workspace } from '../factories'

interface Item {
  id: number
  type: string
  externalKey: string
  productKey: string
  summary: string
  feedbackKey: string
  userId: number
  text: string
  deletedAt?: string | null
}

const IDEAS = '/api/feedback-items'

async function createProducts() {
  const here = await createWorkspace()
  const { body } = await here.client<Item>('POST', '/api/initiatives', { json: { name: 'Apollo' } })
  const apollo = body.data
  return { ...here, apollo, limited: await here.key({ products: [apollo.id] }) }
}

const createIdea = async ({ client }: Pick<Workspace, 'client'>, product: string) => {
  const { body } = await client<{ external_key: string }>('POST', IDEAS, { json: { title: 'An idea', product } })
  return body.data.external_key
}

const list = async (path: string, apiKey: string) => {
  const { status, body, cost } = await call<Item[]>('GET', path, { apiKey })
  expect({ path, status, roundTrips: cost.roundTrips }).toEqual({ path, status: 200, roundTrips: 1 })
  return body.data
}

test('lists the work items of all products, of the products of the key, and of this workspace only', async () => {
  const { client, product, apollo, key, limited } = await createProducts()
  for (const { externalKey } of [product, apollo]) {
    await client('POST', `/api/initiatives/${externalKey}/epics`, { json: { summary: `Epic of ${externalKey}` } })
  }
  const made = await client<Item>('POST', `/api/initiatives/${apollo.externalKey}/storyMap/card`, {
    json: { summary: 'Story', progress: 'in-progress', attributes: { plan: 'pro' } },
  })
  const story = made.body.data.externalKey
  const apiKey = await key()
  const summaries = async (query = '', by = apiKey) =>
    (await list(`/api/v2/work-items?sort=createdAt${query}`, by)).map(({ summary }) => summary)
  const [ofTest, ofApollo] = [`Epic of ${product.externalKey}`, `Epic of ${apollo.externalKey}`]
  expect(await summaries()).toEqual([ofTest, ofApollo, 'Story'])
  expect(await summaries('', limited)).toEqual([ofApollo, 'Story'])
  expect(await summaries('&type=epic')).toEqual([ofTest, ofApollo])
  expect(await summaries('&type=epic,feature', limited)).toEqual([ofApollo])
  expect(await summaries('&progress=in-progress')).toEqual(['Story'])
  expect(await summaries('&attributes.plan=pro')).toEqual(['Story'])
  expect(await summaries(`&product=${product.externalKey}`)).toEqual([ofTest])
  expect(await summaries('', await (await createWorkspace()).key())).toEqual([])
  const unknown = await call('GET', `/api/v2/work-items?product=${product.externalKey}`, { apiKey: limited })
  expect(unknown.status).toBe(400)
  expect((await call('GET', '/api/v2/work-items', { apiKey: await key({ scopes: ['feedback:read'] }) })).status).toBe(
    403,
  )

  const [listed] = await list('/api/v2/work-items?type=userstory', apiKey)
  const single = `/api/initiatives/${apollo.externalKey}/storyMap/card`
  const [same] = await list(single, apiKey)
  expect(listed).toEqual({ ...same, productId: apollo.id, productKey: apollo.externalKey })

  await client('DELETE', `/api/initiatives/${apollo.externalKey}/storyMap/card/${story}`)
  expect(await summaries()).toEqual([ofTest, ofApollo])
  expect(await summaries('&removed=only', limited)).toEqual(['Story'])
  await client('DELETE', `/api/initiatives/${apollo.externalKey}`)
  expect(await summaries('&removed=include')).toEqual([ofTest])
})

test('lists the votes on the visible ideas of all products', async () => {
  const here = await createProducts()
  const { client, product, apollo, key, limited, userId } = here
  const [first, second, removed, merged] = [
    await createIdea(here, product.externalKey),
    await createIdea(here, apollo.externalKey),
    await createIdea(here, apollo.externalKey),
    await createIdea(here, apollo.externalKey),
  ]
  for (const idea of [first, second, removed, merged]) {
    await client('POST', `${IDEAS}/${idea}/vote`, { json: { type: 'up' } })
  }
  await client('POST', `${IDEAS}/${second}/vote`, { json: { type: 'down', email: 'ada@example.com' } })
  await client('DELETE', `${IDEAS}/${removed}`)
  await client('POST', `${IDEAS}/${merged}/merge`, { json: { into: first } })
  const apiKey = await key()
  const votes = async (query = '', by = apiKey) =>
    (await list(`/api/v2/votes?sort=createdAt${query}`, by)).map(({ feedbackKey, type }) => `${feedbackKey} ${type}`)
  expect(await votes()).toEqual([`${first} up`, `${second} up`, `${second} down`])
  expect(await votes('', limited)).toEqual([`${second} up`, `${second} down`])
  expect(await votes('&type=down')).toEqual([`${second} down`])
  expect(await votes(`&feedback=${first}`)).toEqual([`${first} up`])
  expect(await votes(`&userId=${userId}`)).toEqual([`${first} up`, `${second} up`])
  expect(await votes(`&updatedSince=${new Date(readClock() + 60_000).toISOString()}`)).toEqual([])
  expect(await votes('', await (await createWorkspace()).key())).toEqual([])
  for (const idea of [first, merged, 'IDEA-99'])
    expect((await call('GET', `/api/v2/votes?feedback=${idea}`, { apiKey: limited })).status).toBe(400)

  const [vote] = await list('/api/v2/votes?type=up&limit=1', apiKey)
  expect(vote).toEqual({ feedbackKey: second, userId, type: 'up', createdAt: expect.any(String) })
  await client('POST', `${IDEAS}/${second}/vote`, { json: { type: 'none' } })
  expect(await votes('&type=up')).toEqual([`${first} up`])
})

test('lists the comments that the lists of the visible ideas show', async () => {
  const here = await createProducts()
  const { client, product, apollo, key, limited, userId } = here
  const [first, second, removed] = [
    await createIdea(here, product.externalKey),
    await createIdea(here, apollo.externalKey),
    await createIdea(here, apollo.externalKey),
  ]
  const say = async (idea: string, text: string, isPrivate = false) => {
    const sent = { json: { text: `<p>${text}</p>`, isPrivate } }
    return (await client<Item>('POST', `${IDEAS}/${idea}/comments`, sent)).body.data.id
  }
  await say(first, 'One')
  const answered = await say(second, 'Two')
  await client('POST', `${IDEAS}/comments/${answered}/reply`, { json: { text: '<p>Three</p>' } })
  await say(second, 'Secret', true)
  await say(removed, 'Gone')
  await client('DELETE', `${IDEAS}/${removed}`)
  await client('DELETE', `${IDEAS}/comments/${answered}`)
  const apiKey = await key()
  const { body } = await client<Item>('POST', '/api/v2/users', { json: { email: 'grace@example.com' } })
  const another = await key({ userId: body.data.id, scopes: ['feedback:read'] })
  const texts = async (query = '', by = apiKey) =>
    (await list(`/api/v2/comments?sort=createdAt${query}`, by)).map(({ text }) => text.replace(/<\/?p>/g, ''))
  expect(await texts()).toEqual(['One', '', 'Three', 'Secret'])
  expect(await texts('', another)).toEqual(['One', '', 'Three'])
  expect(await texts('', limited)).toEqual(['', 'Three', 'Secret'])
  expect(await texts(`&feedback=${first}`)).toEqual(['One'])
  expect(await texts(`&userId=${userId}`, another)).toEqual(['One', '', 'Three'])
  expect(await texts(`&userId=${body.data.id}`)).toEqual([])
  expect(await texts('', await (await createWorkspace()).key())).toEqual([])
  expect((await call('GET', `/api/v2/comments?feedback=${first}`, { apiKey: limited })).status).toBe(400)
  for (const by of [apiKey, another])
    expect(await list(`/api/v2/comments?feedback=${second}&sort=createdAt`, by)).toEqual(
      await list(`${IDEAS}/${second}/comments`, by),
    )
})
