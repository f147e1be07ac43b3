import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { createKpi, type RecordInput } from './scenario'

const DAY = 86_400_000

const queryAll = async <R extends object>(text: string, subscriptionId: number) =>
  (await env.DB.prepare(text).bind(subscriptionId).all<R>()).results

interface Row {
  kpi_id: number
  created_at: number
  id: number
  value: number
}

function recountDays(records: Row[]) {
  const days = new Map<string, Row[]>()
  for (const record of records) {
    const name = `${record.kpi_id} ${Math.floor(record.created_at / DAY)}`
    days.set(name, [...(days.get(name) ?? []), record])
  }
  return Array.from(days, ([name, group]) => {
    const [kpi_id, day] = name.split(' ').map(Number)
    const last = group.toSorted((a, b) => a.created_at - b.created_at || a.id - b.id).at(-1)
    const values = group.map(({ value }) => value)
    return {
      ...{ kpi_id, day, records: group.length, sum: values.reduce((sum, value) => sum + value, 0) },
      ...{ least: Math.min(...values), greatest: Math.max(...values) },
      ...{ last_at: last?.created_at, last_value: last?.value },
    }
  })
}

function seededRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test.each([1, 2, 3, 4])('the days equal a recount after any inserts, upserts and removals (%i)', async (seed) => {
  const below = seededRandom(seed)
  const world = await createWorkspace()
  const kpis = [await createKpi(world), await createKpi(world)]
  // Few moments around the start of 1970 and of a year, so that records collide.
  const moment = () => [0, Date.UTC(2026, 0, 1)][below(2)] ?? 0
  const apart = () => [-DAY, -1, 0, 1, DAY - 1, DAY][below(6)] ?? 0
  const file = (): RecordInput[] =>
    Array.from({ length: 1 + below(12) }, () => [
      new Date(moment() + apart()).toISOString(),
      (below(4_000) - 2_000) / 100,
    ])
  for (let step = 0; step < 40; step++) {
    const kpi = kpis[below(2)] as (typeof kpis)[0]
    const what = below(4)
    if (what < 2) await kpi.insert(file(), what ? '?mode=upsert' : '')
    else {
      const { data } = (await kpi.raw('limit=100')).body
      const one = data[below(data.length)]
      if (one) await kpi.remove(one.id, what === 2 ? `?createdAt=${one.createdAt}` : '')
    }
    if (step % 8 !== 7) continue
    const records = await queryAll<Row>(
      'SELECT kpi_id, created_at, id, value FROM kpi_records WHERE subscription_id = ?',
      world.subscriptionId,
    )
    const days = await queryAll(
      `SELECT kpi_id, day, records, sum_high * 100000000 + sum_low AS sum, least, greatest, last_at, last_value
       FROM kpi_days WHERE subscription_id = ?`,
      world.subscriptionId,
    )
    const order = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort()
    expect(order(days)).toEqual(order(recountDays(records)))
    const ids = records.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

runtimeTest('an upload writes one row per record and one row per day', async () => {
  const world = await createWorkspace()
  const { insert } = await createKpi(world)
  const start = Date.UTC(2026, 0, 1)
  const rows = (count: number): RecordInput[] =>
    Array.from({ length: count }, (_, n) => [new Date(start + n * 60_000).toISOString(), n % 1_000])
  const few = (await insert(rows(1))).cost.rowsWritten
  expect((await insert(rows(10_000))).cost.rowsWritten - few).toBe(9_999 + 6 + 9 * 2)
})

test('parallel uploads are counted together', async () => {
  const world = await createWorkspace()
  const { insert, by, raw } = await createKpi(world, { aggregate: 'sum' })
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      insert([
        ['2026-01-01', n],
        ['2026-01-02', 1],
      ]),
    ),
  )
  expect((await by('day')).body.data.map(({ value, count }) => [value, count])).toEqual([
    ['28.00', 8],
    ['8.00', 8],
  ])
  expect(new Set((await raw()).body.data.map(({ id }) => id)).size).toBe(16)
})
