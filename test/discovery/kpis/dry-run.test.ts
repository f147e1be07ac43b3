import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'
import { createKpi, createKpiScenario, type Kpi, type RecordInput, type Revision } from './scenario'

interface Inserted extends Kpi {
  dryRun?: { added: number; replaced: number; former: Revision[]; rejectedCount: number }
  inserted?: { firstId: number; lastId: number } | null
}

const FILE: RecordInput[] = [
  ['2026-01-01', 9],
  ['2026-01-01', 5],
  ['2026-01-02', 3],
  ['2026-01-04', 6],
  ['2026-01-05', 'many'],
]

const dataOf = ({ body }: { body: { data: Kpi } }) => body.data as Inserted

test('a dry run counts the records and the invalid rows, and stores nothing', async () => {
  const { insert, raw, events, get } = await createKpiScenario()
  await insert([
    ['2026-01-01', 1],
    ['2026-01-02', 3],
    ['2026-01-03', 4],
  ])
  const [before, etag, eventsBefore] = [(await raw()).body.data, (await get()).headers.get('etag'), await events()]
  const first = before.find(({ createdAt }) => createdAt.startsWith('2026-01-01'))
  const common = {
    ...{ total: 5, valid: 4, rejectedCount: 1 },
    rejected: [{ row: 5, reason: 'value "many" is not a number' }],
    records: [
      { value: '9.00', createdAt: '2026-01-01T00:00:00.000Z' },
      { value: '5.00', createdAt: '2026-01-01T00:00:00.000Z' },
      { value: '3.00', createdAt: '2026-01-02T00:00:00.000Z' },
      { value: '6.00', createdAt: '2026-01-04T00:00:00.000Z' },
    ],
  }
  const plain = await insert(FILE, '?dryRun=true')
  expect([plain.status, plain.cost.roundTrips, plain.cost.rowsWritten]).toEqual([200, 1, 0])
  expect(dataOf(plain).dryRun).toEqual({ ...common, added: 4, replaced: 0, former: [] })
  expect(plain.body.message).toBe(
    'Nothing is stored yet: 4 records are valid, and 1 of 5 are not (row 5: value "many" is not a number)',
  )
  const replacing = await insert(FILE, '?dryRun=true&mode=upsert')
  expect([replacing.status, replacing.cost.roundTrips, replacing.cost.rowsWritten]).toEqual([200, 1, 0])
  expect(dataOf(replacing).dryRun).toEqual({ ...common, added: 2, replaced: 1, former: [first] })
  expect(dataOf(replacing)).not.toHaveProperty('inserted')
  expect((await raw()).body.data).toEqual(before)
  expect([(await get()).headers.get('etag'), await events()]).toEqual([etag, eventsBefore])
  expect((await insert([['2026-01-01', 'x']], '?dryRun=true')).status).toBe(400)
})

test('an insert answers the ids of its records, which one request removes', async () => {
  const world = await createWorkspace()
  const { insert, raw, remove, by, events } = await createKpi(world, { aggregate: 'sum' })
  const other = await createKpi(world)
  await insert([
    ['2026-01-01', 1],
    ['2026-01-02', 2],
  ])
  await other.insert([['2026-01-01', 7]])
  const [stored, days] = [(await raw()).body.data, (await by('day')).body.data]
  const { inserted } = dataOf(await insert(FILE, '?include=inserted'))
  const added = (await raw()).body.data.filter(({ id }) => !stored.some((one) => one.id === id))
  const ids = added.map(({ id }) => id).sort((a, b) => a - b)
  expect(inserted).toEqual({ firstId: ids[0], lastId: ids.at(-1) })
  const removed = await remove(inserted?.firstId ?? 0, `?through=${inserted?.lastId}`)
  expect([removed.status, removed.cost.roundTrips]).toEqual([200, 1])
  expect([(await raw()).body.data, (await by('day')).body.data]).toEqual([stored, days])
  expect((await other.raw()).body.data).toHaveLength(1)
  expect((await events()).at(-1)).toMatchObject({
    type: 'kpi.records_deleted',
    data: { count: 4, records: added.sort((a, b) => a.id - b.id) },
  })
  const again = await remove(inserted?.firstId ?? 0, `?through=${inserted?.lastId}`)
  expect([again.status, again.body.error?.code]).toEqual([404, 'kpi_record_not_found'])
})

test('a replacement is undone by its ids and the former records', async () => {
  const { insert, raw, remove, by, client, path } = await createKpiScenario({ aggregate: 'avg' })
  await insert([
    ['2026-01-01', 1],
    ['2026-01-01', 2],
    ['2026-01-02', 3],
  ])
  const values = async () => (await raw()).body.data.map(({ value, createdAt }) => `${createdAt} ${value}`).sort()
  const [before, days] = [await values(), (await by('day')).body.data]
  const { former } = dataOf(await insert(FILE, '?dryRun=true&mode=upsert')).dryRun ?? { former: [] }
  expect(former.map(({ value }) => value)).toEqual(['1.00', '2.00'])
  const { inserted } = dataOf(await insert(FILE, '?mode=upsert&include=inserted'))
  expect(await values()).not.toEqual(before)
  await remove(inserted?.firstId ?? 0, `?through=${inserted?.lastId}`)
  await client('POST', `${path}/insert-kpi-records`, { json: former })
  expect([await values(), (await by('day')).body.data]).toEqual([before, days])
  expect(dataOf(await insert([['2026-01-02', 3]], '?mode=upsert&include=inserted')).inserted).toBeNull()
})

test('a range of 2,500 records is removed in one request, and the events list 1,000 each', async () => {
  const { insert, raw, remove, events, subscriptionId } = await createKpiScenario()
  const hours = Array.from(
    { length: 2_500 },
    (_, n): RecordInput => [new Date(Date.UTC(2026, 0, 1, n)).toISOString(), n],
  )
  const { inserted } = dataOf(await insert(hours, '?include=inserted'))
  await remove(inserted?.firstId ?? 0, `?through=${inserted?.lastId}`)
  expect((await raw()).body.data).toEqual([])
  const { days } = (await env.DB.prepare('SELECT count(*) AS days FROM kpi_days WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first<{ days: number }>()) ?? { days: -1 }
  expect(days).toBe(0)
  const counts = (await events()).flatMap(({ type, data }) =>
    type === 'kpi.records_deleted' ? [(data as { count: number }).count] : [],
  )
  expect(counts).toEqual([1_000, 1_000, 500])
})
