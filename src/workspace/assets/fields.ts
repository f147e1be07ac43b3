import { sql } from 'drizzle-orm'
import { computed, constant, moment, or } from '../../db/field'
import { record } from '../../db/record'
import { assets } from '../../db/schema/assets'
import { products } from '../../db/schema/tenancy'
import { caller } from '../../db/statement'

// A download path contains the product of the request, or the file's own product on a path without a product.
const product = sql`coalesce(${caller.product}, (SELECT ${products.externalKey} FROM ${products}
  WHERE ${products.subscriptionId} = ${caller.subscription} AND ${products.id} = ${assets.productId}))`

export const file = {
  id: assets.id,
  path: assets.objectKey,
  size: computed<string>(sql`printf('%.2f', ${assets.size} / 1024.0)`),
  sizeType: constant('kb'),
  userId: assets.userId,
  subscriptionId: assets.subscriptionId,
  initiativeId: assets.productId,
  usedAt: assets.usedAt,
  description: assets.description,
  name: assets.name,
  artifactId: or(assets.artifactId, 0),
  status: assets.status,
  createdAt: moment(assets.createdAt),
  updatedAt: moment(assets.updatedAt),
  file: computed<string>(sql`'/api/initiatives/' || ${product} || '/assets/' || ${assets.id} || '/download'`),
}

export const asset = record('asset', {
  table: assets,
  within: 'product',
  key: { assetId: assets.id },
  fields: { ...file, mime: assets.mime, sha256: assets.sha256 },
})
