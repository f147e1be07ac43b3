import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../../db/change'
import type { Database } from '../../../db/client'
import { tells } from '../../../db/events'
import { lifecycle } from '../../../db/lifecycle'
import { detachments, teams } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, type Statement, statement, type Values } from '../../../db/statement'
import { raiseKpisOf } from '../links/queries'
import { forget, holders, keep, keepEach, kept } from './kept'
import { type AnyWorkItem, epic, epicOf, feature, story } from './record'

const ofTenant = sql`+${workItems.subscriptionId} = ${caller.subscription}`

type Parent = typeof workItems.epicId | typeof workItems.featureId

const gone = (column: Parent) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} p WHERE p.subscription_id = ${caller.subscription} AND p.id = ${column}
    AND p.deleted_at IS NOT NULL)`
/** Type of a parent, or NULL: the parent may be removed or converted meanwhile. */
const typeOf = (id: SQL | Parent) => sql`(SELECT p.type FROM ${workItems} p
  WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id} AND p.deleted_at IS NULL)`
const teamGone = sql`EXISTS (SELECT 1 FROM ${teams} WHERE ${teams.subscriptionId} = ${caller.subscription}
  AND ${teams.id} = ${workItems.teamId} AND ${teams.deletedAt} IS NOT NULL)`

const team = sql`CASE WHEN NOT ${teamGone} THEN ${workItems.teamId} END`

/**
 * Present parents of the items in `which`: a story follows an epic converted to a feature, and a feature converted to
 * an epic, like a live story.
 */
const hanging = (which: SQL) => sql`SELECT id, team, feature, CASE WHEN feature IS NOT NULL
      THEN (SELECT e.id FROM ${workItems} f CROSS JOIN ${workItems} e ON e.id = f.epic_id AND e.type = 'epic' AND e.deleted_at IS NULL
        WHERE f.id = feature AND f.subscription_id = ${caller.subscription})
      WHEN of_feature = 'epic' THEN feature_id WHEN of_epic = 'epic' THEN epic_id END AS epic
    FROM (SELECT *, CASE WHEN of_feature = 'feature' THEN feature_id
        WHEN type = 'userstory' AND of_epic = 'feature' THEN epic_id END AS feature
      FROM (SELECT ${workItems.id} AS id, ${workItems.type} AS type, ${team} AS team, ${workItems.featureId} AS feature_id,
          ${workItems.epicId} AS epic_id, ${typeOf(workItems.featureId)} AS of_feature, ${typeOf(workItems.epicId)} AS of_epic
        FROM ${workItems} WHERE ${which}))`

/**
 * Detaches the items in `back` from parents removed or converted meanwhile, and keeps removed parents for a restore.
 */
function normalizing(back: SQL) {
  const these = sql`${ofTenant} AND ${workItems.id} IN (${back})`
  return [
    keepEach([
      ['work_item_team', sql`${workItems.teamId}`, sql`${these} AND ${teamGone}`],
      ['work_item_feature', sql`${workItems.featureId}`, sql`${these} AND ${gone(workItems.featureId)}`],
      [
        'work_item_epic',
        sql`${workItems.epicId}`,
        sql`${these} AND ${typeOf(workItems.featureId)} IS NOT 'feature' AND ${gone(workItems.epicId)}`,
      ],
    ]),
    statement<
      never,
      Values
    >(sql`UPDATE ${workItems} SET team_id = now.team, feature_id = now.feature, epic_id = now.epic
      FROM (${hanging(these)}) now WHERE ${workItems.id} = now.id
        AND (${workItems.teamId}, ${workItems.featureId}, ${workItems.epicId}) IS NOT (now.team, now.feature, now.epic)`),
  ]
}

type Hung = 'work_item_epic' | 'work_item_feature'
const was = (kind: Hung, back: SQL) =>
  sql`(SELECT ${detachments.removedId} FROM ${kept(kind, back)} AND ${detachments.holderId} = ${workItems.id})`
// Joins instead of nesting, because SQLite limits the depth of nested queries: `b` is a returning item, `d` a former
// holder.
const ofBack = (kind: Hung) => sql`CROSS JOIN ${detachments} d ON d.subscription_id = b.subscription_id
    AND d.kind = ${inline(kind)} AND d.removed_id = b.holder_id`
const isBack = (id: SQL) =>
  sql`b.subscription_id = ${caller.subscription} AND b.kind = 'work_item_back' AND b.removed_id = ${id}`

/**
 * Points former children at the parent again, if the children were detached, removed separately since, and are still
 * removed.
 */
const givingRemoved = (id: SQL, kind: Hung, set: SQL, where: SQL) =>
  statement<never, Values>(sql`UPDATE ${workItems} SET ${set} FROM ${detachments} b ${ofBack(kind)}
    WHERE ${isBack(id)} AND ${workItems.id} = d.holder_id AND ${ofTenant} AND ${workItems.deletedAt} IS NOT NULL
      AND ${workItems.type} <> 'epic' AND ${workItems.featureId} IS NULL AND ${where}`)

/**
 * Moves the stories of a removed feature to the epic, because removing the feature from the epic would have left the
 * stories in the epic.
 */
const keepingStories = (id: SQL) =>
  statement<never, Values>(sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)
    SELECT d.subscription_id, d.kind, d.removed_id, s.holder_id FROM ${detachments} b ${ofBack('work_item_epic')}
      CROSS JOIN ${workItems} f ON f.id = d.holder_id AND f.subscription_id = d.subscription_id AND f.deleted_at IS NOT NULL
      CROSS JOIN ${detachments} s ON s.subscription_id = d.subscription_id AND s.kind = 'work_item_feature' AND s.removed_id = f.id
    WHERE ${isBack(id)}`)

/** Returns items removed separately since to an epic and the features of the epic, or to a feature. */
const removedSince = (item: AnyWorkItem) => [
  ...(item.resource === 'epic'
    ? [
        givingRemoved(item.id, 'work_item_epic', sql`epic_id = d.removed_id`, sql`${workItems.epicId} IS NULL`),
        keepingStories(item.id),
      ]
    : []),
  givingRemoved(
    item.id,
    'work_item_feature',
    sql`feature_id = d.removed_id`,
    sql`${workItems.type} = 'userstory' AND ${workItems.epicId} IS ${epicOf(sql`d.removed_id`)}`,
  ),
]

/** Returns the items in `back` to the former children, unless a child has a new parent. */
function givingBack(back: SQL): ReturnType<typeof changes>[] {
  const among = (kind: Hung, { resource }: AnyWorkItem) =>
    sql`${ofTenant} AND ${workItems.deletedAt} IS NULL AND ${workItems.type} = ${inline(resource)}
      AND ${workItems.id} IN (${holders(kind, back)}) AND ${workItems.id} NOT IN (${back})`
  const formerFeature = was('work_item_feature', back)
  return [
    changes(feature, sql`${among('work_item_epic', feature)} AND ${workItems.epicId} IS NULL`, {
      epicId: was('work_item_epic', back),
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
      { epicId: was('work_item_epic', back) },
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
 * Restores an item with the items removed and the children detached by the removal, unless a record was removed or
 * moved since.
 */
function restoring<R extends AnyWorkItem>(item: R) {
  const { restoration } = lifecycle(item as typeof epic)
  const own = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${item.removed}`
  const moment = sql`(SELECT ${workItems.deletedAt} FROM ${workItems} WHERE ${item.removed})`
  const back = holders('work_item_back', item.id)
  const leaf = item.resource === 'userstory'
  const types = TYPES.slice(TYPES.findIndex(({ resource }) => resource === item.resource))
  const returning = sql`SELECT ${detachments.holderId} FROM ${kept('work_item_back', own)}`
  const showKpis = raiseKpisOf(returning, true)
  const find: ((key: Values) => Statement<never>)[] = [
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
  ]
  const make: ((key: Values) => Statement<never>)[] = [
    statement<never, Values>(sql`UPDATE ${workItems} SET deleted_at = NULL, version = version + 1
      WHERE ${ofTenant} AND ${workItems.id} IN (${returning})`),
    ...normalizing(back),
  ]
  const given = leaf ? [] : givingBack(back)
  if (!leaf) make.push(...removedSince(item))
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
      ...find.map((one) => one(key)),
      ...showKpis(key),
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
