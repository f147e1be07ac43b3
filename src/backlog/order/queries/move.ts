import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { answer } from '../../../db/answer'
import { changes } from '../../../db/change'
import type { Database } from '../../../db/client'
import { eventSql, retells, typeOf } from '../../../db/events'
import { rankBefore, rankBetween } from '../../../db/rank'
import { type Reference, workItemOfKey } from '../../../db/references'
import { type Guard, guard } from '../../../db/refuse'
import { workItems } from '../../../db/schema/work-items'
import { caller, param, type Values, variants } from '../../../db/statement'
import { storiesOf } from '../../work-items/links/queries'
import { type WorkItemKey, workItem } from '../../work-items/queries/any'
import { epicOf, story } from '../../work-items/queries/record'
import { nextRank } from '../../work-items/rank/statements'
import type { MoveWorkItem } from '../schema'

const UPDATED = typeOf(workItem.told, 'epic.updated')

const idOf = (name: string) => workItemOfKey(sql`${param(name)}`)
const columnOf = (name: string, columns: SQL) => sql`(SELECT ${columns} FROM ${workItems} o WHERE o.id = ${idOf(name)})`
const rankOf = (name: string) => columnOf(name, sql`o.rank`)
/** Position of an item: ids order equal ranks. */
const placeOf = (name: string) => columnOf(name, sql`o.rank, o.id`)

type Side = 'above' | 'below'

interface Next {
  side: Side
  columns: SQL
  /** Item of the order, as an alias or a table. */
  of: SQL
  place: SQL
  /** Reads removed items instead of living items. */
  isRemoved?: boolean
}

/** Neighbor of a position in the order of an item, excluding the item. */
function next({ side, columns, of, place, isRemoved = false }: Next): SQL {
  const [beyond, direction] = side === 'above' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  // Living and removed items have an index each.
  const half = isRemoved ? sql`n.deleted_at IS NOT NULL` : sql`n.deleted_at IS NULL`
  return sql`(SELECT ${columns} FROM ${workItems} n WHERE n.product_id = ${of}.product_id AND n.type = ${of}.type
    AND ${half} AND n.id <> ${of}.id AND (n.rank, n.id) ${beyond} ${place}
    ORDER BY n.rank ${direction}, n.id ${direction} LIMIT 1)`
}

const item = sql`i`

/** Rank of the neighbor of an item. Removed items keep the rank, because a removed item can return. */
function nextTaken(side: Side, name: string): SQL {
  const of = { side, columns: sql`n.rank AS rank`, of: item, place: placeOf(name) }
  return sql`(SELECT ${side === 'above' ? sql`min` : sql`max`}(rank) FROM (
    SELECT * FROM ${next(of)} UNION ALL SELECT * FROM ${next({ ...of, isRemoved: true })}))`
}

const standsNextTo = (side: Side, name: string) =>
  sql`${next({ side, columns: sql`n.id`, of: item, place: sql`(i.rank, i.id)` })} IS ${idOf(name)}`

type Where = 'after' | 'before' | 'here'

/** Ranks around the new position, and whether the item has the position already; `a` is null at the beginning. */
const between: Record<Where, { a: SQL; b: SQL; stays: SQL }> = {
  after: {
    a: rankOf('afterKey'),
    b: sql`coalesce(${nextTaken('above', 'afterKey')}, ${nextRank(sql`i.type`)})`,
    stays: standsNextTo('below', 'afterKey'),
  },
  before: {
    a: nextTaken('below', 'beforeKey'),
    b: rankOf('beforeKey'),
    stays: standsNextTo('above', 'beforeKey'),
  },
  here: { a: sql`NULL`, b: sql`NULL`, stays: sql`TRUE` },
}

const parent = sql`(SELECT p.id, p.type, p.epic_id FROM ${workItems} p WHERE p.id = ${idOf('parentKey')})`

/** Item in the path with the new rank and the new parents. */
function placed(where: Where, hangs: boolean): SQL {
  const { a, b, stays } = between[where]
  const rank = sql`CASE WHEN stays THEN rank
    WHEN a IS NULL THEN ${rankBefore(sql`b`)} ELSE ${rankBetween(sql`a`, sql`b`)} END`
  const epic = hangs ? sql`(SELECT iif(type = 'feature', epic_id, id) FROM ${parent})` : sql`epic_id`
  const feature = hangs ? sql`(SELECT id FROM ${parent} WHERE type = 'feature')` : sql`feature_id`
  return sql`(SELECT id, ${rank} AS new_rank, ${epic} AS new_epic, ${feature} AS new_feature FROM (
    SELECT i.id, i.rank, i.epic_id, i.feature_id, ${a} AS a, ${b} AS b, ${stays} AS stays FROM ${workItems} i
    WHERE i.id = ${idOf('item_external_key')} LIMIT 1) LIMIT 1) placed`
}

const neighbor = (side: Side) =>
  next({ side, columns: sql`n.external_key`, of: sql`${workItems}`, place: sql`(${workItems.rank}, ${workItems.id})` })

const differs = sql`(${workItems.rank}, ${workItems.epicId}, ${workItems.featureId})
  IS NOT (placed.new_rank, placed.new_epic, placed.new_feature)`
const previous = sql`(SELECT json_group_object(column1, column2) FROM (VALUES
    ('epicId', coalesce(${workItems.epicId}, 0), ${workItems.epicId} IS NOT placed.new_epic),
    ('featureId', coalesce(${workItems.featureId}, 0), ${workItems.featureId} IS NOT placed.new_feature),
    ('beforeKey', ${neighbor('above')}, ${workItems.rank} IS NOT placed.new_rank),
    ('afterKey', ${neighbor('below')}, ${workItems.rank} IS NOT placed.new_rank)) WHERE column3)`

const { key, product, person, unnamed, data } = workItem.told
const parts = (variant: string) => {
  const [where, hangs] = variant.split(' ')
  return placed(where as Where, hangs === 'hangs')
}
const told = variants<never, Values>((variant) =>
  eventSql({
    ...{ type: UPDATED, key, product, person, unnamed, data, previous },
    from: sql`FROM ${parts(variant)} CROSS JOIN ${workItems} ON placed.id = ${workItems.id} WHERE ${differs}`,
  }),
)
const move = variants<never, Values>(
  (variant) => sql`UPDATE ${workItems} SET rank = placed.new_rank, epic_id = placed.new_epic,
      feature_id = placed.new_feature, version = version + 1, updated_at = ${caller.now}
    FROM ${parts(variant)} WHERE placed.id = ${workItems.id} AND ${differs}`,
)
const storiesFollow = changes(story, storiesOf(sql`(${workItem.id})`), {
  epicId: epicOf(sql`${workItems.featureId}`),
})
const retold = retells(UPDATED, workItem.told, workItem.addressed)

export interface Placed {
  externalKey: string
  epicId: number
  featureId: number
  beforeKey: string | null
  afterKey: string | null
  /** Length of the rank, in characters. */
  length: number
}

const standing = answer<Placed, Values>(
  {
    externalKey: workItems.externalKey,
    epicId: sql`coalesce(${workItems.epicId}, 0)`,
    featureId: sql`coalesce(${workItems.featureId}, 0)`,
    beforeKey: neighbor('above'),
    afterKey: neighbor('below'),
    length: sql`length(${workItems.rank})`,
  },
  sql`FROM ${workItems} WHERE ${workItem.addressed}`,
)

const wrongOrder = guard<Values>(
  sql`'validation_failed:/beforeKey:Must stand behind the item of afterKey'`,
  sql`${placeOf('beforeKey')} <= ${placeOf('afterKey')}`,
)

export async function moveWorkItem(db: Database, given: WorkItemKey, body: z.output<typeof MoveWorkItem>) {
  const { beforeKey, afterKey, parentKey } = body
  const where: Where = afterKey !== undefined ? 'after' : beforeKey !== undefined ? 'before' : 'here'
  const variant = `${where} ${parentKey === undefined ? '' : 'hangs'}`
  const values = { ...given, beforeKey, afterKey, parentKey }
  const guards: Guard[] = workItem.writable(given)
  if (beforeKey !== undefined && afterKey !== undefined) guards.push(wrongOrder(values))
  const references: Reference[] = [
    ...(beforeKey === undefined ? [] : [{ kind: 'sibling' as const, path: '/beforeKey', value: beforeKey }]),
    ...(afterKey === undefined ? [] : [{ kind: 'sibling' as const, path: '/afterKey', value: afterKey }]),
    ...(parentKey == null ? [] : [{ kind: 'parentKey' as const, path: '/parentKey', value: parentKey }]),
  ]
  const { answer } = await db.write({
    guards,
    references,
    statements: [
      told(variant, values),
      move(variant, values),
      retold(values),
      ...(parentKey === undefined ? [] : storiesFollow(values)),
    ],
    answer: standing(given),
  })
  return answer[0]
}
