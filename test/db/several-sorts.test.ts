import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call } from '../client'
import { copyNewestRow } from '../contract/copy-rows'
import { UNLIMITED } from '../contract/table'
import { createWorkspace, type Workspace } from '../factories'

const DIRECTIONS = { ascending: 'ASC NULLS LAST', descending: 'DESC NULLS FIRST' }
const COLUMNS: Record<string, string> = {
  createdAt: 'created_at',
  order: 'rank',
  updatedAt: 'updated_at',
  score: 'score',
  businessValue: 'business_value_number',
  startDate: 'start_date',
}
const OPTIONAL = ['businessValue', 'startDate']

interface Story {
  id: number
}

/** Records without a value of the last key are ordered by creation. */
function orderSql(sort: string): string {
  const keys = sort.split(',')
  const terms = keys.map((key) => {
    const [name, direction] = key.startsWith('-') ? [key.slice(1), DIRECTIONS.descending] : [key, DIRECTIONS.ascending]
    return { name, text: `${COLUMNS[name]} ${direction}`, direction }
  })
  const last = terms.at(-1)
  const direction = last?.direction ?? ''
  const further = OPTIONAL.includes(last?.name ?? '') ? [`created_at ${direction}`] : []
  return [...terms.map(({ text }) => text), ...further, `id ${direction}`].join(', ')
}

async function readOrder({ subscriptionId }: Workspace, sort: string): Promise<number[]> {
  const { results } = await env.DB.prepare(
    `SELECT id FROM work_items WHERE subscription_id = ? AND type = 'userstory' AND deleted_at IS NULL ORDER BY ${orderSql(sort)}`,
  )
    .bind(subscriptionId)
    .all<Story>()
  return results.map(({ id }) => id)
}

/** The ids of all pages, and the rows and round trips of the most expensive page. */
async function walkPages(apiKey: string, path: string) {
  const ids: number[] = []
  let [rows, roundTrips, pages] = [0, 0, 0]
  for (let next: string | undefined = path; next; pages++) {
    const page: Awaited<ReturnType<typeof call<Story[]>>> = await call<Story[]>('GET', next, { apiKey, env: UNLIMITED })
    expect([next, page.status]).toEqual([next, 200])
    ids.push(...page.body.data.map(({ id }) => id))
    rows = Math.max(rows, page.cost.rowsRead)
    roundTrips = Math.max(roundTrips, page.cost.roundTrips)
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return { ids, rows, roundTrips, pages }
}

async function createStories(count: number, set: Record<string, string>) {
  const space = await createWorkspace()
  const path = `/api/initiatives/${space.product.externalKey}/storyMap/card`
  await space.client('POST', path, { json: { summary: 'A story' } })
  await copyNewestRow('work_items', space.subscriptionId, count, set)
  return { space, path, apiKey: await space.key() }
}

const pickBy = (n: number, values: readonly string[]) =>
  `CASE (n * ${n}) % ${values.length} ${values.map((value, at) => `WHEN ${at} THEN ${value}`).join(' ')} END`

const SORTS = [
  '-score,createdAt',
  'score,-createdAt',
  'startDate,score',
  '-startDate,-score,order',
  'score,businessValue',
  '-score,-businessValue,startDate',
  'businessValue,startDate',
  '-businessValue,-startDate,updatedAt',
  'createdAt,-startDate',
]

test.each(SORTS)('pages sorted by %s have each record once, in this order', async (sort) => {
  const { space, path, apiKey } = await createStories(59, {
    score: pickBy(7, ['0', '100', '250']),
    created_at: pickBy(5, ['1000', '2000']),
    updated_at: pickBy(3, ['1000', '2000', '3000']),
    business_value: pickBy(11, ["''", "'9'", "'10.5'", "''"]),
    start_date: pickBy(13, ['NULL', '1000', '2000', 'NULL', '3000']),
    rank: pickBy(17, ["'a1'", "'a2'"]),
  })
  const expected = await readOrder(space, sort)
  const fields = sort === SORTS[0] ? '' : '&fields=id'
  for (const limit of [1, 7, 100]) {
    const { ids } = await walkPages(apiKey, `${path}?sort=${sort}&limit=${limit}${fields}`)
    expect({ limit, ids }).toEqual({ limit, ids: expected })
  }
  const words = await walkPages(apiKey, `${path}?sort=${sort}&limit=7&q=story`)
  expect(words.ids).toEqual(expected)
})

// Entries of the index, the rows, and the end of the window, twice if the window is a single group.
const MAX_WINDOW_ROWS = 80_500

test('a page looks at 10,000 records, also if more have the same value', async () => {
  const { space, path, apiKey } = await createStories(10_500, {
    score: 'iif(n % 100 = 0, n % 7, 0)',
    created_at: 'n % 5000',
    business_value: `iif(n % 2 = 0, '', iif(n % 200 = 1, '5', '7'))`,
  })
  for (const sort of ['-score,createdAt', 'score,-businessValue,createdAt']) {
    const { ids, rows, roundTrips } = await walkPages(apiKey, `${path}?sort=${sort}&limit=100&fields=id`)
    const expected = await readOrder(space, sort)
    expect(ids.length).toBe(expected.length)
    expect(ids.findIndex((id, n) => id !== expected[n])).toBe(-1)
    expect({ sort, rows: Math.min(rows, MAX_WINDOW_ROWS) }).toEqual({ sort, rows })
    expect(roundTrips).toBeLessThanOrEqual(2)
  }
})

test('unknown, repeated and too many sort keys are refused', async () => {
  const { client, product } = await createWorkspace()
  const path = `/api/initiatives/${product.externalKey}/epics`
  const refuse = async (sort: string) => {
    const { status, body } = await client('GET', `${path}?sort=${sort}`)
    return [status, body.error?.issues.map(({ path, message }) => `${path} ${message}`)]
  }
  const [status, issues] = await refuse('-score,nonsense')
  expect([status, String(issues)]).toEqual([400, expect.stringMatching(/^\/query\/sort.*"-createdAt".*"score"/)])
  expect(await refuse('score,-score')).toEqual([400, ['/query/sort Must name each field once']])
  expect((await refuse('score,order,createdAt,updatedAt'))[0]).toBe(400)
  expect((await refuse(''))[0]).toBe(400)
  const one = await client<Story[]>('GET', `${path}?sort=-score,createdAt`)
  const cursor = btoa(JSON.stringify(['-score,createdAt', [1, 2, 3], { kind: 'start' }]))
  expect(one.status).toBe(200)
  expect((await client('GET', `${path}?sort=-score,createdAt&cursor=${cursor}`)).status).toBe(400)
})
