import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { type Guard, guard } from '../../db/client/refuse'
import { updateWhere } from '../../db/records/change'
import { assets } from '../../db/schema/assets'
import { workItemFiles, workItemKeys, workItems } from '../../db/schema/work-items'
import { lastTakenKey, lastTakenNumber, takeNumbers } from '../../db/sql/numbering'
import { caller, directlyAfter, inline, type Statement, statement, type Values } from '../../db/sql/statement'
import { asset } from '../../workspace/assets/fields'
import { createFormerParentsUpdate } from '../work-items/parents/queries'
import { type WorkItemKey, workItem, workItemWithPreviousKeys } from '../work-items/queries/any'
import { KEY_PREFIX_BY_TYPE, story, type WorkItemType } from '../work-items/queries/record'
import { rankOfNumber } from '../work-items/rank/statements'

const itemHasChild = (
  which: SQL,
) => sql`EXISTS (SELECT 1 FROM ${workItems} c WHERE c.subscription_id = ${caller.subscription}
  AND c.deleted_at IS NULL AND ${which})`
const childIsOfEpic = sql`c.epic_id = ${workItem.id}`
const childIsOfFeature = sql`c.feature_id = ${workItem.id}`

const UNFIT_CHILDREN_BY_TYPE: Partial<Record<WorkItemType, { which: SQL; says: string }>> = {
  feature: {
    which: itemHasChild(sql`${childIsOfEpic} AND c.type = 'feature'`),
    says: 'A feature cannot have features. Move the features of the epic to another epic first.',
  },
  userstory: {
    which: sql`(${itemHasChild(childIsOfEpic)} OR ${itemHasChild(childIsOfFeature)})`,
    says: 'A user story cannot have children. Move the features and stories of the item first.',
  },
}

const itemIsStoryBelow = (column: typeof workItems.epicId | typeof workItems.featureId) =>
  sql`${workItems.subscriptionId} = ${caller.subscription} AND ${column} = ${workItem.id}
    AND ${workItems.type} = 'userstory' AND ${workItems.deletedAt} IS NULL`

const STORY_UPDATE_BY_TYPE: Partial<Record<WorkItemType, ReturnType<typeof updateWhere>>> = {
  epic: updateWhere(story, itemIsStoryBelow(workItems.featureId), { epicId: workItem.id, featureId: sql`NULL` }),
  feature: updateWhere(story, itemIsStoryBelow(workItems.epicId), { epicId: sql`NULL`, featureId: workItem.id }),
}

const itemHasStoryPoints = sql`type = 'userstory' AND points > 0`
const pointsToEstimateAssignments = sql`estimate = iif(${itemHasStoryPoints}, trim(story_point), estimate),
  story_point = iif(${itemHasStoryPoints}, '', story_point)`

/** Points move to the field of the new type. A text without positive points stays in place. */
const POINT_ASSIGNMENTS_BY_TYPE: Record<WorkItemType, SQL> = {
  epic: pointsToEstimateAssignments,
  feature: pointsToEstimateAssignments,
  userstory: sql`story_point = iif(estimate <> '', estimate, story_point), estimate = ''`,
}

const raiseFormerEpicVersion = createFormerParentsUpdate([
  { which: itemIsStoryBelow(workItems.featureId), epicId: workItem.id },
])

// Emits the event only if the statement directly before, the conversion, has changed the item.
const emitCreated = workItem.emit('created' as never, sql`${workItem.byKey} AND changes() > 0`)

function buildConversion(type: WorkItemType) {
  const prefix = KEY_PREFIX_BY_TYPE[type]
  const isOtherType = sql`${workItem.byKey} AND ${workItems.type} <> ${inline(type)}`
  const emitDeleted = workItem.emit('deleted' as never, isOtherType, { keepsContent: true })
  const takeNumber = takeNumbers(prefix, sql`(SELECT count(*) FROM ${workItems} WHERE ${isOtherType})`)
  const keepKey = statement<never, Values>(sql`INSERT INTO ${workItemKeys}
      (subscription_id, external_key, work_item_id, created_at)
    SELECT ${caller.subscription}, ${workItems.externalKey}, ${workItems.id}, ${caller.now} FROM ${workItems}
    WHERE ${isOtherType}`)
  const unfit = UNFIT_CHILDREN_BY_TYPE[type]
  const unfitChildren = unfit && guard<Values>(`conflict:${unfit.says}`, unfit.which)
  const convert = statement<never, Values>(sql`UPDATE ${workItems} SET type = ${inline(type)},
      external_key = ${lastTakenKey(prefix)}, rank = ${rankOfNumber(lastTakenNumber(prefix))},
      epic_id = ${type === 'epic' ? sql`NULL` : workItems.epicId}, feature_id = NULL, ${POINT_ASSIGNMENTS_BY_TYPE[type]},
      version = version + 1, updated_at = ${caller.now}
    WHERE ${isOtherType}`)
  const updateFiles = updateWhere(
    asset,
    sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL
      AND ${assets.artifactId} = ${workItem.id} AND ${assets.id} IN (SELECT ${workItemFiles.assetId} FROM ${workItemFiles}
        WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItem.id})`,
    { usedAt: inline(type) },
  )
  return {
    guards: (key: Values): Guard[] => (unfitChildren ? [unfitChildren(key)] : []),
    statements: (key: Values): Statement<never>[] => {
      const converted = convert(key)
      return [
        emitDeleted(key),
        takeNumber(key),
        ...(type === 'epic' ? [raiseFormerEpicVersion(key)] : []),
        ...(STORY_UPDATE_BY_TYPE[type]?.(key) ?? []),
        ...updateFiles(key),
        keepKey(key),
        converted,
        directlyAfter(converted, emitCreated(key)),
      ]
    },
  }
}

const CONVERSION_BY_TYPE: Record<WorkItemType, ReturnType<typeof buildConversion>> = {
  epic: buildConversion('epic'),
  feature: buildConversion('feature'),
  userstory: buildConversion('userstory'),
}

/** Events report the old item as deleted and the new item as created. An item of the type already stays unchanged. */
export function convertWorkItem(db: Database, key: WorkItemKey, type: WorkItemType) {
  const { guards, statements } = CONVERSION_BY_TYPE[type]
  return workItemWithPreviousKeys.save(db, {
    guards: [...workItem.writeGuards(key), ...guards(key)],
    statements: statements(key),
    returning: workItemWithPreviousKeys.returningByKey(key),
  })
}
