import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { updateWhere } from '../../../db/records/change'
import { workItems } from '../../../db/schema/work-items'
import { eventSql, eventTypeOf, reemitEvent } from '../../../db/sql/events'
import { rankBefore, rankBetween } from '../../../db/sql/rank'
import { referenceTo, workItemIdOfKey } from '../../../db/sql/references'
import { returning } from '../../../db/sql/returning'
import { caller, makeStatementVariants, param, type Values } from '../../../db/sql/statement'
import { itemIsStoryOf } from '../../work-items/links/queries'
import { type WorkItemKey, workItem } from '../../work-items/queries/any'
import { selectEpicIdOfFeature, story } from '../../work-items/queries/record'
import { selectNextRank } from '../../work-items/rank/statements'
import type { MoveWorkItem } from '../schema'

const UPDATED_EVENT_TYPE = eventTypeOf(workItem.eventSource, 'epic.updated')

const selectItemIdOfParam = (name: string) => workItemIdOfKey(sql`${param(name)}`)
const selectItemColumns = (name: string, columns: SQL) =>
  sql`(SELECT ${columns} FROM ${workItems} o WHERE o.id = ${selectItemIdOfParam(name)})`
const selectRank = (name: string) => selectItemColumns(name, sql`o.rank`)
const selectPosition = (name: string) => selectItemColumns(name, sql`o.rank, o.id`)

type NeighborSide = 'above' | 'below'

interface NeighborOptions {
  side: NeighborSide
  columns: SQL
  of: SQL
  place: SQL
  isRemoved?: boolean
}

function selectNeighbor({ side, columns, of, place, isRemoved = false }: NeighborOptions): SQL {
  const [beyond, direction] = side === 'above' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  const half = isRemoved ? sql`n.deleted_at IS NOT NULL` : sql`n.deleted_at IS NULL`
  return sql`(SELECT ${columns} FROM ${workItems} n WHERE n.product_id = ${of}.product_id AND n.type = ${of}.type
    AND ${half} AND n.id <> ${of}.id AND (n.rank, n.id) ${beyond} ${place}
    ORDER BY n.rank ${direction}, n.id ${direction} LIMIT 1)`
}

const itemAlias = sql`i`

function selectNeighborRank(side: NeighborSide, name: string): SQL {
  const of = { side, columns: sql`n.rank AS rank`, of: itemAlias, place: selectPosition(name) }
  return sql`(SELECT ${side === 'above' ? sql`min` : sql`max`}(rank) FROM (
    SELECT * FROM ${selectNeighbor(of)} UNION ALL SELECT * FROM ${selectNeighbor({ ...of, isRemoved: true })}))`
}

const itemIsNextTo = (side: NeighborSide, name: string) =>
  sql`${selectNeighbor({ side, columns: sql`n.id`, of: itemAlias, place: sql`(i.rank, i.id)` })} IS ${selectItemIdOfParam(name)}`

type MovePlacement = 'after' | 'before' | 'here'

/** `a` is null at the beginning. */
const rankBoundsByPlacement: Record<MovePlacement, { a: SQL; b: SQL; stays: SQL }> = {
  after: {
    a: selectRank('afterKey'),
    b: sql`coalesce(${selectNeighborRank('above', 'afterKey')}, ${selectNextRank(sql`i.type`)})`,
    stays: itemIsNextTo('below', 'afterKey'),
  },
  before: {
    a: selectNeighborRank('below', 'beforeKey'),
    b: selectRank('beforeKey'),
    stays: itemIsNextTo('above', 'beforeKey'),
  },
  here: { a: sql`NULL`, b: sql`NULL`, stays: sql`TRUE` },
}

const selectNewParent = sql`(SELECT p.id, p.type, p.epic_id FROM ${workItems} p WHERE p.id = ${selectItemIdOfParam('parentKey')})`

function fromMovedItem(where: MovePlacement, hangs: boolean): SQL {
  const { a, b, stays } = rankBoundsByPlacement[where]
  const rank = sql`CASE WHEN stays THEN rank
    WHEN a IS NULL THEN ${rankBefore(sql`b`)} ELSE ${rankBetween(sql`a`, sql`b`)} END`
  const epic = hangs ? sql`(SELECT iif(type = 'feature', epic_id, id) FROM ${selectNewParent})` : sql`epic_id`
  const feature = hangs ? sql`(SELECT id FROM ${selectNewParent} WHERE type = 'feature')` : sql`feature_id`
  return sql`(SELECT id, ${rank} AS new_rank, ${epic} AS new_epic, ${feature} AS new_feature FROM (
    SELECT i.id, i.rank, i.epic_id, i.feature_id, ${a} AS a, ${b} AS b, ${stays} AS stays FROM ${workItems} i
    WHERE i.id = ${selectItemIdOfParam('item_external_key')} LIMIT 1) LIMIT 1) placed`
}

const selectNeighborKey = (side: NeighborSide) =>
  selectNeighbor({
    side,
    columns: sql`n.external_key`,
    of: sql`${workItems}`,
    place: sql`(${workItems.rank}, ${workItems.id})`,
  })

const positionDiffers = sql`(${workItems.rank}, ${workItems.epicId}, ${workItems.featureId})
  IS NOT (placed.new_rank, placed.new_epic, placed.new_feature)`
const previousPositionValues = sql`(SELECT json_group_object(column1, column2) FROM (VALUES
    ('epicId', coalesce(${workItems.epicId}, 0), ${workItems.epicId} IS NOT placed.new_epic),
    ('featureId', coalesce(${workItems.featureId}, 0), ${workItems.featureId} IS NOT placed.new_feature),
    ('beforeKey', ${selectNeighborKey('above')}, ${workItems.rank} IS NOT placed.new_rank),
    ('afterKey', ${selectNeighborKey('below')}, ${workItems.rank} IS NOT placed.new_rank)) WHERE column3)`

const { key, product, person, hidesActor, data } = workItem.eventSource
const fromMovedItemOfVariant = (variant: string) => {
  const [where, hangs] = variant.split(' ')
  return fromMovedItem(where as MovePlacement, hangs === 'hangs')
}
const emitMoved = makeStatementVariants<never, Values>((variant) =>
  eventSql({
    ...{ type: UPDATED_EVENT_TYPE, key, product, person, hidesActor, data, previous: previousPositionValues },
    from: sql`FROM ${fromMovedItemOfVariant(variant)} CROSS JOIN ${workItems} ON placed.id = ${workItems.id} WHERE ${positionDiffers}`,
  }),
)
const updatePosition = makeStatementVariants<never, Values>(
  (variant) => sql`UPDATE ${workItems} SET rank = placed.new_rank, epic_id = placed.new_epic,
      feature_id = placed.new_feature, version = version + 1, updated_at = ${caller.now}
    FROM ${fromMovedItemOfVariant(variant)} WHERE placed.id = ${workItems.id} AND ${positionDiffers}`,
)
const moveStoriesOfFeature = updateWhere(story, itemIsStoryOf(sql`(${workItem.id})`), {
  epicId: selectEpicIdOfFeature(sql`${workItems.featureId}`),
})
const reemitMoved = reemitEvent(UPDATED_EVENT_TYPE, workItem.eventSource, workItem.byKey)

export interface MovedItem {
  externalKey: string
  epicId: number
  featureId: number
  beforeKey: string | null
  afterKey: string | null
  rankLength: number
}

const returningMovedItem = returning<MovedItem, Values>(
  {
    externalKey: workItems.externalKey,
    epicId: sql`coalesce(${workItems.epicId}, 0)`,
    featureId: sql`coalesce(${workItems.featureId}, 0)`,
    beforeKey: selectNeighborKey('above'),
    afterKey: selectNeighborKey('below'),
    rankLength: sql`length(${workItems.rank})`,
  },
  sql`FROM ${workItems} WHERE ${workItem.byKey}`,
)

const neighborsInWrongOrder = guard<Values>(
  'validation_failed:/beforeKey:Must come after the item of afterKey',
  sql`${selectPosition('beforeKey')} <= ${selectPosition('afterKey')}`,
)

export async function moveWorkItem(db: Database, itemKey: WorkItemKey, body: z.output<typeof MoveWorkItem>) {
  const { beforeKey, afterKey, parentKey } = body
  const where: MovePlacement = afterKey !== undefined ? 'after' : beforeKey !== undefined ? 'before' : 'here'
  const variant = `${where} ${parentKey === undefined ? '' : 'hangs'}`
  const values = { ...itemKey, beforeKey, afterKey, parentKey }
  const guards: Guard[] = workItem.writeGuards(itemKey)
  if (beforeKey !== undefined && afterKey !== undefined) guards.push(neighborsInWrongOrder(values))
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
      updatePosition(variant, values),
      reemitMoved(values),
      ...(parentKey === undefined ? [] : moveStoriesOfFeature(values)),
    ],
    returning: returningMovedItem(itemKey),
  })
  return rows[0]
}
