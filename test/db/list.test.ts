import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createDatabaseMeter } from '../../src/db/client/batch'
import { openDatabase } from '../../src/db/client/client'
import { makeListReader } from '../../src/db/records/list'
import { record } from '../../src/db/records/record'
import { personas } from '../../src/db/schema/personas'
import { longText } from '../../src/db/sql/field'
import { createListQuery } from '../../src/http/pagination'
import type { ApiResponse } from '../client'
import { readClock } from '../clock'
import { meteredDatabase } from '../d1'
import { createWorkspace, type Workspace } from '../factories'
import { runtimeTest } from '../runtime-test'
import { createUniqueId } from '../unique'

interface Row {
  product: number | null
  occupation?: string | null
  createdAt?: number
  name?: string
}

/** Inserts twelve products for limited keys, and a product outside their limits. */
async function insertProducts(world: Workspace) {
  const stamps = { created_at: 1, updated_at: 1, subscription_id: world.subscriptionId }
  const ids: number[] = []
  for (let n = 0; n < 13; n++) {
    ids.push(await world.row('products', { external_key: `LST-${n}`, name: `Product ${n}`, ...stamps }))
  }
  return { ours: ids.slice(0, 12), theirs: ids[12] ?? 0 }
}

/** Inserts personas with numbers for names, in the order of the ids. */
async function insertPersonas({ subscriptionId }: Workspace, rows: readonly Row[], from = 0): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO personas (subscription_id, product_id, external_key, name, occupation, created_at, updated_at)
      SELECT ?1, value ->> 'product', 'PE-' || (?3 + key), coalesce(value ->> 'name', CAST(?3 + key AS INTEGER)), value ->> 'occupation',
        coalesce(value ->> 'createdAt', 1), 1 FROM json_each(?2)`,
  )
    .bind(subscriptionId, JSON.stringify(rows), from)
    .run()
}

async function listAllPages<T>(world: Workspace, path: string, apiKey?: string): Promise<ApiResponse<T[]>[]> {
  const pages: ApiResponse<T[]>[] = []
  let next: string | undefined = path
  while (next) {
    const page: ApiResponse<T[]> = await world.client('GET', next, apiKey === undefined ? {} : { apiKey })
    expect([page.status, page.cost.roundTrips]).toEqual([200, 1])
    pages.push(page)
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  return pages
}

const namesOf = (pages: readonly ApiResponse<{ name: string }[]>[]) =>
  pages.flatMap(({ body }) => body.data.map((p) => p.name))

async function openRequestDatabase(world: Workspace, products: number[] | null = null) {
  const jti = createUniqueId()
  await world.key({ jti, products })
  const exchange = {
    ...createDatabaseMeter(),
    bookmark: null,
    home: 0,
    replayed: false,
    answeredByReplica: false,
    requestId: 'test',
  }
  return openDatabase({
    d1: meteredDatabase(env.DB).d1,
    actor: { ...world, jti, scopes: ['*'], products },
    now: readClock(),
    exchange,
  })
}

// No list of the service sorts by a nullable column yet, so the test sorts personas by occupation.
const byOccupation = makeListReader(
  record('persona', {
    table: personas,
    scope: { product: personas.productId, shared: true },
    key: { key: personas.externalKey },
    fields: {
      id: personas.id,
      occupation: personas.occupation,
      quote: longText(personas.quote),
      description: longText(personas.description),
    },
  }),
  createListQuery(['occupation', '-occupation']),
  { sorts: { occupation: personas.occupation } },
)

test('pages continue among equal values and nulls, with nulls last ascending and first descending', async () => {
  const world = await createWorkspace()
  const { ours, theirs } = await insertProducts(world)
  const occupations = ['Nurse', null, 'Nurse', 'Äbtissin', null, '', 'Nurse', 'Zoologist']
  const rows = Array.from({ length: 56 }, (_, n) => ({
    product: [...ours, null, theirs][n % 14] ?? null,
    occupation: occupations[(n * 5 + (n >> 3)) % occupations.length] ?? null,
  }))
  await insertPersonas(world, rows)
  const { results } = await env.DB.prepare(
    'SELECT id, product_id AS product, occupation FROM personas WHERE subscription_id = ? ORDER BY id',
  )
    .bind(world.subscriptionId)
    .all<{ id: number; product: number | null; occupation: string | null }>()
  const encode = (text: string) => [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join('')
  const ascending = results.toSorted((a, b) => {
    if (a.occupation === b.occupation) return a.id - b.id
    if (a.occupation === null || b.occupation === null) return a.occupation === null ? 1 : -1
    return encode(a.occupation) < encode(b.occupation) ? -1 : 1
  })

  for (const count of [undefined, 1, 5, 6, 12]) {
    const products = count === undefined ? null : ours.slice(0, count)
    const visible = ascending.filter(({ product }) => !products || product === null || products.includes(product))
    const db = await openRequestDatabase(world, products)
    for (const sort of ['occupation', '-occupation'] as const) {
      for (const limit of [1, 7, 100]) {
        const found: number[] = []
        let cursor: string | undefined
        do {
          const page = await byOccupation.page(db, { limit, sort: [sort], cursor })
          expect(page.data.length).toBeLessThanOrEqual(limit)
          found.push(...page.data.map(({ id }) => id))
          cursor = page.next?.cursor
        } while (cursor && found.length <= rows.length)
        const expected = sort === 'occupation' ? visible : visible.toReversed()
        expect([count, sort, limit, found]).toEqual([count, sort, limit, expected.map(({ id }) => id)])
      }
    }
  }
})

runtimeTest('a key that is limited to products reads only rows of its products', async () => {
  const world = await createWorkspace()
  const { ours, theirs } = await insertProducts(world)
  const own = Array.from({ length: 30 }, (_, n) => ({ product: n % 3 === 2 ? null : (ours[n % 12] ?? 0) }))
  const others = Array.from({ length: 1_000 }, () => ({ product: theirs }))
  await insertPersonas(world, others)
  await insertPersonas(world, own, 1_000)
  await insertPersonas(world, others, 2_000)
  for (const products of [ours.slice(0, 1), ours]) {
    const expected = own.flatMap(({ product }, n) =>
      product === null || products.includes(product) ? [`${1000 + n}`] : [],
    )
    const apiKey = await world.key({ products })
    for (const sort of ['createdAt', '-createdAt']) {
      const pages = await listAllPages<{ name: string }>(world, `/api/v2/persona?limit=5&sort=${sort}`, apiKey)
      expect(namesOf(pages)).toEqual(sort === 'createdAt' ? expected : expected.toReversed())
      // Two rows of each range (two ranges per product and for shared personas), the records, the keys of their
      // products, and the API key.
      const most = 2 * (products.length + 1) * 2 + 4 * 6 + 1
      expect(Math.max(...pages.map(({ cost }) => cost.rowsRead))).toBeLessThanOrEqual(most)
    }
  }
  const pages = await listAllPages<{ name: string }>(world, '/api/v2/persona?limit=100')
  expect(new Set(namesOf(pages)).size).toBe(2_030)
  expect(namesOf(pages)).toHaveLength(2_030)
  expect(Math.max(...pages.map(({ cost }) => cost.rowsRead))).toBeLessThanOrEqual(101 * 2 + 2)
})

test('a list continues over all pages when fields leaves out the sort column', async () => {
  const world = await createWorkspace()
  const { ours } = await insertProducts(world)
  await insertPersonas(
    world,
    ['b', 'a', 'c', 'a', 'b'].map((name, n) => ({ product: ours[n] ?? 0, name, createdAt: n >> 1 })),
  )
  for (const products of [null, ours]) {
    const apiKey = await world.key({ products })
    const pages = await listAllPages<object>(world, '/api/v2/persona?limit=2&fields=name', apiKey)
    expect(pages.map(({ body }) => body.data)).toEqual([
      [{ name: 'b' }, { name: 'a' }],
      [{ name: 'c' }, { name: 'a' }],
      [{ name: 'b' }],
    ])
  }
})

test('a cursor of another sort or value type is refused', async () => {
  const world = await createWorkspace()
  await insertPersonas(world, [{ product: null }, { product: null }])
  const [first] = await listAllPages(world, '/api/v2/persona?limit=1')
  const cursor = /cursor=([^&>]+)/.exec(first?.headers.get('link') ?? '')?.[1]
  const paths = [
    `/api/v2/persona?sort=createdAt&cursor=${cursor}`,
    `/api/v2/persona?cursor=${btoa('["-createdAt",{},1]')}`,
    `/api/v2/persona?cursor=${btoa('["-createdAt",1,1.5]')}`,
  ]
  for (const path of paths) {
    const answer = await world.client('GET', path)
    expect([path, answer.status, answer.body.error?.issues[0]?.path]).toEqual([path, 400, '/query/cursor'])
  }
  expect((await world.client('GET', `/api/v2/persona?limit=1&cursor=${cursor}`)).status).toBe(200)
})

runtimeTest('a page ends at 4 MB of texts, and the next page continues there', async () => {
  const world = await createWorkspace()
  const { ours } = await insertProducts(world)
  await insertPersonas(
    world,
    Array.from({ length: 100 }, (_, n) => ({ product: ours[n % 12] ?? 0 })),
  )
  const long = 'hex(zeroblob(262144))'
  const all = Array.from({ length: 100 }, (_, n) => `${n}`)
  const heavy = [
    [null, `description = ${long}`],
    // Some rows have a long text in only one of the columns.
    [
      ours,
      `description = CASE WHEN id % 3 THEN ${long} END, goals = iif(id % 3, '[]', json_array(replace(${long}, '00', 'ä')))`,
    ],
  ] as const
  for (const [products, set] of heavy) {
    await env.DB.prepare(`UPDATE personas SET ${set} WHERE subscription_id = ?`).bind(world.subscriptionId).run()
    const apiKey = await world.key({ products })
    const pages = await listAllPages<{ name: string }>(world, '/api/v2/persona?limit=100&sort=createdAt', apiKey)
    expect(namesOf(pages)).toEqual(all)
    for (const { body, cost } of pages) {
      expect(body.data.length).toBeGreaterThan(0)
      expect(new TextEncoder().encode(JSON.stringify(body)).length).toBeLessThan(5_000_000)
      expect(cost.rowsRead).toBeLessThan(1_000)
    }
    // A page without the long texts is not limited by their size.
    const [light, ...more] = await listAllPages<{ name: string }>(
      world,
      '/api/v2/persona?limit=100&fields=name',
      apiKey,
    )
    expect([light?.body.data.length, more]).toEqual([100, []])
  }
})

test('a light record between heavy records keeps its position in the order', async () => {
  const world = await createWorkspace()
  await insertPersonas(
    world,
    Array.from({ length: 20 }, () => ({ product: null })),
  )
  await env.DB.prepare(
    `UPDATE personas SET description = iif(name IN ('8', '15'), 'x', replace(hex(zeroblob(250000)), '00', 'xx'))
      WHERE subscription_id = ?`,
  )
    .bind(world.subscriptionId)
    .run()
  for (const sort of ['createdAt', '-createdAt']) {
    const pages = await listAllPages<{ name: string }>(world, `/api/v2/persona?limit=100&sort=${sort}`)
    const all = Array.from({ length: 20 }, (_, n) => `${n}`)
    expect(namesOf(pages)).toEqual(sort === 'createdAt' ? all : all.toReversed())
    expect(pages.length).toBeGreaterThan(2)
  }
})

test('the database returns at most one record above the byte limit of a page', async () => {
  const world = await createWorkspace()
  const rows = Array.from({ length: 40 }, (_, n) => ({ product: null, occupation: n % 4 ? `Nurse ${n >> 3}` : null }))
  await insertPersonas(world, rows)
  await env.DB.prepare(
    `UPDATE personas SET description = replace(hex(zeroblob(499000)), '00', 'xx') WHERE subscription_id = ?`,
  )
    .bind(world.subscriptionId)
    .run()
  const db = await openRequestDatabase(world)
  for (const sort of ['occupation', '-occupation'] as const) {
    const { statements, toPage } = byOccupation.read(db, { limit: 100, sort: [sort] })
    const results = await db.read(...statements)
    expect(results.map(({ length }) => length)).toEqual([5])
    expect(toPage(results).data.length).toBe(4)
  }
})
