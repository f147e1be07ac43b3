import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../../db/change'
import type { Database } from '../../../db/client'
import { tells } from '../../../db/events'
import { lifecycle } from '../../../db/lifecycle'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, type Values } from '../../../db/statement'
import { raiseKpisOf } from '../links/queries'
import { keep } from './kept'
import { type AnyWorkItem, epic, feature, story, type WorkItemType } from './record'

const visible = sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

function taking(where: SQL): (key: Values) => Statement<never>[] {
  const told = ([feature, story] as const).map((item) =>
    tells(
      `${item.resource}.deleted`,
      item.told,
      sql`${item.from} WHERE ${where} AND ${workItems.type} = ${inline(item.resource)}`,
      { many: true },
    ),
  )
  const take = statement<never, Values>(
    sql`UPDATE ${workItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${where}`,
  )
  return (key) => [...told, take].map((make) => make(key))
}

/**
 * Statements that detach the children of `parents` (epics, features or both) and keep the former parents for a restore.
 */
export function detaching(parents: SQL, types: readonly WorkItemType[]): (key: Values) => Statement<never>[] {
  const [epics, features] = [types.includes('epic'), types.includes('feature')]
  const ofEpic = sql`${visible} AND ${workItems.epicId} IN (${parents})`
  const ofFeature = sql`${visible} AND ${workItems.featureId} IN (${parents})`
  const alone = features
    ? sql`(${workItems.featureId} IS NULL OR ${workItems.featureId} IN (${parents}))`
    : sql`${workItems.featureId} IS NULL`
  const of = (where: SQL, { resource }: AnyWorkItem) => sql`${where} AND ${workItems.type} = ${inline(resource)}`
  const kept = [
    // Stories below a feature follow the feature, unless the feature is removed too.
    ...(epics ? [keep('work_item_epic', sql`${workItems.epicId}`, sql`${ofEpic} AND ${alone}`)] : []),
    ...(features ? [keep('work_item_feature', sql`${workItems.featureId}`, ofFeature)] : []),
  ]
  const detach = [
    ...(epics
      ? [feature, story].map((item) => changes(item as typeof feature, of(ofEpic, item), { epicId: sql`NULL` }))
      : []),
    ...(features ? [changes(story, of(ofFeature, story), { featureId: sql`NULL` })] : []),
  ]
  return (key) => [...kept.map((make) => make(key)), ...detach.flatMap((make) => make(key))]
}

function removing(item: typeof epic | typeof feature) {
  const { removal } = lifecycle(item as typeof epic)
  const below = sql`${visible} AND ${item.resource === 'epic' ? workItems.epicId : workItems.featureId} = ${item.id}`
  const took = keep('work_item_taken', item.id, below)
  const take = taking(below)
  const detach = detaching(item.id, [item.resource])
  const own = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${item.addressed}`
  const hide = raiseKpisOf(own, false)
  const hideAll = raiseKpisOf(sql`${own} UNION ALL SELECT ${workItems.id} FROM ${workItems} WHERE ${below}`, false)
  return (db: Database, key: Values, { cascade, ifMatch }: { cascade: boolean; ifMatch: string | null }) => {
    const { statements, ...rest } = removal(key as Parameters<typeof removal>[0], ifMatch)
    const [told, remove] = statements as [Statement<never>, Statement<never>]
    const before = cascade ? [...hideAll(key), took(key), ...take(key)] : [...hide(key), ...detach(key)]
    return db.write({ ...rest, statements: [told, ...before, remove] })
  }
}

export const removeEpic = removing(epic)
export const removeFeature = removing(feature)

const lifeOfStory = lifecycle(story)
const hideStory = raiseKpisOf(sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${story.addressed}`, false)

export function removeUserStory(db: Database, key: Parameters<typeof story.reply>[0], ifMatch: string | null) {
  const { statements, ...rest } = lifeOfStory.removal(key, ifMatch)
  return db.write({ ...rest, statements: [...hideStory(key), ...statements] })
}
