import { expect, test } from 'vitest'
import { createKpiScenario, type RecordInput } from './scenario'

interface Trend {
  latest: { value: string; createdAt: string } | null
  reached: boolean | null
}

/** Creates a KPI with the aggregate `sum`, and collects the `kpi.target_reached` events. */
async function createSummedKpi(json: object) {
  const kpi = await createKpiScenario({ aggregate: 'sum', ...json })
  const reached = async () => {
    const events = (await kpi.events()).filter(({ type }) => type === 'kpi.target_reached')
    return events.map(({ data }) => data)
  }
  const insert = async (records: readonly RecordInput[], mode = 'insert') => {
    expect((await kpi.insert(records, `?mode=${mode}`)).status).toBe(201)
    return (await reached()).length
  }
  const trend = async () => {
    const range = 'from=2020-01-01T00:00:00.000Z&to=2030-01-01T00:00:00.000Z'
    return (await kpi.client<Trend>('GET', `${kpi.base}/kpi/${kpi.key}/trend?${range}`)).body.data
  }
  return { ...kpi, insert, reached, trend }
}

test.each(['insert', 'upsert'])(
  'a summed KPI reaches its target with the sum of the last day: mode %s',
  async (mode) => {
    const kpi = await createSummedKpi({ benchmark: 10, benchmarkType: 'MORE' })
    const insert = (...records: RecordInput[]) => kpi.insert(records, mode)
    expect(await insert(['2026-01-01T08:00:00Z', 6])).toBe(0)
    // The sum of the last day crosses the benchmark, and no single record does.
    expect(await insert(['2026-01-01T09:00:00Z', 5])).toBe(1)
    expect((await kpi.reached())[0]).toEqual({ value: '11.00', createdAt: '2026-01-01T09:00:00.000Z' })
    expect(await kpi.trend()).toMatchObject({ latest: { value: '11.00' }, reached: true })
    expect(await insert(['2026-01-01T10:00:00Z', 1])).toBe(1)
    // A new day begins below the benchmark, and reaches the benchmark with an earlier record.
    expect(await insert(['2026-01-02T10:00:00Z', 4])).toBe(1)
    expect(await kpi.trend()).toMatchObject({ latest: { value: '4.00' }, reached: false })
    expect(await insert(['2026-01-02T07:00:00Z', 2], ['2026-01-02T08:00:00Z', 4])).toBe(2)
    const second = (await kpi.reached()).at(-1)
    expect(second).toEqual({ value: '10.00', createdAt: '2026-01-02T10:00:00.000Z' })
    expect((await kpi.trend()).latest).toEqual(second)
    // A day before the last day changes nothing, and a following day above the benchmark is no change.
    expect(await insert(['2025-12-31T08:00:00Z', 99])).toBe(2)
    expect(await insert(['2026-01-03T08:00:00Z', 12])).toBe(2)
  },
)

test('a large earlier record does not reach a target that the sum of the day misses', async () => {
  const kpi = await createSummedKpi({ benchmark: 10, benchmarkType: 'EQUAL' })
  expect(await kpi.insert([['2026-01-01T08:00:00Z', 3]])).toBe(0)
  expect(await kpi.insert([['2026-01-01T09:00:00Z', 10]])).toBe(0)
  expect(await kpi.insert([['2026-01-01T10:00:00Z', -3]])).toBe(1)
  expect((await kpi.reached())[0]).toEqual({ value: '10.00', createdAt: '2026-01-01T10:00:00.000Z' })
})

test('a replaced record counts with its new value', async () => {
  const kpi = await createSummedKpi({ benchmark: 5, benchmarkType: 'LESS' })
  const first: RecordInput[] = [
    ['2026-01-01T08:00:00Z', 4],
    ['2026-01-01T09:00:00Z', 4],
  ]
  expect(await kpi.insert(first, 'upsert')).toBe(0)
  expect(await kpi.insert([['2026-01-01T08:00:00Z', 0.5]], 'upsert')).toBe(1)
  expect(await kpi.reached()).toEqual([{ value: '4.50', createdAt: '2026-01-01T09:00:00.000Z' }])
  // An existing record is not written again.
  expect(await kpi.insert([['2026-01-01T08:00:00Z', 0.5]], 'upsert')).toBe(1)
})

test.each([
  ['90071992547409.91', 2_000, '180143985094819820.00'],
  ['-90071992547409.91', 2_000, '-180143985094819820.00'],
  ['-0.05', 1, '-0.05'],
])('the event holds the exact sum: %s × %d', async (value, count, sum) => {
  const kpi = await createSummedKpi({ benchmark: value, benchmarkType: value.startsWith('-') ? 'LESS' : 'MORE' })
  const records = Array.from(
    { length: count },
    (_, n): RecordInput => [new Date(Date.UTC(2026, 0, 1) + n).toISOString(), value],
  )
  expect(await kpi.insert(records)).toBe(1)
  expect(await kpi.reached()).toMatchObject([{ value: sum }])
  expect(await kpi.trend()).toMatchObject({ latest: { value: sum } })
})
