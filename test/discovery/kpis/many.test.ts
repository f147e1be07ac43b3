import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'
import { createKpi, createKpiScenario, nextPageUrl } from './scenario'

const MINUTE = 60_000
const DAY = 86_400_000
const START = Date.UTC(2024, 0, 1)
// Rows read by the statements of a batch to find the key, the product and the KPI.
const CONSTANT_ROWS = 40

const COUNT_DAYS = `INSERT INTO kpi_days SELECT subscription_id, kpi_id, created_at / ${DAY}, count(*), 0, sum(value), min(value),
  max(value), max(created_at), max(value) FROM kpi_records WHERE subscription_id = ? AND kpi_id = ? GROUP BY 3`

async function insertRecords(subscriptionId: number, kpiId: number, count: number) {
  const slice = 250_000
  for (let from = 0; from < count; from += slice) {
    await env.DB.prepare(
      `INSERT INTO kpi_records (subscription_id, kpi_id, created_at, id, value)
       WITH RECURSIVE counted (n) AS (SELECT ?3 UNION ALL SELECT n + 1 FROM counted WHERE n + 1 < ?3 + ${slice})
       SELECT ?1, ?2, ${START} + n * ${MINUTE}, n + 1, n FROM counted`,
    )
      .bind(subscriptionId, kpiId, from)
      .run()
  }
  await env.DB.prepare(COUNT_DAYS).bind(subscriptionId, kpiId).run()
}

runtimeTest('a trend, a month by day and the newest 100 of a million records read few other rows', async () => {
  const { subscriptionId, created, client, path, raw, by, remove } = await createKpiScenario({
    benchmark: '20000',
    benchmarkType: 'MORE',
  })
  await insertRecords(subscriptionId, created.id, 1_000_000)

  const newest = await raw('limit=100')
  expect([newest.body.data.length, newest.body.data[0]?.value]).toEqual([100, '9999.99'])
  expect([newest.cost.roundTrips, newest.cost.rowsRead <= 100 + CONSTANT_ROWS]).toEqual([1, true])
  const next = await client('GET', nextPageUrl(newest.headers) ?? '')
  expect(next.cost.rowsRead).toBeLessThanOrEqual(100 + CONSTANT_ROWS)

  const month = await by('day', 'from=2025-01-01&to=2025-02-01&limit=31')
  expect(month.body.data.map(({ count }) => count)).toEqual(Array.from({ length: 31 }, () => 1_440))
  expect([month.cost.roundTrips, month.cost.rowsRead <= 31 + CONSTANT_ROWS]).toEqual([1, true])

  const trend = await client<{ count: number; slopePerDay: string }>(
    'GET',
    `${path}/trend?from=2025-01-01&to=2025-04-01`,
  )
  expect(trend.body.data).toMatchObject({ count: 90 * 1_440, slopePerDay: '14.400000', attainment: '32.83' })
  expect([trend.cost.roundTrips, trend.cost.rowsRead <= 90 + CONSTANT_ROWS]).toEqual([1, true])

  const [last] = newest.body.data
  const removed = await remove(last?.id ?? 0, `?createdAt=${last?.createdAt}`)
  // The removal counts the record's day again.
  expect([removed.status, removed.cost.rowsRead < 2 * 1_440 + CONSTANT_ROWS]).toEqual([200, true])
})

runtimeTest('200 KPIs with 100 records each take one round trip per page', async () => {
  const world = await createWorkspace()
  const kpis = await Promise.all(Array.from({ length: 200 }, () => createKpi(world)))
  await env.DB.prepare(
    `INSERT INTO kpi_records (subscription_id, kpi_id, created_at, id, value)
     WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 100)
     SELECT subscription_id, id, ${START} + n * ${DAY}, id * 100 + n, n FROM kpis CROSS JOIN counted WHERE subscription_id = ?`,
  )
    .bind(world.subscriptionId)
    .run()
  const listed: string[] = []
  for (let at: string | undefined = `${kpis[0]?.base}/kpis?limit=100`; at; ) {
    const page: {
      body: { data: { externalKey: string; kpi_revisions: object[] }[] }
      headers: Headers
      cost: { roundTrips: number; rowsRead: number }
    } = await world.client('GET', at)
    expect([page.cost.roundTrips, page.cost.rowsRead <= 100 * 102 + CONSTANT_ROWS]).toEqual([1, true])
    expect(page.body.data.map(({ kpi_revisions }) => kpi_revisions.length)).toEqual(
      Array.from({ length: 100 }, () => 100),
    )
    listed.push(...page.body.data.map(({ externalKey }) => externalKey))
    at = nextPageUrl(page.headers)
  }
  expect(new Set(listed).size).toBe(200)
})
