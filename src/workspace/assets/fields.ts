import { sql } from 'drizzle-orm'
import { computed, constant, moment, or, type Shape } from '../../db/field'
import { assets } from '../../db/schema/assets'
import { caller } from '../../db/statement'

// Hundredths of a kB, rounded half up.
const hundredths = sql`((${assets.size} * 100 + 512) / 1024)`

/** The interface's File record: an asset of the product in the path, as a field of other records too. */
export const fileFields = {
  id: assets.id,
  path: assets.objectKey,
  size: computed<string>(sql`printf('%d.%02d', ${hundredths} / 100, ${hundredths} % 100)`),
  sizeType: constant('kb'),
  userId: assets.userId,
  subscriptionId: assets.subscriptionId,
  initiativeId: assets.productId,
  usedAt: assets.usedAt,
  description: assets.description,
  name: assets.name,
  artifactId: or<typeof assets.artifactId, number>(assets.artifactId, 0),
  status: assets.status,
  createdAt: moment(assets.createdAt),
  updatedAt: moment(assets.updatedAt),
  file: computed<string>(sql`'/api/initiatives/' || ${caller.product} || '/assets/' || ${assets.id} || '/download'`),
} as const satisfies Shape
