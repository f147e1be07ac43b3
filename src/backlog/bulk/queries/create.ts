import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { valueOrDefault } from '../../../db/client/bulk'
import { workItemBulkRows, workItems, workItemTags } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { emitEvents, eventTypeOf } from '../../../db/sql/events'
import { type Field, fieldOf, isColumn, isField } from '../../../db/sql/field'
import {
  caller,
  inline,
  type Statement,
  statement,
  statementCache,
  statements,
  type Values,
} from '../../../db/sql/statement'
import { workItem } from '../../work-items/queries/any'
import { bareEventSource, epicOf, type WorkItemType } from '../../work-items/queries/record'
import { newKeysOf, rankOfKey } from '../../work-items/rank/statements'
import { isTenantRow, REQUEST_OPS, validRowsOf } from './rows'

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

export const FIELDS: ReadonlyMap<string, Field & { column: NonNullable<Field['column']> }> = new Map(
  Object.entries(workItem.fields).flatMap(([name, member]) => {
    const field = isColumn(member) || isField(member) ? fieldOf(member) : undefined
    const { column } = field ?? {}
    return field && column && !COMPUTED_FIELDS.includes(name) ? [[name, { ...field, column }] as const] : []
  }),
)

const bodyValue = (name: string) => sql.raw(`b.body ->> '$.${name}'`)

const TYPES = ['epic', 'feature', 'userstory'] as const
const fromNewItems = (type: WorkItemType) => sql`${validRowsOf('create')} AND b.type = ${inline(type)}`

const newKeys = newKeysOf(validRowsOf('create'), { type: sql`b.type`, n: sql`b.n` })
// Rows get consecutive ids after the highest id of the table.
const assignKeys = statements([
  newKeys.take,
  sql`UPDATE ${workItemBulkRows} SET external_key = made.key, item_id = made.id FROM (
      SELECT b.n, (SELECT coalesce(max(w.id), 0) FROM ${workItems} w) + row_number() OVER (ORDER BY b.type, b.n) AS id,
        ${newKeys.key} AS key FROM ${validRowsOf('create')}) made
    WHERE ${isTenantRow} AND ${workItemBulkRows.n} = made.n`,
])

const PARENT_VALUES: Record<WorkItemType, [epic: SQL, feature: SQL]> = {
  epic: [sql`NULL`, sql`NULL`],
  feature: [bodyValue('epicId'), sql`NULL`],
  userstory: [
    sql`CASE WHEN ${bodyValue('featureId')} IS NULL THEN ${bodyValue('epicId')} ELSE ${epicOf(bodyValue('featureId'))} END`,
    bodyValue('featureId'),
  ],
}

type Fields = readonly (readonly [name: string, field: { column: SQLiteColumn }])[]

const insertOfType = statementCache(({ type, fields }: { type: WorkItemType; fields: Fields }) => {
  const [epic, feature] = PARENT_VALUES[type]
  return sql`INSERT INTO ${workItems} (id, subscription_id, product_id, type, external_key, rank, epic_id, feature_id,
      created_at, updated_at ${sql.join(fields.map(([, { column }]) => sql`, ${sql.identifier(column.name)}`))})
    SELECT b.item_id, ${caller.subscription}, ${productId}, b.type, b.external_key,
      ${rankOfKey(sql`b.external_key`)}, ${epic}, ${feature}, ${caller.now}, ${caller.now}
      ${sql.join(fields.map(([name, { column }]) => sql`, ${valueOrDefault(column, bodyValue(name))}`))}
    FROM ${fromNewItems(type)} ORDER BY b.n`
})

const setParents = statement<never, Values>(sql`UPDATE ${workItemBulkRows} SET body = json_set(${workItemBulkRows.body},
    CASE p.type WHEN 'epic' THEN '$.epicId' ELSE '$.featureId' END, p.item_id)
  FROM ${workItemBulkRows} p WHERE ${isTenantRow} AND ${workItemBulkRows.parent} IS NOT NULL AND ${workItemBulkRows.op} IN ${REQUEST_OPS}
    AND p.subscription_id = ${caller.subscription} AND p.n = ${workItemBulkRows.parent} AND p.item_id IS NOT NULL`)

export interface NewItems {
  types: ReadonlySet<WorkItemType>
  fieldNames: ReadonlySet<string>
  parents: boolean
}

/** Epics before features before stories, because a story copies the epic of the feature. */
export function insertNewItems({ types, fieldNames, parents }: NewItems): Statement<never>[] {
  const some = TYPES.filter((type) => types.has(type))
  const fields = [...FIELDS].filter(([name]) => fieldNames.has(name))
  return [
    ...(some.length ? assignKeys({}) : []),
    ...(parents ? [setParents({})] : []),
    ...some.map((type) => ({
      template: insertOfType(`${type} ${fields.map(([name]) => name)}`, { type, fields }),
      values: {},
    })),
  ]
}

const slugs = sql`json_each(b.body, '$.slugs') slug`
const insertTags = statement<
  never,
  Values
>(sql`INSERT INTO ${workItemTags} (subscription_id, product_id, slug, work_item_id)
  SELECT ${caller.subscription}, ${productId}, slug.value, b.item_id FROM ${workItemBulkRows} b CROSS JOIN ${slugs}
  WHERE b.subscription_id = ${caller.subscription} AND b.op IN ('create', 'update') AND b.problem IS NULL
  ON CONFLICT DO NOTHING`)
const deleteTags = statement<never, Values>(sql`
  DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
  AND (${workItemTags.workItemId}, ${workItemTags.slug}) IN (SELECT t.work_item_id, t.slug FROM ${workItemBulkRows} b
    CROSS JOIN ${workItemTags} t ON t.subscription_id = ${caller.subscription} AND t.work_item_id = b.item_id
    WHERE b.subscription_id = ${caller.subscription} AND b.op = 'update' AND b.problem IS NULL
      AND json_type(b.body, '$.slugs') IS NOT NULL AND t.slug NOT IN (SELECT slug.value FROM ${slugs}))`)

export const updateTagSlugs = ({ updates }: { updates: boolean }): Statement<never>[] => [
  ...(updates ? [deleteTags({})] : []),
  insertTags({}),
]

const hasNewChildren = sql`b.n IN (SELECT c.parent FROM ${workItemBulkRows} c WHERE c.subscription_id = ${caller.subscription}
  AND c.parent IS NOT NULL AND c.problem IS NULL)`
const fromNewItemsWhere = (which: SQL) => sql`FROM ${validRowsOf('create')} AND ${which}`
const emitCreated = (data: typeof workItem.eventSource, which: SQL) =>
  emitEvents(
    eventTypeOf(workItem.eventSource, 'epic.created'),
    data,
    sql`FROM (SELECT b.item_id ${fromNewItemsWhere(which)} ORDER BY b.n LIMIT -1) made CROSS JOIN ${workItems} ON ${workItems.id} = made.item_id`,
    { many: true },
  )
const emitAllBare = emitCreated(bareEventSource(workItem), sql`true`)
const emitChildless = emitCreated(bareEventSource(workItem), sql`NOT ${hasNewChildren}`)
const emitWithChildren = emitCreated(workItem.eventSource, hasNewChildren)

export const emitNewItems = ({ parents }: { parents: boolean }): Statement<never>[] =>
  parents ? [emitWithChildren({}), emitChildless({})] : [emitAllBare({})]
