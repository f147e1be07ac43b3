import { sql } from 'drizzle-orm'
import { among, computedList } from '../../../db/field'
import { type Key, record } from '../../../db/record'
import { workItemOfKey } from '../../../db/references'
import { workItems } from '../../../db/schema/work-items'
import { param } from '../../../db/statement'
import { detailOf, fieldsOf, keysBelow, type WorkItemType } from './record'

const key = { item_external_key: workItems.externalKey }
export type WorkItemKey = Key<typeof key>

/** An item of any type, by its present or a former key. In the log it is of its own type. */
export const workItem = record('work_item', {
  table: workItems,
  within: 'product',
  key,
  found: sql`${workItems.id} = ${workItemOfKey(sql`${param('item_external_key')}`)}`,
  resourceName: sql`${workItems.type}`,
  fields: fieldsOf(among<WorkItemType>(workItems.type), {}),
  detail: detailOf(
    computedList<string>(keysBelow('feature', 'epic_id')),
    computedList<string>(sql`CASE ${workItems.type} WHEN 'epic' THEN ${keysBelow('userstory', 'epic_id')}
      ELSE ${keysBelow('userstory', 'feature_id')} END`),
  ),
})
