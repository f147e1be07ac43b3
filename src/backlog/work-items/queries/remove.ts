import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { updateWhere } from '../../../db/records/change'
import { storeDetachment } from '../../../db/records/detachments'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { workItems } from '../../../db/schema/work-items'
import { emitEvents } from '../../../db/sql/events'
import { caller, inline, type Statement, statement, type Values } from '../../../db/sql/statement'
import { createKpiUpdates } from '../links/queries'
import { type AnyWorkItem, epic, feature, story, type WorkItemType } from './record'

const itemIsLive = sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

function buildCascadeRemoval(where: SQL): (key: Values) => Statement<never>[] {
  const emitDeleted = ([feature, story] as const).map((item) =>
    emitEvents(
      `${item.resource}.deleted`,
      item.eventSource,
      sql`${item.from} WHERE ${where} AND ${workItems.type} = ${inline(item.resource)}`,
      { many: true },
    ),
  )
  const take = statement<never, Values>(
    sql`UPDATE ${workItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${where}`,
  )
  return (key) => [...emitDeleted, take].map((make) => make(key))
}

export function buildChildDetachment(
  parents: SQL,
  types: readonly WorkItemType[],
): (key: Values) => Statement<never>[] {
  const [epics, features] = [types.includes('epic'), types.includes('feature')]
  const ofEpic = sql`${itemIsLive} AND ${workItems.epicId} IN (${parents})`
  const ofFeature = sql`${itemIsLive} AND ${workItems.featureId} IN (${parents})`
  const alone = features
    ? sql`(${workItems.featureId} IS NULL OR ${workItems.featureId} IN (${parents}))`
    : sql`${workItems.featureId} IS NULL`
  const of = (where: SQL, { resource }: AnyWorkItem) => sql`${where} AND ${workItems.type} = ${inline(resource)}`
  const kept = [
    // Stories below a feature follow the feature, unless the feature is removed too.
    ...(epics ? [storeDetachment('work_item_epic', sql`${workItems.epicId}`, sql`${ofEpic} AND ${alone}`)] : []),
    ...(features ? [storeDetachment('work_item_feature', sql`${workItems.featureId}`, ofFeature)] : []),
  ]
  const detach = [
    ...(epics
      ? [feature, story].map((item) => updateWhere(item as typeof feature, of(ofEpic, item), { epicId: sql`NULL` }))
      : []),
    ...(features ? [updateWhere(story, of(ofFeature, story), { featureId: sql`NULL` })] : []),
  ]
  return (key) => [...kept.map((make) => make(key)), ...detach.flatMap((make) => make(key))]
}

function buildParentRemoval(item: typeof epic | typeof feature) {
  const { removal } = makeLifecycle(item as typeof epic)
  const below = sql`${itemIsLive} AND ${item.resource === 'epic' ? workItems.epicId : workItems.featureId} = ${item.id}`
  const keepTaken = storeDetachment('work_item_taken', item.id, below)
  const take = buildCascadeRemoval(below)
  const detach = buildChildDetachment(item.id, [item.resource])
  const own = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${item.byKey}`
  const hide = createKpiUpdates(own, false)
  const hideAll = createKpiUpdates(sql`${own} UNION ALL SELECT ${workItems.id} FROM ${workItems} WHERE ${below}`, false)
  return (db: Database, key: Values, { cascade, ifMatch }: { cascade: boolean; ifMatch: string | null }) => {
    const { statements, ...rest } = removal(key as Parameters<typeof removal>[0], ifMatch)
    const [emitDeleted, remove] = statements as [Statement<never>, Statement<never>]
    const before = cascade ? [...hideAll(key), keepTaken(key), ...take(key)] : [...hide(key), ...detach(key)]
    return db.write({ ...rest, statements: [emitDeleted, ...before, remove] })
  }
}

export const removeEpic = buildParentRemoval(epic)
export const removeFeature = buildParentRemoval(feature)

const storyLifecycle = makeLifecycle(story)
const updateKpisOfStory = createKpiUpdates(sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${story.byKey}`, false)

export function removeUserStory(db: Database, key: Parameters<typeof story.returningByKey>[0], ifMatch: string | null) {
  const { statements, ...rest } = storyLifecycle.removal(key, ifMatch)
  return db.write({ ...rest, statements: [...updateKpisOfStory(key), ...statements] })
}
