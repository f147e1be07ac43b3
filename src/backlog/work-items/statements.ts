import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../db/change'
import { detachments } from '../../db/schema/tenancy'
import { workItems } from '../../db/schema/work-items'
import { caller, type Statement, statement, type Values } from '../../db/statement'
import { epic, feature, literal, story, type WorkItemType } from './queries/record'

const KIND = sql.raw("'work_item_team'")

// Found by team, or by their ids: the sign keeps the workspace from being walked for them.
const ofTenant = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

/** Each type's records tell their own events. */
function changeAll(where: SQL, teamId: SQL) {
  const of = (type: WorkItemType) => sql`${ofTenant} AND ${where} AND ${workItems.type} = ${literal(type)}`
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
