import { sql } from 'drizzle-orm'
import { addressedProduct, covered } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/cursor'
import { event } from '../../db/events'
import { guard } from '../../db/refuse'
import { products } from '../../db/schema/tenancy'
import { caller, columns, insertInto, param, type Selected, statement, variants } from '../../db/statement'
import { notFound } from '../../text/errors'

const COLUMNS = [
  'id',
  'externalKey',
  'name',
  'description',
  'color',
  'status',
  'version',
  'createdAt',
  'updatedAt',
] as const

export type ProductRow = Selected<typeof products, (typeof COLUMNS)[number]>

type New = { externalKey: string }

const insert = statement<never, New & { name: string; description: string | null; color: string | null }>(
  insertInto(products, {
    subscriptionId: caller.subscription,
    externalKey: param('externalKey'),
    name: param('name'),
    description: param('description'),
    color: param('color'),
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const taken = guard<New>(
  sql`'conflict:Another product has this externalKey. Choose another.'`,
  sql`EXISTS (SELECT 1 FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
    AND ${products.externalKey} = ${param('externalKey')})`,
)

const byKey = sql`FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
  AND ${products.externalKey} = ${param('externalKey')}`

const created = event<New>({
  type: 'product.created',
  key: sql`${products.externalKey}`,
  product: sql`${products.id}`,
  from: byKey,
})

const inserted = answer<Omit<ProductRow, 'version'>, New>(
  {
    id: products.id,
    externalKey: products.externalKey,
    name: products.name,
    description: products.description,
    color: products.color,
    status: products.status,
    createdAt: products.createdAt,
    updatedAt: products.updatedAt,
  },
  byKey,
)

export async function createProduct(
  db: Database,
  product: { externalKey: string; name: string; description: string | null; color: string | null },
) {
  const key = { externalKey: product.externalKey }
  const { answer } = await db.write({
    guards: [taken(key)],
    statements: [insert(product), created(product, key)],
    answer: inserted(key),
  })
  return answer[0]
}

const select = statement<ProductRow>(
  sql`SELECT ${columns(products, COLUMNS)} FROM ${products} WHERE ${addressedProduct}`,
)

/** The product in the path. */
export async function getProduct(db: Database): Promise<ProductRow> {
  const [rows] = await db.read(select({}))
  const row = rows[0]
  if (!row) throw notFound('product_not_found')
  return row
}

const list = variants<ProductRow, PageValues, PageVariant>((variant) => {
  const after = pageAfter(sql`${products.createdAt}`, sql`${products.id}`, variant)
  return sql`SELECT ${columns(products, COLUMNS)} FROM ${products}
    WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.deletedAt} IS NULL
      AND ${covered(sql`${products.id}`)} ${after}`
})

export async function listProducts(db: Database, page: Page) {
  const [rows] = await db.read(list(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}
