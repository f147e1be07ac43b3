import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call, send } from '../../client'
import { createWorkspace } from '../../factories'
import { type Bucket, createKpi, createKpiScenario, nextPageUrl, type RecordInput, type Revision } from './scenario'

const FEBRUARY: RecordInput[] = [
  ['2026-02-01T09:00:00Z', '3'],
  ['2026-02-01T08:00:00Z', '1.50'],
  ['2026-02-01T23:59:59.999Z', '-2'],
  ['2026-02-02', '10'],
  ['2026-02-15T12:00:00Z', '4'],
  ['2026-03-01', '0.01'],
]
const startOfDay = (date: string) => `${date}T00:00:00.000Z`

test('records are also inserted as JSON, and read newest first in pages and ranges', async () => {
  const { client, path, raw } = await createKpiScenario()
  const sent = await client<{ kpi_revisions: Revision[] }>('POST', `${path}/insert-kpi-records`, {
    json: {
      records: [{ value: '1.005', createdAt: '2026-01-01' }, { value: 'x' }, 7, { amount: 2, date: '2026-01-03' }],
    },
  })
  expect([sent.status, sent.cost.roundTrips, sent.body.message]).toEqual([
    201,
    1,
    '1 of 4 records were not inserted (row 2: value "x" is not a number)',
  ])
  const all = await raw()
  expect([all.status, all.cost.roundTrips, nextPageUrl(all.headers)]).toEqual([200, 1, undefined])
  expect(all.body.data).toEqual(sent.body.data.kpi_revisions)
  expect(all.body.data.map(({ value }) => value)).toEqual(['7.00', '2.00', '1.01'])
  const first = await raw('limit=2')
  const second = await client<Revision[]>('GET', nextPageUrl(first.headers) ?? '')
  expect([...first.body.data, ...second.body.data]).toEqual(all.body.data)
  const values = async (query: string) => (await raw(query)).body.data.map(({ value }) => value)
  expect(await values('from=2026-01-01&to=2026-01-03')).toEqual(['1.01'])
  expect(await values('from=2026-01-01T00:00:00.001Z&to=2026-01-03T00:00:00.001Z')).toEqual(['2.00'])
  expect(await values('from=2026-01-01&to=2026-01-01')).toEqual([])

  const broken = await client('POST', `${path}/insert-kpi-records`, { json: { values: [1] } })
  expect([broken.status, broken.body.error?.issues[0]?.path]).toEqual([400, '/metrics'])
  const none = await client('POST', `${path}/insert-kpi-records`, { json: [] })
  expect([none.status, none.body.message]).toEqual([400, '/metrics: The file has no records. Add a row with a value.'])
})

test('days, weeks and months show the aggregate of the KPI', async () => {
  const { client, path, insert, by } = await createKpiScenario({ aggregate: 'sum' })
  await insert(FEBRUARY)
  const days = await by('day')
  expect(days.cost.roundTrips).toBe(1)
  expect(days.body.data).toEqual([
    { start: startOfDay('2026-02-01'), value: '2.50', count: 3, min: '-2.00', max: '3.00' },
    { start: startOfDay('2026-02-02'), value: '10.00', count: 1, min: '10.00', max: '10.00' },
    { start: startOfDay('2026-02-15'), value: '4.00', count: 1, min: '4.00', max: '4.00' },
    { start: startOfDay('2026-03-01'), value: '0.01', count: 1, min: '0.01', max: '0.01' },
  ])
  const listBuckets = async (interval: string, query = '') =>
    (await by(interval, query)).body.data.map(({ start, value, count }) => `${start.slice(0, 10)} ${value} ${count}`)
  // 1 February 2026 is a Sunday.
  const weeks = ['2026-01-26 2.50 3', '2026-02-02 10.00 1', '2026-02-09 4.00 1', '2026-02-23 0.01 1']
  expect(await listBuckets('week')).toEqual(weeks)
  expect(await listBuckets('month')).toEqual(['2026-02-01 16.50 5', '2026-03-01 0.01 1'])
  await client('PUT', path, { json: { aggregate: 'avg' } })
  expect(await listBuckets('month')).toEqual(['2026-02-01 3.30 5', '2026-03-01 0.01 1'])
  expect(await listBuckets('day', 'to=2026-02-02')).toEqual(['2026-02-01 0.83 3'])
  await client('PUT', path, { json: { aggregate: 'last' } })
  expect(await listBuckets('day', 'to=2026-02-02')).toEqual(['2026-02-01 -2.00 3'])
  expect(await listBuckets('month')).toEqual(['2026-02-01 4.00 5', '2026-03-01 0.01 1'])
  // A range within a day counts the records of the range only.
  expect(await listBuckets('day', 'from=2026-02-01T08:00:00Z&to=2026-02-01T09:00:00Z')).toEqual(['2026-02-01 1.50 1'])
  expect(await listBuckets('day', 'from=2026-02-01T08:30:00Z&to=2026-02-15T12:00:00Z')).toEqual([
    '2026-02-01 -2.00 2',
    '2026-02-02 10.00 1',
  ])
  expect(await listBuckets('month', 'from=2026-02-01T08:00:00.001Z&to=2026-02-15T12:00:00.001Z')).toEqual([
    '2026-02-01 4.00 4',
  ])
  expect(await listBuckets('week', 'from=2026-02-02')).toEqual(weeks.slice(1))
  const pages: Bucket[] = []
  for (let at: string | undefined = `${path}/records?interval=week&limit=1`; at; ) {
    const page: Awaited<ReturnType<typeof by>> = await client('GET', at)
    expect(page.body.data).toHaveLength(1)
    pages.push(...page.body.data)
    at = nextPageUrl(page.headers)
  }
  expect(pages).toEqual((await by('week')).body.data)
})

test('sums above the safe integers are exact', async () => {
  const { insert, by, client, path } = await createKpiScenario({ aggregate: 'sum' })
  const most = '90071992547409.91'
  await insert([
    ['2026-02-01', most],
    ['2026-02-01', most],
    ['2026-02-01', '0.01'],
    ['2026-02-02', `-${most}`],
    ['2026-02-02', `-${most}`],
  ])
  const values = async () => (await by('day')).body.data.map(({ value }) => value)
  expect(await values()).toEqual(['180143985094819.83', '-180143985094819.82'])
  await client('PUT', path, { json: { aggregate: 'avg' } })
  expect(await values()).toEqual(['60047995031606.61', '-90071992547409.91'])
  const beyond = await insert([['2026-02-01', '90071992547409.92']])
  expect([beyond.status, beyond.body.message?.includes('is out of range')]).toEqual([400, true])
})

test('mode=upsert replaces the records of the same time, and a repeat writes nothing', async () => {
  const { insert, raw, get, events } = await createKpiScenario()
  await insert([
    ['2026-01-01', 1],
    ['2026-01-01', 2],
    ['2026-01-02', 3],
    ['2026-01-03', 4],
  ])
  const file: RecordInput[] = [
    ['2026-01-01', 9],
    ['2026-01-01', 5],
    ['2026-01-02', 3],
    ['2026-01-04', 6],
  ]
  const before = (await raw()).body.data
  const saved = await insert(file, '?mode=upsert')
  expect([saved.status, saved.cost.roundTrips, saved.body.message]).toEqual([201, 1, '4 records were saved'])
  const after = (await raw()).body.data
  expect(after.map(({ value, createdAt }) => `${createdAt.slice(8, 10)} ${value}`)).toEqual([
    '04 6.00',
    '03 4.00',
    '02 3.00',
    '01 5.00',
  ])
  // An unchanged record keeps its id, and a new record has a higher id.
  expect(after[1]).toEqual(before[0])
  expect(after[2]).toEqual(before[1])
  expect(Math.min(after[0]?.id ?? 0, after[3]?.id ?? 0)).toBeGreaterThan(Math.max(...before.map(({ id }) => id)))
  const eventsBefore = await events()
  expect(eventsBefore.at(-1)).toMatchObject({
    type: 'kpi.records_inserted',
    data: { count: 2, rejected: 0, replaced: true },
  })
  expect(eventsBefore.at(-1)?.data).toHaveProperty('records', expect.arrayContaining([after[0], after[3]]))
  const { headers } = await get()
  const again = await insert(file, '?mode=upsert')
  expect([again.status, again.cost.rowsWritten]).toEqual([201, 0])
  expect([(await events()).length, (await get()).headers.get('etag')]).toEqual([
    eventsBefore.length,
    headers.get('etag'),
  ])
  expect((await insert(file, '?mode=replace')).body.error?.issues[0]?.path).toBe('/query/mode')
})

test('a record is removed by its id, with or without its time, and no other record', async () => {
  const world = await createWorkspace()
  const { insert, raw, remove, by, get, events, path } = await createKpi(world, { aggregate: 'sum' })
  const { insert: insertOther, raw: rawOther } = await createKpi(world)
  await insert(FEBRUARY)
  await insertOther([['2026-02-01', 1]])
  const all = (await raw()).body.data
  const [other] = (await rawOther()).body.data
  const [newest, , , latestOfFirst] = all
  const etag = (await get()).headers.get('etag')
  const removed = await remove(newest?.id ?? 0, `?createdAt=${newest?.createdAt}`)
  expect([removed.status, removed.cost.roundTrips, removed.body]).toEqual([
    200,
    1,
    { success: true, message: 'Record removed', data: {} },
  ])
  expect((await get()).headers.get('etag')).not.toBe(etag)
  expect((await events()).at(-1)).toMatchObject({ type: 'kpi.record_deleted', data: newest })
  expect((await remove(latestOfFirst?.id ?? 0)).status).toBe(200)
  expect((await by('day')).body.data.map(({ start, value }) => [start, value])).toEqual([
    [startOfDay('2026-02-01'), '4.50'],
    [startOfDay('2026-02-02'), '10.00'],
    [startOfDay('2026-02-15'), '4.00'],
  ])
  const [standing] = (await raw()).body.data
  const count = (await events()).length
  const wrong = [
    `${newest?.id}`,
    `${other?.id}`,
    `${standing?.id}?createdAt=2026-02-14`,
    `${standing?.id}?createdAt=${newest?.createdAt}`,
  ]
  for (const at of wrong) {
    const answer = await world.client('DELETE', `${path}/records/${at}`)
    expect([at, answer.status, answer.body.error?.code]).toEqual([at, 404, 'kpi_record_not_found'])
  }
  const stranger = await createWorkspace()
  const foreign = await stranger.client('DELETE', `${path}/records/${standing?.id}`)
  expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'product_not_found'])
  const limited = await world.key({ products: [world.product.id + 1] })
  expect((await call('DELETE', `${path}/records/${standing?.id}`, { apiKey: limited })).status).toBe(403)
  expect([(await events()).length, (await raw()).body.data.length]).toEqual([count, 4])
})

test('records are exported as CSV or JSON, oldest first, and can be imported again', async () => {
  const world = await createWorkspace()
  const { insert, path, raw } = await createKpi(world)
  await insert(FEBRUARY)
  const apiKey = await world.key()
  const file = async (query = '') => {
    const { response, cost } = await send('GET', `${path}/records/export${query}`, { apiKey })
    return { status: response.status, text: await response.text(), type: response.headers.get('content-type'), cost }
  }
  const csv = await file()
  expect([csv.status, csv.type, csv.text.split('\r\n').slice(0, 2)]).toEqual([
    200,
    'text/csv; charset=utf-8',
    ['id,value,createdAt', expect.stringMatching(/^\d+,1\.50,2026-02-01T08:00:00\.000Z$/)],
  ])
  const json = await file('?format=json&from=2026-02-02&to=2026-03-01')
  expect(JSON.parse(json.text)).toEqual((await raw('from=2026-02-02&to=2026-03-01')).body.data.toReversed())
  expect((await file('?format=xml')).status).toBe(400)
  const copy = await createKpi(world)
  const body = new FormData()
  body.set('metrics', new File([csv.text], 'a.csv'))
  await world.client('POST', `${copy.path}/insert-kpi-records`, { raw: body })
  const toPairs = (records: Revision[]) => records.map(({ value, createdAt }) => [value, createdAt])
  expect(toPairs((await copy.raw()).body.data)).toEqual(toPairs((await raw()).body.data))
  expect((await file('?from=2026-03-02&to=2026-03-01')).status).toBe(400)
  const gone = await send('GET', `${path.replace(/\d+$/, '99')}/records/export`, { apiKey })
  expect(gone.response.status).toBe(404)
})

test('an invalid range is refused, and a range of ten thousand years is one page', async () => {
  const { client, path, insert, by } = await createKpiScenario()
  await insert([
    ['1900-01-01', 1],
    ['9999-12-31T23:59:59.999Z', 2],
  ])
  const issues = async (query: string) => {
    const { status, body } = await client('GET', `${path}/records?${query}`)
    return [status, ...(body.error?.issues.map((issue) => issue.path) ?? [])]
  }
  expect(await issues('from=2026-02-02&to=2026-02-01')).toEqual([400, '/query/to'])
  expect(await issues('from=-000001-01-01T00:00:00Z&to=275760-09-13T00:00:00Z&interval=year')).toEqual([
    400,
    '/query/from',
    '/query/to',
    '/query/interval',
  ])
  expect(await issues('from=0000-01-01T00:00:00%2B01:00')).toEqual([400, '/query/from'])
  expect(await issues('limit=1000000&interval=day')).toEqual([400, '/query/limit'])
  expect(await issues('interval=day&cursor=WyJ3ZWVrIixudWxsLDBd')).toEqual([400, '/query/cursor'])
  const whole = 'from=0000-01-01&to=9999-12-31T23:59:59.999Z'
  const month = await by('month', whole)
  expect([month.status, month.body.data.map(({ start }) => start)]).toEqual([200, [startOfDay('1900-01-01')]])
  expect((await by('week', 'from=0000-01-01')).body.data.map(({ start }) => start)).toEqual([
    startOfDay('1900-01-01'),
    startOfDay('9999-12-27'),
  ])
})

test('a partial day with more than 200,000 records is refused with the remedy', async () => {
  const { subscriptionId, by, insert } = await createKpiScenario()
  await insert([['2026-01-01', 1]])
  await env.DB.prepare('UPDATE kpi_days SET records = 200001 WHERE subscription_id = ?').bind(subscriptionId).run()
  const answer = await by('day', 'from=2026-01-01T00:00:00.001Z')
  expect([answer.status, answer.body.error?.issues[0]]).toEqual([
    400,
    {
      path: '/query/from',
      code: expect.any(String),
      message: 'The day of this time has more than 200,000 records. Send midnight in UTC.',
    },
  ])
  expect((await by('day', 'from=2026-01-01')).status).toBe(200)
})
