import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { fileForm, PIXEL_PNG } from '../../world'

interface Result {
  index: number
  op: string
  success: boolean
  id?: number
  externalKey?: string
  message?: string
  issues?: { path: string; code: string }[]
}
interface BulkReply {
  results: Result[]
  totals: { created: number; updated: number; deleted: number; failed: number }
}
type Item = Record<string, unknown> & { slug: string; user_id: number; external_key: string }

const PATH = '/api/feedback-items'

const bulkCreate = ({ client }: Pick<Workspace, 'client'>, items: unknown, query = '', options: object = {}) =>
  client<BulkReply>('POST', `${PATH}/bulk-create${query}`, { json: items, ...options })
const listIdeas = async ({ client }: Workspace) => (await client<Item[]>('GET', `${PATH}?sort=createdAt`)).body.data
const countRows = async ({ subscriptionId }: Workspace, table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`)
    .bind(subscriptionId)
    .first('n')) as number

test('items are created in one round trip as single requests create them, with an event for each', async () => {
  const here = await createWorkspace()
  const product = here.product.externalKey
  const assets = `/api/initiatives/${product}/assets`
  const photo = (await here.client<{ id: number }>('POST', assets, { raw: fileForm('file', PIXEL_PNG, 'a.png') })).body
    .data.id
  const category = (await here.client<{ id: number }>('POST', `${PATH}/categories`, { json: { name: 'Look' } })).body
    .data.id
  const rich = {
    ...{ title: 'Dark mode 🎈', product, type: 'issue', category_id: category, target_audience: 'All' },
    ...{ value_proposition: 'Less glare', long_description: '<p onclick="x()">Hi</p><script>x()</script>' },
    ...{
      tags: ['UI', 'ui', ' C# '],
      collections: ['Night'],
      cover_photos: [photo],
      attributes: { plan: 'pro', n: 7.5 },
    },
    user: { email: ' Ada@Example.com', name: 'Ada' },
  }
  const hidden = {
    title: 'Dark mode 🎈',
    product,
    is_anonymous: true,
    user: { email: 'otto@example.com', name: 'Otto' },
  }
  const least = { title: 'Dark mode 🎈', product }
  const answer = await bulkCreate(here, [rich, hidden, least])
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  const { results, totals } = answer.body.data
  expect(totals).toEqual({ created: 3, updated: 0, deleted: 0, failed: 0 })
  expect(results.map(({ op, success, externalKey }) => [op, success, externalKey])).toEqual(
    [1, 2, 3].map((n) => ['create', true, `IDEA-${n}`]),
  )
  const made = await listIdeas(here)
  expect(made.map(({ slug }) => slug)).toEqual(['dark-mode', 'dark-mode_2', 'dark-mode_3'])
  // A bulk creates the same record as a single POST.
  const alone = (
    await here.client<Item>('POST', PATH, { json: { ...rich, title: 'Another', user: { email: 'ada@example.com' } } })
  ).body.data
  const changing = { id: 0, external_key: '', slug: '', title: '', created_at: '', updated_at: '' }
  expect({ ...made[0], ...changing }).toEqual({ ...alone, ...changing })
  expect(alone.slug).toBe('another')
  expect((await bulkCreate(here, [{ title: 'Fresh', product }])).body.data.totals.created).toBe(1)
  expect((await listIdeas(here)).at(-1)?.slug).toBe('fresh')
  expect(made[1]).toMatchObject({ user_id: 0, is_anonymous: true, user: { email: '' } })
  expect(made[2]).toMatchObject({ user_id: here.userId, tags: [], collections: [] })

  const { results: events } = await env.DB.prepare(
    "SELECT resource_key, data, actor_user_id FROM log WHERE subscription_id = ? AND type = 'feedback.created' ORDER BY id LIMIT 3",
  )
    .bind(here.subscriptionId)
    .all<{ resource_key: string; data: string; actor_user_id: number | null }>()
  expect(events.map(({ resource_key }) => resource_key)).toEqual(['IDEA-1', 'IDEA-2', 'IDEA-3'])
  expect(events.map(({ actor_user_id }) => actor_user_id)).toEqual([here.userId, null, here.userId])
  for (const [n, { data }] of events.entries()) {
    expect({ ...JSON.parse(data), user: null }).toEqual({ ...made[n], user: null })
  }
  expect(await countRows(here, 'feedback_bulk')).toBe(0)
})

test('an invalid item is reported and does not affect other items', async () => {
  const here = await createWorkspace()
  const stranger = await createWorkspace()
  const product = here.product.externalKey
  const gone = (await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'gone@example.com' } }))
    .body.data.id
  await here.client('DELETE', `/api/v2/users/${gone}`)
  const items = [
    { title: 'Good', product },
    { title: '', product },
    { title: 'x'.repeat(1_000_000), product },
    { title: 'No product' },
    { title: 'Theirs', product: stranger.product.externalKey },
    { title: 'Nothing there', product, category_id: 999, cover_photos: [1, 2] },
    { title: 'Gone', product, user: { email: 'gone@example.com' } },
    { title: 'Deep', product, long_description: `${'<div>'.repeat(200)}x` },
    'text',
    null,
    [],
    { product: 7 },
    { title: '=1+1', product, type: 'wish', attributes: { a: {} }, tags: [''] },
    { title: 'Good again', product },
  ]
  const { status, body, cost } = await bulkCreate(here, items)
  expect([status, cost.roundTrips]).toEqual([200, 2])
  expect(body.data.totals).toEqual({ created: 2, updated: 0, deleted: 0, failed: 12 })
  const paths = body.data.results.map(({ issues = [] }) => issues.map(({ path }) => path))
  expect(paths).toEqual([
    ...[[], ['/title'], ['/title'], ['/product'], ['/product']],
    ['/cover_photos/0', '/cover_photos/1', '/category_id'],
    ...[['/user/email'], ['/long_description'], [''], [''], [''], ['/title', '/product']],
    ['/type', '/tags/0', '/attributes'],
    [],
  ])
  expect((await listIdeas(here)).map(({ title }) => title)).toEqual(['Good', 'Good again'])

  const before = await countRows(here, 'log')
  const atomic = await bulkCreate(here, items, '?atomic=true')
  expect([atomic.status, atomic.body.error?.code]).toEqual([400, 'bulk_rejected'])
  expect(atomic.body.error?.issues[0]).toMatchObject({ path: '/1/title' })
  const dry = await bulkCreate(here, items, '?dryRun=true')
  expect(dry.body.data.totals).toEqual(body.data.totals)
  expect(dry.body.data.results[0]).toEqual({ index: 0, op: 'create', success: true })
  expect([
    await countRows(here, 'log'),
    (await listIdeas(here)).length,
    await countRows(here, 'feedback_bulk'),
  ]).toEqual([before, 2, 0])
  const proto = JSON.parse('[{"__proto__": {"title": "x"}}]')
  for (const wrong of [proto, [], {}, 'x', Array(1_001).fill({ title: 'x', product })]) {
    expect((await bulkCreate(here, wrong)).status).toBe(400)
  }
})

test('a key that is limited to products creates items in its products and no members', async () => {
  const here = await createWorkspace()
  const { product } = here
  const other = (await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'O' } })).body
    .data
  const apiKey = await here.key({ products: [product.id] })
  await here.client('POST', PATH, { json: { title: 'Taken', product: other.externalKey } })
  const items = [
    { title: 'Taken', product: product.externalKey },
    { title: 'Free', product: product.externalKey },
    { title: 'Beyond', product: other.externalKey },
    { title: 'For somebody', product: product.externalKey, user: { email: 'new@example.com' } },
    { title: 'For the owner', product: product.externalKey, user: { email: 'owner@example.com' } },
  ]
  const { body } = await bulkCreate(here, items, '', { apiKey })
  expect(body.data.results.map(({ success, issues = [] }) => [success, ...issues.map(({ path }) => path)])).toEqual([
    ...[[true], [true], [false, '/product'], [false, '/user/email'], [true]],
  ])
  // The suffix of a slug does not reveal items of products outside the key's limits.
  const slugs = (await listIdeas(here)).slice(1).map(({ slug }) => slug)
  expect(slugs).toEqual(['taken_2', 'free_3', 'for-the-owner_4'])
  expect(await countRows(here, 'users')).toBe(1)
})

test('a retry with the same Idempotency-Key returns the same response and creates nothing', async () => {
  const here = await createWorkspace()
  const headers = { 'idempotency-key': 'k' }
  const items = [{ title: 'Once', product: here.product.externalKey }, { title: '' }]
  const first = await bulkCreate(here, items, '', { headers })
  const again = await bulkCreate(here, items, '', { headers })
  expect(again.body.data).toEqual(first.body.data)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await listIdeas(here)).toHaveLength(1)
})

test('1,000 items with tags and authors need as many statements as ten', async () => {
  const here = await createWorkspace()
  const items = (most: number) =>
    Array.from({ length: most }, (_, n) => ({
      ...{ title: `Idea ${n % 900}`, product: here.product.externalKey, long_description: '<p>words</p>' },
      ...{ tags: [`tag ${n % 30}`, 'all'], user: { email: `p${n % 200}@example.com` } },
    }))
  const few = await bulkCreate(here, items(10))
  const many = await bulkCreate(here, items(1_000))
  expect(many.body.data.totals.created).toBe(1_000)
  expect(few.cost.roundTrips).toBe(1)
  expect(many.cost.roundTrips).toBeLessThanOrEqual(2)
  expect(many.cost.statements - few.cost.statements).toBeLessThanOrEqual(1)
  expect(await countRows(here, 'feedback_items')).toBe(1_010)
  expect(await countRows(here, 'feedback_tags')).toBe(2_020)
  const slugs = await env.DB.prepare('SELECT count(DISTINCT slug) AS n FROM feedback_items WHERE subscription_id = ?')
    .bind(here.subscriptionId)
    .first('n')
  expect(slugs).toBe(1_010)
})

test('items created in parallel and singly share no key and no slug', async () => {
  const here = await createWorkspace()
  const item = { title: 'Same', product: here.product.externalKey, tags: ['new'] }
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => bulkCreate(here, Array(5).fill(item))),
    ...Array.from({ length: 5 }, () => here.client('POST', PATH, { json: item })),
  ])
  expect(answers.map(({ body }) => body.success)).toEqual(Array(9).fill(true))
  const made = await listIdeas(here)
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(25)
  expect(new Set(made.map(({ external_key }) => external_key)).size).toBe(25)
})
