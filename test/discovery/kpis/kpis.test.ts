import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type ApiResponse, call } from '../../client'
import { type Client, createWorkspace, type Workspace } from '../../factories'

interface Revision {
  id: number
  createdAt: string
  value: string
}

interface Kpi {
  id: number
  title: string
  externalKey: string
  benchmark: string
  order?: number
  kpi_revisions: Revision[]
}

interface EventRow {
  type: string
  data: string
}

function recordsForm(content: string | Uint8Array<ArrayBuffer>, name = 'records.csv', type = 'text/csv'): FormData {
  const body = new FormData()
  body.set('metrics', new File([content], name, { type }))
  return body
}

async function createKpi(world: Workspace, json: object = {}) {
  const base = `/api/initiatives/${world.product.externalKey}`
  const created = await world.client<Kpi>('POST', `${base}/kpi`, { json: { title: 'Active teams', ...json } })
  expect(created.status).toBe(201)
  const path = `${base}/kpi/${created.body.data.externalKey}`
  const upload = (raw: BodyInit, headers: Record<string, string> = {}, client: Client = world.client) =>
    client<Kpi>('POST', `${path}/insert-kpi-records`, { raw, headers })
  return { base, created, path, upload, kpi: created.body.data }
}

async function countRecords(world: Workspace): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM kpi_records WHERE subscription_id = ?')
    .bind(world.subscriptionId)
    .first<{ n: number }>()
  return row?.n ?? -1
}

async function eventsOf(world: Workspace, type: string): Promise<object[]> {
  const { results } = await env.DB.prepare('SELECT data FROM log WHERE subscription_id = ? AND type = ? ORDER BY id')
    .bind(world.subscriptionId, type)
    .all<EventRow>()
  return results.map(({ data }) => JSON.parse(data))
}

const valuesOf = (answer: ApiResponse<Kpi>) => answer.body.data.kpi_revisions.map(({ value }) => value)

test('a KPI is created with every field, retrieved with an ETag, and hidden from another workspace', async () => {
  const world = await createWorkspace()
  const { created, path } = await createKpi(world, {
    title: ' Active teams ',
    benchmark: '250.005',
    benchmarkUnit: 'teams',
    benchmarkType: 'MORE',
    dueDate: '2026-12-31',
    statement: 'Moved a card',
    visualization: false,
    dashboardVisualization: true,
  })
  expect(created.cost.roundTrips).toBe(1)
  expect(created.headers.get('location')).toBe(path)
  expect(created.body.data).toEqual({
    id: expect.any(Number),
    title: 'Active teams',
    externalKey: 'KPI-1',
    benchmark: '250.01',
    benchmarkUnit: 'teams',
    benchmarkType: 'MORE',
    initiativeId: world.product.id,
    dueDate: '2026-12-31T00:00:00.000Z',
    statement: 'Moved a card',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    visualization: false,
    dashboardVisualization: true,
    order: 1,
    kpi_revisions: [],
    aggregate: 'last',
    workItems: [],
  })
  const found = await world.client<Kpi>('GET', path)
  expect([found.cost.roundTrips, found.headers.get('etag')]).toEqual([1, expect.stringMatching(/^"v1-/)])
  expect(found.body.data).toEqual(created.body.data)
  expect(
    (await world.client('GET', path, { headers: { 'if-none-match': found.headers.get('etag') ?? '' } })).status,
  ).toBe(304)

  const stranger = await createWorkspace()
  const foreign = await stranger.client('GET', path)
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'product_not_found'])
  const elsewhere = `/api/initiatives/${stranger.product.externalKey}/kpi/KPI-1`
  expect((await stranger.client('GET', elsewhere)).body.error?.code).toBe('kpi_not_found')
})

test('a KPI without the optional members has null or default values', async () => {
  const { kpi } = await createKpi(await createWorkspace())
  expect(kpi).toMatchObject({
    benchmark: '0.00',
    benchmarkUnit: null,
    benchmarkType: null,
    dueDate: null,
    statement: null,
    visualization: true,
    dashboardVisualization: false,
  })
})

test('an invalid benchmark, an unknown type and an empty title are all listed', async () => {
  const { client, product } = await createWorkspace()
  const json = { title: ' ', benchmark: '1,5', benchmarkType: 'UP', dueDate: 'soon', visualization: 'yes' }
  const answer = await client('POST', `/api/initiatives/${product.externalKey}/kpi`, { json })
  expect(answer.status).toBe(400)
  expect(answer.body.error?.issues.map(({ path }) => path).sort()).toEqual([
    '/benchmark',
    '/benchmarkType',
    '/dueDate',
    '/title',
    '/visualization',
  ])
})

test('the list holds unlinked KPIs by default, highest order first, with the requested revisions', async () => {
  const world = await createWorkspace()
  const { base, upload } = await createKpi(world)
  for (const title of ['Two', 'Three', 'Four']) await world.client('POST', `${base}/kpi`, { json: { title } })
  await upload(recordsForm('value\n1\n2\n3'))
  const linked = await world.client<Kpi>('GET', `${base}/kpi/KPI-3`)
  await env.DB.prepare('INSERT INTO work_item_kpis (subscription_id, work_item_id, kpi_id) VALUES (?, 1, ?)')
    .bind(world.subscriptionId, linked.body.data.id)
    .run()

  const keys = async (query: string) => {
    const found: string[] = []
    let path: string | undefined = `${base}/kpis?limit=2&${query}`
    while (path) {
      const page: ApiResponse<Kpi[]> = await world.client('GET', path)
      expect([page.status, page.cost.roundTrips]).toEqual([200, 1])
      found.push(...page.body.data.map(({ externalKey }) => externalKey))
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    return found
  }
  expect(await keys('')).toEqual(['KPI-4', 'KPI-2', 'KPI-1'])
  expect(await keys('linked=true')).toEqual(['KPI-3'])
  expect(await keys('linked=all')).toEqual(['KPI-4', 'KPI-3', 'KPI-2', 'KPI-1'])
  expect(await keys('linked=all&sort=order')).toEqual(['KPI-1', 'KPI-2', 'KPI-3', 'KPI-4'])

  const shown = async (query: string) => {
    const { body } = await world.client<Kpi[]>('GET', `${base}/kpis${query}`)
    return body.data.find(({ externalKey }) => externalKey === 'KPI-1')?.kpi_revisions.map(({ value }) => value)
  }
  expect(await shown('')).toEqual(['3.00', '2.00', '1.00'])
  expect(await shown('?revisions=2')).toEqual(['3.00', '2.00'])
  expect(await shown('?revisions=0')).toEqual([])
  for (const query of ['revisions=-1', 'revisions=1001', 'revisions=x', 'linked=maybe']) {
    expect((await world.client('GET', `${base}/kpis?${query}`)).status).toBe(400)
  }
})

test('a CSV inserts its valid rows in one round trip and reports the other rows', async () => {
  const world = await createWorkspace()
  const { upload, path } = await createKpi(world)
  const answer = await upload(
    recordsForm(
      'Value;Created At;note\n1.005;2026-01-01;a\n2;2026-01-03;b\n3;2026-01-02;c\nabc;2026-01-04;d\n=1+1;;e\n',
    ),
  )
  expect([answer.status, answer.cost.roundTrips]).toEqual([201, 1])
  expect(answer.body.message).toBe(
    '2 of 5 records were not inserted (row 4: value "abc" is not a number; row 5: value "=1+1" is not a number)',
  )
  expect(answer.body.data.kpi_revisions).toEqual([
    { id: expect.any(Number), createdAt: '2026-01-03T00:00:00.000Z', value: '2.00' },
    { id: expect.any(Number), createdAt: '2026-01-02T00:00:00.000Z', value: '3.00' },
    { id: expect.any(Number), createdAt: '2026-01-01T00:00:00.000Z', value: '1.01' },
  ])
  expect(answer.body.data).not.toHaveProperty('order')
  expect(await eventsOf(world, 'kpi.records_inserted')).toEqual([
    { count: 3, rejected: 2, records: expect.arrayContaining(answer.body.data.kpi_revisions) },
  ])
  expect((await world.client('GET', path)).headers.get('etag')).toMatch(/^"v2-/)

  const more = await upload(recordsForm('[4, 5]', 'more.json', 'application/json'))
  expect([more.body.message, valuesOf(more)]).toEqual([
    '2 records were inserted',
    ['5.00', '4.00', '2.00', '3.00', '1.01'],
  ])
})

test('records of the same time are in reverse order of arrival, newest first', async () => {
  const world = await createWorkspace()
  const { upload } = await createKpi(world)
  const rows = Array.from({ length: 1500 }, (_, n) => `${n},2026-01-01`)
  const first = await upload(recordsForm(`value,date\n${rows.join('\n')}`))
  expect(valuesOf(first)).toEqual(Array.from({ length: 1000 }, (_, n) => `${1499 - n}.00`))
  const second = await upload(recordsForm('value,date\n7,2025-01-01\n8,2026-01-01'))
  expect(valuesOf(second).slice(0, 3)).toEqual(['8.00', '1499.00', '1498.00'])
})

test('times of every century are stored to the millisecond', async () => {
  const { upload } = await createKpi(await createWorkspace())
  const moments = [
    '9999-12-31T23:59:59.999Z',
    '2026-01-31T09:05:07.250Z',
    '2026-01-31T09:05:07.001Z',
    '2001-09-09T01:46:40.000Z',
    '1970-01-01T00:16:40.000Z',
    '1970-01-01T00:16:39.999Z',
    '1970-01-01T00:00:00.005Z',
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '1900-01-01T00:00:00.000Z',
  ]
  const answer = await upload(
    recordsForm(`date,value\n${moments.map((moment, n) => `${moment},${n - 5}.25`).join('\n')}`),
  )
  expect(answer.body.data.kpi_revisions.map(({ createdAt }) => createdAt)).toEqual(moments)
  expect(valuesOf(answer).slice(3, 7)).toEqual(['-2.25', '-1.25', '0.25', '1.25'])
})

test('100,000 CSV rows need one batch after a check of the key', async () => {
  const world = await createWorkspace()
  const { upload } = await createKpi(world)
  const start = Date.UTC(2020, 0, 1)
  const rows = Array.from(
    { length: 100_000 },
    (_, n) => `${(n * 7.31).toFixed(3)},${new Date(start + n * 60_000).toISOString()},north`,
  )
  const answer = await upload(recordsForm(`value,createdAt,region\n${rows.join('\n')}\n`))
  expect([answer.status, answer.cost.roundTrips, answer.body.message]).toEqual([201, 2, '100000 records were inserted'])
  expect(answer.body.data.kpi_revisions).toHaveLength(1000)
  expect(answer.body.data.kpi_revisions[0]).toMatchObject({ value: '730992.69' })
  expect(await countRecords(world)).toBe(100_000)
})

test('an unreadable file or a file without a valid row is refused, and nothing is stored', async () => {
  const world = await createWorkspace()
  const { upload, path } = await createKpi(world)
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)
  const files: [string | Uint8Array<ArrayBuffer>, string, RegExp][] = [
    [png, 'image.png', /neither CSV nor JSON/],
    [png, 'records.csv', /neither CSV nor JSON/],
    ['', 'records.csv', /is empty/],
    ['value\n', 'records.csv', /no records/],
    ['[]', 'records.json', /no records/],
    ['date,price,tax\n2026-01-01,5,1', 'records.csv', /"value" column/],
    ['value\nabc\n', 'records.csv', /The only record .*row 1: value "abc" is not a number.*Correct/],
    ['value\n=1\n=2\n', 'records.csv', /All 2 records .*row 2/],
    [`value\n${'x\n'.repeat(25)}`, 'records.csv', /row 10: .*; and 15 more/],
    ['{"a":1}', 'records.json', /"records"/],
    ['['.repeat(100_000), 'records.json', /nests deeper/],
    ['[{"__proto__":{"value":1}}]', 'records.json', /__proto__/],
    ['[{"value":"1\\ud800"}]', 'records.json', /surrogate/],
  ]
  for (const [content, name, message] of files) {
    const { status, body } = await upload(recordsForm(content, name))
    expect([name, status, body.error?.code]).toEqual([name, 400, 'validation_failed'])
    expect(body.message).toMatch(message)
    expect(body.message).toMatch(/^\/metrics: /)
    expect(body.error?.issues.map((issue) => issue.path)).toEqual(['/metrics'])
  }
  expect(await countRecords(world)).toBe(0)
  expect(await eventsOf(world, 'kpi.records_inserted')).toEqual([])
  expect((await world.client('GET', path)).headers.get('etag')).toMatch(/^"v1-/)
})

test('the form must have one metrics file and may omit the boundary in its header', async () => {
  const world = await createWorkspace()
  const { upload } = await createKpi(world)
  const none = new FormData()
  none.set('other', new File(['value\n1'], 'a.csv'))
  const text = new FormData()
  text.set('metrics', 'value\n1')
  const two = recordsForm('value\n1')
  two.append('metrics', new File(['value\n2'], 'b.csv'))
  for (const body of [none, text, two]) {
    const answer = await upload(body)
    expect([answer.status, answer.body.error?.issues[0]?.path]).toEqual([400, '/metrics'])
  }
  const plain = await upload('value\n1', { 'content-type': 'text/csv' })
  expect([plain.status, plain.body.error?.code]).toEqual([415, 'unsupported_media_type'])
  const garbage = await upload('value\n1', { 'content-type': 'multipart/form-data' })
  expect(garbage.status).toBe(400)
  expect(await countRecords(world)).toBe(0)

  const raw = '--b0\r\nContent-Disposition: form-data; name="metrics"; filename="a.csv"\r\n\r\nvalue\n1\r\n--b0--\r\n'
  const bare = await upload(raw, { 'content-type': 'multipart/form-data' })
  expect([bare.status, valuesOf(bare)]).toEqual([201, ['1.00']])
})

test('a file above the size limit is a 413 that names the limit', async () => {
  const world = await createWorkspace()
  const { upload } = await createKpi(world)
  const answer = await upload(recordsForm(`value\n${'1'.repeat(25 * 1024 * 1024)}`))
  expect([answer.status, answer.body.error?.code]).toEqual([413, 'payload_too_large'])
  expect(answer.body.message).toContain('25 MiB')
})

test('a retry with the same Idempotency-Key inserts once, and a different file is refused', async () => {
  const world = await createWorkspace()
  const { upload } = await createKpi(world)
  const headers = { 'idempotency-key': 'import-1' }
  const file = 'value,date\n1,2026-01-01\nx,\n2,2026-01-02'
  const first = await upload(recordsForm(file), headers)
  const again = await upload(recordsForm(file), headers)
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(again.body).toEqual(first.body)
  const other = await upload(recordsForm(`${file}\n3,`), headers)
  expect([other.status, other.body.error?.code]).toEqual([422, 'idempotency_key_reused'])
  expect(await countRecords(world)).toBe(2)

  await Promise.all(Array.from({ length: 4 }, () => upload(recordsForm('value\n9'), { 'idempotency-key': 'import-2' })))
  expect(await countRecords(world)).toBe(3)
})

test('parallel uploads are all stored', async () => {
  const world = await createWorkspace()
  const { upload, path } = await createKpi(world)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(recordsForm(`value\n${n}\n${n}`))))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201))
  expect(await countRecords(world)).toBe(16)
  expect((await world.client('GET', path)).headers.get('etag')).toMatch(/^"v9-/)
})

test('a KPI of another workspace or product, or outside the products of the key, cannot be written', async () => {
  const world = await createWorkspace()
  const { kpi, path, upload } = await createKpi(world)
  const stranger = await createWorkspace()
  const records = (base: string) => `/api/initiatives/${base}/kpi/${kpi.externalKey}/insert-kpi-records`
  const foreign = await stranger.client('POST', records(stranger.product.externalKey), { raw: recordsForm('value\n1') })
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'kpi_not_found'])
  const product = await stranger.client('POST', records(world.product.externalKey), { raw: recordsForm('value\n1') })
  expect([product.status, product.body.error?.code]).toEqual([404, 'product_not_found'])

  const other = await world.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other one' } })
  const misplaced = await world.client('POST', records(other.body.data.externalKey), { raw: recordsForm('value\n1') })
  expect([misplaced.status, misplaced.body.error?.code]).toEqual([404, 'kpi_not_found'])

  const limited = await world.key({ products: [world.product.id + 1_000_000] })
  const refused = await upload(recordsForm('value\n1'), {}, (method, at, options) =>
    call(method, at, { ...options, apiKey: limited }),
  )
  expect([refused.status, refused.body.error?.code]).toEqual([403, 'insufficient_scope'])
  const reader = await world.key({ scopes: ['kpis:read'] })
  expect(
    (await call('POST', `${path}/insert-kpi-records`, { apiKey: reader, raw: recordsForm('value\n1') })).status,
  ).toBe(403)
  expect(await countRecords(world)).toBe(0)
})

test('the event kpi.target_reached is emitted only when the newest value crosses the benchmark', async () => {
  const world = await createWorkspace()
  const reached = async (benchmarkType: string | undefined, ...files: string[]) => {
    const { upload } = await createKpi(world, { benchmark: 10, ...(benchmarkType && { benchmarkType }) })
    const before = (await eventsOf(world, 'kpi.target_reached')).length
    const counts: number[] = []
    for (const file of files) {
      expect((await upload(recordsForm(`value,date\n${file}`))).status).toBe(201)
      counts.push((await eventsOf(world, 'kpi.target_reached')).length - before)
    }
    return counts
  }
  // Reached, still reached, missed, reached again.
  expect(
    await reached('MORE', '9.99,2026-01-01', '10,2026-01-02', '11,2026-01-03', '9,2026-01-04', '12,2026-01-04'),
  ).toEqual([0, 1, 1, 1, 2])
  // The first records may reach the target. The newest record of a file decides, not the last row, and older records
  // change nothing.
  expect(await reached('LESS', '9,2026-01-05\n11,2026-01-01', '3,2026-01-01')).toEqual([1, 1])
  expect(await reached('LESS', '11,2026-01-05', '3,2026-01-01')).toEqual([0, 0])
  expect(await reached('EQUAL', '10.01,2026-01-01', '10.00,2026-01-02', '10,2026-01-03')).toEqual([0, 1, 1])
  expect(await reached(undefined, '10,2026-01-01')).toEqual([0])
  expect((await eventsOf(world, 'kpi.target_reached'))[0]).toEqual({
    value: '10.00',
    createdAt: '2026-01-02T00:00:00.000Z',
  })
})
