import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { valueOrDefault } from '../../../db/client/bulk'
import { workItemBulkRows, workItems, workItemTags } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { emitEvents } from '../../../db/sql/events'
import { type Field, isColumn, isField, toField } from '../../../db/sql/field'
import {
  caller,
  inline,
  makeStatementCache,
  type Statement,
  statement,
  statements,
  type Values,
} from '../../../db/sql/statement'
import { createPeopleNotice, namedPeople } from '../../../people/notices/statements'
import { workItem } from '../../work-items/queries/any'
import { createBareEventSource, selectEpicIdOfFeature, type WorkItemType } from '../../work-items/queries/record'
import { createNewKeys, selectRankOfKey } from '../../work-items/rank/statements'
import { fromValidRowsOf, requestOperationNames, rowIsOfTenant } from './rows'

const COMPUTED_FIELDS = [
  'id',
  'externalKey',
  'type',
  'initiativeId',
  'epicId',
  'featureId',
  'status',
  'scoring',
  'createdAt',
  'updatedAt',
]

export const BULK_FIELD_BY_NAME: ReadonlyMap<string, Field & { column: NonNullable<Field['column']> }> = new Map(
  Object.entries(workItem.fields).flatMap(([name, member]) => {
    const field = isColumn(member) || isField(member) ? toField(member) : undefined
    const { column } = field ?? {}
    return field && column && !COMPUTED_FIELDS.includes(name) ? [[name, { ...field, column }] as const] : []
  }),
)

const stagedBodyValue = (name: string) => sql.raw(`b.body ->> '$.${name}'`)

const TYPES_IN_INSERT_ORDER = ['epic', 'feature', 'userstory'] as const
const fromNewItems = (type: WorkItemType) => sql`${fromValidRowsOf('create')} AND b.type = ${inline(type)}`

const newItemKeys = createNewKeys(fromValidRowsOf('create'), { type: sql`b.type`, n: sql`b.n` })
// Rows get consecutive ids after the highest id of the table.
const assignItemKeys = statements([
  newItemKeys.take,
  sql`UPDATE ${workItemBulkRows} SET external_key = made.key, item_id = made.id FROM (
      SELECT b.n, (SELECT coalesce(max(w.id), 0) FROM ${workItems} w) + row_number() OVER (ORDER BY b.type, b.n) AS id,
        ${newItemKeys.key} AS key FROM ${fromValidRowsOf('create')}) made
    WHERE ${rowIsOfTenant} AND ${workItemBulkRows.n} = made.n`,
])

const PARENT_IDS_BY_TYPE: Record<WorkItemType, [epic: SQL, feature: SQL]> = {
  epic: [sql`NULL`, sql`NULL`],
  feature: [stagedBodyValue('epicId'), sql`NULL`],
  userstory: [
    sql`CASE WHEN ${stagedBodyValue('featureId')} IS NULL THEN ${stagedBodyValue('epicId')} ELSE ${selectEpicIdOfFeature(stagedBodyValue('featureId'))} END`,
    stagedBodyValue('featureId'),
  ],
}

type NamedFields = readonly (readonly [name: string, field: { column: SQLiteColumn }])[]

const insertItemsOfType = makeStatementCache(({ type, fields }: { type: WorkItemType; fields: NamedFields }) => {
  const [epic, feature] = PARENT_IDS_BY_TYPE[type]
  return sql`INSERT INTO ${workItems} (id, subscription_id, product_id, type, external_key, rank, epic_id, feature_id,
      created_at, updated_at ${sql.join(fields.map(([, { column }]) => sql`, ${sql.identifier(column.name)}`))})
    SELECT b.item_id, ${caller.subscription}, ${productId}, b.type, b.external_key,
      ${selectRankOfKey(sql`b.external_key`)}, ${epic}, ${feature}, ${caller.now}, ${caller.now}
      ${sql.join(fields.map(([name, { column }]) => sql`, ${valueOrDefault(column, stagedBodyValue(name))}`))}
    FROM ${fromNewItems(type)} ORDER BY b.n`
})

const setParentIds = statement<
  never,
  Values
>(sql`UPDATE ${workItemBulkRows} SET body = json_set(${workItemBulkRows.body},
    CASE p.type WHEN 'epic' THEN '$.epicId' ELSE '$.featureId' END, p.item_id)
  FROM ${workItemBulkRows} p WHERE ${rowIsOfTenant} AND ${workItemBulkRows.parent} IS NOT NULL AND ${workItemBulkRows.op} IN ${requestOperationNames}
    AND p.subscription_id = ${caller.subscription} AND p.n = ${workItemBulkRows.parent} AND p.item_id IS NOT NULL`)

export interface NewItemScope {
  types: ReadonlySet<WorkItemType>
  fieldNames: ReadonlySet<string>
  parents: boolean
}

/** Epics before features before stories, because a story copies the epic of the feature. */
export function insertNewItems({ types, fieldNames, parents }: NewItemScope): Statement<never>[] {
  const some = TYPES_IN_INSERT_ORDER.filter((type) => types.has(type))
  const fields = [...BULK_FIELD_BY_NAME].filter(([name]) => fieldNames.has(name))
  return [
    ...(some.length ? assignItemKeys({}) : []),
    ...(parents ? [setParentIds({})] : []),
    ...some.map((type) => ({
      template: insertItemsOfType(`${type} ${fields.map(([name]) => name)}`, { type, fields }),
      values: {},
    })),
  ]
}

const fromStagedTagSlugs = sql`json_each(b.body, '$.slugs') slug`
const insertStagedTags = statement<
  never,
  Values
>(sql`INSERT INTO ${workItemTags} (subscription_id, product_id, slug, work_item_id)
  SELECT ${caller.subscription}, ${productId}, slug.value, b.item_id FROM ${workItemBulkRows} b CROSS JOIN ${fromStagedTagSlugs}
  WHERE b.subscription_id = ${caller.subscription} AND b.op IN ('create', 'update') AND b.problem IS NULL
  ON CONFLICT DO NOTHING`)
const deleteUnnamedTags = statement<never, Values>(sql`
  DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
  AND (${workItemTags.workItemId}, ${workItemTags.slug}) IN (SELECT t.work_item_id, t.slug FROM ${workItemBulkRows} b
    CROSS JOIN ${workItemTags} t ON t.subscription_id = ${caller.subscription} AND t.work_item_id = b.item_id
    WHERE b.subscription_id = ${caller.subscription} AND b.op = 'update' AND b.problem IS NULL
      AND json_type(b.body, '$.slugs') IS NOT NULL AND t.slug NOT IN (SELECT slug.value FROM ${fromStagedTagSlugs}))`)

export const updateTagSlugs = ({ updates }: { updates: boolean }): Statement<never>[] => [
  ...(updates ? [deleteUnnamedTags({})] : []),
  insertStagedTags({}),
]

const itemNamesLinks = sql`b.n IN (SELECT c.parent FROM ${workItemBulkRows} c WHERE c.subscription_id = ${caller.subscription}
  AND c.parent IS NOT NULL AND c.problem IS NULL)`
const fromNewItemsWhere = (which: SQL) => sql`FROM ${fromValidRowsOf('create')} AND ${which}`
const createCreatedEventEmitter = (data: typeof workItem.eventSource, which: SQL) =>
  emitEvents(
    'epic.created',
    data,
    sql`FROM (SELECT b.item_id ${fromNewItemsWhere(which)} ORDER BY b.n LIMIT -1) made CROSS JOIN ${workItems} ON ${workItems.id} = made.item_id`,
    { many: true },
  )
const emitBareItems = createCreatedEventEmitter(createBareEventSource(workItem), sql`true`)
const emitUnlinkedItems = createCreatedEventEmitter(createBareEventSource(workItem), sql`NOT ${itemNamesLinks}`)
const emitLinkedItems = createCreatedEventEmitter(workItem.eventSource, itemNamesLinks)

const assignedInBody = stagedBodyValue('userId')
const assignFirst = createPeopleNotice({
  kind: 'assignment',
  values: { workItemId: sql`b.item_id` },
  people: namedPeople(assignedInBody, inline('[]')),
  from: sql`FROM ${fromValidRowsOf('create')} AND ${assignedInBody} <> '[]'`,
})
export const assignNewItems = (): Statement<never>[] => [assignFirst({})]

/** `linked`: some new items have children, KPIs or files. */
export const emitNewItems = ({ linked }: { linked: boolean }): Statement<never>[] =>
  linked ? [emitLinkedItems({}), emitUnlinkedItems({})] : [emitBareItems({})]
