import { expect, test } from 'vitest'
import { findStudentQuantile, fitLeastSquaresLine, projectValues } from '../../../src/discovery/kpis/trend/projection'
import type { KpiTrendReply } from '../../../src/discovery/kpis/trend/trend'
import { readClock } from '../../clock'
import { createWorkspace } from '../../factories'
import { freezeTime } from '../../fake-clock'
import { seededRandom } from '../../random'
import { createKpi, createKpiScenario, type RecordInput } from './scenario'
import table from './trend-table.json'

const DAY = 86_400_000

/**
 * NIST/ITL StRD, dataset Norris: linear least squares of the lower level of difficulty, with certified values.
 * https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml
 */
const NORRIS: [y: number, x: number][] = [
  ...([
    [0.1, 0.2],
    [338.8, 337.4],
    [118.1, 118.2],
    [888.0, 884.6],
    [9.2, 10.1],
    [228.1, 226.5],
  ] as [number, number][]),
  ...([
    [668.5, 666.3],
    [998.5, 996.3],
    [449.1, 448.6],
    [778.9, 777.0],
    [559.2, 558.2],
    [0.3, 0.4],
  ] as [number, number][]),
  ...([
    [0.1, 0.6],
    [778.1, 775.5],
    [668.8, 666.9],
    [339.3, 338.0],
    [448.9, 447.5],
    [10.8, 11.6],
  ] as [number, number][]),
  ...([
    [557.7, 556.0],
    [228.3, 228.1],
    [998.0, 995.8],
    [888.8, 887.6],
    [119.6, 120.2],
    [0.3, 0.3],
  ] as [number, number][]),
  ...([
    [0.6, 0.3],
    [557.6, 556.8],
    [339.3, 339.1],
    [888.0, 887.2],
    [998.5, 999.0],
    [778.9, 779.0],
  ] as [number, number][]),
  ...([
    [10.2, 11.1],
    [117.6, 118.3],
    [228.9, 229.2],
    [668.4, 669.1],
    [449.2, 448.9],
    [0.2, 0.5],
  ] as [number, number][]),
]

test('the regression line equals the certified line of the Norris data', () => {
  const line = fitLeastSquaresLine(NORRIS.map(([y, x]) => [Date.UTC(2026, 0, 1) + x * DAY, y]))
  expect(line?.slope).toBeCloseTo(1.00211681802045, 10)
  const days = ((line?.at ?? 0) - Date.UTC(2026, 0, 1)) / DAY
  expect((line?.value ?? 0) - (line?.slope ?? 0) * days).toBeCloseTo(-0.262323073774029, 8)
})

/** NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: upper critical values of Student's t distribution, 0.10. */
const STUDENT: [freedom: number, quantile: number][] = [
  ...([
    [1, 3.078],
    [2, 1.886],
    [3, 1.638],
    [4, 1.533],
  ] as [number, number][]),
  ...([
    [5, 1.476],
    [10, 1.372],
    [30, 1.31],
    [100, 1.29],
  ] as [number, number][]),
]

test.each(STUDENT)('the quantile for %i degrees of freedom is %f', (freedom, quantile) => {
  expect(Math.abs(findStudentQuantile(freedom) - quantile)).toBeLessThan(0.002)
})

test('a later value lies in the band of 80 % as often as the band says', () => {
  const { below } = seededRandom(7)
  const random = () => below(1_000_000) / 1_000_000
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const rounds = 4_000
  let inside = 0
  for (let n = 0; n < rounds; n++) {
    const values = Array.from({ length: 6 }, (_, x): [number, number] => [x * DAY, 10 + 2 * x + normal()])
    const line = fitLeastSquaresLine(values)
    if (!line) throw new Error('The points have no line')
    const last = projectValues(line, { from: 6 * DAY, to: 9 * DAY, offset: 0 }).values.at(-1)
    const later = 10 + 2 * 9 + normal()
    if (later >= Number(last?.low) && later <= Number(last?.high)) inside++
  }
  expect(inside / rounds).toBeGreaterThan(0.78)
  expect(inside / rounds).toBeLessThan(0.82)
})

/**
 * F. J. Anscombe, Graphs in Statistical Analysis, The American Statistician 27 (1973), 17–21: four sets with the line y
 * = 3 + 0.5 x. R prints the same slopes for `anscombe`, to seven places.
 */
const X = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
const ANSCOMBE: [y: number[], slope: string][] = [
  [[8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68], '0.500091'],
  [[9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74], '0.500000'],
  [[7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73], '0.499727'],
]

test.each(ANSCOMBE)("the trend of Anscombe's %j gains %s a day", async (values, slope) => {
  const { insert, client, path } = await createKpiScenario({ benchmark: '13', benchmarkType: 'MORE' })
  await insert(values.map((y, n): RecordInput => [new Date(Date.UTC(2026, 0, X[n])).toISOString(), y]))
  const { body, cost } = await client<KpiTrendReply>('GET', `${path}/trend?from=2026-01-01&to=2026-02-01`)
  expect([body.data.count, body.data.slopePerDay, cost.roundTrips]).toEqual([11, slope, 1])
  // 13 = 3 + 0.5 * 20: the line reaches 13 on 20 January.
  const projected = Date.parse(body.data.projectedDate ?? '')
  expect(Math.abs(projected - Date.UTC(2026, 0, 20))).toBeLessThan(DAY / 20)
})

test.each(table.map((one, n) => [n + 1, one] as const))('the trend equals the table, case %i', async (_, one) => {
  const world = await createWorkspace()
  const { insert, path } = await createKpi(world, one.kpi)
  await insert(one.records.map(([at = '', value = '']): RecordInput => [at, value]))
  const { body } = await world.client<KpiTrendReply>('GET', `${path}/trend?from=2026-01-01&to=2026-06-01`)
  const { projectedDate, line, projection, ...rest } = one.trend
  expect(body.data).toEqual({
    ...{ externalKey: 'KPI-1', ...rest, projectedDate: projectedDate && expect.any(String) },
    ...{ line: line && expect.any(Array), projection: projection && expect.any(Object) },
  })
  expect(body.data.line?.map(({ value }) => value)).toEqual(line ?? undefined)
  for (const [n, end] of (projection ?? []).entries()) {
    const shown = body.data.projection?.values.at(-n)
    expect((Date.parse(shown?.at ?? '') - Date.UTC(2026, 0, 5)) / DAY).toBeCloseTo(end.day, 3)
    expect(Number(shown?.value)).toBeCloseTo(end.value, 1)
    const half = shown?.high ? (Number(shown.high) - Number(shown.low)) / 2 : null
    if (end.half === null || half === null) expect(half).toBe(end.half)
    else expect(Math.abs(half - end.half)).toBeLessThan(0.01 + 0.002 * end.half)
  }
  if (projectedDate)
    expect(Math.abs(Date.parse(body.data.projectedDate ?? '') - Date.parse(projectedDate))).toBeLessThan(10)
})

test('the default range is the last 90 days, and a trend without records has null members', async () => {
  freezeTime(Date.UTC(2026, 5, 30, 12))
  const { insert, client, path } = await createKpiScenario({
    benchmark: '10',
    benchmarkType: 'MORE',
    dueDate: '2999-01-01',
  })
  const trend = async (query = '') => (await client<KpiTrendReply>('GET', `${path}/trend${query}`)).body.data
  const nothing = {
    ...{ externalKey: 'KPI-1', count: 0, first: null, latest: null, change: null, slopePerDay: null },
    ...{ attainment: null, reached: null, projectedDate: null, onTime: null, line: null, projection: null },
  }
  expect(await trend()).toEqual(nothing)
  const ago = (days: number) => new Date(readClock() - days * DAY).toISOString()
  await insert([
    [ago(92), 100],
    [ago(89), 2],
    [ago(0), 4],
  ])
  expect(await trend()).toMatchObject({
    ...{
      count: 2,
      first: { value: '2.00' },
      latest: { value: '4.00' },
      change: { absolute: '2.00', percent: '100.00' },
    },
    ...{ slopePerDay: '0.022472', attainment: '40.00', reached: false, onTime: true },
  })
  expect((await trend(`?to=${ago(91)}`)).count).toBe(1)
  expect((await trend(`?from=${ago(100)}`)).count).toBe(3)
  expect(await trend('?from=2001-01-01&to=2001-02-01')).toEqual(nothing)
  const late = await client('GET', `${path}/trend?from=2026-02-01&to=2026-01-01`)
  const wide = await client('GET', `${path}/trend?from=1900-01-01&to=2026-01-01`)
  expect([late, wide].map(({ status, body }) => [status, body.error?.issues[0]?.path])).toEqual([
    [400, '/query/to'],
    [400, '/query/from'],
  ])
})

test('a KPI without a benchmark type is never reached or late, and its attainment is computed as for MORE', async () => {
  const { insert, client, path } = await createKpiScenario({ benchmark: '8', dueDate: '2026-12-31' })
  await insert([
    ['2026-01-01', 1],
    ['2026-01-02', 2],
  ])
  const { body } = await client<KpiTrendReply>('GET', `${path}/trend?from=2026-01-01&to=2026-02-01`)
  expect(body.data).toMatchObject({
    ...{ slopePerDay: '1.000000', attainment: '25.00', reached: null, projectedDate: null, onTime: null },
  })
})

test('a summed KPI compares the sums of days with its benchmark', async () => {
  const { insert, client, path } = await createKpiScenario({ benchmark: '30', benchmarkType: 'MORE', aggregate: 'sum' })
  await insert([
    ['2026-01-01T08:00', 4],
    ['2026-01-01T18:00', 6],
    ['2026-01-02T08:00', 8],
    ['2026-01-02T18:00', 12],
  ])
  const trend = async () =>
    (await client<KpiTrendReply>('GET', `${path}/trend?from=2026-01-01&to=2026-02-01`)).body.data
  expect(await trend()).toMatchObject({
    ...{ count: 4, first: { value: '10.00' }, latest: { value: '20.00', createdAt: '2026-01-02T18:00:00.000Z' } },
    ...{ change: { absolute: '10.00', percent: '100.00' }, slopePerDay: '10.000000', attainment: '66.67' },
    ...{ reached: false, projectedDate: '2026-01-03T18:00:00.000Z' },
  })
  await insert([['2026-01-02T19:00', 10]])
  expect(await trend()).toMatchObject({ latest: { value: '30.00' }, attainment: '100.00', reached: true })
})

test.each([
  // The latest record meets the target.
  ['2026-01-02T00:00:00.000Z', [1, 12]],
  // The line meets the target two days after the latest record.
  ['2026-01-04T00:00:00.000Z', [6, 8]],
] as const)('a target that is met in the moment of the due date %s is met on time', async (met, values) => {
  const { insert, client, path } = await createKpiScenario({ benchmark: '12', benchmarkType: 'MORE' })
  await insert(values.map((value, n) => [`2026-01-0${n + 1}`, value]))
  const isOnTime = async (dueDate: number) => {
    expect((await client('PUT', path, { json: { dueDate: new Date(dueDate).toISOString() } })).status).toBe(200)
    const { body } = await client<KpiTrendReply>('GET', `${path}/trend?from=2026-01-01&to=2026-02-01`)
    return body.data.onTime
  }
  const moment = Date.parse(met)
  expect([await isOnTime(moment - 1), await isOnTime(moment), await isOnTime(moment + 1)]).toEqual([false, true, true])
})
