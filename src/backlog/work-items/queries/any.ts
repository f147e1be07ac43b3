import { sql } from 'drizzle-orm'
import { type Key, record } from '../../../db/records/record'
import { workItemKeys, workItems } from '../../../db/schema/work-items'
import { computedList, enumField } from '../../../db/sql/field'
import { workItemIdOfKey } from '../../../db/sql/references'
import { caller, param } from '../../../db/sql/statement'
import { createItemDetail, createItemFields, itemContent, selectChildKeysJson, type WorkItemType } from './record'

const workItemKeyColumns = { item_external_key: workItems.externalKey }
export type WorkItemKey = Key<typeof workItemKeyColumns>

const workItemDeclaration = {
  table: workItems,
  scope: 'product' as const,
  key: workItemKeyColumns,
  keyCondition: sql`${workItems.id} = ${workItemIdOfKey(sql`${param('item_external_key')}`)}`,
  resourceName: sql`${workItems.type}`,
  content: itemContent,
  fields: createItemFields(enumField<WorkItemType>(workItems.type), {}),
  detail: createItemDetail(
    computedList<string>(selectChildKeysJson('feature', 'epic_id')),
    computedList<string>(sql`CASE ${workItems.type} WHEN 'epic' THEN ${selectChildKeysJson('userstory', 'epic_id')}
      ELSE ${selectChildKeysJson('userstory', 'feature_id')} END`),
  ),
}

export const workItem = record('work_item', workItemDeclaration)

const selectPreviousKeys = sql`(SELECT json_group_array(${workItemKeys.externalKey} ORDER BY ${workItemKeys.createdAt})
  FROM ${workItemKeys} WHERE ${workItemKeys.subscriptionId} = ${caller.subscription}
    AND ${workItemKeys.workItemId} = ${workItems.id})`

export const workItemWithPreviousKeys = record('work_item', {
  ...workItemDeclaration,
  detail: { ...workItemDeclaration.detail, previousKeys: computedList<string>(selectPreviousKeys) },
})
