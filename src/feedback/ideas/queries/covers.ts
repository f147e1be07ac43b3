import { sql } from 'drizzle-orm'
import { assets } from '../../../db/schema/assets'
import { feedbackItems } from '../../../db/schema/feedback'
import { products } from '../../../db/schema/tenancy'
import { coversProduct } from '../../../db/sql/access'

export const coverPaths = sql`CASE ${feedbackItems.coverPhotos} WHEN '[]' THEN ${feedbackItems.coverPhotoUrl}
  ELSE coalesce((SELECT group_concat('/api/initiatives/' || key || '/assets/' || id || '/download') FROM (
    SELECT ${products.externalKey} AS key, ${assets.id} AS id FROM json_each(${feedbackItems.coverPhotos}) photo
      CROSS JOIN ${assets} ON ${assets.id} = photo.value AND ${assets.subscriptionId} = ${feedbackItems.subscriptionId}
        AND ${assets.deletedAt} IS NULL AND ${coversProduct(sql`${assets.productId}`)}
      CROSS JOIN ${products} ON ${products.id} = ${assets.productId}
        AND ${products.subscriptionId} = ${feedbackItems.subscriptionId} AND ${products.deletedAt} IS NULL
    ORDER BY photo.key)), '') END`
