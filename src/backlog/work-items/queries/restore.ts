import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../../db/change'
import type { Database } from '../../../db/client'
import { tells } from '../../../db/events'
import { lifecycle } from '../../../db/lifecycle'
import { detachments, teams } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, type Values } from '../../../db/statement'
import { forget, holders, keep, keepEach, kept } from './kept'
import { type AnyWorkItem, epic, epicOf, feature, story } from './record'

const ofTenant = sql`+${workItems.subscriptionId} = ${caller.subscription}`

/** Whether what an item names was removed meanwhile. */
const gone = (column: typeof workItems.epicId | typeof workItems.featureId) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} p WHERE p.subscription_id = ${caller.subscription} AND p.id = ${column}
    AND p.deleted_at IS NOT NULL)`
const teamGone = sql`EXISTS (SELECT 1 FROM ${teams} WHERE ${teams.subscriptionId} = ${caller.subscription}
  AND ${teams.id} = ${workItems.teamId} AND ${teams.deletedAt} IS NOT NULL)`

const inFeature = sql`(${workItems.featureId} IS NOT NULL AND NOT ${gone(workItems.featureId)})`
const team = sql`CASE WHEN NOT ${teamGone} THEN ${workItems.teamId} END`
const featureNow = sql`CASE WHEN ${inFeature} THEN ${workItems.featureId} END`
const epicNow = sql`CASE WHEN ${inFeature} THEN ${epicOf(sql`${workItems.featureId}`)}
  WHEN NOT ${gone(workItems.epicId)} THEN ${workItems.epicId} END`

/** What the items in `back` hung on and is removed now is detached in its turn. */
function normalizing(back: SQL) {
  const these = sql`${ofTenant} AND ${workItems.id} IN (${back})`
  return [
    keepEach([
      ['work_item_team', sql`${workItems.teamId}`, sql`${these} AND ${teamGone}`],
      ['work_item_feature', sql`${workItems.featureId}`, sql`${these} AND ${gone(workItems.featureId)}`],
      ['work_item_epic', sql`${workItems.epicId}`, sql`${these} AND NOT ${inFeature} AND ${gone(workItems.epicId)}`],
    ]),
    statement<
      never,
      Values
    >(sql`UPDATE ${workItems} SET team_id = ${team}, feature_id = ${featureNow}, epic_id = ${epicNow}
      WHERE ${these} AND (${workItems.teamId}, ${workItems.featureId}, ${workItems.epicId})
        IS NOT (${team}, ${featureNow}, ${epicNow})`),
  ]
}

/** What the items in `back` were the epic or the feature of is theirs again, where it has no other since. */
function givingBack(back: SQL): ReturnType<typeof changes>[] {
  const among = (kind: 'work_item_epic' | 'work_item_feature', { resource }: AnyWorkItem) =>
    sql`${ofTenant} AND ${workItems.deletedAt} IS NULL AND ${workItems.type} = ${inline(resource)}
      AND ${workItems.id} IN (${holders(kind, back)}) AND ${workItems.id} NOT IN (${back})`
  const was = (kind: 'work_item_epic' | 'work_item_feature') =>
    sql`(SELECT ${detachments.removedId} FROM ${kept(kind, back)} AND ${detachments.holderId} = ${workItems.id})`
  const formerFeature = was('work_item_feature')
  return [
    changes(feature, sql`${among('work_item_epic', feature)} AND ${workItems.epicId} IS NULL`, {
      epicId: was('work_item_epic'),
    }),
    changes(
      story,
      sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
        AND ${workItems.featureId} IN (${holders('work_item_epic', back)})`,
      { epicId: epicOf(sql`${workItems.featureId}`) },
    ),
    changes(
      story,
      sql`${among('work_item_epic', story)} AND ${workItems.epicId} IS NULL AND ${workItems.featureId} IS NULL`,
      { epicId: was('work_item_epic') },
    ),
    changes(
      story,
      sql`${among('work_item_feature', story)} AND ${workItems.featureId} IS NULL
        AND ${workItems.epicId} IS ${epicOf(formerFeature)}`,
      { featureId: formerFeature },
    ),
  ]
}

const TYPES = [epic, feature, story]

/**
 * Makes the restoration of an item: with what its removal took, and with what it detached, unless that was removed or
 * moved since.
 */
function restoring<R extends AnyWorkItem>(item: R) {
  const { restoration } = lifecycle(item as typeof epic)
  const own = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${item.removed}`
  const moment = sql`(SELECT ${workItems.deletedAt} FROM ${workItems} WHERE ${item.removed})`
  const back = holders('work_item_back', item.id)
  const leaf = item.resource === 'userstory'
  const types = TYPES.slice(TYPES.findIndex(({ resource }) => resource === item.resource))
  const make: ((key: Values) => Statement<never>)[] = [
    keep('work_item_back', sql`(${own})`, item.removed),
    ...(leaf
      ? []
      : [
          keep(
            'work_item_back',
            sql`(${own})`,
            sql`${ofTenant} AND ${workItems.id} IN (${holders('work_item_taken', own)})
              AND ${workItems.deletedAt} = ${moment}`,
          ),
        ]),
    statement<never, Values>(sql`UPDATE ${workItems} SET deleted_at = NULL, version = version + 1
      WHERE ${ofTenant} AND ${workItems.id} IN (SELECT ${detachments.holderId}
        FROM ${kept('work_item_back', own)})`),
    ...normalizing(back),
  ]
  const given = leaf ? [] : givingBack(back)
  const after = [
    ...types.map(({ resource, told, from }) =>
      tells(
        `${resource}.restored`,
        told,
        sql`${from} WHERE ${ofTenant} AND ${workItems.type} = ${inline(resource)} AND ${workItems.id} IN (${back})`,
        { many: true },
      ),
    ),
    ...(leaf
      ? []
      : (['work_item_epic', 'work_item_feature', 'work_item_taken'] as const).map((kind) => forget(kind, back))),
    forget('work_item_back', item.id),
  ]
  return (key: Values) => {
    const { guards, answer } = restoration(key as Parameters<typeof restoration>[0])
    const statements = [
      ...make.map((one) => one(key)),
      ...given.flatMap((one) => one(key)),
      ...after.map((one) => one(key)),
    ]
    return { guards, answer, statements }
  }
}

const restoredEpic = restoring(epic)
const restoredFeature = restoring(feature)
const restoredStory = restoring(story)

export const restoreEpic = (db: Database, key: Values) => epic.save(db, restoredEpic(key))
export const restoreFeature = (db: Database, key: Values) => feature.save(db, restoredFeature(key))
export const restoreUserStory = (db: Database, key: Values) => story.save(db, restoredStory(key))
