import { type SQL, sql } from 'drizzle-orm'
import { changes } from '../../db/change'
import type { Database } from '../../db/client'
import { currentKey, currentNumber, takesNumbers } from '../../db/numbering'
import { type Guard, guard } from '../../db/refuse'
import { assets } from '../../db/schema/assets'
import { workItemFiles, workItemKeys, workItems } from '../../db/schema/work-items'
import { caller, directlyAfter, inline, type Statement, statement, type Values } from '../../db/statement'
import { asset } from '../../workspace/assets/fields'
import { raiseFormerParents } from '../work-items/parents/queries'
import { keyedWorkItem, type WorkItemKey, workItem } from '../work-items/queries/any'
import { PREFIX, story, type WorkItemType } from '../work-items/queries/record'
import { lastRank } from '../work-items/rank/statements'

const below = (which: SQL) => sql`EXISTS (SELECT 1 FROM ${workItems} c WHERE c.subscription_id = ${caller.subscription}
  AND c.deleted_at IS NULL AND ${which})`
const ofEpic = sql`c.epic_id = ${workItem.id}`
const ofFeature = sql`c.feature_id = ${workItem.id}`

const TOO_MUCH: Partial<Record<WorkItemType, { which: SQL; says: string }>> = {
  feature: {
    which: below(sql`${ofEpic} AND c.type = 'feature'`),
    says: 'The epic has features, which a feature cannot have. Move them to another epic first.',
  },
  userstory: {
    which: sql`(${below(ofEpic)} OR ${below(ofFeature)})`,
    says: 'Features or stories hang on the item, which a user story cannot have. Move them first.',
  },
}

const storiesBelow = (column: typeof workItems.epicId | typeof workItems.featureId) =>
  sql`${workItems.subscriptionId} = ${caller.subscription} AND ${column} = ${workItem.id}
    AND ${workItems.type} = 'userstory' AND ${workItems.deletedAt} IS NULL`

/** Stories of a feature become stories of the epic, and vice versa. */
const STORIES: Partial<Record<WorkItemType, ReturnType<typeof changes>>> = {
  epic: changes(story, storiesBelow(workItems.featureId), { epicId: workItem.id, featureId: sql`NULL` }),
  feature: changes(story, storiesBelow(workItems.epicId), { epicId: sql`NULL`, featureId: workItem.id }),
}

const hasStoryPoints = sql`type = 'userstory' AND points > 0`
const toEstimate = sql`estimate = iif(${hasStoryPoints}, trim(story_point), estimate),
  story_point = iif(${hasStoryPoints}, '', story_point)`

/** Points move to the field of the new type. A text without positive points stays in place. */
const POINTS: Record<WorkItemType, SQL> = {
  epic: toEstimate,
  feature: toEstimate,
  userstory: sql`story_point = iif(estimate <> '', estimate, story_point), estimate = ''`,
}

/** A feature converted to an epic takes the stories away from the former epic. */
const leaveEpic = raiseFormerParents([{ which: storiesBelow(workItems.featureId), epicId: workItem.id }])

// Emits the event only if the statement directly before, the conversion, has changed the item.
const created = workItem.event('created' as never, sql`${workItem.addressed} AND changes() > 0`)

function converting(type: WorkItemType) {
  const prefix = PREFIX[type]
  const other = sql`${workItem.addressed} AND ${workItems.type} <> ${inline(type)}`
  const deleted = workItem.event('deleted' as never, other)
  const takeNumber = takesNumbers(prefix, sql`(SELECT count(*) FROM ${workItems} WHERE ${other})`)
  const keepKey = statement<never, Values>(sql`INSERT INTO ${workItemKeys}
      (subscription_id, external_key, work_item_id, created_at)
    SELECT ${caller.subscription}, ${workItems.externalKey}, ${workItems.id}, ${caller.now} FROM ${workItems}
    WHERE ${other}`)
  const held = TOO_MUCH[type]
  const tooMuch = held && guard<Values>(inline(`conflict:${held.says}`), held.which)
  const convert = statement<never, Values>(sql`UPDATE ${workItems} SET type = ${inline(type)},
      external_key = ${currentKey(prefix)}, rank = ${lastRank(currentNumber(prefix))},
      epic_id = ${type === 'epic' ? sql`NULL` : workItems.epicId}, feature_id = NULL, ${POINTS[type]},
      version = version + 1, updated_at = ${caller.now}
    WHERE ${other}`)
  const files = changes(
    asset,
    sql`+${assets.subscriptionId} = ${caller.subscription} AND ${assets.deletedAt} IS NULL
      AND ${assets.artifactId} = ${workItem.id} AND ${assets.id} IN (SELECT ${workItemFiles.assetId} FROM ${workItemFiles}
        WHERE ${workItemFiles.subscriptionId} = ${caller.subscription} AND ${workItemFiles.workItemId} = ${workItem.id})`,
    { usedAt: inline(type) },
  )
  return {
    guards: (key: Values): Guard[] => (tooMuch ? [tooMuch(key)] : []),
    statements: (key: Values): Statement<never>[] => {
      const converted = convert(key)
      return [
        deleted(key),
        takeNumber(key),
        ...(type === 'epic' ? [leaveEpic(key)] : []),
        ...(STORIES[type]?.(key) ?? []),
        ...files(key),
        keepKey(key),
        converted,
        directlyAfter(converted, created(key)),
      ]
    },
  }
}

const CONVERSIONS: Record<WorkItemType, ReturnType<typeof converting>> = {
  epic: converting('epic'),
  feature: converting('feature'),
  userstory: converting('userstory'),
}

/**
 * Converts an item to another type with a new key; events report the old item as deleted and the new item as created.
 * An item of the type already stays unchanged.
 */
export function convertWorkItem(db: Database, key: WorkItemKey, type: WorkItemType) {
  const { guards, statements } = CONVERSIONS[type]
  return keyedWorkItem.save(db, {
    guards: [...workItem.writable(key), ...guards(key)],
    statements: statements(key),
    answer: keyedWorkItem.reply(key),
  })
}
