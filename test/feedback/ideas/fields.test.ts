import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { fileForm, PIXEL_PNG } from '../../world'

interface Item {
  id: number
  external_key: string
  slug: string
  title: string
  type: string
  user_id: number
  category_id: number
  collections: string[]
  cover_photos: number[]
  cover_photo_url: string
  attributes: Record<string, unknown>
}

const PATH = '/api/feedback-items'

const postIdea = ({ client, product }: Workspace, body: object) =>
  client<Item>('POST', PATH, { json: { product: product.externalKey, ...body } })
const expectCreated = async (here: Workspace, body: object) => {
  const answer = await postIdea(here, body)
  expect(answer.body).toMatchObject({ success: true })
  return answer.body.data
}
const listIdeas = async ({ client }: Pick<Workspace, 'client'>, query: Record<string, string>, apiKey?: string) =>
  client<Item[]>('GET', `${PATH}?${new URLSearchParams(query)}`, apiKey ? { apiKey } : {})
const listTitles = async (...asked: Parameters<typeof listIdeas>) =>
  (await listIdeas(...asked)).body.data.map(({ title }) => title).toSorted()

const uploadPhoto = async ({ client, product }: Workspace, content: string | Uint8Array<ArrayBuffer> = PIXEL_PNG) => {
  const path = `/api/initiatives/${product.externalKey}/assets`
  return (await client<{ id: number }>('POST', path, { raw: fileForm('file', content, 'a.png') })).body.data.id
}

const listEvents = async ({ subscriptionId }: Workspace, type: string) =>
  (
    await env.DB.prepare('SELECT data, previous FROM log WHERE subscription_id = ? AND type = ? ORDER BY id')
      .bind(subscriptionId, type)
      .all<{ data: string; previous: string | null }>()
  ).results.map(({ data, previous }) => ({ data: JSON.parse(data), previous: previous && JSON.parse(previous) }))

test('an item keeps collections, cover photos and attributes, and the event shows their changes', async () => {
  const here = await createWorkspace()
  const [first, second] = [await uploadPhoto(here), await uploadPhoto(here)]
  const path = (id: number) => `/api/initiatives/${here.product.externalKey}/assets/${id}/download`
  const item = await expectCreated(here, {
    title: 'Dark mode',
    collections: [' Night ', 'Theme', 'Night'],
    cover_photos: [second, first, second],
    attributes: { plan: 'pro', seats: 12, beta: true, gone: null },
  })
  expect(item).toMatchObject({
    collections: ['Night', 'Theme'],
    cover_photos: [second, first],
    cover_photo_url: `${path(second)},${path(first)}`,
    attributes: { plan: 'pro', seats: 12, beta: true },
  })
  const download = await send('GET', path(first), { apiKey: await here.key() })
  expect([download.response.status, download.response.headers.get('content-type')]).toEqual([200, 'image/png'])
  await download.response.arrayBuffer()

  const at = `${PATH}/${item.external_key}`
  const changed = await here.client<Item>('PUT', at, {
    json: { collections: [], cover_photos: [first], attributes: { plan: 'free' } },
  })
  expect(changed.body.data).toMatchObject({
    ...{ collections: [], cover_photos: [first], cover_photo_url: path(first), attributes: { plan: 'free' } },
  })
  expect(changed.cost.roundTrips).toBe(1)
  const [event] = await listEvents(here, 'feedback.updated')
  // The names of users are added when the log is read.
  const now = (await here.client<Item>('GET', at)).body.data
  expect({ ...event?.data, user: null }).toEqual({ ...now, user: null })
  expect(event?.previous).toEqual({
    ...{ collections: ['Night', 'Theme'], cover_photos: [second, first], attributes: item.attributes },
  })
  await here.client('PUT', at, { json: { collections: [], cover_photos: [first], attributes: { plan: 'free' } } })
  expect(await listEvents(here, 'feedback.updated')).toHaveLength(1)

  await here.client('DELETE', path(first).replace('/download', ''))
  expect((await here.client<Item>('GET', at)).body.data.cover_photo_url).toBe('')
})

test('invalid values of an item are all listed, and nothing is stored', async () => {
  const here = await createWorkspace()
  const stranger = await createWorkspace()
  const foreign = await uploadPhoto(stranger)
  const svg = await uploadPhoto(here, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const gone = await uploadPhoto(here)
  await here.client('DELETE', `/api/initiatives/${here.product.externalKey}/assets/${gone}`)
  const refused = async (body: object, apiKey?: string) => {
    const json = { product: here.product.externalKey, title: 'No', ...body }
    const { status, body: reply } = await here.client<never>('POST', PATH, { json, ...(apiKey && { apiKey }) })
    expect(status).toBe(400)
    return reply.error?.issues.map(({ path }) => path)
  }
  expect(await refused({ cover_photos: [foreign, svg, gone, 999_999] })).toEqual([
    ...['/cover_photos/0', '/cover_photos/1', '/cover_photos/2', '/cover_photos/3'],
  ])
  const other = await here.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const beyond = await here.key({ products: [here.product.id] })
  const elsewhere = { ...here, product: other.body.data as never }
  const theirs = await uploadPhoto(elsewhere)
  expect(await refused({ cover_photos: [theirs] }, beyond)).toEqual(['/cover_photos/0'])
  expect(
    await refused({
      collections: [''],
      cover_photos: ['1', -1],
      attributes: { list: [1] },
    }),
  ).toEqual(['/collections/0', '/cover_photos/0', '/cover_photos/1', '/attributes'])
  expect(await refused({ attributes: JSON.parse('{"__proto__": 1}') })).toEqual(['/attributes/__proto__'])
  expect(await refused({ attributes: { long: 'x'.repeat(1_001) } })).toEqual(['/attributes'])
  expect(await refused({ attributes: 'plan' })).toEqual(['/attributes'])
  expect(await refused({ title: 'x'.repeat(1_000_000) })).toEqual(['/title'])
  expect((await listIdeas(here, {})).body.data).toEqual([])

  // The URL of a cover photo reveals a file of a different product, so a limited key gets no URL.
  const item = await expectCreated(here, { title: 'Photo', cover_photos: [theirs] })
  expect(item.cover_photo_url).not.toBe('')
  const seen = await here.client<Item>('GET', `${PATH}/${item.external_key}`, { apiKey: beyond })
  expect(seen.body.data.cover_photo_url).toBe('')
})

test('a slug survives a new title, and a replaced slug still finds its item alone', async () => {
  const here = await createWorkspace()
  const item = await expectCreated(here, { title: 'Dark mode' })
  const at = `${PATH}/${item.external_key}`
  const put = (json: object, apiKey?: string) => here.client<Item>('PUT', at, { json, ...(apiKey && { apiKey }) })
  const found = async (slug: string) => (await listIdeas(here, { slug })).body.data.map(({ id }) => id)
  expect((await put({ title: 'Something else' })).body.data.slug).toBe('dark-mode')
  const changed = await put({ slug: 'A Theme for the Night!' })
  expect([changed.body.data.slug, changed.cost.roundTrips]).toEqual(['a-theme-for-the-night', 1])
  expect([await found('dark-mode'), await found('a-theme-for-the-night')]).toEqual([[item.id], [item.id]])
  const [, event] = await listEvents(here, 'feedback.updated')
  expect(event?.previous).toEqual({ slug: 'dark-mode' })

  const second = await expectCreated(here, { title: 'Dark mode' })
  expect(second.slug).toBe(`dark-mode_${second.external_key.slice('IDEA-'.length)}`)
  for (const slug of ['dark-mode', 'A theme for the night']) {
    const taken = await here.client('PUT', `${PATH}/${second.external_key}`, { json: { slug } })
    expect([taken.status, taken.body.error?.code]).toEqual([409, 'conflict'])
  }
  const count = (await listEvents(here, 'feedback.updated')).length
  await put({ slug: 'a-theme-for-the-night' })
  expect(await listEvents(here, 'feedback.updated')).toHaveLength(count)
  expect((await put({ slug: 'Dark mode' })).body.data.slug).toBe('dark-mode')
  expect([await found('dark-mode'), await found('a-theme-for-the-night')]).toEqual([[item.id], [item.id]])

  const limited = await here.key({ products: [here.product.id] })
  const closed = await put({ slug: 'mine' }, limited)
  expect([closed.status, closed.body.message]).toEqual([403, expect.stringContaining('/slug')])
  for (const slug of ['!!!', '夜间', '🎈']) {
    const { body } = await put({ slug })
    expect([slug, body.success, await found(body.data.slug)]).toEqual([slug, true, [item.id]])
  }
  for (const slug of ['', ' ', 'x'.repeat(201)]) expect([slug, (await put({ slug })).status]).toEqual([slug, 400])
  await here.client('DELETE', at)
  expect(await found('dark-mode')).toEqual([])
})

test('the list filters by words, product, category, tag, author and type, alone and combined', async () => {
  const here = await createWorkspace()
  const other = (
    await here.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', { json: { name: 'O' } })
  ).body.data
  const categories = `${PATH}/categories`
  const category = (await here.client<{ id: number; slug: string }>('POST', categories, { json: { name: 'Look' } }))
    .body.data
  const user = { email: 'ada@example.com', name: 'Ada' }
  await expectCreated(here, { title: 'Dark mode', tags: ['UI'], category_id: category.id, user })
  await expectCreated(here, {
    title: 'It crashes',
    type: 'issue',
    long_description: '<p>at night</p>',
    user,
    is_anonymous: true,
  })
  await expectCreated(here, {
    title: 'Export',
    product: other.externalKey,
    tags: ['ui'],
    target_audience: 'Night owls',
  })
  const ada = (await listIdeas(here, { q: 'dark' })).body.data[0]?.user_id ?? 0
  const cases: [Record<string, string>, string[]][] = [
    [{ q: 'night' }, ['Export', 'It crashes']],
    [{ q: 'NIG owl' }, ['Export']],
    [{ q: '"' }, []],
    [{ q: 'IDEA-1' }, ['Dark mode']],
    [{ product: other.externalKey }, ['Export']],
    [{ category: String(category.id) }, ['Dark mode']],
    [{ category: category.slug }, ['Dark mode']],
    [{ tag: 'ui' }, ['Dark mode', 'Export']],
    [{ tag: ' UI!' }, ['Dark mode', 'Export']],
    [{ tag: 'x' }, []],
    [{ author: String(ada) }, ['Dark mode']],
    [{ author: String(here.userId) }, ['Export']],
    [{ type: 'issue' }, ['It crashes']],
    [{ type: 'idea', tag: 'ui', q: 'dark', author: String(ada), product: here.product.externalKey }, ['Dark mode']],
  ]
  for (const [query, expected] of cases) expect([query, await listTitles(here, query)]).toEqual([query, expected])
  for (const query of ['product=NO-PE', 'category=none', 'category=0', 'author=9999999', 'status=none', 'type=idea,x'])
    expect([query, (await here.client('GET', `${PATH}?${query}`)).status]).toEqual([query, 400])

  const limited = await here.key({ products: [other.id] })
  expect(await listTitles(here, { q: 'night' }, limited)).toEqual(['Export'])
  expect(await listTitles(here, { tag: 'ui' }, limited)).toEqual(['Export'])
  expect((await listIdeas(here, { product: here.product.externalKey }, limited)).status).toBe(400)
  expect(await listTitles(await createWorkspace(), { q: 'night' })).toEqual([])
  for (const query of [{ author: 'ada' }, { type: 'wish' }, { q: 'x'.repeat(501) }] as Record<string, string>[]) {
    expect([query, (await listIdeas(here, query)).status]).toEqual([query, 400])
  }
})

runtimeTest('a filter without an index looks at 10,000 items per page, even for a limited key', async () => {
  const here = await createWorkspace()
  const { subscriptionId, product, userId } = here
  const other = (await here.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'O' } })).body.data.id
  const rare = await expectCreated(here, { title: 'Rare', type: 'issue', tags: ['rare'] })
  const numbers = JSON.stringify(Array.from({ length: 12_000 }, (_, n) => n + 1_000))
  await env.DB.prepare(`INSERT INTO feedback_items (subscription_id, product_id, external_key, slug, title, user_id, created_at, updated_at)
    SELECT ?1, CASE value % 2 WHEN 0 THEN ?2 ELSE ?3 END, 'IDEA-' || value, 's' || value, 'x', ?4, ?5 + value, 0 FROM json_each(?6)`)
    .bind(subscriptionId, product.id, other, userId, readClock(), numbers)
    .run()
  const limited = await here.key({ products: [product.id, other] })
  for (const [query, apiKey] of [
    ['type=issue', limited],
    ['tag=rare', limited],
    ['tag=rare', undefined],
  ] as const) {
    const options = apiKey ? { apiKey } : {}
    const first = await here.client<Item[]>('GET', `${PATH}?${query}&limit=5`, options)
    expect([query, first.body.data]).toEqual([query, []])
    expect(first.cost.rowsRead).toBeLessThan(45_000)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await here.client<Item[]>('GET', next, options)
    expect([query, second.body.data.map(({ id }) => id), second.headers.get('link')]).toEqual([query, [rare.id], null])
  }
  // A filter by a single product needs no range for each product of the key.
  const own = await here.client<Item[]>('GET', `${PATH}?product=${product.externalKey}&limit=5`, { apiKey: limited })
  expect([own.body.data.length, own.cost.rowsRead < 60]).toEqual([5, true])
})

test("similar items share words with the title, best first, within the key's products", async () => {
  const here = await createWorkspace()
  const { client } = here
  const item = await expectCreated(here, { title: 'A "dark" mode for (the) night, NEAR* and OR' })
  const best = await expectCreated(here, { title: 'Dark mode for the night' })
  const describedIdea = await expectCreated(here, { title: 'Theme', long_description: '<p>dark</p>' })
  await expectCreated(here, { title: 'Unrelated' })
  const gone = await expectCreated(here, { title: 'Dark mode' })
  await client('DELETE', `${PATH}/${gone.external_key}`)
  const other = (await client<{ id: number; externalKey: string }>('POST', '/api/initiatives', { json: { name: 'O' } }))
    .body.data
  const beyond = await expectCreated(here, { title: 'Dark night', product: other.externalKey })
  const similar = (key: string, query = '', apiKey?: string) =>
    client<Item[]>('GET', `${PATH}/${key}/similar${query}`, apiKey ? { apiKey } : {})
  const answer = await similar(item.external_key)
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  const keys = answer.body.data.map(({ external_key }) => external_key)
  expect(keys[0]).toBe(best.external_key)
  expect(keys.toSorted()).toEqual([best, describedIdea, beyond].map(({ external_key }) => external_key).toSorted())
  const { data } = (await client<object>('GET', `${PATH}/${best.external_key}`)).body
  expect(answer.body.data[0]).toEqual({ ...data, new_voters: 0 })
  expect((await similar(item.external_key, '?limit=1')).body.data).toHaveLength(1)
  const limited = await here.key({ products: [here.product.id] })
  const own = (await similar(item.external_key, '', limited)).body.data.map(({ external_key }) => external_key)
  expect(own).not.toContain(beyond.external_key)
  for (const title of ['Go UI', '!!!', '"', '🎈', 'x'.repeat(500), '-- ; ( ) * ^', '夜间模式']) {
    const odd = await expectCreated(here, { title })
    const { status, body } = await similar(odd.external_key)
    expect([title, status, body.data]).toEqual([title, 200, []])
  }
  expect((await similar(gone.external_key)).status).toBe(404)
  expect((await similar(beyond.external_key, '', limited)).status).toBe(404)
})

test('a similar item counts the voters whom the item would gain by a merge', async () => {
  const here = await createWorkspace()
  const item = await expectCreated(here, { title: 'Dark mode' })
  const other = await expectCreated(here, { title: 'Dark mode at night' })
  const vote = (key: string, email: string, type: string) =>
    here.client('POST', `${PATH}/${key}/vote`, { json: { type, email } })
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await vote(other.external_key, email, 'up')
  await vote(other.external_key, 'd@example.com', 'down')
  await vote(item.external_key, 'a@example.com', 'up')
  await vote(item.external_key, 'b@example.com', 'down')
  const answer = await here.client<{ new_voters: number }[]>('GET', `${PATH}/${item.external_key}/similar`)
  expect(answer.body.data.map(({ new_voters }) => new_voters)).toEqual([1])
})
