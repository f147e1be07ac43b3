import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { referenceTo, workItemIdOfKey } from '../../../db/client/references'
import { type Guard, guard } from '../../../db/client/refuse'
import { updateWhere } from '../../../db/records/change'
import { workItems } from '../../../db/schema/work-items'
import { eventSql, eventTypeOf, reemitEvent } from '../../../db/sql/events'
import { rankBefore, rankBetween } from '../../../db/sql/rank'
import { returning } from '../../../db/sql/returning'
import { caller, param, statementVariants, type Values } from '../../../db/sql/statement'
import { isStoryOf } from '../../work-items/links/queries'
import { type WorkItemKey, workItem } from '../../work-items/queries/any'
import { epicOf, story } from '../../work-items/queries/record'
import { nextRank } from '../../work-items/rank/statements'
import type { MoveWorkItem } from '../schema'

const UPDATED = eventTypeOf(workItem.eventSource, 'epic.updated')

const idOf = (name: string) => workItemIdOfKey(sql`${param(name)}`)
const columnOf = (name: string, columns: SQL) => sql`(SELECT ${columns} FROM ${workItems} o WHERE o.id = ${idOf(name)})`
const rankOf = (name: string) => columnOf(name, sql`o.rank`)
const placeOf = (name: string) => columnOf(name, sql`o.rank, o.id`)

type Side = 'above' | 'below'

interface NeighborOptions {
  side: Side
  columns: SQL
  of: SQL
  place: SQL
  isRemoved?: boolean
}

function neighborOf({ side, columns, of, place, isRemoved = false }: NeighborOptions): SQL {
  const [beyond, direction] = side === 'above' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  const half = isRemoved ? sql`n.deleted_at IS NOT NULL` : sql`n.deleted_at IS NULL`
  return sql`(SELECT ${columns} FROM ${workItems} n WHERE n.product_id = ${of}.product_id AND n.type = ${of}.type
    AND ${half} AND n.id <> ${of}.id AND (n.rank, n.id) ${beyond} ${place}
    ORDER BY n.rank ${direction}, n.id ${direction} LIMIT 1)`
}

const itemAlias = sql`i`

function neighborRank(side: Side, name: string): SQL {
  const of = { side, columns: sql`n.rank AS rank`, of: itemAlias, place: placeOf(name) }
  return sql`(SELECT ${side === 'above' ? sql`min` : sql`max`}(rank) FROM (
    SELECT * FROM ${neighborOf(of)} UNION ALL SELECT * FROM ${neighborOf({ ...of, isRemoved: true })}))`
}

const isNextTo = (side: Side, name: string) =>
  sql`${neighborOf({ side, columns: sql`n.id`, of: itemAlias, place: sql`(i.rank, i.id)` })} IS ${idOf(name)}`

type Placement = 'after' | 'before' | 'here'

/** `a` is null at the beginning. */
const rankBounds: Record<Placement, { a: SQL; b: SQL; stays: SQL }> = {
  after: {
    a: rankOf('afterKey'),
    b: sql`coalesce(${neighborRank('above', 'afterKey')}, ${nextRank(sql`i.type`)})`,
    stays: isNextTo('below', 'afterKey'),
  },
  before: {
    a: neighborRank('below', 'beforeKey'),
    b: rankOf('beforeKey'),
    stays: isNextTo('above', 'beforeKey'),
  },
  here: { a: sql`NULL`, b: sql`NULL`, stays: sql`TRUE` },
}

const newParent = sql`(SELECT p.id, p.type, p.epic_id FROM ${workItems} p WHERE p.id = ${idOf('parentKey')})`

function movedItem(where: Placement, hangs: boolean): SQL {
  const { a, b, stays } = rankBounds[where]
  const rank = sql`CASE WHEN stays THEN rank
    WHEN a IS NULL THEN ${rankBefore(sql`b`)} ELSE ${rankBetween(sql`a`, sql`b`)} END`
  const epic = hangs ? sql`(SELECT iif(type = 'feature', epic_id, id) FROM ${newParent})` : sql`epic_id`
  const feature = hangs ? sql`(SELECT id FROM ${newParent} WHERE type = 'feature')` : sql`feature_id`
  return sql`(SELECT id, ${rank} AS new_rank, ${epic} AS new_epic, ${feature} AS new_feature FROM (
    SELECT i.id, i.rank, i.epic_id, i.feature_id, ${a} AS a, ${b} AS b, ${stays} AS stays FROM ${workItems} i
    WHERE i.id = ${idOf('item_external_key')} LIMIT 1) LIMIT 1) placed`
}

const neighborKey = (side: Side) =>
  neighborOf({
    side,
    columns: sql`n.external_key`,
    of: sql`${workItems}`,
    place: sql`(${workItems.rank}, ${workItems.id})`,
  })

const placeDiffers = sql`(${workItems.rank}, ${workItems.epicId}, ${workItems.featureId})
  IS NOT (placed.new_rank, placed.new_epic, placed.new_feature)`
const previousValues = sql`(SELECT json_group_object(column1, column2) FROM (VALUES
    ('epicId', coalesce(${workItems.epicId}, 0), ${workItems.epicId} IS NOT placed.new_epic),
    ('featureId', coalesce(${workItems.featureId}, 0), ${workItems.featureId} IS NOT placed.new_feature),
    ('beforeKey', ${neighborKey('above')}, ${workItems.rank} IS NOT placed.new_rank),
    ('afterKey', ${neighborKey('below')}, ${workItems.rank} IS NOT placed.new_rank)) WHERE column3)`

const { key, product, person, hidesActor, data } = workItem.eventSource
const movedItemOf = (variant: string) => {
  const [where, hangs] = variant.split(' ')
  return movedItem(where as Placement, hangs === 'hangs')
}
const emitMoved = statementVariants<never, Values>((variant) =>
  eventSql({
    ...{ type: UPDATED, key, product, person, hidesActor, data, previous: previousValues },
    from: sql`FROM ${movedItemOf(variant)} CROSS JOIN ${workItems} ON placed.id = ${workItems.id} WHERE ${placeDiffers}`,
  }),
)
const updatePlace = statementVariants<never, Values>(
  (variant) => sql`UPDATE ${workItems} SET rank = placed.new_rank, epic_id = placed.new_epic,
      feature_id = placed.new_feature, version = version + 1, updated_at = ${caller.now}
    FROM ${movedItemOf(variant)} WHERE placed.id = ${workItems.id} AND ${placeDiffers}`,
)
const moveStories = updateWhere(story, isStoryOf(sql`(${workItem.id})`), {
  epicId: epicOf(sql`${workItems.featureId}`),
})
const reemitMoved = reemitEvent(UPDATED, workItem.eventSource, workItem.byKey)

export interface MovedItem {
  externalKey: string
  epicId: number
  featureId: number
  beforeKey: string | null
  afterKey: string | null
  length: number
}

const returningPlace = returning<MovedItem, Values>(
  {
    externalKey: workItems.externalKey,
    epicId: sql`coalesce(${workItems.epicId}, 0)`,
    featureId: sql`coalesce(${workItems.featureId}, 0)`,
    beforeKey: neighborKey('above'),
    afterKey: neighborKey('below'),
    length: sql`length(${workItems.rank})`,
  },
  sql`FROM ${workItems} WHERE ${workItem.byKey}`,
)

const wrongOrder = guard<Values>(
  'validation_failed:/beforeKey:Must come after the item of afterKey',
  sql`${placeOf('beforeKey')} <= ${placeOf('afterKey')}`,
)

export async function moveWorkItem(db: Database, itemKey: WorkItemKey, body: z.output<typeof MoveWorkItem>) {
  const { beforeKey, afterKey, parentKey } = body
  const where: Placement = afterKey !== undefined ? 'after' : beforeKey !== undefined ? 'before' : 'here'
  const variant = `${where} ${parentKey === undefined ? '' : 'hangs'}`
  const values = { ...itemKey, beforeKey, afterKey, parentKey }
  const guards: Guard[] = workItem.writeGuards(itemKey)
  if (beforeKey !== undefined && afterKey !== undefined) guards.push(wrongOrder(values))
  const references = [
    ...referenceTo('sibling', '/beforeKey', beforeKey),
    ...referenceTo('sibling', '/afterKey', afterKey),
    ...referenceTo('parentKey', '/parentKey', parentKey),
  ]
  const { rows } = await db.write({
    guards,
    references,
    statements: [
      emitMoved(variant, values),
      updatePlace(variant, values),
      reemitMoved(values),
      ...(parentKey === undefined ? [] : moveStories(values)),
    ],
    returning: returningPlace(itemKey),
  })
  return rows[0]
}
