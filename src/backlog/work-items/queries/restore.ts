import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { updateWhere } from '../../../db/records/change'
import {
  deleteDetachments,
  fromDetachments,
  selectFormerHolderIds,
  storeDetachment,
  storeDetachments,
} from '../../../db/records/detachments'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { detachments, teams } from '../../../db/schema/tenancy'
import { workItems } from '../../../db/schema/work-items'
import { emitEvents } from '../../../db/sql/events'
import { caller, inline, type Statement, statement, type Values } from '../../../db/sql/statement'
import { createKpiUpdates } from '../links/queries'
import { type AnyWorkItem, epic, feature, selectEpicIdOfFeature, story } from './record'

const itemIsOfTenant = sql`+${workItems.subscriptionId} = ${caller.subscription}`

type ParentColumn = typeof workItems.epicId | typeof workItems.featureId

const parentIsRemoved = (column: ParentColumn) =>
  sql`EXISTS (SELECT 1 FROM ${workItems} p WHERE p.subscription_id = ${caller.subscription} AND p.id = ${column}
    AND p.deleted_at IS NOT NULL)`
const selectLiveType = (id: SQL | ParentColumn) => sql`(SELECT p.type FROM ${workItems} p
  WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id} AND p.deleted_at IS NULL)`
const teamIsRemoved = sql`EXISTS (SELECT 1 FROM ${teams} WHERE ${teams.subscriptionId} = ${caller.subscription}
  AND ${teams.id} = ${workItems.teamId} AND ${teams.deletedAt} IS NOT NULL)`

const selectLiveTeamId = sql`CASE WHEN NOT ${teamIsRemoved} THEN ${workItems.teamId} END`

/** A story follows an epic converted to a feature, and a feature converted to an epic. */
const selectCurrentParents = (which: SQL) => sql`SELECT id, team, feature, CASE WHEN feature IS NOT NULL
      THEN (SELECT e.id FROM ${workItems} f CROSS JOIN ${workItems} e ON e.id = f.epic_id AND e.type = 'epic' AND e.deleted_at IS NULL
        WHERE f.id = feature AND f.subscription_id = ${caller.subscription})
      WHEN of_feature = 'epic' THEN feature_id WHEN of_epic = 'epic' THEN epic_id END AS epic
    FROM (SELECT *, CASE WHEN of_feature = 'feature' THEN feature_id
        WHEN type = 'userstory' AND of_epic = 'feature' THEN epic_id END AS feature
      FROM (SELECT ${workItems.id} AS id, ${workItems.type} AS type, ${selectLiveTeamId} AS team, ${workItems.featureId} AS feature_id,
          ${workItems.epicId} AS epic_id, ${selectLiveType(workItems.featureId)} AS of_feature, ${selectLiveType(workItems.epicId)} AS of_epic
        FROM ${workItems} WHERE ${which}))`

function buildParentCorrection(back: SQL) {
  const these = sql`${itemIsOfTenant} AND ${workItems.id} IN (${back})`
  return [
    storeDetachments([
      ['work_item_team', sql`${workItems.teamId}`, sql`${these} AND ${teamIsRemoved}`],
      ['work_item_feature', sql`${workItems.featureId}`, sql`${these} AND ${parentIsRemoved(workItems.featureId)}`],
      [
        'work_item_epic',
        sql`${workItems.epicId}`,
        sql`${these} AND ${selectLiveType(workItems.featureId)} IS NOT 'feature' AND ${parentIsRemoved(workItems.epicId)}`,
      ],
    ]),
    statement<
      never,
      Values
    >(sql`UPDATE ${workItems} SET team_id = now.team, feature_id = now.feature, epic_id = now.epic
      FROM (${selectCurrentParents(these)}) now WHERE ${workItems.id} = now.id
        AND (${workItems.teamId}, ${workItems.featureId}, ${workItems.epicId}) IS NOT (now.team, now.feature, now.epic)`),
  ]
}

type ParentKind = 'work_item_epic' | 'work_item_feature'
const selectFormerParentId = (kind: ParentKind, back: SQL) =>
  sql`(SELECT ${detachments.removedId} FROM ${fromDetachments(kind, back)} AND ${detachments.holderId} = ${workItems.id})`
// Joins instead of nesting, because SQLite limits the depth of nested queries.
const joinFormerHolders = (kind: ParentKind) => sql`CROSS JOIN ${detachments} d ON d.subscription_id = b.subscription_id
    AND d.kind = ${inline(kind)} AND d.removed_id = b.holder_id`
const detachmentIsReturning = (id: SQL) =>
  sql`b.subscription_id = ${caller.subscription} AND b.kind = 'work_item_back' AND b.removed_id = ${id}`

/** The children were detached, removed separately since, and are still removed. */
const createRemovedReattachment = (id: SQL, kind: ParentKind, set: SQL, where: SQL) =>
  statement<never, Values>(sql`UPDATE ${workItems} SET ${set} FROM ${detachments} b ${joinFormerHolders(kind)}
    WHERE ${detachmentIsReturning(id)} AND ${workItems.id} = d.holder_id AND ${itemIsOfTenant} AND ${workItems.deletedAt} IS NOT NULL
      AND ${workItems.type} <> 'epic' AND ${workItems.featureId} IS NULL AND ${where}`)

/** Removing the feature from the epic would have left the stories in the epic. */
const createStoryDetachmentCopy = (id: SQL) =>
  statement<never, Values>(sql`INSERT OR IGNORE INTO ${detachments} (subscription_id, kind, removed_id, holder_id)
    SELECT d.subscription_id, d.kind, d.removed_id, s.holder_id FROM ${detachments} b ${joinFormerHolders('work_item_epic')}
      CROSS JOIN ${workItems} f ON f.id = d.holder_id AND f.subscription_id = d.subscription_id AND f.deleted_at IS NOT NULL
      CROSS JOIN ${detachments} s ON s.subscription_id = d.subscription_id AND s.kind = 'work_item_feature' AND s.removed_id = f.id
    WHERE ${detachmentIsReturning(id)}`)

const createReattachments = (item: AnyWorkItem) => [
  ...(item.resource === 'epic'
    ? [
        createRemovedReattachment(
          item.id,
          'work_item_epic',
          sql`epic_id = d.removed_id`,
          sql`${workItems.epicId} IS NULL`,
        ),
        createStoryDetachmentCopy(item.id),
      ]
    : []),
  createRemovedReattachment(
    item.id,
    'work_item_feature',
    sql`feature_id = d.removed_id`,
    sql`${workItems.type} = 'userstory' AND ${workItems.epicId} IS ${selectEpicIdOfFeature(sql`d.removed_id`)}`,
  ),
]

function buildReturnToHolders(back: SQL): ReturnType<typeof updateWhere>[] {
  const among = (kind: ParentKind, { resource }: AnyWorkItem) =>
    sql`${itemIsOfTenant} AND ${workItems.deletedAt} IS NULL AND ${workItems.type} = ${inline(resource)}
      AND ${workItems.id} IN (${selectFormerHolderIds(kind, back)}) AND ${workItems.id} NOT IN (${back})`
  const formerFeature = selectFormerParentId('work_item_feature', back)
  return [
    updateWhere(feature, sql`${among('work_item_epic', feature)} AND ${workItems.epicId} IS NULL`, {
      epicId: selectFormerParentId('work_item_epic', back),
    }),
    updateWhere(
      story,
      sql`${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL
        AND ${workItems.featureId} IN (${selectFormerHolderIds('work_item_epic', back)})`,
      { epicId: selectEpicIdOfFeature(sql`${workItems.featureId}`) },
    ),
    updateWhere(
      story,
      sql`${among('work_item_epic', story)} AND ${workItems.epicId} IS NULL AND ${workItems.featureId} IS NULL`,
      { epicId: selectFormerParentId('work_item_epic', back) },
    ),
    updateWhere(
      story,
      sql`${among('work_item_feature', story)} AND ${workItems.featureId} IS NULL
        AND ${workItems.epicId} IS ${selectEpicIdOfFeature(formerFeature)}`,
      { featureId: formerFeature },
    ),
  ]
}

const RECORDS_FROM_TOP = [epic, feature, story]

/** Skips records that were removed or moved since. */
function buildItemRestore<R extends AnyWorkItem>(item: R) {
  const { restoration } = makeLifecycle(item as typeof epic)
  const selectOwn = sql`SELECT ${workItems.id} FROM ${workItems} WHERE ${item.deletedByKey}`
  const moment = sql`(SELECT ${workItems.deletedAt} FROM ${workItems} WHERE ${item.deletedByKey})`
  const back = selectFormerHolderIds('work_item_back', item.id)
  const isStory = item.resource === 'userstory'
  const types = RECORDS_FROM_TOP.slice(RECORDS_FROM_TOP.findIndex(({ resource }) => resource === item.resource))
  const returning = sql`SELECT ${detachments.holderId} FROM ${fromDetachments('work_item_back', selectOwn)}`
  const showKpis = createKpiUpdates(returning, true)
  const find: ((key: Values) => Statement<never>)[] = [
    storeDetachment('work_item_back', sql`(${selectOwn})`, item.deletedByKey),
    ...(isStory
      ? []
      : [
          storeDetachment(
            'work_item_back',
            sql`(${selectOwn})`,
            sql`${itemIsOfTenant} AND ${workItems.id} IN (${selectFormerHolderIds('work_item_taken', selectOwn)})
              AND ${workItems.deletedAt} = ${moment}`,
          ),
        ]),
  ]
  const make: ((key: Values) => Statement<never>)[] = [
    statement<never, Values>(sql`UPDATE ${workItems} SET deleted_at = NULL, version = version + 1
      WHERE ${itemIsOfTenant} AND ${workItems.id} IN (${returning})`),
    ...buildParentCorrection(back),
  ]
  const returnToHolders = isStory ? [] : buildReturnToHolders(back)
  if (!isStory) make.push(...createReattachments(item))
  const after = [
    ...types.map(({ resource, eventSource, from }) =>
      emitEvents(
        `${resource}.restored`,
        eventSource,
        sql`${from} WHERE ${itemIsOfTenant} AND ${workItems.type} = ${inline(resource)} AND ${workItems.id} IN (${back})`,
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

const prepareEpicRestore = buildItemRestore(epic)
const prepareFeatureRestore = buildItemRestore(feature)
const prepareStoryRestore = buildItemRestore(story)

export const restoreEpic = (db: Database, key: Values) => epic.save(db, prepareEpicRestore(key))
export const restoreFeature = (db: Database, key: Values) => feature.save(db, prepareFeatureRestore(key))
export const restoreUserStory = (db: Database, key: Values) => story.save(db, prepareStoryRestore(key))
