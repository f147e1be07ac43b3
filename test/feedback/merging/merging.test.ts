import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'

const IDEAS = '/api/feedback-items'

interface Item {
  external_key: string
  slug: string
  vote: number
  comment: number
  comments: string[]
}

interface Event {
  type: string
  data: Record<string, unknown>
}

const createIdea = async ({ client, product }: Workspace, body: object = {}) =>
  (await client<Item>('POST', IDEAS, { json: { title: 'An idea', product: product.externalKey, ...body } })).body.data
    .external_key
const post = ({ client }: Workspace, path: string, json: object = {}, apiKey?: string) =>
  client<Item & { id: number }>('POST', `${IDEAS}/${path}`, { json, ...(apiKey && { apiKey }) })
const merge = (world: Workspace, key: string, into: string, apiKey?: string) =>
  post(world, `${key}/merge`, { into }, apiKey)
const unmerge = (world: Workspace, key: string, apiKey?: string) => post(world, `${key}/unmerge`, {}, apiKey)
const listKeys = async ({ client }: Workspace, query = '') =>
  (await client<Item[]>('GET', `${IDEAS}?sort=oldest${query}`)).body.data.map(({ external_key }) => external_key)

async function readStoredRows({ subscriptionId }: Workspace, key: string) {
  const all = async (text: string) =>
    (await env.DB.prepare(text).bind(subscriptionId, key).all<Record<string, unknown>>()).results
  const of = '(SELECT id FROM feedback_items WHERE subscription_id = ?1 AND external_key = ?2)'
  return {
    item: await all(
      'SELECT vote, down_vote, comment, comment_bytes, trending FROM feedback_items WHERE subscription_id = ?1 AND external_key = ?2',
    ),
    votes: await all(
      `SELECT user_id, type, created_at, merged_from FROM feedback_votes WHERE feedback_id = ${of} ORDER BY 1`,
    ),
    comments: await all(
      `SELECT id, parent_id, text, is_private, deleted_at, tombstone, mentions FROM feedback_comments WHERE feedback_id = ${of} ORDER BY 1`,
    ),
    subscribers: await all(
      `SELECT user_id, reason, created_at, merged_from FROM feedback_subscriptions WHERE feedback_id = ${of} ORDER BY 1`,
    ),
  }
}

test('a merged item points to the target, which has the votes and comments of both', async () => {
  const world = await createWorkspace()
  const [first, second] = [await createIdea(world, { title: 'Dark' }), await createIdea(world, { title: 'Night' })]
  for (const [key, email] of [
    [first, 'a@example.com'],
    [first, 'b@example.com'],
    [second, 'b@example.com'],
    [second, 'c@example.com'],
  ]) {
    await post(world, `${key}/vote`, { type: 'up', email })
  }
  await post(world, `${first}/comments`, { text: 'Dark!' })
  await post(world, `${second}/comments`, { text: 'Night!' })
  const merged = await merge(world, first, second)
  expect([merged.status, merged.cost.roundTrips]).toEqual([200, 1])
  expect(merged.body.data).toMatchObject({ external_key: second, vote: 3, comment: 2, comments: ['Night!', 'Dark!'] })
  expect(await listKeys(world)).toEqual([second])
  expect(await listKeys(world, '&slug=dark')).toEqual([second])
  for (const path of [first, `${first}/voters`, `${first}/comments`]) {
    const read = await world.client<object[]>('GET', `${IDEAS}/${path}`)
    const same = await world.client<object[]>('GET', `${IDEAS}/${path.replace(first, second)}`)
    expect([path, read.status, read.body.data]).toEqual([path, 200, same.body.data])
  }
  const listMergeEvents = async (key: string) =>
    (await world.client<Event[]>('GET', `/api/v2/events?key=${key}`)).body.data.filter(({ type }) =>
      /merged/.test(type),
    )
  expect(await listMergeEvents(first)).toMatchObject([
    { type: 'feedback.merged', data: { external_key: first, into: second } },
  ])
  expect(await listMergeEvents(second)).toMatchObject([
    { type: 'feedback.merged', data: { merged: first, vote: 3, comment: 2 } },
  ])
  const back = await unmerge(world, first)
  expect(back.body.data).toMatchObject({ external_key: first, vote: 2, comment: 1, comments: ['Dark!'] })
  expect(await listKeys(world)).toEqual([first, second])
  expect(await listKeys(world, '&slug=dark')).toEqual([first])
  expect((await listMergeEvents(first)).map(({ type }) => type)).toEqual(['feedback.merged', 'feedback.unmerged'])
  expect((await listMergeEvents(second)).at(-1)).toMatchObject({ data: { unmerged: first, vote: 2, comment: 1 } })
})

test('a merged item cannot be changed, and the refusal names its target', async () => {
  const world = await createWorkspace()
  const [first, second] = [await createIdea(world), await createIdea(world)]
  await merge(world, first, second)
  for (const [method, path, json] of [
    ['POST', '/vote', { type: 'up' }],
    ['POST', '/comments', { text: 'Late' }],
    ['PUT', '', { title: 'Late' }],
    ['DELETE', '', undefined],
    ['POST', '/merge', { into: second }],
  ] as const) {
    const refused = await world.client(method, `${IDEAS}/${first}${path}`, json ? { json } : {})
    expect([method, path, refused.status, refused.body.error?.code]).toEqual([method, path, 409, 'conflict'])
    expect(refused.body.message).toContain(second)
  }
  expect((await unmerge(world, second)).status).toBe(409)
  expect((await unmerge(world, 'IDEA-99')).status).toBe(404)
})

test('an item cannot be merged into itself, in a cycle, or into a merged or missing item', async () => {
  const world = await createWorkspace()
  const [first, second, third] = [await createIdea(world), await createIdea(world), await createIdea(world)]
  const refusal = async (key: string, into: string) => {
    const { status, body } = await merge(world, key, into)
    return [status, body.error?.code, body.error?.issues[0]?.path]
  }
  expect(await refusal(first, first)).toEqual([400, 'validation_failed', '/into'])
  expect(await refusal(first, 'IDEA-99')).toEqual([400, 'unknown_reference', '/into'])
  await merge(world, first, second)
  expect(await refusal(second, first)).toEqual([400, 'unknown_reference', '/into'])
  expect(await refusal(third, first)).toEqual([400, 'unknown_reference', '/into'])
  await merge(world, second, third)
  expect(await refusal(third, first)).toEqual([400, 'unknown_reference', '/into'])
  expect((await world.client<Item>('GET', `${IDEAS}/${first}`)).body.data.external_key).toBe(third)
  const early = await unmerge(world, first)
  expect([early.status, early.body.message]).toEqual([409, expect.stringContaining(second)])
  await unmerge(world, second)
  expect((await unmerge(world, first)).status).toBe(200)
})

test('a merge across products needs a key for both products', async () => {
  const world = await createWorkspace()
  const made = await world.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const first = await createIdea(world)
  const second = await createIdea(world, { product: made.body.data.externalKey })
  const one = await world.key({ products: [world.product.id] })
  const two = await world.key({ products: [made.body.data.id] })
  expect((await merge(world, first, second, one)).status).toBe(400)
  expect((await merge(world, first, second, two)).status).toBe(404)
  expect((await merge(world, first, second)).status).toBe(200)
  // The error for a key of a single product does not name the item in the second product.
  const hidden = await post(world, `${first}/vote`, { type: 'up' }, one)
  expect([hidden.status, hidden.body.message]).toEqual([404, expect.not.stringContaining(second)])
  expect((await unmerge(world, first, one)).status).toBe(403)
  expect((await unmerge(world, first, two)).status).toBe(404)
  expect((await unmerge(world, first)).status).toBe(200)
})

test('a key of one product cannot change comments that return to another, or see the other key', async () => {
  const world = await createWorkspace()
  const made = await world.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const [target, source] = [await createIdea(world), await createIdea(world, { product: made.body.data.externalKey })]
  const theirs = (await post(world, `${source}/comments`, { text: '<p>Theirs</p>' })).body.data.id
  const removed = (await post(world, `${source}/comments`, { text: '<p>Removed</p>' })).body.data.id
  const own = (await post(world, `${target}/comments`, { text: '<p>Own</p>' })).body.data.id
  await world.client('DELETE', `${IDEAS}/comments/${removed}`)
  await merge(world, source, target)
  const one = await world.key({ products: [world.product.id] })
  const both = await world.key({ products: [world.product.id, made.body.data.id] })
  const change = (id: number, apiKey: string) =>
    world.client('PUT', `${IDEAS}/comments/${id}`, { json: { text: '<p>Changed</p>' }, apiKey })
  const refused = [
    await change(theirs, one),
    await world.client('DELETE', `${IDEAS}/comments/${theirs}`, { apiKey: one }),
    await post(world, `comments/${removed}/restore`, {}, one),
  ]
  for (const { status, body } of refused) {
    expect([status, body.error?.code]).toEqual([403, 'insufficient_scope'])
    expect(body.message).not.toContain(source)
  }
  expect([(await change(own, one)).status, (await change(theirs, both)).status]).toEqual([200, 200])
  await post(world, `comments/${theirs}/reply`, { text: '<p>Mine</p>' }, one)
  await unmerge(world, source)
  const texts = async (key: string) =>
    (await world.client<{ text: string }[]>('GET', `${IDEAS}/${key}/comments`)).body.data.map(({ text }) => text).sort()
  expect([await texts(source), await texts(target)]).toEqual([['<p>Changed</p>'], ['<p>Changed</p>', '<p>Mine</p>']])
  expect((await change(theirs, one)).status).toBe(404)

  const listMergedKeys = async (apiKey: string, key: string) =>
    (await world.client<Event[]>('GET', `/api/v2/events?key=${key}&limit=100`, { apiKey })).body.data.flatMap(
      ({ type, data }) =>
        /merged$/.test(type) ? [data.merged ?? data.unmerged ?? data.into ?? data.from ?? null] : [],
    )
  const two = await world.key({ products: [made.body.data.id] })
  for (const apiKey of [both, await world.key()]) {
    expect([await listMergedKeys(apiKey, target), await listMergedKeys(apiKey, source)]).toEqual([
      Array(2).fill(source),
      Array(2).fill(target),
    ])
  }
  expect([await listMergedKeys(one, target), await listMergedKeys(two, source)]).toEqual([
    Array(2).fill(null),
    Array(2).fill(null),
  ])
})

function seededRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const VOTER_COUNT = 6

async function sendRandomWrite(world: Workspace, key: string, chance: (below: number) => number) {
  const kind = chance(3)
  if (kind < 2) {
    const type = ['up', 'down', 'none'][chance(3)]
    return post(world, `${key}/vote`, { type, email: `voter-${chance(VOTER_COUNT)}@example.com` })
  }
  return post(world, `${key}/comments`, { text: `Said ${chance(1_000)}`, isPrivate: chance(4) === 0 })
}

test.each([1, 2, 3, 4, 5, 6])('an unmerged item is as before, whatever was written meanwhile (%s)', async (seed) => {
  const world = await createWorkspace()
  const chance = seededRandom(seed)
  const keys = [await createIdea(world), await createIdea(world), await createIdea(world)]
  const [one = '', two = '', into = ''] = keys
  for (let n = 0; n < 24; n++) await sendRandomWrite(world, keys[chance(3)] ?? '', chance)
  const before = {
    one: await readStoredRows(world, one),
    two: await readStoredRows(world, two),
    into: await readStoredRows(world, into),
  }
  await merge(world, one, into)
  await merge(world, two, into)
  // A write after the merge changes the remaining item only, and survives the unmerge.
  const since: { type: string; email: string }[] = []
  const said: number[] = []
  for (let n = 0; n < 8; n++) {
    const vote = {
      type: ['up', 'down', 'none'][chance(3)] ?? '',
      email: `voter-${chance(VOTER_COUNT / 2)}@example.com`,
    }
    await post(world, `${into}/vote`, vote)
    since.push(vote)
    if (n % 3 === 0) said.push((await post(world, `${into}/comments`, { text: `Meanwhile ${n}` })).body.data.id)
  }
  const order = seed % 2 ? ([one, two] as const) : ([two, one] as const)
  expect((await unmerge(world, order[0])).status).toBe(200)
  const ids = await env.DB.prepare('SELECT id, email FROM users WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .all<{ id: number; email: string }>()
  const idOf = (email: string) => ids.results.find((user) => user.email === email)?.id
  const acted = new Set(since.map(({ email }) => idOf(email)))
  // The votes of the item that is still merged remain.
  const brought = (order[1] === one ? before.one : before.two).votes.map(({ user_id }) => user_id)
  const standing = (await readStoredRows(world, into)).votes.map(({ user_id }) => user_id)
  const untouched = brought.filter((id) => !acted.has(id as number))
  expect(standing.filter((id) => untouched.includes(id)).length).toBe(untouched.length)
  expect((await unmerge(world, order[1])).status).toBe(200)
  expect(await readStoredRows(world, one)).toEqual(before.one)
  expect(await readStoredRows(world, two)).toEqual(before.two)
  const after = await readStoredRows(world, into)
  const expected = new Map(before.into.votes.map(({ user_id, type }) => [user_id, type]))
  for (const { type, email } of since) {
    if (type === 'none') expected.delete(idOf(email))
    else expected.set(idOf(email), type)
  }
  expect(new Map(after.votes.map(({ user_id, type }) => [user_id, type]))).toEqual(expected)
  expect(after.votes.filter(({ merged_from }) => merged_from !== null)).toEqual([])
  expect(after.comments.map(({ id }) => id)).toEqual([...before.into.comments.map(({ id }) => id), ...said])
  const count = (type: string) => after.votes.filter((vote) => vote.type === type).length
  expect(after.item[0]).toMatchObject({
    vote: count('up'),
    down_vote: count('down'),
    comment: after.comments.filter(({ is_private }) => !is_private).length,
  })
})

test('a vote from two merged items stays until both are unmerged', async () => {
  const world = await createWorkspace()
  const [one, two, into] = [await createIdea(world), await createIdea(world), await createIdea(world)]
  for (const [key, type] of [
    [one, 'up'],
    [two, 'down'],
  ]) {
    await post(world, `${key}/vote`, { type, email: 'ada@example.com' })
    await merge(world, key ?? '', into)
  }
  const has = async () => (await readStoredRows(world, into)).item[0]
  expect(await has()).toMatchObject({ vote: 1, down_vote: 0 })
  await unmerge(world, one)
  expect(await has()).toMatchObject({ vote: 0, down_vote: 1 })
  await unmerge(world, two)
  expect(await has()).toMatchObject({ vote: 0, down_vote: 0 })
})

test('a reply to a returning comment stays with the item where it was written', async () => {
  const world = await createWorkspace()
  const [first, second] = [await createIdea(world), await createIdea(world)]
  const { id } = (await post(world, `${first}/comments`, { text: 'First' })).body.data
  await merge(world, first, second)
  await post(world, `comments/${id}/reply`, { text: 'Meanwhile' })
  const before = await world.client<{ parentId: number | null }[]>('GET', `${IDEAS}/${second}/comments`)
  expect(before.body.data.map(({ parentId }) => parentId)).toEqual([null, id])
  await unmerge(world, first)
  const heard = async (key: string) =>
    (await world.client<{ text: string; parentId: number | null }[]>('GET', `${IDEAS}/${key}/comments`)).body.data.map(
      ({ text, parentId }) => [text, parentId],
    )
  expect([await heard(first), await heard(second)]).toEqual([[['First', null]], [['Meanwhile', null]]])
})

test('a restored reply brings back no removed comment of another item', async () => {
  const world = await createWorkspace()
  const [first, second] = [await createIdea(world), await createIdea(world)]
  const parent = (await post(world, `${first}/comments`, { text: 'First' })).body.data.id
  await merge(world, first, second)
  const reply = (await post(world, `comments/${parent}/reply`, { text: 'Meanwhile' })).body.data.id
  await unmerge(world, first)
  await world.client('DELETE', `${IDEAS}/comments/${parent}`)
  await world.client('DELETE', `${IDEAS}/comments/${reply}`)
  expect((await post(world, `comments/${reply}/restore`)).status).toBe(200)
  const texts = async (key: string) =>
    (await world.client<{ text: string }[]>('GET', `${IDEAS}/${key}/comments`)).body.data.map(({ text }) => text)
  expect([await texts(first), await texts(second)]).toEqual([[], ['Meanwhile']])
})

test('an item lists the items that were merged into it, until an unmerge or a removal', async () => {
  const world = await createWorkspace()
  const [target, first, second, third] = [
    await createIdea(world, { title: 'Dark' }),
    await createIdea(world, { title: 'Night' }),
    await createIdea(world, { title: 'Black' }),
    await createIdea(world, { title: 'Dim' }),
  ]
  for (const [key, into] of [
    [first, target],
    [third, second],
    [second, target],
  ] as const)
    expect((await merge(world, key, into)).status).toBe(200)
  const listMerged = async (query = '') =>
    (await world.client<Item[]>('GET', `${IDEAS}/${target}/merged${query}`)).body.data.map((item) => item.external_key)
  expect(await listMerged()).toEqual([first, second])
  expect(await listMerged('?limit=1')).toEqual([first])
  await unmerge(world, first)
  expect(await listMerged()).toEqual([second])
  expect((await world.client('GET', `${IDEAS}/IDEA-9/merged`)).body.error?.code).toBe('feedback_item_not_found')
})
