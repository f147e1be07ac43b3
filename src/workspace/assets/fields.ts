import { sql } from 'drizzle-orm'

import { computed, constant, moment, or } from '../../db/field'
import { record } from '../../db/record'
import { assets } from '../../db/schema/assets'
import { caller } from '../../db/statement'

// Hundredths of a kilobyte, rounded half up.
const size = sql`((${assets.size} * 100 + 512) / 1024)`

/** The interface's File record, of a file of the product in the path. */
export const file = {
  id: assets.id,
  path: assets.objectKey,
  size: computed<string>(sql`printf('%d.%02d', ${size} / 100, ${size} % 100)`),
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
  file: computed<string>(sql`'/api/initiatives/' || ${caller.product} || '/assets/' || ${assets.id} || '/download'`),
}

/** An uploaded file. Other rooms attach it to what is theirs. */
export const asset = record('asset', {
  table: assets,
  within: 'product',
  key: { assetId: assets.id },
  fields: { ...file, mime: assets.mime, sha256: assets.sha256 },
})
