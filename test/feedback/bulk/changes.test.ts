import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

const IDEAS = '/api/feedback-items'

interface Idea {
  external_key: string
  title: string
  status_id: number | null
  currentStatus: string | null
  tags: { key: string }[]
  vote: number
  comment: number
}

interface Result {
  index: number
  op: string
  success: boolean
  id?: number
  externalKey?: string
  message?: string
  issues?: { path: string; code: string }[]
}

interface Done {
  results: Result[]
  totals: Record<string, number>
}

interface Event {
  type: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
}

type Options = Parameters<Workspace['client']>[2]

async function createBulkScenario() {
  const here = await createWorkspace()
  const { client, product } = here
  const read = async <T>(path: string) => (await client<T>('GET', path)).body.data
  return {
    ...here,
    read,
    async idea(body: object = {}) {
      const json = { title: 'Dark mode', product: product.externalKey, ...body }
      return (await client<Idea>('POST', IDEAS, { json })).body.data.external_key
    },
    readIdea: (key: string) => read<Idea>(`${IDEAS}/${key}`),
    eventTypes: async (key: string) => (await read<Event[]>(`/api/v2/events?key=${key}`)).map(({ type }) => type),
    events: (key: string) => read<Event[]>(`/api/v2/events?key=${key}`),
    statusId: async (name: string) =>
      (await read<{ id: number; name: string }[]>(`${IDEAS}/statuses`)).find((one) => one.name === name)?.id,
    bulk: (json: unknown, query = '', options: Options = {}) =>
      client<Done>('PUT', `${IDEAS}/bulk${query}`, { json, ...options }),
  }
}

const update = (externalKey: string, body: object) => ({ op: 'update', externalKey, body })
const remove = (externalKey: string) => ({ op: 'delete', externalKey })
const merge = (externalKey: string, into: string) => ({ op: 'merge', externalKey, body: { into } })
const pathsOf = ({ results }: Done) => results.map(({ issues }) => issues?.map(({ path, code }) => `${path} ${code}`))

test('one request modifies, removes and merges ideas, with one event for each change', async () => {
  const here = await createBulkScenario()
  const [first, second, third, fourth] = [
    await here.idea({ tags: ['ui', 'old'] }),
    await here.idea(),
    await here.idea(),
    await here.idea({ tags: ['ui'] }),
  ]
  const status_id = await here.statusId('planned')
  await here.client('POST', `${IDEAS}/${third}/vote`, { json: { type: 'up', email: 'ada@example.com' } })
  await here.client('POST', `${IDEAS}/${third}/comments`, { json: { text: 'Yes' } })
  const done = await here.bulk([
    update(first, { title: 'A dark theme', status_id, tags: ['ui', 'night'], attributes: { plan: 'pro' } }),
    remove(second),
    merge(third, first),
    update(fourth, { tags: [], is_pinned: true, long_description: '<p>Rest<script>x</script></p>' }),
  ])
  expect([done.status, done.cost.roundTrips, done.body.message]).toEqual([200, 1, '4 of 4 operations done'])
  expect(done.body.data.totals).toEqual({ created: 0, updated: 2, deleted: 1, merged: 1, failed: 0 })
  expect(done.body.data.results.map(({ op, success, externalKey }) => [op, success, externalKey])).toEqual([
    ['update', true, first],
    ['delete', true, second],
    ['merge', true, third],
    ['update', true, fourth],
  ])
  const changed = await here.readIdea(first)
  expect(changed).toMatchObject({
    ...{ title: 'A dark theme', status_id, currentStatus: 'planned', attributes: { plan: 'pro' } },
    ...{ vote: 1, comment: 1, tags: [{ key: 'ui' }, { key: 'night' }] },
  })
  expect(await here.readIdea(fourth)).toMatchObject({ tags: [], is_pinned: true, long_description: '<p>Rest</p>' })
  expect((await here.client('GET', `${IDEAS}/${second}`)).status).toBe(404)
  expect((await here.readIdea(third)).external_key).toBe(first)

  expect((await here.eventTypes(first)).sort()).toEqual([
    ...['created', 'merged', 'status_changed', 'updated'].map((type) => `feedback.${type}`),
    'vote.created',
  ])
  const updated = (await here.events(first)).find(({ type }) => type === 'feedback.updated')
  expect(Object.keys(updated?.previous ?? {}).sort()).toEqual(['attributes', 'status_id', 'tags', 'title'])
  expect(updated?.data).toMatchObject({ title: 'A dark theme', currentStatus: 'planned', tags: changed.tags })
  expect(await here.eventTypes(second)).toEqual(['feedback.created', 'feedback.deleted'])
  expect((await here.eventTypes(third)).slice(-2)).toEqual(['feedback.merged', 'feedback.deleted'])
  expect(await here.eventTypes(fourth)).toEqual(['feedback.created', 'feedback.updated'])
  const tags = await here.read<Event[]>('/api/v2/events?type=tag.created')
  expect(tags.map(({ data }) => data.name)).toEqual(['ui', 'old', 'night'])
  const { n } = (await env.DB.prepare('SELECT count(*) AS n FROM feedback_changes').first<{ n: number }>()) ?? {}
  expect(n).toBe(0)

  await here.client('POST', `${IDEAS}/${third}/unmerge`)
  expect(await here.readIdea(third)).toMatchObject({ vote: 1, comment: 1 })
  expect(await here.readIdea(first)).toMatchObject({ vote: 0, comment: 0 })
})

test('an update that changes nothing emits nothing, and null clears a field', async () => {
  const here = await createBulkScenario()
  const status_id = await here.statusId('planned')
  const [same, cleared] = [await here.idea({ tags: ['ui'], status_id }), await here.idea({ status_id })]
  const done = await here.bulk([
    update(same, { title: 'Dark mode', tags: ['ui'], status_id }),
    update(cleared, { status_id: null }),
  ])
  expect(done.body.data.totals).toEqual({ created: 0, updated: 2, deleted: 0, failed: 0 })
  expect(await here.eventTypes(same)).toEqual(['feedback.created'])
  expect(await here.readIdea(cleared)).toMatchObject({ status_id: null, tags: [] })
})

test('a failed operation stops no other, unless the request is atomic, and a dry run stores nothing', async () => {
  const here = await createBulkScenario()
  const keys = await Promise.all(Array.from({ length: 9 }, () => here.idea({ voting_end_time: '2026-06-01' })))
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = ''] = keys
  await here.client('POST', `${IDEAS}/${h}/merge`, { json: { into: i } })
  const operations = [
    update(a, { title: 'New' }),
    update(b, { title: '', status_id: 'x', color: 'red' }),
    update(c, { slug: 'dark' }),
    update(d, { status_id: 999_999, category_id: 999_999 }),
    update(e, { voting_start_time: '2026-07-01' }),
    update(a, { title: 'Again' }),
    remove('IDEA-999'),
    merge(f, 'IDEA-998'),
    merge(g, g),
    merge(h, a),
    { op: 'create', externalKey: a },
    { op: 'delete' },
    'nothing',
    merge(i, h),
  ]
  const expected = [
    undefined,
    ['/body/color unknown_member', '/body/title too_small', '/body/status_id invalid_type'],
    ['/body/slug invalid_value'],
    ['/body/category_id unknown_reference', '/body/status_id unknown_reference'],
    ['/body/voting_start_time invalid_value'],
    ['/externalKey invalid_value'],
    ['/externalKey unknown_reference'],
    ['/body/into unknown_reference'],
    ['/body/into invalid_value'],
    ['/externalKey conflict'],
    ['/op invalid_value'],
    ['/externalKey invalid_value'],
    [' invalid_value'],
    ['/body/into invalid_value'],
  ]
  const atomic = await here.bulk(operations, '?atomic=true')
  expect([atomic.status, atomic.body.error?.code]).toEqual([400, 'bulk_rejected'])
  expect(atomic.body.error?.issues.map(({ path }) => path)).toContain('/4/body/voting_start_time')
  const dry = await here.bulk(operations, '?dryRun=true')
  expect(await here.readIdea(a)).toMatchObject({ title: 'Dark mode' })
  const done = await here.bulk(operations)
  expect(pathsOf(done.body.data)).toEqual(expected)
  expect(pathsOf(dry.body.data)).toEqual(expected)
  expect(done.body.data.totals).toEqual({ created: 0, updated: 1, deleted: 0, merged: 0, failed: 13 })
  expect(await here.readIdea(a)).toMatchObject({ title: 'New' })
  for (const json of [[], {}, Array.from({ length: 1_001 }, () => remove(a))])
    expect((await here.bulk(json)).status).toBe(400)
})

test('a target of a merge stays, and several ideas merge into one', async () => {
  const here = await createBulkScenario()
  const [target, one, two] = [await here.idea(), await here.idea(), await here.idea()]
  for (const [key, email] of [
    [one, 'ada@example.com'],
    [two, 'ada@example.com'],
    [two, 'bob@example.com'],
  ]) {
    await here.client('POST', `${IDEAS}/${key}/vote`, { json: { type: 'up', email } })
    await here.client('POST', `${IDEAS}/${key}/comments`, { json: { text: 'Yes' } })
  }
  const chain = await here.bulk([merge(one, two), merge(two, target)])
  expect(pathsOf(chain.body.data)).toEqual([['/body/into invalid_value'], undefined])
  await here.client('POST', `${IDEAS}/${two}/unmerge`)
  const done = await here.bulk([merge(one, target), merge(two, target)])
  expect(done.body.data.totals).toMatchObject({ merged: 2, failed: 0 })
  expect(await here.readIdea(target)).toMatchObject({ vote: 2, comment: 3 })
  await here.client('POST', `${IDEAS}/${one}/unmerge`)
  // The vote of the person stays, because another merged item has a vote of the person.
  expect(await here.readIdea(target)).toMatchObject({ vote: 2, comment: 2 })
  expect(await here.readIdea(one)).toMatchObject({ vote: 1, comment: 1 })
})

test('a request merges a limited number of ideas', async () => {
  const here = await createBulkScenario()
  const { externalKey: product } = here.product
  const json = Array.from({ length: 102 }, (_, n) => ({ title: `Idea ${n}`, product }))
  const made = await here.client<Done>('POST', `${IDEAS}/bulk-create`, { json })
  const [target = '', ...others] = made.body.data.results.map(({ externalKey = '' }) => externalKey)
  const done = await here.bulk(others.map((key) => merge(key, target)))
  expect(done.body.data.totals).toMatchObject({ merged: 100, failed: 1 })
  expect(pathsOf(done.body.data).at(-1)).toEqual(['/op invalid_value'])
})

test('ideas of another workspace and of hidden products are unknown', async () => {
  const here = await createBulkScenario()
  const there = await createBulkScenario()
  const other = await here.client<{ id: number; externalKey: string }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const [own, hidden] = [await here.idea(), await here.idea({ product: other.body.data.externalKey })]
  const limited = { apiKey: await here.key({ products: [here.product.id] }) }
  const operations = [update(own, { title: 'New' }), remove(hidden)]
  const done = await here.bulk(operations, '', limited)
  expect(pathsOf(done.body.data)).toEqual([undefined, ['/externalKey unknown_reference']])
  expect(pathsOf((await here.bulk([merge(own, hidden)], '', limited)).body.data)).toEqual([
    ['/body/into unknown_reference'],
  ])
  const stranger = await here.bulk(operations, '', { apiKey: await there.key() })
  expect(stranger.body.data.totals).toMatchObject({ failed: 2 })
  const reader = { apiKey: await here.key({ scopes: ['feedback:read'] }) }
  expect((await here.bulk(operations, '', reader)).status).toBe(403)
  expect([(await here.readIdea(own)).title, (await here.readIdea(hidden)).title]).toEqual(['New', 'Dark mode'])
})

runtimeTest('the cost of a request grows with the number of its operations, and not with its square', async () => {
  const here = await createBulkScenario()
  const { externalKey: product } = here.product
  const json = Array.from({ length: 300 }, (_, n) => ({ title: `Idea ${n}`, product, tags: ['ui'] }))
  const made = await here.client<Done>('POST', `${IDEAS}/bulk-create`, { json })
  const keys = made.body.data.results.map(({ externalKey = '' }) => externalKey)
  const costOf = async (some: string[], tag: string) => {
    const done = await here.bulk(some.map((key) => update(key, { title: tag, tags: [tag] })))
    expect(done.body.data.totals).toMatchObject({ updated: some.length, failed: 0 })
    return done.cost.rowsRead
  }
  const half = await costOf(keys.slice(0, 150), 'one')
  expect(half).toBeGreaterThan(150)
  expect(await costOf(keys, 'two')).toBeLessThan(2.2 * half)
})
