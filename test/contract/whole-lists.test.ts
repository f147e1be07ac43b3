import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { readClock } from '../clock'
import { createWorkspace } from '../factories'
import { runtimeTest } from '../runtime-test'

const nextPageUrl = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]

/** Inserts rows 1 to `count`; `values` is SQL that may use `n`. */
const insertRows = (table: string, columns: string, values: string, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count})
      INSERT INTO ${table} (${columns}) SELECT ${values} FROM s`,
  ).run()

interface ListedRecord {
  id: number
  kpi_revisions?: unknown[]
}

async function listAllPages(client: Awaited<ReturnType<typeof createWorkspace>>['client'], path: string) {
  const pages: ListedRecord[][] = []
  const rows: number[] = []
  for (let at: string | undefined = path; at; ) {
    const answer = await client<ListedRecord[]>('GET', at)
    expect(answer.status).toBe(200)
    pages.push(answer.body.data)
    rows.push(answer.cost.rowsRead)
    at = nextPageUrl(answer.headers)
  }
  return { pages, rows, ids: new Set(pages.flat().map(({ id }) => id)) }
}

async function createKpis(count: number, recordsEach: number) {
  const here = await createWorkspace()
  const { subscriptionId: tenant, product } = here
  const key = `'KPI-' || n`
  await insertRows(
    'kpis',
    'subscription_id, product_id, external_key, title, "order", created_at, updated_at',
    `${tenant}, ${product.id}, ${key}, 'KPI', n, 1, 1`,
    count,
  )
  const ids = `(SELECT id FROM kpis WHERE subscription_id = ${tenant} AND external_key = 'KPI-' || (n % ${count} + 1))`
  await insertRows(
    'kpi_records',
    'subscription_id, kpi_id, created_at, id, value',
    `${tenant}, ${ids}, n, n, n`,
    count * recordsEach,
  )
  return { ...here, path: `/api/initiatives/${product.externalKey}/kpis` }
}

runtimeTest('a list of KPIs without parameters has 1,000 KPIs per page and links to the next page', async () => {
  const { client, path } = await createKpis(1_100, 30)
  const { pages, rows, ids } = await listAllPages(client, path)
  expect([pages.map(({ length }) => length), ids.size]).toEqual([[1_000, 100], 1_100])
  // The KPIs of a long page share a budget of revisions, so that no response reads 100,000 revisions.
  expect(pages.map(([first]) => first?.kpi_revisions?.length)).toEqual([16, 16])
  expect(Math.max(...rows)).toBeLessThan(25_000)
  const few = await client<ListedRecord[]>('GET', `${path}?limit=100`)
  expect([few.body.data.length, few.body.data[0]?.kpi_revisions?.length]).toEqual([100, 30])
  const deep = await listAllPages(client, `${path}?revisions=1000`)
  expect([deep.pages[0]?.length, deep.pages[0]?.[0]?.kpi_revisions?.length, deep.ids.size]).toEqual([16, 30, 1_100])
  for (const wrong of ['0', '101', '1000']) expect((await client('GET', `${path}?limit=${wrong}`)).status).toBe(400)
})

runtimeTest('a page with removed KPIs has at most 16,000 records, and reads only the records of the page', async () => {
  const { client, path, subscriptionId } = await createKpis(1_500, 30)
  const setDeletedAt = env.DB.prepare(
    `UPDATE kpis SET deleted_at = ? WHERE subscription_id = ? AND CAST(substr(external_key, 5) AS INTEGER) % 15 > 0`,
  )
  await setDeletedAt.bind(readClock() - 1_000, subscriptionId).run()
  for (const [removed, count] of [
    ['only', 1_400],
    ['include', 1_500],
  ] as const) {
    const { pages, rows, ids } = await listAllPages(client, `${path}?removed=${removed}`)
    expect([removed, ids.size, pages[0]?.length]).toEqual([removed, count, 1_000])
    for (const page of pages) expect(page.flatMap((kpi) => kpi.kpi_revisions ?? []).length).toBeLessThanOrEqual(16_000)
    // 16,000 records, and each KPI a few times: to find, sort, weigh and count the KPIs.
    expect(Math.max(...rows)).toBeLessThan(35_000)
    const short = await client<ListedRecord[]>('GET', `${path}?removed=${removed}&limit=10&revisions=1000`)
    expect(short.body.data.map((kpi) => kpi.kpi_revisions?.length)).toEqual(Array(10).fill(30))
    expect(short.cost.rowsRead).toBeLessThan(10_000)
  }
})

test('a page of KPIs ends at 4 MB of statements', async () => {
  const { client, path, subscriptionId } = await createKpis(600, 1)
  await env.DB.prepare('UPDATE kpis SET statement = ? WHERE subscription_id = ?')
    .bind('x'.repeat(9_960), subscriptionId)
    .run()
  const { pages, ids } = await listAllPages(client, path)
  expect([pages.map(({ length }) => length), ids.size]).toEqual([[400, 200], 600])
})

async function createIdeas(count: number) {
  const here = await createWorkspace()
  const { subscriptionId: tenant, product, userId } = here
  await insertRows(
    'feedback_items',
    'subscription_id, product_id, external_key, slug, title, user_id, created_at, updated_at',
    `${tenant}, ${product.id}, 'IDEA-' || n, 'idea_' || n, 'Idea', ${userId}, n, n`,
    count,
  )
  const first = await env.DB.prepare('SELECT min(id) AS id FROM feedback_items WHERE subscription_id = ?')
    .bind(tenant)
    .first<{ id: number }>()
  return { ...here, first: first?.id ?? 0 }
}

test('a list of feedback without parameters has 1,000 items per page and links to the next page', async () => {
  const { client, product } = await createIdeas(1_100)
  const { pages, ids } = await listAllPages(client, '/api/feedback-items')
  expect([pages.map(({ length }) => length), ids.size]).toEqual([[1_000, 100], 1_100])
  expect((await listAllPages(client, '/api/feedback-items?limit=100')).pages.length).toBe(11)
  expect((await listAllPages(client, `/api/feedback-items?product=${product.externalKey}&sort=oldest`)).ids.size).toBe(
    1_100,
  )
  expect((await client('GET', '/api/feedback-items?limit=101')).status).toBe(400)
})

runtimeTest('a page of feedback ends at 10,000 votes and comments, or at 4 MB of texts', async () => {
  const { client, subscriptionId: tenant, userId, first } = await createIdeas(600)
  const hanging = `${tenant}, ${first} + n / 60`
  await insertRows(
    'feedback_votes',
    'subscription_id, feedback_id, user_id, created_at',
    `${hanging}, n, n`,
    600 * 60 - 1,
  )
  await insertRows(
    'feedback_comments',
    'subscription_id, feedback_id, user_id, text, created_at, updated_at',
    `${hanging}, ${userId}, 'Yes', n, n`,
    600 * 60 - 1,
  )
  const { pages, rows, ids } = await listAllPages(client, '/api/feedback-items?fields=id,votes,comments')
  expect([pages.map(({ length }) => length), ids.size]).toEqual([[99, 99, 99, 99, 99, 99, 6], 600])
  expect(Math.max(...rows)).toBeLessThan(25_000)

  const long = await createIdeas(600)
  await insertRows(
    'feedback_comments',
    'subscription_id, feedback_id, user_id, text, created_at, updated_at',
    `${long.subscriptionId}, ${long.first} + n - 1, ${long.userId}, '${'x'.repeat(19_495)}', n, n`,
    600,
  )
  const walked = await listAllPages(long.client, '/api/feedback-items')
  expect([walked.pages.map(({ length }) => length), walked.ids.size]).toEqual([[200, 200, 200], 600])
})
