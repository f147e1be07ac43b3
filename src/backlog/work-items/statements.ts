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

// Found by team, or by their ids: the sign keeps the workspace from being walked for them.
const ofTenant = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

/** Each type's records tell their own events. */
function changeAll(where: SQL, teamId: SQL) {
  const of = (type: WorkItemType) => sql`${ofTenant} AND ${where} AND ${workItems.type} = ${inline(type)}`
  return [
    changes(epic, of('epic'), { teamId }),
    changes(feature, of('feature'), { teamId }),
    changes(story, of('userstory'), { teamId }),
  ]
}

/** Takes a team that is removed off its work items, and keeps which they were for a restore. */
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

/** Gives a restored team back to the work items that it was taken off, unless they have another since. */
export function restoreTeam(team: SQL): (key: Values) => Statement<never>[] {
  const kept = sql`${detachments} WHERE ${detachments.subscriptionId} = ${caller.subscription}
    AND ${detachments.kind} = ${KIND} AND ${detachments.removedId} = ${team}`
  const holders = sql`${workItems.id} IN (SELECT ${detachments.holderId} FROM ${kept}) AND ${workItems.teamId} IS NULL`
  const change = changeAll(holders, team)
  const forget = statement<never, Values>(sql`DELETE FROM ${kept}`)
  return (key) => [...change.flatMap((make) => make(key)), forget(key)]
}

const RECORDS = { epic, feature, userstory: story }

/** The id of the item of a type that this batch made last. */
export const newItem = (type: WorkItemType) =>
  sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${RECORDS[type].newest})`

interface MadeFrom {
  product: SQL
  summary: SQL
  description: SQL
  /** Texts as a JSON array; `slugs`: a query of their slugs, as `slug`. */
  tags: SQL
  slugs: SQL
  /** The row of another room that they come from, and its key: that of an idea. */
  from: SQL
  idea: SQL
}

/** Makes the statements with which another room makes an item of a type; it tells its own event. */
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
