import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { runtimeTest } from '../../runtime-test'
import { createWorkItemScenario } from '../work-items/scenario'

interface Result {
  index: number
  op: string
  success: boolean
  id?: number
  externalKey?: string
  ref?: string
  message?: string
  issues?: { path: string; code: string; message: string }[]
}

interface BulkReply {
  results: Result[]
  totals: { created: number; updated: number; deleted: number; failed: number }
}

async function createBulkScenario() {
  const here = await createWorkItemScenario()
  const bulk = (json: unknown, query = '', options: object = {}) =>
    here.client<BulkReply>('POST', `${here.at}/backlog/bulk${query}`, { json, ...options })
  const left = async () => (await env.DB.prepare('SELECT count(*) AS n FROM work_item_bulk').first<{ n: number }>())?.n
  const types = async (key: string) => (await here.events(key)).map(({ type }) => type)
  return { ...here, bulk, left, types }
}

const createAction = (type: string, summary: string, more: object = {}, beside: object = {}) => ({
  op: 'create',
  type,
  ...beside,
  body: { summary, ...more },
})

test('mixed operations run in one round trip, with a result and an event for each', async () => {
  const here = await createBulkScenario()
  await here.create('epics', { summary: 'Old' })
  const gone = await here.create('epics', { summary: 'Goes' })
  await here.create('features', { summary: 'Stays', epicId: gone.epicId })
  await here.create('storyMap/card', { summary: 'Loose', tags: '["a","b"]' })
  const answer = await here.bulk([
    createAction('epic', 'Made', { tags: '["x"]', score: 1.25, userId: [here.userId] }, { ref: 'e' }),
    createAction('feature', 'Below', {}, { ref: 'f', parentRef: 'e' }),
    createAction(
      'userstory',
      'Lowest',
      { storyPoint: '3', startDate: '2026-01-01', attributes: { a: 1 } },
      { parentRef: 'f' },
    ),
    { op: 'update', type: 'epic', externalKey: 'EP-1', body: { summary: 'New', businessValue: '3', color: null } },
    { op: 'update', type: 'userstory', externalKey: 'US-1', parentRef: 'f', body: { tags: '["b","c"]' } },
    { op: 'delete', type: 'epic', externalKey: 'EP-2' },
  ])
  expect([answer.status, answer.cost.roundTrips]).toEqual([200, 1])
  expect(answer.body.message).toBe('6 of 6 operations done')
  expect(answer.body.data.totals).toEqual({ created: 3, updated: 2, deleted: 1, failed: 0 })
  expect(answer.body.data.results.map(({ externalKey, success, ref }) => [externalKey, success, ref])).toEqual([
    ['EP-3', true, 'e'],
    ['FE-2', true, 'f'],
    ['US-2', true, undefined],
    ['EP-1', true, undefined],
    ['US-1', true, undefined],
    ['EP-2', true, undefined],
  ])
  const epic = await here.detail('epics/EP-3')
  expect(epic).toMatchObject({ summary: 'Made', features: ['FE-2'], score: 1.25, tags: '["x"]' })
  expect(await here.detail('features/FE-2')).toMatchObject({ epicId: epic.id, userStories: ['US-1', 'US-2'] })
  expect(await here.detail('storyMap/card/US-2')).toMatchObject({
    epicId: epic.id,
    startDate: '2026-01-01T00:00:00.000Z',
    attributes: { a: 1 },
  })
  expect(await here.detail('epics/EP-1')).toMatchObject({ summary: 'New', businessValue: '3' })
  expect((await here.client('GET', `${here.at}/epics/EP-2`)).status).toBe(404)
  expect(await here.detail('features/FE-1')).toMatchObject({ epicId: 0 })
  for (const [key, path] of [
    ['EP-3', 'epics'],
    ['FE-2', 'features'],
    ['US-2', 'storyMap/card'],
    ['EP-1', 'epics'],
    ['US-1', 'storyMap/card'],
  ]) {
    const last = (await here.events(key ?? '')).at(-1)
    expect([key, last?.data]).toEqual([key, await here.detail(`${path}/${key}`)])
  }
  expect(await here.types('EP-3')).toEqual(['epic.created'])
  expect((await here.events('EP-1')).at(-1)?.previous).toEqual({ summary: 'Old', businessValue: '' })
  expect(await here.types('EP-2')).toEqual(['epic.created', 'epic.deleted'])
  const tagged = await here.client<{ externalKey: string }[]>('GET', `${here.at}/storyMap/card?tag=c`)
  expect(tagged.body.data.map(({ externalKey }) => externalKey)).toEqual(['US-1'])
  expect((await here.client<object[]>('GET', `${here.at}/storyMap/card?tag=a`)).body.data).toEqual([])
  await here.create('epics', { summary: 'Next' })
  const order = await here.client<{ externalKey: string }[]>('GET', `${here.at}/epics?sort=order`)
  expect(order.body.data.map(({ externalKey }) => externalKey)).toEqual(['EP-1', 'EP-3', 'EP-4'])
  expect((await here.client('POST', `${here.at}/epics/EP-2/restore`)).status).toBe(200)
  expect(await here.detail('epics/EP-2')).toMatchObject({ features: ['FE-1'] })
  expect(await here.left()).toBe(0)
})

test('an invalid operation is reported and does not affect other operations, except its children', async () => {
  const here = await createBulkScenario()
  const stranger = await createBulkScenario()
  const theirs = await stranger.create('epics', { summary: 'Theirs' })
  await here.create('features', { summary: 'F', startDate: '2026-02-01', endDate: '2026-03-01' })
  await here.create('features', { summary: 'G' })
  const given: [unknown, string[] | null][] = [
    [createAction('epic', 'Fine'), null],
    [createAction('epic', ''), ['/body/summary']],
    [
      createAction('feature', 'Lost', { epicId: theirs.epicId, teamId: 999 }, { ref: 'lost' }),
      ['/body/teamId', '/body/epicId'],
    ],
    [createAction('userstory', 'Below', {}, { ref: 'deep', parentRef: 'lost' }), ['/parentRef']],
    [createAction('userstory', 'No ref', {}, { parentRef: 'nobody' }), ['/parentRef']],
    [createAction('userstory', 'Later', {}, { parentRef: 'later' }), ['/parentRef']],
    [createAction('epic', 'Fine too', {}, { ref: 'later' }), null],
    [createAction('epic', 'Again', {}, { ref: 'later' }), ['/ref']],
    [createAction('epic', 'Under', {}, { parentRef: 'later' }), ['/parentRef']],
    [createAction('feature', 'Under a story', {}, { parentRef: 'deep' }), ['/parentRef']],
    [{ op: 'update', type: 'feature', externalKey: 'FE-1', body: { endDate: '2026-01-01' } }, ['/body/endDate']],
    [{ op: 'update', type: 'feature', externalKey: 'FE-1', body: {} }, ['/externalKey']],
    [{ op: 'update', type: 'epic', externalKey: 'FE-1', body: {} }, ['/externalKey']],
    [{ op: 'delete', type: 'epic', externalKey: 'EP-99' }, ['/externalKey']],
    [{ op: 'delete', type: 'epic' }, ['/externalKey']],
    [{ op: 'create', type: 'epic', externalKey: 'EP-1', body: { summary: 'x' } }, ['/externalKey']],
    [{ op: 'grow', type: 'tree' }, ['/op', '/type']],
    [null, ['']],
    [[], ['']],
    ['x', ['']],
    [
      { op: 'update', type: 'feature', externalKey: 'FE-2', body: { kpis: ['KPI-1'], files: [{ file: { id: 1 } }] } },
      ['/body/kpis/0', '/body/files/0/file/id'],
    ],
    [createAction('epic', 'Bad', { tags: 'no', description: '<p>x</p>', features: ['FE-77'] }), ['/body/tags']],
    [
      createAction('epic', 'Bad', { features: ['FE-77'], userStories: ['US-77'] }),
      ['/body/userStories/0', '/body/features/0'],
    ],
  ]
  const { status, body } = await here.bulk(given.map(([item]) => item))
  expect(status).toBe(200)
  const issuePaths = body.data.results.map(({ issues }) => issues?.map(({ path }) => path) ?? null)
  expect(issuePaths.map((paths, n) => [n, paths])).toEqual(given.map(([, paths], n) => [n, paths]))
  expect(body.data.totals).toEqual({ created: 2, updated: 0, deleted: 0, failed: given.length - 2 })
  expect(body.message).toBe(`2 of ${given.length} operations done`)
  for (const result of body.data.results) if (!result.success) expect(result.message).toMatch(/: ./)
  const list = await here.client<object[]>('GET', `${here.at}/epics`)
  expect(list.body.data.length).toBe(2)
  expect(await here.left()).toBe(0)

  const before = (await here.client<object[]>('GET', '/api/v2/events?limit=100')).body.data.length
  const refused = await here.bulk(
    given.map(([item]) => item),
    '?atomic=true',
  )
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'bulk_rejected'])
  const paths = given.flatMap(([, paths], n) => (paths ?? []).map((path) => `/${n}${path}`))
  expect(refused.body.error?.issues.map(({ path }) => path)).toEqual(paths)
  for (const wrong of [{}, 'x', [], Array.from({ length: 1_001 }, () => createAction('epic', 'x'))])
    expect((await here.bulk(wrong)).status).toBe(400)
  expect((await here.client<object[]>('GET', '/api/v2/events?limit=100')).body.data.length).toBe(before)
  expect(await here.left()).toBe(0)
})

test('a bulk may name a limited number of other records', async () => {
  const here = await createBulkScenario()
  const userStories = Array.from({ length: 1_000 }, (_, n) => `US-${n + 1}`)
  const { status, body } = await here.bulk(
    Array.from({ length: 11 }, (_, n) => createAction('epic', `E${n}`, { userStories })),
  )
  expect([status, body.data.totals.failed, body.data.results[0]?.issues?.length]).toEqual([200, 11, 100])
  expect(body.data.results[10]?.issues?.map(({ path }) => path)).toEqual(['/body'])
})

test('a dry run checks everything and stores nothing, and atomic stores everything or nothing', async () => {
  const here = await createBulkScenario()
  const items = [createAction('epic', 'E', {}, { ref: 'e' }), createAction('feature', 'F', {}, { parentRef: 'e' })]
  const dry = await here.bulk(items, '?dryRun=true')
  expect([dry.status, dry.body.data.totals.created, dry.body.message]).toEqual([
    200,
    2,
    '2 of 2 operations would be done',
  ])
  expect(dry.body.data.results[0]).toEqual({ index: 0, op: 'create', success: true, ref: 'e' })
  const wrong = await here.bulk([...items, createAction('feature', 'G', { epicId: 1_000 })], '?dryRun=true')
  expect(wrong.body.data.results[2]).toMatchObject({ success: false, issues: [{ path: '/body/epicId' }] })
  expect((await here.bulk([...items, createAction('feature', 'G', { epicId: 1_000 })], '?atomic=true')).status).toBe(
    400,
  )
  expect((await here.client<object[]>('GET', `${here.at}/epics`)).body.data).toEqual([])
  const all = await here.bulk(items, '?atomic=true')
  expect(all.body.data.results.map(({ externalKey }) => externalKey)).toEqual(['EP-1', 'FE-1'])
})

test('children are set in a bulk as in a single request', async () => {
  const here = await createBulkScenario()
  const epic = await here.create('epics', { summary: 'E' })
  const feature = await here.create('features', { summary: 'F', epicId: epic.epicId })
  await here.create('storyMap/card', { summary: 'S', featureId: feature.featureId })
  await here.create('storyMap/card', { summary: 'T' })
  const { body } = await here.bulk([
    createAction('epic', 'Takes', { features: ['FE-1'], userStories: ['US-2'] }),
    createAction('feature', 'Takes', { userStories: [] }),
  ])
  expect(body.data.totals.created).toBe(2)
  const taker = await here.detail('epics/EP-2')
  expect(taker).toMatchObject({ features: ['FE-1'], userStories: ['US-1', 'US-2'] })
  expect((await here.events('EP-2')).map(({ data }) => data)).toEqual([taker])
  expect(await here.detail('storyMap/card/US-1')).toMatchObject({ epicId: taker.id, featureId: feature.featureId })
  await here.bulk([
    { op: 'update', type: 'feature', externalKey: 'FE-2', body: { summary: 'Named', userStories: ['US-1'] } },
    { op: 'update', type: 'userstory', externalKey: 'US-2', body: { epicId: 0 } },
    { op: 'update', type: 'feature', externalKey: 'FE-1', body: { epicId: epic.epicId } },
  ])
  expect(await here.detail('features/FE-2')).toMatchObject({ userStories: ['US-1'], summary: 'Named' })
  expect((await here.events('FE-2')).at(-1)?.data).toEqual(await here.detail('features/FE-2'))
  expect(await here.detail('storyMap/card/US-1')).toMatchObject({ epicId: 0 })
  expect(await here.detail('storyMap/card/US-2')).toMatchObject({ epicId: 0 })
  expect(await here.detail('epics/EP-1')).toMatchObject({ features: ['FE-1'] })
})

const LIST_MEMBERS = ['features', 'userStories', 'kpis', 'files']

test('KPIs, files and children are replaced in a bulk as in a single request, with the same events', async () => {
  const made = async () => {
    const here = await createBulkScenario()
    for (const n of [1, 2, 3]) await here.kpi(n)
    const files = [await here.asset(), await here.asset(), await here.asset()]
    await here.create('epics', { summary: 'E' })
    await here.create('epics', { summary: 'F' })
    await here.create('features', { summary: 'F' })
    await here.create('storyMap/card', { summary: 'S' })
    await here.create('storyMap/card', { summary: 'T' })
    const named = (...some: number[]) => some.map((n) => ({ file: { id: files[n] } }))
    return { ...here, files, named }
  }
  type Made = Awaited<ReturnType<typeof made>>
  const steps: ((here: Made) => [type: string, key: string, body: object][])[] = [
    ({ named }) => [
      ['epic', 'EP-1', { kpis: ['KPI-1', 'KPI-2'], files: named(0, 1), features: ['FE-1'], userStories: ['US-1'] }],
      ['userstory', 'US-2', { files: named(1, 2), kpis: ['KPI-3'], summary: 'Named' }],
      ['feature', 'FE-1', { kpis: [] }],
    ],
    // A step without differences appends no event.
    ({ named }) => [['epic', 'EP-1', { kpis: ['KPI-2', 'KPI-1'], files: named(1, 0), features: ['FE-1'] }]],
    ({ named }) => [
      ['epic', 'EP-2', { files: named(1, 2), userStories: ['US-1'], color: 'red' }],
      ['epic', 'EP-1', { kpis: ['KPI-2', 'KPI-3'], files: named(0) }],
      ['userstory', 'US-2', { files: [] }],
    ],
    () => [
      ['epic', 'EP-1', { kpis: [], files: [] }],
      ['epic', 'EP-2', { files: [] }],
    ],
  ]
  const [alone, together] = [await made(), await made()]
  const path = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' } as Record<string, string>
  const state = async (here: Made) => {
    const found = []
    for (const key of ['epics/EP-1', 'epics/EP-2', 'features/FE-1', 'storyMap/card/US-1', 'storyMap/card/US-2']) {
      const { features, userStories, kpis, files } = await here.detail(key)
      const events = await here.events(key.split('/').at(-1) as string)
      found.push({
        key,
        lists: [features, userStories, kpis, files.map(({ file }) => here.files.indexOf(file.id))],
        told: events.map(({ type, previous }) => [
          type,
          Object.keys(previous ?? {}).filter((name) => LIST_MEMBERS.includes(name)),
        ]),
        last: LIST_MEMBERS.map((name) => (events.at(-1)?.data[name] as unknown[] | undefined)?.length),
      })
    }
    const shown = await Promise.all(
      here.files.map((id) => here.client<{ usedAt: string }>('GET', `${here.at}/assets/${id}`)),
    )
    return { found, usedAt: shown.map(({ body }) => body.data.usedAt) }
  }
  for (const step of steps) {
    for (const [type, key, json] of step(alone))
      expect((await alone.client('PUT', `${alone.at}/${path[type]}/${key}`, { json })).status).toBe(200)
    const items = step(together).map(([type, externalKey, body]) => ({ op: 'update', type, externalKey, body }))
    const answer = await together.bulk(items)
    expect([answer.body.data.totals.updated, answer.cost.roundTrips]).toEqual([items.length, 1])
    expect(await state(together)).toEqual(await state(alone))
  }
  expect(await together.left()).toBe(0)
  const { id } = await together.detail('epics/EP-1')
  await together.bulk([{ op: 'update', type: 'epic', externalKey: 'EP-1', body: { files: together.named(0) } }])
  expect((await together.events(String(together.files[0]))).at(-1)).toMatchObject({
    type: 'asset.updated',
    data: { artifactId: id, usedAt: 'epic' },
  })
})

runtimeTest('twice the operations read twice the rows', async () => {
  const read = async (size: number) => {
    const here = await createBulkScenario()
    const files = await Promise.all(Array.from({ length: 10 }, () => here.asset()))
    for (const n of files.keys()) await here.kpi(n + 1)
    const all = Array.from({ length: size }, (_, n) => n)
    const named = (n: number, shift: number) => ({
      kpis: [`KPI-${((n + shift) % 10) + 1}`],
      files: [{ file: { id: files[(n + shift) % 10] } }],
    })
    const made = await here.bulk([
      ...all.map((n) => createAction('epic', `E${n}`)),
      ...all.map((n) => createAction('userstory', `S${n}`)),
    ])
    const costs = [made.cost.rowsRead]
    for (const shift of [0, 1]) {
      const epic = (n: number) => ({
        summary: 'New',
        userStories: [`US-${((n + shift) % size) + 1}`],
        ...named(n, shift),
      })
      const { body, cost } = await here.bulk([
        ...all.map((n) => ({ op: 'update', type: 'epic', externalKey: `EP-${n + 1}`, body: epic(n) })),
        ...all.map((n) => ({ op: 'update', type: 'userstory', externalKey: `US-${n + 1}`, body: { color: 'red' } })),
      ])
      expect(body.data.totals.updated).toBe(2 * size)
      costs.push(cost.rowsRead)
    }
    const gone = await here.bulk(all.map((n) => ({ op: 'delete', type: 'epic', externalKey: `EP-${n + 1}` })))
    return [...costs, gone.cost.rowsRead]
  }
  const [few, many] = [await read(40), await read(160)]
  for (const [n, rows] of many.entries()) expect(rows / (few[n] as number)).toBeLessThan(4.4)
})

test('a retry with the same Idempotency-Key gets the first response, and parallel bulks stay separate', async () => {
  const here = await createBulkScenario()
  const items = [createAction('epic', 'E', {}, { ref: 'e' }), createAction('userstory', 'S', {}, { parentRef: 'e' })]
  const headers = { 'idempotency-key': 'once' }
  const first = await here.bulk(items, '', { headers })
  const again = await here.bulk(items, '', { headers })
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
  const many = await Promise.all(Array.from({ length: 8 }, () => here.bulk(items)))
  const keys = many.flatMap(({ body }) => body.data.results.map(({ externalKey }) => externalKey))
  expect(new Set(keys).size).toBe(16)
  expect(await here.left()).toBe(0)
})

test('a value that is no operation is refused with a plain sentence', async () => {
  const here = await createBulkScenario()
  const { status, body } = await here.bulk([null, createAction('epic', 'Fine')])
  expect([status, body.data.results[0]?.issues?.[0]?.path]).toEqual([200, ''])
  expect(body.data.results[0]?.message).toMatch(/^The operation: Must be an operation, like /)
  expect(body.data.results[1]?.success).toBe(true)
})

test('an operation with the ETag of a former version fails, and stops an atomic request', async () => {
  const here = await createBulkScenario()
  await here.create('epics', { summary: 'One' })
  await here.create('epics', { summary: 'Two' })
  const update = (externalKey: string, ifMatch: string) => ({
    ...{ op: 'update', type: 'epic', externalKey, ifMatch },
    body: { progress: 'done' },
  })
  expect((await here.bulk([update('EP-1', '"v1"'), update('EP-2', 'W/"v1-5f"')])).body.data.totals.updated).toBe(2)
  const outdated = [update('EP-1', '"v1"'), { ...update('EP-2', '*'), body: { summary: 'Second' } }]
  const refused = await here.bulk(outdated, '?atomic=true')
  expect(refused.body.error).toMatchObject({
    code: 'bulk_rejected',
    issues: [{ path: '/0/ifMatch', code: 'precondition_failed' }],
  })
  const { results } = (await here.bulk(outdated)).body.data
  expect(results.map(({ success }) => success)).toEqual([false, true])
  const removal = { op: 'delete', type: 'epic', externalKey: 'EP-1', ifMatch: '"v1"' }
  expect((await here.bulk([removal])).body.data.totals).toMatchObject({ deleted: 0, failed: 1 })
  const create = { ...createAction('epic', 'New'), ifMatch: '"v1"' }
  expect((await here.bulk([create])).body.data.results[0]?.issues).toMatchObject([{ path: '/ifMatch' }])
})
