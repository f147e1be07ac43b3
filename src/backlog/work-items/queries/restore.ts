import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { updateWhere } from '../../../db/records/change'
import { lifecycle } from '../../../db/records/lifecycle'
import { detachments, teams } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { emitEvents } from '../../../db/sql/events'
import { caller, inline, type Statement, statement, type Values } from '../../../db/sql/statement'
import { raiseKpisOf } from '../links/queries'
import { deleteDetachments, fromDetachments, selectHolders, storeDetachment, storeDetachments } from './detachments'
import { type AnyWorkItem, epic, epicOf, feature, story } from './record'

const isTenantItem = sql`+${workItems.subscriptionId} = ${caller.subscription}`

type Parent = typeof workItems.epicId | typeof workItems.featureId

const isParentRemoved = (column: Parent) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} p WHERE p.subscription_id = ${caller.subscription} AND p.id = ${column}
    AND p.deleted_at IS NOT NULL)`
const liveTypeOf = (id: SQL | Parent) => sql`(SELECT p.type FROM ${workItems} p
  WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id} AND p.deleted_at IS NULL)`
const isTeamRemoved = sql`EXISTS (SELECT 1 FROM ${teams} WHERE ${teams.subscriptionId} = ${caller.subscription}
  AND ${teams.id} = ${workItems.teamId} AND ${teams.deletedAt} IS NOT NULL)`

const liveTeamId = sql`CASE WHEN NOT ${isTeamRemoved} THEN ${workItems.teamId} END`

/** A story follows an epic converted to a feature, and a feature converted to an epic. */
const selectParents = (which: SQL) => sql`SELECT id, team, feature, CASE WHEN feature IS NOT NULL
      THEN (SELECT e.id FROM ${workItems} f CROSS JOIN ${workItems} e ON e.id = f.epic_id AND e.type = 'epic' AND e.deleted_at IS NULL
        WHERE f.id = feature AND f.subscription_id = ${caller.subscription})
      WHEN of_feature = 'epic' THEN feature_id WHEN of_epic = 'epic' THEN epic_id END AS epic
    FROM (SELECT *, CASE WHEN of_feature = 'feature' THEN feature_id
        WHEN type = 'userstory' AND of_epic = 'feature' THEN epic_id END AS feature
      FROM (SELECT ${workItems.id} AS id, ${workItems.type} AS type, ${liveTeamId} AS team, ${workItems.featureId} AS feature_id,
          ${workItems.epicId} AS epic_id, ${liveTypeOf(workItems.featureId)} AS of_feature, ${liveTypeOf(workItems.epicId)} AS of_epic
        FROM ${workItems} WHERE ${which}))`

function buildNormalize(back: SQL) {
  const these = sql`${isTenantItem} AND ${workItems.id} IN (${back})`
  return [
    storeDetachments([
      ['work_item_team', sql`${workItems.teamId}`, sql`${these} AND ${isTeamRemoved}`],
      ['work_item_feature', sql`${workItems.featureId}`, sql`${these} AND ${isParentRemoved(workItems.featureId)}`],
      [
        'work_item_epic',
        sql`${workItems.epicId}`,
        sql`${these} AND ${liveTypeOf(workItems.featureId)} IS NOT 'feature' AND ${isParentRemoved(workItems.epicId)}`,
      ],
    ]),
    statement<
      never,
      Values
    >(sql`UPDATE ${workItems} SET team_id = now.team, feature_id = now.feature, epic_id = now.epic
      FROM (${selectParents(these)}) now WHERE ${workItems.id} = now.id
        AND (${workItems.teamId}, ${workItems.featureId}, ${workItems.epicId}) IS NOT (now.team, now.feature, now.epic)`),
  ]
}

type ParentKind = 'work_item_epic' | 'work_item_feature'
const formerParentId = (kind: ParentKind, back: SQL) =>
  sql`(SELECT ${detachments.removedId} FROM ${fromDetachments(kind, back)} AND ${detachments.holderId} = ${workItems.id})`
// Joins instead of nesting, because SQLite limits the depth of nested queries.
const joinFormerHolders = (kind: ParentKind) => sql`CROSS JOIN ${detachments} d ON d.subscription_id = b.subscription_id
    AND d.kind = ${inline(kind)} AND d.removed_id = b.holder_id`
const isReturning = (id: SQL) =>
  sql`b.subscription_id = ${caller.subscription} AND b.kind = 'work_item_back' AND b.removed_id = ${id}`

/** The children were detached, removed separately since, and are still removed. */
const reattachRemoved = (id: SQL, kind: ParentKind, set: SQL, where: SQL) =>
  statement<never, Values>(sql`UPDATE ${workItems} SET ${set} FROM ${detachments} b ${joinFormerHolders(kind)}
    WHERE ${isReturning(id)} AND ${workItems.id} = d.holder_id AND ${isTenantItem} AND ${workItems.deletedAt} IS NOT NULL
      AND ${workItems.type} <> 'epic' AND ${workItems.featureId} IS NULL AND ${where}`)

/** Removing the feature from the epic would have left the stories in the epic. */
const keepStories = (id: SQL) =>
  statement<never, Values>(sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)
    SELECT d.subscription_id, d.kind, d.removed_id, s.holder_id FROM ${detachments} b ${joinFormerHolders('work_item_epic')}
      CROSS JOIN ${workItems} f ON f.id = d.holder_id AND f.subscription_id = d.subscription_id AND f.deleted_at IS NOT NULL
      CROSS JOIN ${detachments} s ON s.subscription_id = d.subscription_id AND s.kind = 'work_item_feature' AND s.removed_id = f.id
    WHERE ${isReturning(id)}`)

const reattachRemovedSince = (item: AnyWorkItem) => [
  ...(item.resource === 'epic'
    ? [
        reattachRemoved(item.id, 'work_item_epic', sql`epic_id = d.removed_id`, sql`${workItems.epicId} IS NULL`),
        keepStories(item.id),
      ]
    : []),
  reattachRemoved(
    item.id,
    'work_item_feature',
    sql`feature_id = d.removed_id`,
    sql`${workItems.type} = 'userstory' AND ${workItems.epicId} IS ${epicOf(sql`d.removed_id`)}`,
  ),
]

function buildReturnToHolders(back: SQL): ReturnType<typeof updateWhere>[] {
  const among = (kind: ParentKind, { resource }: AnyWorkItem) =>
    sql`${isTenantItem} AND ${workItems.deletedAt} IS NULL AND ${workItems.type} = ${inline(resource)}
      AND ${workItems.id} IN (${selectHolders(kind, back)}) AND ${workItems.id} NOT IN (${back})`
  const formerFeature = formerParentId('work_item_feature', back)
  return [
    updateWhere(feature, sql`${among('work_item_epic', feature)} AND ${workItems.epicId} IS NULL`, {
      epicId: formerParentId('work_item_epic', back),
    }),
    updateWhere(
      story,
      sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
        AND ${workItems.featureId} IN (${selectHolders('work_item_epic', back)})`,
      { epicId: epicOf(sql`${workItems.featureId}`) },
    ),
    updateWhere(
      story,
      sql`${among('work_item_epic', story)} AND ${workItems.epicId} IS NULL AND ${workItems.featureId} IS NULL`,
      { epicId: formerParentId('work_item_epic', back) },
    ),
    updateWhere(
      story,
      sql`${among('work_item_feature', story)} AND ${workItems.featureId} IS NULL
        AND ${workItems.epicId} IS ${epicOf(formerFeature)}`,
      { featureId: formerFeature },
    ),
  ]
}

const TYPES = [epic, feature, story]

/** Skips records that were removed or moved since. */
function buildRestore<R extends AnyWorkItem>(item: R) {
  const { restoration } = lifecycle(item as typeof epic)
  const selectOwn = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${item.deletedByKey}`
  const moment = sql`(SELECT ${workItems.deletedAt} FROM ${workItems} WHERE ${item.deletedByKey})`
  const back = selectHolders('work_item_back', item.id)
  const isStory = item.resource === 'userstory'
  const types = TYPES.slice(TYPES.findIndex(({ resource }) => resource === item.resource))
  const returning = sql`SELECT ${detachments.holderId} FROM ${fromDetachments('work_item_back', selectOwn)}`
  const showKpis = raiseKpisOf(returning, true)
  const find: ((key: Values) => Statement<never>)[] = [
    storeDetachment('work_item_back', sql`(${selectOwn})`, item.deletedByKey),
    ...(isStory
      ? []
      : [
          storeDetachment(
            'work_item_back',
            sql`(${selectOwn})`,
            sql`${isTenantItem} AND ${workItems.id} IN (${selectHolders('work_item_taken', selectOwn)})
              AND ${workItems.deletedAt} = ${moment}`,
          ),
        ]),
  ]
  const make: ((key: Values) => Statement<never>)[] = [
    statement<never, Values>(sql`UPDATE ${workItems} SET deleted_at = NULL, version = version + 1
      WHERE ${isTenantItem} AND ${workItems.id} IN (${returning})`),
    ...buildNormalize(back),
  ]
  const returnToHolders = isStory ? [] : buildReturnToHolders(back)
  if (!isStory) make.push(...reattachRemovedSince(item))
  const after = [
    ...types.map(({ resource, eventSource, from }) =>
      emitEvents(
        `${resource}.restored`,
        eventSource,
        sql`${from} WHERE ${isTenantItem} AND ${workItems.type} = ${inline(resource)} AND ${workItems.id} IN (${back})`,
        { many: true },
      ),
    ),
    ...(isStory
      ? []
      : (['work_item_epic', 'work_item_feature', 'work_item_taken'] as const).map((kind) =>
          deleteDetachments(kind, back),
        )),
    deleteDetachments('work_item_back', item.id),
  ]
  return (key: Values) => {
    const { guards, returning } = restoration(key as Parameters<typeof restoration>[0])
    const statements = [
      ...find.map((one) => one(key)),
      ...showKpis(key),
      ...make.map((one) => one(key)),
      ...returnToHolders.flatMap((one) => one(key)),
      ...after.map((one) => one(key)),
    ]
    return { guards, returning, statements }
  }
}

const epicRestoration = buildRestore(epic)
const featureRestoration = buildRestore(feature)
const storyRestoration = buildRestore(story)

export const restoreEpic = (db: Database, key: Values) => epic.save(db, epicRestoration(key))
export const restoreFeature = (db: Database, key: Values) => feature.save(db, featureRestoration(key))
export const restoreUserStory = (db: Database, key: Values) => story.save(db, storyRestoration(key))
