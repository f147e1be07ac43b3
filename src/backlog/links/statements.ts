import { type SQL, sql } from 'drizzle-orm'
import { workItemLinks, workItems } from '../../db/schema/work-items'
import { eventSql } from '../../db/sql/events'
import { keyAcrossProducts, moment } from '../../db/sql/field'

const selectCrossProductKey = (id: SQL) => {
  const end = (column: SQL) => sql`(SELECT ${column} FROM ${workItems} w WHERE w.id = ${id})`
  return keyAcrossProducts(
    { key: end(sql`w.external_key`), product: end(sql`w.product_id`) },
    sql`${workItemLinks.productId}`,
  )
}
/** Emits an event for each link; `from` reads the links. */
export const linkEventSql = (type: 'created' | 'deleted', from: SQL, many = true): SQL =>
  eventSql({
    type: `work_item_link.${type}`,
    key: sql`CAST(${workItemLinks.id} AS TEXT)`,
    product: sql`${workItemLinks.productId}`,
    data: sql`json_object('id', ${workItemLinks.id}, 'type', ${workItemLinks.type},
        'from', ${selectCrossProductKey(sql`${workItemLinks.fromId}`)}, 'to', ${selectCrossProductKey(sql`${workItemLinks.toId}`)},
        'fromId', ${workItemLinks.fromId}, 'toId', ${workItemLinks.toId},
        'createdAt', ${moment(workItemLinks.createdAt).json()})`,
    from,
    many,
  })
