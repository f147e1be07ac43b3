import { sql } from 'drizzle-orm'
import { among, computedList } from '../../../db/field'
import { type Key, record } from '../../../db/record'
import { workItemOfKey } from '../../../db/references'
import { workItemKeys, workItems } from '../../../db/schema/work-items'
import { caller, param } from '../../../db/statement'
import { detailOf, fieldsOf, keysBelow, type WorkItemType } from './record'

const key = { item_external_key: workItems.externalKey }
export type WorkItemKey = Key<typeof key>

const declared = {
  table: workItems,
  within: 'product' as const,
  key,
  found: sql`${workItems.id} = ${workItemOfKey(sql`${param('item_external_key')}`)}`,
  resourceName: sql`${workItems.type}`,
  fields: fieldsOf(among<WorkItemType>(workItems.type), {}),
  detail: detailOf(
    computedList<string>(keysBelow('feature', 'epic_id')),
    computedList<string>(sql`CASE ${workItems.type} WHEN 'epic' THEN ${keysBelow('userstory', 'epic_id')}
      ELSE ${keysBelow('userstory', 'feature_id')} END`),
  ),
}

/** Item of any type, by the present key or a former key. Events carry the type of the item. */
export const workItem = record('work_item', declared)

const previousKeys = sql`(SELECT json_group_array(${workItemKeys.externalKey} ORDER BY ${workItemKeys.createdAt})
  FROM ${workItemKeys} WHERE ${workItemKeys.subscriptionId} = ${caller.subscription}
    AND ${workItemKeys.workItemId} = ${workItems.id})`

export const keyedWorkItem = record('work_item', {
  ...declared,
  detail: { ...declared.detail, previousKeys: computedList<string>(previousKeys) },
})
