import { type SQL, sql } from 'drizzle-orm'
import { updateWhere } from '../../db/records/change'
import { deleteDetachments, selectFormerHolderIds, storeDetachment } from '../../db/records/detachments'
import { workItems, workItemTags } from '../../db/schema/work-items'
import { emitEvents } from '../../db/sql/events'
import { lastTakenKey, lastTakenNumber, takeNumber } from '../../db/sql/numbering'
import { setJsonMembers } from '../../db/sql/selection'
import { caller, inline, insertInto, type Statement, statement, type Values } from '../../db/sql/statement'
import { createBareEventSource, epic, feature, KEY_PREFIX_BY_TYPE, story, type WorkItemType } from './queries/record'
import { rankOfNumber } from './rank/statements'

// Finds items by team or id: the unary plus keeps SQLite from scanning the workspace.
const itemIsLive = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

function createTeamUpdates(where: SQL, teamId: SQL) {
  const of = (type: WorkItemType) => sql`${itemIsLive} AND ${where} AND ${workItems.type} = ${inline(type)}`
  return [
    updateWhere(epic, of('epic'), { teamId }),
    updateWhere(feature, of('feature'), { teamId }),
    updateWhere(story, of('userstory'), { teamId }),
  ]
}

export function detachTeam(team: SQL): (key: Values) => Statement<never>[] {
  const isTeamItem = sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.teamId} = ${team}`
  const isLiveTeamItem = sql`${isTeamItem} AND ${workItems.deletedAt} IS NULL`
  const storeTeamItems = storeDetachment('work_item_team', sql`${workItems.teamId}`, isLiveTeamItem)
  const change = createTeamUpdates(isTeamItem, sql`NULL`)
  return (key) => [storeTeamItems(key), ...change.flatMap((make) => make(key))]
}

export function restoreTeam(team: SQL): (key: Values) => Statement<never>[] {
  const isFormerHolder = sql`${workItems.id} IN (${selectFormerHolderIds('work_item_team', { id: team })}) AND ${workItems.teamId} IS NULL`
  const change = createTeamUpdates(isFormerHolder, team)
  const deleteTeamItems = deleteDetachments('work_item_team', { id: team })
  return (key) => [...change.flatMap((make) => make(key)), deleteTeamItems(key)]
}

const RECORD_BY_TYPE = { epic, feature, userstory: story }

export const selectNewItemId = (type: WorkItemType) =>
  sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${RECORD_BY_TYPE[type].justInserted})`

interface ItemSource {
  product: SQL
  summary: SQL
  description: SQL
  /** Texts as a JSON array; `slugs` is a query with the column `slug`. */
  tags: SQL
  slugs: SQL
  from: SQL
  idea: SQL
}

export function insertItemFrom(type: WorkItemType, source: ItemSource): (values: Values) => Statement<never>[] {
  const item = RECORD_BY_TYPE[type]
  const insert = statement<never, Values>(
    insertInto(
      workItems,
      {
        subscriptionId: caller.subscription,
        productId: source.product,
        type: inline(type),
        externalKey: lastTakenKey(KEY_PREFIX_BY_TYPE[type]),
        rank: rankOfNumber(lastTakenNumber(KEY_PREFIX_BY_TYPE[type])),
        summary: source.summary,
        description: source.description,
        tags: source.tags,
        createdAt: caller.now,
        updatedAt: caller.now,
      },
      source.from,
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
      sql`FROM (${source.slugs}) named CROSS JOIN ${workItems} ON ${workItems.id} = ${selectNewItemId(type)} WHERE true ON CONFLICT DO NOTHING`,
    ),
  )
  const bare = createBareEventSource(item)
  const data = setJsonMembers(bare.data, [{ name: 'ideas', json: sql`json_array(${source.idea})` }])
  const emitCreated = emitEvents(`${type}.created`, { ...bare, data }, sql`${item.from} WHERE ${item.justInserted}`)
  return (values) => [
    takeNumber(KEY_PREFIX_BY_TYPE[type]) as Statement<never>,
    insert(values),
    tag(values),
    emitCreated(values),
  ]
}
