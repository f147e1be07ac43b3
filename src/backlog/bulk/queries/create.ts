import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { productId } from '../../../db/access'
import { orDefault } from '../../../db/bulk'
import { tells, typeOf } from '../../../db/events'
import { type Field, fieldOf, isColumn, isField } from '../../../db/field'
import { workItemBulk, workItems, workItemTags } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, statements, textsBy, type Values } from '../../../db/statement'
import { workItem } from '../../work-items/queries/any'
import { epicOf, toldBare, type WorkItemType } from '../../work-items/queries/record'
import { keysOf, rankOfKey } from '../../work-items/rank/statements'
import { ASKED, ofKind, tenant } from './rows'

const OWN = [
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
    return field && column && !OWN.includes(name) ? [[name, { ...field, column }] as const] : []
  }),
)

const value = (name: string) => sql.raw(`b.body ->> '$.${name}'`)

const TYPES = ['epic', 'feature', 'userstory'] as const
const newOf = (type: WorkItemType) => sql`${ofKind('create')} AND b.type = ${inline(type)}`

const keys = keysOf(ofKind('create'), { type: sql`b.type`, n: sql`b.n` })
// Rows get consecutive ids after the highest id of the table.
const number = statements([
  keys.take,
  sql`UPDATE ${workItemBulk} SET external_key = made.key, item_id = made.id FROM (
      SELECT b.n, (SELECT coalesce(max(w.id), 0) FROM ${workItems} w) + row_number() OVER (ORDER BY b.type, b.n) AS id,
        ${keys.key} AS key FROM ${ofKind('create')}) made
    WHERE ${tenant} AND ${workItemBulk.n} = made.n`,
])

const PARENTS: Record<WorkItemType, [epic: SQL, feature: SQL]> = {
  epic: [sql`NULL`, sql`NULL`],
  feature: [value('epicId'), sql`NULL`],
  userstory: [
    sql`CASE WHEN ${value('featureId')} IS NULL THEN ${value('epicId')} ELSE ${epicOf(value('featureId'))} END`,
    value('featureId'),
  ],
}

type Fields = readonly (readonly [name: string, field: { column: SQLiteColumn }])[]

// The columns are the union over all new items: an item without a value gets the default.
const insert = textsBy(({ type, fields }: { type: WorkItemType; fields: Fields }) => {
  const [epic, feature] = PARENTS[type]
  return sql`INSERT INTO ${workItems} (id, subscription_id, product_id, type, external_key, rank, epic_id, feature_id,
      created_at, updated_at ${sql.join(fields.map(([, { column }]) => sql`, ${sql.identifier(column.name)}`))})
    SELECT b.item_id, ${caller.subscription}, ${productId}, b.type, b.external_key,
      ${rankOfKey(sql`b.external_key`)}, ${epic}, ${feature}, ${caller.now}, ${caller.now}
      ${sql.join(fields.map(([name, { column }]) => sql`, ${orDefault(column, value(name))}`))}
    FROM ${newOf(type)} ORDER BY b.n`
})

/** Passes the id of a parent to the operations with a `parentRef`. */
const hang = statement<never, Values>(sql`UPDATE ${workItemBulk} SET body = json_set(${workItemBulk.body},
    CASE p.type WHEN 'epic' THEN '$.epicId' ELSE '$.featureId' END, p.item_id)
  FROM ${workItemBulk} p WHERE ${tenant} AND ${workItemBulk.parent} IS NOT NULL AND ${workItemBulk.op} IN ${ASKED}
    AND p.subscription_id = ${caller.subscription} AND p.n = ${workItemBulk.parent} AND p.item_id IS NOT NULL`)

export interface Has {
  types: ReadonlySet<WorkItemType>
  given: ReadonlySet<string>
  parents: boolean
}

/** Inserts epics before features before stories, because a story copies the epic of the feature. */
export function made({ types, given, parents }: Has): Statement<never>[] {
  const some = TYPES.filter((type) => types.has(type))
  const fields = [...FIELDS].filter(([name]) => given.has(name))
  return [
    ...(some.length ? number({}) : []),
    ...(parents ? [hang({})] : []),
    ...some.map((type) => ({
      template: insert(`${type} ${fields.map(([name]) => name)}`, { type, fields }),
      values: {},
    })),
  ]
}

const slugs = sql`json_each(b.body, '$.slugs') slug`
const tag = statement<never, Values>(sql`INSERT INTO ${workItemTags} (subscription_id, product_id, slug, work_item_id)
  SELECT ${caller.subscription}, ${productId}, slug.value, b.item_id FROM ${workItemBulk} b CROSS JOIN ${slugs}
  WHERE b.subscription_id = ${caller.subscription} AND b.op IN ('create', 'update') AND b.problem IS NULL
  ON CONFLICT DO NOTHING`)
const untag = statement<never, Values>(sql`
  DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
  AND (${workItemTags.workItemId}, ${workItemTags.slug}) IN (SELECT t.work_item_id, t.slug FROM ${workItemBulk} b
    CROSS JOIN ${workItemTags} t ON t.subscription_id = ${caller.subscription} AND t.work_item_id = b.item_id
    WHERE b.subscription_id = ${caller.subscription} AND b.op = 'update' AND b.problem IS NULL
      AND json_type(b.body, '$.slugs') IS NOT NULL AND t.slug NOT IN (SELECT slug.value FROM ${slugs}))`)

export const tagged = ({ updates }: { updates: boolean }): Statement<never>[] => [
  ...(updates ? [untag({})] : []),
  tag({}),
]

const below = sql`b.n IN (SELECT c.parent FROM ${workItemBulk} c WHERE c.subscription_id = ${caller.subscription}
  AND c.parent IS NOT NULL AND c.problem IS NULL)`
const of = (which: SQL) => sql`FROM ${ofKind('create')} AND ${which}`
const tell = (data: typeof workItem.told, which: SQL) =>
  tells(
    typeOf(workItem.told, 'epic.created'),
    data,
    sql`FROM (SELECT b.item_id ${of(which)} ORDER BY b.n LIMIT -1) made CROSS JOIN ${workItems} ON ${workItems.id} = made.item_id`,
    { many: true },
  )
const toldAlone = tell(toldBare(workItem), sql`true`)
const toldChildless = tell(toldBare(workItem), sql`NOT ${below}`)
const toldWithChildren = tell(workItem.told, below)

/** Emits the new items, including children attached by the request. */
export const told = ({ parents }: { parents: boolean }): Statement<never>[] =>
  parents ? [toldWithChildren({}), toldChildless({})] : [toldAlone({})]
