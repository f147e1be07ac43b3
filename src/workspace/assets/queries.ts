import { sql } from 'drizzle-orm'
import { productId } from '../../db/access'
import { answer } from '../../db/answer'
import type { Database } from '../../db/client'
import { event } from '../../db/events'
import {
  type Page,
  type PageValues,
  type PageVariant,
  pageAfter,
  pageValues,
  paginate,
  sortedBy,
} from '../../db/legacy'
import { assets } from '../../db/schema/assets'
import { caller, columns, insertInto, param, type Selected, statement, variants } from '../../db/statement'
import { notFound } from '../../text/errors'
import { FILE_COLUMNS } from './schema'

const COLUMNS = [...FILE_COLUMNS, 'mime', 'sha256', 'version'] as const

export type AssetRow = Selected<typeof assets, (typeof COLUMNS)[number]>

export interface NewAsset {
  /** Where the bytes are in R2; made by chance, so that it names the record too. */
  objectKey: string
  name: string
  description: string | null
  size: number
  mime: string
  sha256: string
  usedAt: string
}

type ObjectKey = { objectKey: string }

const insert = statement<never, { [K in keyof NewAsset]: NewAsset[K] }>(
  insertInto(assets, {
    subscriptionId: caller.subscription,
    productId,
    userId: caller.user,
    objectKey: param('objectKey'),
    name: param('name'),
    description: param('description'),
    size: param('size'),
    mime: param('mime'),
    sha256: param('sha256'),
    usedAt: param('usedAt'),
    createdAt: caller.now,
    updatedAt: caller.now,
  }),
)

const byObject = sql`FROM ${assets} WHERE ${assets.subscriptionId} = ${caller.subscription}
  AND ${assets.objectKey} = ${param('objectKey')}`

const created = event<ObjectKey>({
  type: 'asset.created',
  key: sql`CAST(${assets.id} AS TEXT)`,
  product: sql`${assets.productId}`,
  from: byObject,
})

const inserted = answer<AssetRow, ObjectKey>(
  {
    id: assets.id,
    subscriptionId: assets.subscriptionId,
    productId: assets.productId,
    userId: assets.userId,
    objectKey: assets.objectKey,
    name: assets.name,
    description: assets.description,
    size: assets.size,
    usedAt: assets.usedAt,
    artifactId: assets.artifactId,
    status: assets.status,
    createdAt: assets.createdAt,
    updatedAt: assets.updatedAt,
    mime: assets.mime,
    sha256: assets.sha256,
    version: assets.version,
  },
  byObject,
)

export async function createAsset(db: Database, asset: NewAsset): Promise<AssetRow> {
  const key = { objectKey: asset.objectKey }
  const { objectKey: _, ...data } = asset
  const { answer } = await db.write({
    statements: [insert({ ...asset }), created(data, key)],
    answer: inserted(key),
  })
  return answer[0]
}

const inProduct = sql`${assets.subscriptionId} = ${caller.subscription} AND ${assets.productId} = ${productId}
  AND ${assets.deletedAt} IS NULL`

const find = statement<AssetRow, { id: number }>(
  sql`SELECT ${columns(assets, COLUMNS)} FROM ${assets} WHERE ${assets.id} = ${param('id')} AND ${inProduct}`,
)

export async function getAsset(db: Database, id: number): Promise<AssetRow> {
  const [rows] = await db.read(find({ id }))
  const row = rows[0]
  if (!row) throw notFound('asset_not_found')
  return row
}

const list = variants<AssetRow, PageValues, PageVariant>(
  (variant) => sql`SELECT ${columns(assets, COLUMNS)} FROM ${assets}
    WHERE ${inProduct} ${pageAfter(sql`${assets.createdAt}`, sql`${assets.id}`, variant)}`,
)

export async function listAssets(db: Database, page: Page) {
  const [rows] = await db.read(list(sortedBy(page), pageValues(page)))
  return paginate(rows, page, (row) => [row.createdAt, row.id])
}
