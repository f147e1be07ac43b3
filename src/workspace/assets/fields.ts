import { sql } from 'drizzle-orm'
import { record } from '../../db/records/record'
import { assets } from '../../db/schema/assets'
import { products } from '../../db/schema/tenancy'
import { computedValue, constantField, moment, withDefault } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'

/** An object with the bytes, and what a record says of them. */
export type StoredFile = Readonly<Record<'objectKey' | 'name' | 'mime' | 'sha256', string>> & { size: number }

const keyOfProduct = sql`coalesce(${caller.product}, (SELECT ${products.externalKey} FROM ${products}
  WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.id} = ${assets.productId}))`

export const fileFields = {
  id: assets.id,
  path: assets.objectKey,
  size: computedValue<string>(sql`printf('%.2f', ${assets.size} / 1024.0)`),
  sizeType: constantField('kb'),
  userId: assets.userId,
  subscriptionId: assets.subscriptionId,
  initiativeId: assets.productId,
  usedAt: assets.usedAt,
  description: assets.description,
  name: assets.name,
  artifactId: withDefault(assets.artifactId, 0),
  status: assets.status,
  createdAt: moment(assets.createdAt),
  updatedAt: moment(assets.updatedAt),
  file: computedValue<string>(sql`'/api/initiatives/' || ${keyOfProduct} || '/assets/' || ${assets.id} || '/download'`),
}

export const asset = record('asset', {
  table: assets,
  scope: 'product',
  key: { assetId: assets.id },
  fields: { ...fileFields, mime: assets.mime, sha256: assets.sha256 },
})
