import { sql } from 'drizzle-orm'
import { workItemIdOfKey } from '../../../db/client/references'
import { type Key, record } from '../../../db/records/record'
import { workItemKeys, workItems } from '../../../db/schema/work-items'
import { computedList, enumField } from '../../../db/sql/field'
import { caller, param } from '../../../db/sql/statement'
import { childKeysJson, detailOf, fieldsOf, type WorkItemType } from './record'

const key = { item_external_key: workItems.externalKey }
export type WorkItemKey = Key<typeof key>

const declaration = {
  table: workItems,
  scope: 'product' as const,
  key,
  keyCondition: sql`${workItems.id} = ${workItemIdOfKey(sql`${param('item_external_key')}`)}`,
  resourceName: sql`${workItems.type}`,
  fields: fieldsOf(enumField<WorkItemType>(workItems.type), {}),
  detail: detailOf(
    computedList<string>(childKeysJson('feature', 'epic_id')),
    computedList<string>(sql`CASE ${workItems.type} WHEN 'epic' THEN ${childKeysJson('userstory', 'epic_id')}
      ELSE ${childKeysJson('userstory', 'feature_id')} END`),
  ),
}

export const workItem = record('work_item', declaration)

const previousKeys = sql`(SELECT json_group_array(${workItemKeys.externalKey} ORDER BY ${workItemKeys.createdAt})
  FROM ${workItemKeys} WHERE ${workItemKeys.subscriptionId} = ${caller.subscription}
    AND ${workItemKeys.workItemId} = ${workItems.id})`

export const keyedWorkItem = record('work_item', {
  ...declaration,
  detail: { ...declaration.detail, previousKeys: computedList<string>(previousKeys) },
})
