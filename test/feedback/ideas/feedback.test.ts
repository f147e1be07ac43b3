import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { KeyClaims } from '../../../src/http/token'
import type { ApiResponse } from '../../client'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { createUniqueId } from '../../unique'

interface Item {
  id: number
  slug: string
  external_key: string
  title: string
  long_description: string
  category_id: number
  user_id: number
  vote: number
  comment: number
  haveIVoted: number
  is_anonymous: true | null
  created_at: string
  category: { id: number; name: string; description: string | null; slug: string }
  votes: string[]
  comments: string[]
  user: { firstName: string; lastName: string; email: string }
  tags: { id: number; key: string; slug: string }[]
}

/** The fields of the interface specification's table. */
const IdeaTable = z.strictObject({
  id: z.int(),
  type: z.literal('idea'),
  slug: z.string(),
  external_key: z.string().regex(/^IDEA-\d+$/),
  title: z.string(),
  target_audience: z.string(),
  value_proposition: z.string(),
  category_id: z.int(),
  short_description: z.null(),
  long_description: z.string(),
  video_url: z.null(),
  icon_url: z.null(),
  attributes: z.record(z.string(), z.unknown()),
  cover_photo_url: z.string(),
  cover_photos: z.array(z.int()),
  visibility_level: z.null(),
  is_voting_open: z.null(),
  voting_start_time: z.null(),
  voting_end_time: z.null(),
  product_id: z.int(),
  is_pinned: z.null(),
  is_anonymous: z.null(),
  status_id: z.null(),
  user_id: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  vote: z.int(),
  comment: z.int(),
  haveIVoted: z.int(),
  work_item_internal_id: z.null(),
  work_item_external_id: z.null(),
  work_item_type: z.literal('active'),
  currentStatus: z.null(),
  category: z.strictObject({ id: z.int(), name: z.string(), description: z.null(), slug: z.string() }),
  votes: z.array(z.string()),
  comments: z.array(z.string()),
  user: z.strictObject({ firstName: z.string(), lastName: z.string(), email: z.string() }),
  tags: z.array(z.strictObject({ id: z.int(), key: z.string(), slug: z.string() })),
  collections: z.array(z.string()),
  status_updates: z.array(
    z.object({ id: z.int(), status: z.string(), message: z.string().nullable(), created_at: z.string() }),
  ),
  source: z.null(),
  external_id: z.null(),
})

const PATH = '/api/feedback-items'

function createIdea({ client, product }: Workspace, body: object, headers?: Record<string, string>) {
  const json = { product: product.externalKey, ...body }
  return client<Item>('POST', PATH, { json, ...(headers && { headers }) })
}

function insertCategory({ row, subscriptionId }: Workspace) {
  return row('feedback_categories', {
    subscription_id: subscriptionId,
    name: 'Design',
    slug: 'design',
    created_at: 1,
    updated_at: 1,
  })
}

async function countRows(table: string, { subscriptionId }: Workspace): Promise<number> {
  const found = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`)
    .bind(subscriptionId)
    .first<{ n: number }>()
  return found?.n ?? -1
}

test('an item has every documented field when created, listed and found by slug or key', async () => {
  const world = await createWorkspace()
  const category_id = await insertCategory(world)
  const created = await createIdea(world, {
    title: 'Größere Schrift, bitte!',
    category_id,
    target_audience: 'Everybody',
    value_proposition: 'Less strain',
    long_description: '<p>Please.</p>',
    tags: ['UI', ' C# ', 'ui'],
    user: { email: ' Ada@Example.com ', name: 'Ada Lovelace' },
  })
  expect([created.status, created.cost.roundTrips]).toEqual([201, 1])
  const item = created.body.data
  IdeaTable.parse(item)
  expect(item).toMatchObject({
    slug: 'grossere-schrift-bitte',
    external_key: 'IDEA-1',
    category_id,
    category: { id: category_id, name: 'Design', description: null, slug: 'design' },
    user: { firstName: 'Ada Lovelace', lastName: '', email: 'ada@example.com' },
    vote: 0,
    comment: 0,
    haveIVoted: 0,
    is_anonymous: null,
    votes: [],
    comments: [],
  })
  expect(item.tags.map(({ key, slug }) => [key, slug])).toEqual([
    ['ui', 'ui'],
    ['C#', 'c-sharp'],
  ])

  const found = await world.client<Item>('GET', created.headers.get('location') ?? '')
  expect(found.body.data).toEqual(item)
  expect([found.headers.get('etag'), found.cost.roundTrips]).toEqual([expect.stringMatching(/^"v1-/), 1])

  for (const path of [PATH, `${PATH}?slug=grossere-schrift-bitte`]) {
    const listed = await world.client<Item[]>('GET', path)
    expect([listed.status, listed.cost.roundTrips]).toEqual([200, 1])
    expect(listed.body.data).toEqual([item])
  }
  for (const slug of ['nothing', '', '%25', "'"]) {
    const none = await world.client<Item[]>('GET', `${PATH}?slug=${slug}`)
    expect([none.status, none.body.data]).toEqual([200, []])
  }
  const unknown = await world.client('GET', `${PATH}/IDEA-2`)
  expect([unknown.status, unknown.body.error?.code]).toEqual([404, 'feedback_item_not_found'])
})

test('a minimal item belongs to the user of the key and has empty values', async () => {
  const world = await createWorkspace()
  const { body } = await createIdea(world, { title: 'Dark mode' })
  IdeaTable.parse(body.data)
  expect(body.data).toMatchObject({
    user_id: world.userId,
    user: { firstName: 'Olga', lastName: 'Owner', email: 'owner@example.com' },
    category_id: 0,
    category: { id: 0, name: '', description: null, slug: '' },
    long_description: '',
    tags: [],
  })
})

test('equal titles get different slugs, even in parallel, and a title without letters gets a slug', async () => {
  const world = await createWorkspace()
  const answers = await Promise.all(Array.from({ length: 6 }, () => createIdea(world, { title: 'Dark mode' })))
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
  const items = answers.map(({ body }) => body.data)
  expect(new Set(items.map(({ external_key }) => external_key)).size).toBe(6)
  expect(items.map(({ slug }) => slug).sort()).toEqual([
    'dark-mode',
    'dark-mode_2',
    'dark-mode_3',
    'dark-mode_4',
    'dark-mode_5',
    'dark-mode_6',
  ])
  for (const title of ['🔥🔥', '夜间模式', 'Тёмная тема', 'Ταχύτητα', '-', '__']) {
    const { body } = await createIdea(world, { title })
    expect(body.data.slug).not.toBe('')
    const found = await world.client<Item[]>('GET', `${PATH}?slug=${encodeURIComponent(body.data.slug)}`)
    expect(found.body.data.map((item) => item.title)).toEqual([title])
  }
  const cyrillic = await world.client<Item[]>('GET', `${PATH}?slug=temnaia-tema`)
  expect(cyrillic.body.data.length).toBe(1)
})

test('votes and public comments are shown newest first, at most 50, with full counts', async () => {
  const world = await createWorkspace()
  const { id, external_key } = (await createIdea(world, { title: 'Dark mode' })).body.data
  const own = { subscription_id: world.subscriptionId, feedback_id: id }
  for (let n = 0; n < 60; n++) {
    await world.row('feedback_comments', { ...own, user_id: 1, text: `Public ${n}`, created_at: n, updated_at: n })
  }
  const hidden = { ...own, user_id: 1, created_at: 100, updated_at: 100 }
  await world.row('feedback_comments', { ...hidden, text: 'Private', is_private: 1 })
  await world.row('feedback_comments', { ...hidden, text: 'Deleted', deleted_at: 100 })
  await env.DB.prepare(
    'INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) SELECT ?, ?, value, value FROM json_each(?)',
  )
    .bind(world.subscriptionId, id, JSON.stringify(Array.from({ length: 55 }, (_, n) => 1_000_000 + n)))
    .run()

  const before = (await world.client<Item>('GET', `${PATH}/${external_key}`)).body.data
  expect([before.vote, before.comment, before.haveIVoted]).toEqual([55, 60, 0])
  expect(before.votes).toEqual(Array.from({ length: 50 }, (_, n) => String(1_000_054 - n)))
  expect(before.comments).toEqual(Array.from({ length: 50 }, (_, n) => `Public ${59 - n}`))

  await env.DB.prepare(
    'INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) VALUES (?, ?, ?, ?)',
  )
    .bind(world.subscriptionId, id, world.userId, readClock())
    .run()
  const after = await world.client<Item[]>('GET', PATH)
  expect(after.body.data[0]).toMatchObject({ vote: 56, haveIVoted: 1 })
  expect(after.body.data[0]?.votes[0]).toBe(String(world.userId))
})

test('a vote or a comment changes the ETag', async () => {
  const world = await createWorkspace()
  const created = await createIdea(world, { title: 'Dark mode' })
  const path = created.headers.get('location') ?? ''
  const own = { subscription_id: world.subscriptionId, feedback_id: created.body.data.id, user_id: 1 }
  const etag = async () => (await world.client('GET', path)).headers.get('etag') ?? ''
  const ask = async (tag: string) => (await world.client('GET', path, { headers: { 'if-none-match': tag } })).status
  const first = await etag()
  expect(await ask(first)).toBe(304)
  await world.row('feedback_comments', { ...own, text: 'Yes', created_at: 1, updated_at: 1 })
  const commented = await etag()
  expect([await ask(first), await ask(commented)]).toEqual([200, 304])
  await env.DB.prepare(
    'INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) VALUES (?, ?, 1, 1)',
  )
    .bind(world.subscriptionId, own.feedback_id)
    .run()
  expect([await ask(commented), await ask(await etag())]).toEqual([200, 304])
})

test('an anonymous item does not show its author', async () => {
  const world = await createWorkspace()
  const created = await createIdea(world, {
    title: 'Hush',
    is_anonymous: true,
    user: { email: 'secret@example.com', name: 'Secret Author' },
  })
  const listed = await world.client<Item[]>('GET', PATH)
  const events = await env.DB.prepare('SELECT * FROM log WHERE subscription_id = ?').bind(world.subscriptionId).all()
  for (const item of [created.body.data, listed.body.data[0]]) {
    expect(item).toMatchObject({ is_anonymous: true, user_id: 0, user: { firstName: '', lastName: '', email: '' } })
  }
  expect(JSON.stringify([created.body, listed.body, events.results])).not.toMatch(/secret/i)
})

test('a member created with an anonymous item shares no timestamp with it', async () => {
  const world = await createWorkspace()
  const user = { email: 'secret@example.com', name: 'Secret Author' }
  const { created_at } = (await createIdea(world, { title: 'Hush', is_anonymous: true, user })).body.data
  type Person = { email: string; createdAt: string; updatedAt: string }
  const { data: members } = (await world.client<Person[]>('GET', '/api/v2/idea-manager/members')).body
  expect(members.map(({ email }) => email).sort()).toEqual(['owner@example.com', user.email])
  const [one, other] = members
  expect([one?.createdAt, one?.updatedAt]).toEqual([other?.createdAt, other?.createdAt])
  expect(one?.createdAt).not.toBe(created_at)
  const open = (await createIdea(world, { title: 'Open', user: { email: 'open@example.com' } })).body.data
  const path = '/api/v2/idea-manager/members?email=open@example.com'
  expect((await world.client<Person[]>('GET', path)).body.data[0]?.createdAt).toBe(open.created_at)
})

test('the slug for a limited key does not reveal titles of other products', async () => {
  const world = await createWorkspace()
  const apiKey = await world.key({ products: [world.product.id] })
  const product = world.product.externalKey
  const other = (await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } }))
    .body.data.externalKey
  await world.client('POST', PATH, { json: { title: 'Secret plan', product: other } })
  for (const [title, slug] of [
    ['Secret plan', /^secret-plan_\d+$/],
    ['Nobody has this', /^nobody-has-this_\d+$/],
  ] as const) {
    const { body } = await world.client<Item>('POST', PATH, { json: { title, product }, apiKey })
    expect(body.data.slug).toMatch(slug)
  }
})

test('HTML is sanitized, and plain text is stored unchanged', async () => {
  const world = await createWorkspace()
  const { body } = await createIdea(world, {
    title: '<script>alert(1)</script>',
    target_audience: '<b>',
    long_description: '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror=alert(1)></p>',
  })
  expect(body.data.title).toBe('<script>alert(1)</script>')
  expect(body.data.slug).toBe('script-alert-1-script')
  expect(body.data.long_description).toMatch(/^<p>Hi<img[^>]*><\/p>$/)
  expect(body.data.long_description).not.toMatch(/script|onerror|onclick/)
})

test('a known author keeps role and name, and a tag is created once in its product', async () => {
  const world = await createWorkspace()
  const first = await createIdea(world, {
    title: 'One',
    tags: ['ui', 'night'],
    user: { email: 'OWNER@example.com', name: 'Intruder' },
  })
  expect(first.body.data.user).toEqual({ firstName: 'Olga', lastName: 'Owner', email: 'owner@example.com' })
  const second = await createIdea(world, { title: 'Two', tags: ['Night', 'UI'] })
  expect(second.body.data.tags.map(({ id }) => id).sort()).toEqual(first.body.data.tags.map(({ id }) => id).sort())
  expect([await countRows('tags', world), await countRows('users', world)]).toEqual([2, 1])
})

test('an idea changes no known person: no empty name is filled, and no removed person returns', async () => {
  const world = await createWorkspace()
  const row = { subscription_id: world.subscriptionId, role: 'member', created_at: 1, updated_at: 1 }
  const nameless = await world.row('users', { ...row, email: 'nameless@example.com', first_name: '' })
  await world.row('users', { ...row, email: 'gone@example.com', first_name: 'Gone', deleted_at: 5 })
  const people = async () => (await env.DB.prepare('SELECT * FROM users ORDER BY id').all()).results
  const before = await people()
  const limited = await world.key({ products: [world.product.id] })
  for (const apiKey of [await world.key(), limited]) {
    const named = (email: string) => {
      const json = { title: 'A', product: world.product.externalKey, user: { email, name: 'Other' } }
      return world.client<Item>('POST', PATH, { json, apiKey })
    }
    const known = await named('nameless@example.com')
    expect([known.status, known.body.data.user_id, known.body.data.user.firstName]).toEqual([201, nameless, ''])
    const gone = await named('gone@example.com')
    const isLimited = apiKey === limited
    expect([gone.status, gone.body.error?.code]).toEqual(isLimited ? [403, 'insufficient_scope'] : [409, 'conflict'])
    expect(gone.body.message).toMatch(/^\/user\/email: /)
    expect(await people()).toEqual(before)
    if (!isLimited) continue
    const unknown = await named('new@example.com')
    expect([unknown.status, unknown.body.message]).toEqual([403, gone.body.message])
    expect(await people()).toEqual(before)
  }
})

test('a key without feedback:read and segments:read sees no names of idea authors', async () => {
  const world = await createWorkspace()
  const row = { subscription_id: world.subscriptionId, role: 'member', created_at: 1, updated_at: 1 }
  const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
  const acting = await world.row('users', { ...row, email: 'acting@example.com', first_name: 'Acting' })
  await world.row('users', { ...row, email: ada.email, first_name: ada.firstName, last_name: ada.lastName })
  const answers = async (...scopes: KeyClaims['scopes']) => {
    const apiKey = await world.key({ scopes, userId: acting })
    const headers = { 'idempotency-key': createUniqueId() }
    const json = { title: 'A', product: world.product.externalKey, user: { email: ada.email, name: 'Whoever' } }
    const made = await world.client<Item>('POST', PATH, { json, apiKey, headers })
    const again = await world.client<Item>('POST', PATH, { json, apiKey, headers })
    const at = made.headers.get('location') ?? ''
    const modified = await world.client<Item>('PUT', at, { json: { title: 'B' }, apiKey })
    await world.client('DELETE', at)
    const restored = await world.client<Item>('POST', `${at}/restore`, { apiKey })
    return [made, again, modified, restored].map(({ body }) => body.data.user)
  }
  const sent = { firstName: 'Whoever', lastName: '', email: ada.email }
  const nobody = { firstName: '', lastName: '', email: '' }
  expect(await answers('feedback:write')).toEqual([sent, sent, nobody, nobody])
  for (const reading of ['feedback:read', 'products:read', 'segments:read']) {
    expect(await answers('feedback:write', reading)).toEqual([ada, ada, ada, ada])
  }
  // Every key may read the name of its own user.
  const own = { title: 'Mine', product: world.product.externalKey }
  const apiKey = await world.key({ scopes: ['feedback:write'], userId: acting })
  const mine = await world.client<Item>('POST', PATH, { json: own, apiKey })
  expect(mine.body.data.user).toMatchObject({ firstName: 'Acting' })
})

test('invalid and foreign values are listed, and nothing is stored', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const theirs = await insertCategory(stranger)
  const cases: [object, string, string][] = [
    [{}, '/title', 'validation_failed'],
    [{ title: ' ' }, '/title', 'validation_failed'],
    [{ title: 'x'.repeat(501) }, '/title', 'validation_failed'],
    [{ title: 'A', product: undefined }, '/product', 'validation_failed'],
    [{ title: 'A', product: stranger.product.externalKey }, '/product', 'unknown_reference'],
    [{ title: 'A', product: 'NO-PE' }, '/product', 'unknown_reference'],
    [{ title: 'A', category_id: theirs }, '/category_id', 'unknown_reference'],
    [{ title: 'A', category_id: '1' }, '/category_id', 'validation_failed'],
    [{ title: 'A', type: 'epic' }, '/type', 'validation_failed'],
    [{ title: 'A', tags: 'ui' }, '/tags', 'validation_failed'],
    [{ title: 'A', tags: ['ui', ''] }, '/tags/1', 'validation_failed'],
    [{ title: 'A', user: { email: 'nobody', name: 'N' } }, '/user/email', 'validation_failed'],
    [{ title: 'A', user: { email: 'new@example.com' }, category_id: theirs }, '/category_id', 'unknown_reference'],
  ]
  for (const [body, path, code] of cases) {
    const answer = await createIdea(world, body)
    expect([body, answer.status, answer.body.error?.code, answer.body.error?.issues[0]?.path]).toEqual([
      body,
      400,
      code,
      path,
    ])
  }
  const raw = `{"title":"A","product":"${world.product.externalKey}","user":{"__proto__":{"email":"e@example.com"}}}`
  const hidden = await world.client('POST', PATH, { raw, headers: { 'content-type': 'application/json' } })
  expect(hidden.status).toBe(400)
  const tables = ['feedback_items', 'tags', 'log', 'counters']
  expect(await Promise.all(tables.map((table) => countRows(table, world)))).toEqual([0, 0, 0, 0])
  expect(await countRows('users', world)).toBe(1)
})

test('another workspace sees nothing, and a limited key sees only its product', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const other = await world.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const ours = (await createIdea(world, { title: 'Ours' })).body.data
  const hidden = (await createIdea(world, { title: 'Hidden', product: other.body.data.externalKey })).body.data
  const apiKey = await world.key({ products: [world.product.id] })
  const list = await world.client<Item[]>('GET', PATH, { apiKey })
  expect(list.body.data.map(({ title }) => title)).toEqual(['Ours'])
  expect((await world.client<Item[]>('GET', `${PATH}?slug=hidden`, { apiKey })).body.data).toEqual([])
  expect((await world.client('GET', `${PATH}/${hidden.external_key}`, { apiKey })).status).toBe(404)
  expect((await world.client('GET', `${PATH}/${ours.external_key}`, { apiKey })).status).toBe(200)
  const refused = await world.client('POST', PATH, {
    apiKey,
    json: { title: 'No', product: other.body.data.externalKey },
  })
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'unknown_reference'])

  expect((await stranger.client<Item[]>('GET', PATH)).body.data).toEqual([])
  expect((await stranger.client<Item[]>('GET', `${PATH}?slug=ours`)).body.data).toEqual([])
  expect((await stranger.client('GET', `${PATH}/${ours.external_key}`)).status).toBe(404)
})

runtimeTest('a limited key reads only the rows of its page, not items of other products', async () => {
  const world = await createWorkspace()
  const make = async () =>
    (await world.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } }))
      .body.data
  const [second, hidden] = [await make(), await make()]
  const flood = (from: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT ?4 UNION ALL SELECT i + 1 FROM n WHERE i < ?4 + 1999)
       INSERT INTO feedback_items (subscription_id, product_id, external_key, slug, title, user_id, created_at, updated_at)
       SELECT ?1, ?2, 'FOREIGN-' || i, 'foreign-' || i, 'Foreign', ?3, ?5, ?5 FROM n`,
    )
      .bind(world.subscriptionId, hidden.id, world.userId, from, readClock())
      .run()
  await flood(1)
  const apiKey = await world.key({ products: [world.product.id, second.id] })
  const read = (query: string) => world.client<Item[]>('GET', `${PATH}${query}`, { apiKey })
  const empty = await read('?limit=100')
  expect([empty.body.data, empty.cost.roundTrips]).toEqual([[], 1])
  expect(empty.cost.rowsRead).toBeLessThan(50)

  const titles = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  for (const [n, title] of titles.entries()) {
    const product = [world.product, second, hidden][n % 3] ?? world.product
    await createIdea(world, { title, product: product.externalKey, tags: ['tag'] })
  }
  await flood(3001)
  for (const [sort, expected] of [
    ['-createdAt', ['G', 'E', 'D', 'B', 'A']],
    ['createdAt', ['A', 'B', 'D', 'E', 'G']],
  ] as const) {
    const found: Item[] = []
    let path: string | undefined = `?limit=2&sort=${sort}`
    while (path) {
      const page: ApiResponse<Item[]> = await read(path)
      expect(page.cost.rowsRead).toBeLessThan(50)
      found.push(...page.body.data)
      path = /feedback-items(\?[^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(found.map(({ title }) => title)).toEqual(expected)
    const whole = await read(`?sort=${sort}`)
    expect(whole.body.data).toEqual(found)
    expect(found[0]).toMatchObject({ user: { email: 'owner@example.com' }, tags: [{ key: 'tag' }] })
  }
})

runtimeTest('a key with many products gets the items of all of them', async () => {
  const world = await createWorkspace()
  const stamps = { created_at: 1, updated_at: 1 }
  const products = [world.product.id]
  for (let n = 1; n < 101; n++) {
    const fields = { external_key: `MANY-${n}`, name: 'Many', subscription_id: world.subscriptionId }
    products.push(await world.row('products', { ...fields, ...stamps }))
  }
  const hidden = products.pop() ?? 0
  const flood = env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
     INSERT INTO feedback_items (subscription_id, product_id, external_key, slug, title, user_id, created_at, updated_at)
     SELECT ?1, p.value, 'MANY-' || p.value || '-' || i, 'many-' || p.value || '-' || i, 'Many', ?3, i / 7, 5
     FROM n CROSS JOIN json_each(?2) p`,
  )
  await flood.bind(world.subscriptionId, JSON.stringify([...products, hidden]), world.userId).run()
  for (const count of [12, 13, 100]) {
    const own = products.slice(0, count)
    const apiKey = await world.key({ products: own })
    for (const sort of ['createdAt', '-createdAt']) {
      const found: { product_id: number; created_at: string; id: number }[] = []
      let path: string | undefined = `${PATH}?limit=100&sort=${sort}`
      while (path) {
        const page: ApiResponse<typeof found> = await world.client('GET', path, { apiKey })
        expect(page.cost.rowsRead).toBeLessThan(count * 100 + 500)
        found.push(...page.body.data)
        path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      const up = sort === 'createdAt' ? 1 : -1
      const ordered = found.toSorted((a, b) => up * (a.created_at.localeCompare(b.created_at) || a.id - b.id))
      expect(found).toEqual(ordered)
      expect(new Set(found.map(({ id }) => id)).size).toBe(count * 20)
      expect(new Set(found.map(({ product_id }) => product_id))).toEqual(new Set(own))
    }
  }
})

test('the pages of the list hold every item, newest first', async () => {
  const world = await createWorkspace()
  for (let n = 0; n < 5; n++) await createIdea(world, { title: `Idea ${n}` })
  const titles: string[] = []
  let path: string | undefined = `${PATH}?limit=2`
  while (path) {
    const page: ApiResponse<Item[]> = await world.client('GET', path)
    expect(page.body.data.length).toBeLessThanOrEqual(2)
    titles.push(...page.body.data.map(({ title }) => title))
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(titles).toEqual(['Idea 4', 'Idea 3', 'Idea 2', 'Idea 1', 'Idea 0'])
  expect((await world.client('GET', `${PATH}?limit=101`)).status).toBe(400)
})

test('a retry with the same Idempotency-Key returns the same response and creates no second item', async () => {
  const world = await createWorkspace()
  const body = {
    title: 'Once',
    category_id: await insertCategory(world),
    tags: ['ui'],
    user: { email: 'a@example.com' },
  }
  const first = await createIdea(world, body, { 'idempotency-key': 'once' })
  const again = await createIdea(world, body, { 'idempotency-key': 'once' })
  expect(again.body).toEqual(first.body)
  expect([again.headers.get('idempotent-replayed'), await countRows('feedback_items', world)]).toEqual(['true', 1])
})
