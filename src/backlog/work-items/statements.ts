import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../db/change'
import { tells } from '../../db/events'
import { currentKey, currentNumber, takeNumber } from '../../db/numbering'
import { detachments } from '../../db/schema/tenancy'
import { workItems, workItemTags } from '../../db/schema/work-items'
import { withMembers } from '../../db/selection'
import { caller, inline, insertInto, type Statement, statement, type Values } from '../../db/statement'
import { epic, feature, PREFIX, story, toldBare, type WorkItemType } from './queries/record'
import { lastRank } from './rank/statements'

const KIND = inline('work_item_team')

// Finds items by team or id: the unary plus keeps SQLite from scanning the workspace.
const ofTenant = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

/** Updates each type separately, because each type emits a different event. */
function changeAll(where: SQL, teamId: SQL) {
  const of = (type: WorkItemType) => sql`${ofTenant} AND ${where} AND ${workItems.type} = ${inline(type)}`
  return [
    changes(epic, of('epic'), { teamId }),
    changes(feature, of('feature'), { teamId }),
    changes(story, of('userstory'), { teamId }),
  ]
}

/** Detaches a removed team from the work items, and keeps the items for a restore. */
export function takeTeam(team: SQL): (key: Values) => Statement<never>[] {
  const keep = statement<never, Values>(sql`
    INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)
    SELECT ${caller.subscription}, ${KIND}, ${workItems.teamId}, ${workItems.id} FROM ${workItems}
    WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
      AND ${workItems.teamId} = ${team}`)
  const change = changeAll(
    sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.teamId} = ${team}`,
    sql`NULL`,
  )
  return (key) => [keep(key), ...change.flatMap((make) => make(key))]
}

/** Returns a restored team to the former work items, unless an item has a new team. */
export function restoreTeam(team: SQL): (key: Values) => Statement<never>[] {
  const kept = sql`${detachments} WHERE ${detachments.subscriptionId} = ${caller.subscription}
    AND ${detachments.kind} = ${KIND} AND ${detachments.removedId} = ${team}`
  const holders = sql`${workItems.id} IN (SELECT ${detachments.holderId} FROM ${kept}) AND ${workItems.teamId} IS NULL`
  const change = changeAll(holders, team)
  const forget = statement<never, Values>(sql`DELETE FROM ${kept}`)
  return (key) => [...change.flatMap((make) => make(key)), forget(key)]
}

const RECORDS = { epic, feature, userstory: story }

export const newItem = (type: WorkItemType) =>
  sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${RECORDS[type].newest})`

interface MadeFrom {
  product: SQL
  summary: SQL
  description: SQL
  /** Texts as a JSON array; `slugs` is a query with the column `slug`. */
  tags: SQL
  slugs: SQL
  /** Source row in another area, and the key of the idea. */
  from: SQL
  idea: SQL
}

/** Statements that create an item of a type for another area, including the created event. */
export function makesItem(type: WorkItemType, made: MadeFrom): (values: Values) => Statement<never>[] {
  const item = RECORDS[type]
  const insert = statement<never, Values>(
    insertInto(
      workItems,
      {
        subscriptionId: caller.subscription,
        productId: made.product,
        type: inline(type),
        externalKey: currentKey(PREFIX[type]),
        rank: lastRank(currentNumber(PREFIX[type])),
        summary: made.summary,
        description: made.description,
        tags: made.tags,
        createdAt: caller.now,
        updatedAt: caller.now,
      },
      made.from,
    ),
  )
  const tag = statement<never, Values>(
    insertInto(
      workItemTags,
      {
        subscriptionId: caller.subscription,
        productId: workItems.productId,
        slug: sql`named.slug`,
        workItemId: workItems.id,
      },
      sql`FROM (${made.slugs}) named CROSS JOIN ${workItems} ON ${workItems.id} = ${newItem(type)} WHERE true ON CONFLICT DO NOTHING`,
    ),
  )
  const bare = toldBare(item)
  const data = withMembers(bare.data, [{ name: 'ideas', json: sql`json_array(${made.idea})` }])
  const told = tells(`${type}.created`, { ...bare, data }, sql`${item.from} WHERE ${item.newest}`)
  return (values) => [takeNumber(PREFIX[type]) as Statement<never>, insert(values), tag(values), told(values)]
}
