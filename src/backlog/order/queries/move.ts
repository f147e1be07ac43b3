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
const rankOf = (name: string) => sql`(SELECT o.rank FROM ${workItems} o WHERE o.id = ${idOf(name)})`

/** Ranks of the other items of the type and product of `i`. */
const others = sql`${workItems} n WHERE n.product_id = i.product_id AND n.type = i.type AND n.deleted_at IS NULL AND n.id <> i.id`
const nextTo = {
  above: (rank: SQL) => sql`(SELECT n.rank FROM ${others} AND n.rank > ${rank} ORDER BY n.rank LIMIT 1)`,
  below: (rank: SQL) => sql`(SELECT n.rank FROM ${others} AND n.rank < ${rank} ORDER BY n.rank DESC LIMIT 1)`,
}

type Where = 'after' | 'before' | 'here'

/** Between which ranks the item comes to stand: `a` may be null, at the beginning. */
const between: Record<Where, { a: SQL; b: SQL }> = {
  after: {
    a: rankOf('afterKey'),
    b: sql`coalesce(${nextTo.above(rankOf('afterKey'))}, ${nextRank(sql`i.type`)})`,
  },
  before: { a: nextTo.below(rankOf('beforeKey')), b: rankOf('beforeKey') },
  here: { a: sql`NULL`, b: sql`NULL` },
}

const parent = sql`(SELECT p.id, p.type, p.epic_id FROM ${workItems} p WHERE p.id = ${idOf('parentKey')})`

/** The item in the path with the rank and the parents that it gets; where it stands right, its rank stays. */
function placed(where: Where, hangs: boolean): SQL {
  const { a, b } = between[where]
  const rank = sql`CASE WHEN b IS NULL OR (a IS NULL OR rank > a) AND rank < b THEN rank
    WHEN a IS NULL THEN ${rankBefore(sql`b`)} ELSE ${rankBetween(sql`a`, sql`b`)} END`
  const epic = hangs ? sql`(SELECT iif(type = 'feature', epic_id, id) FROM ${parent})` : sql`epic_id`
  const feature = hangs ? sql`(SELECT id FROM ${parent} WHERE type = 'feature')` : sql`feature_id`
  return sql`(SELECT id, ${rank} AS new_rank, ${epic} AS new_epic, ${feature} AS new_feature FROM (
    SELECT i.id, i.rank, i.epic_id, i.feature_id, ${a} AS a, ${b} AS b FROM ${workItems} i
    WHERE i.id = ${idOf('item_external_key')} LIMIT 1) LIMIT 1) placed`
}

/** The key of the item that stands next to this one: equal ranks by their ids. */
function neighbour(side: '>' | '<'): SQL {
  const beyond = sql.raw(side)
  const order = sql.raw(side === '>' ? 'ASC' : 'DESC')
  const of = (which: SQL) => sql`SELECT * FROM (SELECT n.external_key, n.rank, n.id FROM ${workItems} n
    WHERE n.product_id = ${workItems.productId} AND n.type = ${workItems.type} AND n.deleted_at IS NULL AND ${which}
    ORDER BY n.rank ${order}, n.id ${order} LIMIT 1)`
  return sql`(SELECT external_key FROM (
    ${of(sql`n.rank = ${workItems.rank} AND n.id ${beyond} ${workItems.id}`)} UNION ALL
    ${of(sql`n.rank ${beyond} ${workItems.rank}`)}) ORDER BY rank ${order}, id ${order} LIMIT 1)`
}

const differs = sql`(${workItems.rank}, ${workItems.epicId}, ${workItems.featureId})
  IS NOT (placed.new_rank, placed.new_epic, placed.new_feature)`
const previous = sql`(SELECT json_group_object(column1, column2) FROM (VALUES
    ('epicId', coalesce(${workItems.epicId}, 0), ${workItems.epicId} IS NOT placed.new_epic),
    ('featureId', coalesce(${workItems.featureId}, 0), ${workItems.featureId} IS NOT placed.new_feature),
    ('beforeKey', ${neighbour('>')}, ${workItems.rank} IS NOT placed.new_rank),
    ('afterKey', ${neighbour('<')}, ${workItems.rank} IS NOT placed.new_rank)) WHERE column3)`

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
  /** How long its rank has become. */
  length: number
}

const standing = answer<Placed, Values>(
  {
    externalKey: workItems.externalKey,
    epicId: sql`coalesce(${workItems.epicId}, 0)`,
    featureId: sql`coalesce(${workItems.featureId}, 0)`,
    beforeKey: neighbour('>'),
    afterKey: neighbour('<'),
    length: sql`length(${workItems.rank})`,
  },
  sql`FROM ${workItems} WHERE ${workItem.addressed}`,
)

const wrongOrder = guard<Values>(
  sql`'validation_failed:/beforeKey:Must stand behind the item of afterKey'`,
  sql`${rankOf('beforeKey')} <= ${rankOf('afterKey')}`,
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
