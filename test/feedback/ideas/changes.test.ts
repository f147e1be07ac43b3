import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

interface Item {
  id: number
  slug: string
  external_key: string
  title: string
  category_id: number
  category: { id: number; name: string }
  user_id: number
  vote: number
  comments: string[]
  is_anonymous: true | null
  user: { firstName: string; lastName: string; email: string }
  tags: { id: number; key: string; slug: string }[]
}

interface Event {
  type: string
  actor: { userId: number | null; keyId: number | null; keyName: string | null }
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

const PATH = '/api/feedback-items'
const hiddenActor = { userId: null, keyId: null, keyName: null }

const createIdea = async ({ client, product }: Workspace, body: object) =>
  (await client<Item>('POST', PATH, { json: { product: product.externalKey, ...body } })).body.data

const listEvents = async ({ client }: Workspace, key = 'IDEA-1') =>
  (await client<Event[]>('GET', `/api/v2/events?key=${key}`)).body.data

const readLog = async ({ subscriptionId }: Workspace) =>
  JSON.stringify(
    (
      await env.DB.prepare('SELECT * FROM log WHERE subscription_id = ? ORDER BY id')
        .bind(subscriptionId)
        .all<Record<string, unknown>>()
    ).results,
  )

const insertCategory = ({ row, subscriptionId }: Workspace, slug = 'design') =>
  row('feedback_categories', { subscription_id: subscriptionId, name: slug, slug, created_at: 1, updated_at: 1 })

test('the created event holds the item with its final slug', async () => {
  const world = await createWorkspace()
  const category_id = await insertCategory(world)
  await createIdea(world, { title: 'Dark mode' })
  const second = await createIdea(world, {
    title: 'Dark mode',
    tags: ['UI'],
    category_id,
    long_description: '<p>Dark</p>',
  })
  expect(second.slug).toBe('dark-mode_2')
  const [created, ...others] = await listEvents(world, 'IDEA-2')
  expect([created?.type, created?.data, created?.previous, others]).toEqual(['feedback.created', second, null, []])
})

test('an update changes the sent members, keeps the slug and emits old and new values', async () => {
  const world = await createWorkspace()
  const [first, other] = [await insertCategory(world), await insertCategory(world, 'speed')]
  const before = await createIdea(world, { title: 'Dark mode', category_id: first, tags: ['UI', 'old'] })
  const change = async (json: object) => {
    const answer = await world.client<Item>('PUT', `${PATH}/IDEA-1`, { json })
    expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
    const found = await world.client<Item>('GET', `${PATH}/IDEA-1`)
    expect(found.body.data).toEqual(answer.body.data)
    return answer.body.data
  }
  const after = await change({
    title: 'Night mode',
    type: 'issue',
    category_id: other,
    target_audience: 'Owls',
    value_proposition: 'Rest',
    long_description: '<p>Night<script>alert(1)</script></p>',
    tags: ['ui', ' New '],
  })
  expect(after).toMatchObject({
    title: 'Night mode',
    slug: 'dark-mode',
    type: 'issue',
    category_id: other,
    category: { id: other, name: 'speed', slug: 'speed' },
    target_audience: 'Owls',
    value_proposition: 'Rest',
    long_description: '<p>Night</p>',
    tags: [{ key: 'UI' }, { key: 'New', slug: 'new' }],
  })
  const [, updated] = await listEvents(world)
  expect(updated).toMatchObject({ type: 'feedback.updated', data: after })
  expect(updated?.previous).toEqual({
    title: 'Dark mode',
    type: 'idea',
    category_id: first,
    target_audience: '',
    value_proposition: '',
    long_description: '',
    tags: before.tags,
  })

  const cleared = await change({ category_id: null, tags: [] })
  expect(cleared).toMatchObject({ category_id: 0, category: { id: 0, name: '' }, tags: [] })
  const last = (await listEvents(world)).at(-1)
  expect([last?.data, last?.previous]).toEqual([cleared, { category_id: other, tags: after.tags }])
})

test('a category_id of 0 means no category', async () => {
  const world = await createWorkspace()
  const item = await createIdea(world, { title: 'Dark mode', category_id: 0 })
  expect(item.category_id).toBe(0)
  const put = (json: object) => world.client<Item>('PUT', `${PATH}/IDEA-1`, { json })
  const { category_id } = item
  const same = await put({ category_id })
  expect([same.status, same.cost.rowsWritten]).toEqual([200, 0])
  const other = await insertCategory(world)
  expect((await put({ category_id: other })).body.data.category_id).toBe(other)
  expect((await put({ category_id: 0 })).body.data).toMatchObject({ category_id: 0, category: { id: 0 } })
  expect((await put({ category_id: -1 })).status).toBe(400)
})

test('an update without a change writes nothing and keeps the version', async () => {
  const world = await createWorkspace()
  await createIdea(world, { title: 'Dark mode', tags: ['UI', 'night'], category_id: await insertCategory(world) })
  const { title, category_id, is_anonymous } = await createIdea(world, { title: 'Other' })
  const read = async () => (await world.client('GET', `${PATH}/IDEA-1`)).headers.get('etag')
  const etag = await read()
  const present = { title: 'Dark mode', type: 'idea', target_audience: '', is_anonymous, tags: ['NIGHT', 'ui', 'Ui'] }
  expect([title, category_id]).toEqual(['Other', 0])
  for (const json of [{}, present, { tags: ['ui', 'night'] }]) {
    const same = await world.client('PUT', `${PATH}/IDEA-1`, { json })
    expect([same.status, same.headers.get('etag'), same.cost.rowsWritten]).toEqual([200, '"v1"', 0])
  }
  expect([await read(), (await listEvents(world)).length]).toEqual([etag, 1])
})

test('an update needs the version of If-Match and reports invalid members', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  await createIdea(world, { title: 'Dark mode' })
  const theirs = await insertCategory(stranger)
  const put = (json: object, headers = {}) => world.client('PUT', `${PATH}/IDEA-1`, { json, headers })
  expect((await put({ title: 'A' }, { 'if-match': '"v1"' })).headers.get('etag')).toBe('"v2"')
  expect((await put({ title: 'B' }, { 'if-match': '"v1"' })).status).toBe(412)
  expect((await world.client('DELETE', `${PATH}/IDEA-1`, { headers: { 'if-match': '"v1"' } })).status).toBe(412)
  for (const [json, path] of [
    [{ title: ' ' }, '/title'],
    [{ title: null }, '/title'],
    [{ category_id: theirs }, '/category_id'],
    [{ tags: ['a', ''] }, '/tags/1'],
    [{ type: 'epic' }, '/type'],
    [{ tags: ['new'], category_id: theirs }, '/category_id'],
  ] as const) {
    const refused = await put(json)
    expect([json, refused.status, refused.body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  expect((await listEvents(world)).length).toBe(2)
  const { results } = await env.DB.prepare('SELECT * FROM tags WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all()
  expect(results).toEqual([])
})

test('a removed item is hidden until a restore returns it with votes and comments', async () => {
  const world = await createWorkspace()
  const { id } = await createIdea(world, { title: 'Dark mode', tags: ['ui'] })
  const own = { subscription_id: world.subscriptionId, feedback_id: id, user_id: world.userId, created_at: 1 }
  await world.row('feedback_comments', { ...own, text: 'Yes', updated_at: 1 })
  await env.DB.prepare(
    'INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at) VALUES (?, ?, ?, 1)',
  )
    .bind(world.subscriptionId, id, 7)
    .run()
  const before = (await world.client<Item>('GET', `${PATH}/IDEA-1`)).body.data
  expect(before).toMatchObject({ vote: 1, comment: 1, votes: ['7'], comments: ['Yes'] })

  const removed = await world.client('DELETE', `${PATH}/IDEA-1`)
  expect([removed.status, removed.body.data, removed.cost.roundTrips]).toEqual([200, {}, 1])
  for (const method of ['GET', 'DELETE']) {
    const gone = await world.client(method, `${PATH}/IDEA-1`)
    expect([gone.status, gone.body.error?.code]).toEqual([404, 'feedback_item_not_found'])
  }
  expect((await world.client('PUT', `${PATH}/IDEA-1`, { json: { title: 'A' } })).status).toBe(404)
  for (const query of ['', '?slug=dark-mode']) {
    expect((await world.client<Item[]>('GET', `${PATH}${query}`)).body.data).toEqual([])
  }
  expect((await createIdea(world, { title: 'Dark mode' })).slug).toBe('dark-mode_2')

  const restored = await world.client<Item>('POST', `${PATH}/IDEA-1/restore`)
  expect([restored.status, restored.body.data, restored.cost.roundTrips]).toEqual([200, before, 1])
  expect((await world.client<Item>('GET', `${PATH}/IDEA-1`)).body.data).toEqual(before)
  const again = await world.client<Item>('POST', `${PATH}/IDEA-1/restore`)
  expect([again.status, again.body.data, again.cost.rowsWritten]).toEqual([200, before, 0])
  const events = await listEvents(world)
  expect(events.map(({ type }) => type)).toEqual(['feedback.created', 'feedback.deleted', 'feedback.restored'])
  expect(events.slice(1).map(({ data }) => data)).toEqual([before, before])
})

test('an item of a removed product can be restored only after its product', async () => {
  const world = await createWorkspace()
  await createIdea(world, { title: 'Dark mode' })
  const product = `/api/initiatives/${world.product.externalKey}`
  await world.client('DELETE', product)
  const refused = await world.client('POST', `${PATH}/IDEA-1/restore`)
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  expect(refused.body.message).toContain('Restore the product first')
  await world.client('POST', `${product}/restore`)
  expect((await world.client('GET', `${PATH}/IDEA-1`)).status).toBe(200)
})

test('an item cannot be changed from another workspace or with a key for another product', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const other = await world.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  await createIdea(world, { title: 'Dark mode' })
  const removed = await createIdea(world, { title: 'Gone' })
  await world.client('DELETE', `${PATH}/${removed.external_key}`)
  const before = await readLog(world)
  const limited = await world.key({ products: [other.body.data.id] })
  for (const client of [
    stranger.client,
    (m: string, p: string, o = {}) => world.client(m, p, { ...o, apiKey: limited }),
  ]) {
    for (const answer of [
      await client('PUT', `${PATH}/IDEA-1`, { json: { title: 'Mine', tags: ['mine'] } }),
      await client('DELETE', `${PATH}/IDEA-1`),
      await client('POST', `${PATH}/${removed.external_key}/restore`),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([404, 'feedback_item_not_found'])
    }
  }
  expect(await readLog(world)).toBe(before)
  const covered = await world.key({ products: [world.product.id] })
  expect((await world.client('PUT', `${PATH}/IDEA-1`, { apiKey: covered, json: { title: 'Ours' } })).status).toBe(200)
})

test('a removed tag is hidden, returns when it is restored, and frees its name', async () => {
  const world = await createWorkspace()
  const [old] = (await createIdea(world, { title: 'One', tags: ['ui'] })).tags
  const remove = (at: number | null) =>
    env.DB.prepare('UPDATE tags SET deleted_at = ? WHERE id = ?').bind(at, old?.id).run()
  const tagsOf = async (key: string) => (await world.client<Item>('GET', `${PATH}/${key}`)).body.data.tags
  await remove(1)
  expect(await tagsOf('IDEA-1')).toEqual([])
  expect((await world.client<Item[]>('GET', PATH)).body.data[0]?.tags).toEqual([])
  await world.client('PUT', `${PATH}/IDEA-1`, { json: { tags: ['night'] } })
  const [fresh] = (await createIdea(world, { title: 'Two', tags: ['UI'] })).tags
  expect([fresh?.key, fresh?.id === old?.id]).toEqual(['UI', false])
  await env.DB.prepare('DELETE FROM tags WHERE id = ?').bind(fresh?.id).run()
  await remove(null)
  expect((await tagsOf('IDEA-1')).map(({ key }) => key).sort()).toEqual(['night', 'ui'])
})

test('the log holds no name, and an event shows the present name or none after a removal', async () => {
  const world = await createWorkspace()
  const user = { email: 'ada@example.com', name: 'Ada' }
  const item = await createIdea(world, { title: 'Dark mode', user })
  await world.client('PUT', `${PATH}/IDEA-1`, { json: { title: '"\\u0000firstName" \\u0000email' } })
  expect(await readLog(world)).not.toMatch(/Ada|ada@example/)
  const listEventAuthors = async () =>
    (await listEvents(world)).map(({ data }) => [data.title, data.user_id, data.user])
  const now = (firstName: string, email: string) => {
    const person = { firstName, lastName: '', email }
    return [
      ['Dark mode', item.user_id, person],
      ['"\\u0000firstName" \\u0000email', item.user_id, person],
    ]
  }
  expect(await listEventAuthors()).toEqual(now('Ada', 'ada@example.com'))
  const rename = (set: string) => env.DB.prepare(`UPDATE users SET ${set} WHERE id = ?`).bind(item.user_id).run()
  await rename(`first_name = 'Ad"a'`)
  expect(await listEventAuthors()).toEqual(now('Ad"a', 'ada@example.com'))
  await rename('deleted_at = 1')
  expect(await listEventAuthors()).toEqual(now('', ''))
  expect((await world.client<Item>('GET', `${PATH}/IDEA-1`)).body.data.user).toEqual(now('', '')[0]?.[2])
})

test("an anonymous author is hidden in the log too, and visible only to the author's own key", async () => {
  const world = await createWorkspace()
  const own = await createIdea(world, { title: 'Mine', is_anonymous: true })
  expect(own).toMatchObject({ is_anonymous: true, user_id: 0, user: { firstName: '', lastName: '', email: '' } })
  const [created] = await listEvents(world)
  expect([created?.actor, created?.data]).toEqual([hiddenActor, own])
  const rows = await env.DB.prepare('SELECT person_id, actor_user_id, actor_key FROM log WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all()
  expect(rows.results).toEqual([{ person_id: null, actor_user_id: null, actor_key: null }])

  const stamps = { created_at: 0, updated_at: 0 }
  const row = { subscription_id: world.subscriptionId, email: 'c@example.com', role: 'member', ...stamps }
  const colleague = await world.key({ userId: await world.row('users', row) })
  const put = (json: object, apiKey?: string) =>
    world.client<Item>('PUT', `${PATH}/IDEA-1`, { json, ...(apiKey && { apiKey }) })
  for (const is_anonymous of [false, null]) {
    const refused = await put({ is_anonymous, title: 'Unmasked' }, colleague)
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  }
  expect((await put({ title: 'Edited' }, colleague)).body.data.user_id).toBe(0)
  expect((await listEvents(world)).at(-1)?.actor).toEqual(hiddenActor)
  const shown = await put({ is_anonymous: false })
  expect(shown.body.data).toMatchObject({ is_anonymous: null, user_id: world.userId, user: { firstName: 'Olga' } })
  const hidden = await put({ is_anonymous: true }, colleague)
  expect(hidden.body.data).toMatchObject({ is_anonymous: true, user_id: 0, user: { firstName: '' } })
  const events = await listEvents(world)
  const [unmasked, masked] = events.slice(-2)
  const { title, is_anonymous } = shown.body.data
  expect([unmasked?.data, unmasked?.previous]).toMatchObject([{ title, is_anonymous }, { is_anonymous: true }])
  expect([masked?.data, masked?.previous]).toEqual([hidden.body.data, { is_anonymous: null }])
  // Earlier events no longer show the author either.
  for (const { actor, data } of events) {
    expect([actor, data.user_id, data.user]).toEqual([hiddenActor, 0, hidden.body.data.user])
  }
  const again = await put({ is_anonymous: true })
  expect([again.status, again.cost.rowsWritten]).toEqual([200, 0])
  // The write that hides the author scans the events. Later writes of an anonymous item do not scan again.
  const { cost } = await put({ is_anonymous: true, title: 'First' })
  for (let n = 0; n < 20; n++) await put({ title: `Title ${n}` })
  expect((await put({ is_anonymous: true, title: 'Last' })).cost).toEqual(cost)
})

test('a key that another user created or rotated for the author does not see the anonymous author', async () => {
  const world = await createWorkspace()
  await createIdea(world, { title: 'Mine', is_anonymous: true })
  const stamps = { created_at: 0, updated_at: 0 }
  const row = { subscription_id: world.subscriptionId, email: 'c@example.com', role: 'member', ...stamps }
  const colleague = await world.key({ userId: await world.row('users', row) })
  const issued = async (path: string, json: object, apiKey: string) => {
    const made = await world.client<{ id: number; token: string }>('POST', path, { json, apiKey })
    expect(made.status).toBe(201)
    return made.body.data
  }
  const KEYS = '/api/v2/api-keys'
  const own = await issued(KEYS, { name: 'own', scopes: ['*'] }, await world.key())
  const rotated = await issued(`${KEYS}/${own.id}/rotate`, {}, colleague)
  const minted = await issued(KEYS, { name: 'minted', scopes: ['*'], userId: world.userId }, colleague)
  const further = await issued(KEYS, { name: 'further', scopes: ['*'] }, `Bearer ${minted.token}`)
  const later = await issued(`${KEYS}/${further.id}/rotate`, {}, `Bearer ${minted.token}`)
  const show = (token: string) =>
    world.client<Item>('PUT', `${PATH}/IDEA-1`, { json: { is_anonymous: false }, apiKey: `Bearer ${token}` })
  for (const { token } of [rotated, minted, further, later]) {
    const refused = await show(token)
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  }
  const shown = await show((await issued(KEYS, { name: 'own', scopes: ['*'] }, await world.key())).token)
  expect(shown.body.data.user_id).toBe(world.userId)
})

test('a long text is cut in the log only', async () => {
  const world = await createWorkspace()
  const { id } = await createIdea(world, { title: 'Long', long_description: `<p>${'长'.repeat(100_000)}</p>` })
  const own = { subscription_id: world.subscriptionId, feedback_id: id, user_id: 1 }
  for (let n = 0; n < 50; n++) {
    await world.row('feedback_comments', { ...own, text: '语'.repeat(1_000), created_at: n, updated_at: n })
  }
  expect((await world.client('PUT', `${PATH}/IDEA-1`, { json: { title: 'Longer' } })).status).toBe(200)
  const [created, updated] = await listEvents(world)
  for (const event of [created, updated]) {
    expect(JSON.stringify(event?.data).length * 3).toBeLessThan(300_000)
    expect(event?.data.truncated).toBe(true)
  }
  // The item lists the newest comments up to 40,000 characters. The event keeps the first 20,000 of these characters.
  const item = (await world.client<Item>('GET', `${PATH}/IDEA-1`)).body.data
  expect(item.comments).toEqual(Array(40).fill('语'.repeat(1_000)))
  expect(updated?.data.comments).toEqual(Array(19).fill('语'.repeat(1_000)))
})

runtimeTest('an item is found by slug and a page by index, however many items exist', async () => {
  const world = await createWorkspace()
  await createIdea(world, { title: 'Needle' })
  const flood = env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     INSERT INTO feedback_items (subscription_id, product_id, external_key, slug, title, user_id, created_at, updated_at)
     SELECT ?1, ?2, 'MANY-' || i, 'many-' || i, 'Many', ?3, 5, 5 FROM n`,
  )
  await flood.bind(world.subscriptionId, world.product.id, world.userId).run()
  const limited = await world.key({ products: [world.product.id, world.product.id + 1_000_000] })
  for (const apiKey of [await world.key(), limited]) {
    const found = await world.client<Item[]>('GET', `${PATH}?slug=needle&fields=title`, { apiKey })
    expect([found.body.data, found.cost.roundTrips]).toEqual([[{ title: 'Needle' }], 1])
    expect(found.cost.rowsRead).toBeLessThan(10)
    let path: string | undefined = `${PATH}?limit=5&fields=id`
    const ids: number[] = []
    for (let page = 0; path && page < 3; page++) {
      const answer: Awaited<ReturnType<typeof world.client<Item[]>>> = await world.client<Item[]>('GET', path, {
        apiKey,
      })
      expect(answer.cost.rowsRead).toBeLessThan(30)
      ids.push(...answer.body.data.map(({ id }) => id))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(new Set(ids).size).toBe(15)
  }
})
