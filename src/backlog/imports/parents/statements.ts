import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { importRows } from '../../../db/schema/imports'
import { workItems } from '../../../db/schema/work-items'
import { caller, inline, param } from '../../../db/sql/statement'
import { selectItemId } from '../../../workspace/imports/lookups/statements'
import {
  fromBoundRowsWithJournal,
  ORDER_KEEPING_LIMIT,
  RUN_LOOKUP_SCOPE,
  selectIdsOfSlice,
} from '../../../workspace/imports/statements'
import { importedParentKey, importedParentRow, PARENT_NAME, rowIsWritten, selectIdOfWrittenRow } from '../fields'

// Rows of earlier slices whose parent is in this slice.
const selectEarlierParentPairs = sql`SELECT n.record_id AS item, ${selectIdOfWrittenRow(sql`n.parent_row`)} AS above FROM ${importRows} n
  WHERE ${rowIsWritten('n')} AND n.parent_row > ${param('from')} AND n.parent_row <= ${param('to')} AND n.row <= ${param('from')}`
const selectParentPairs = (
  ...outcomes: ('created' | 'updated')[]
) => sql`SELECT ${importRows.recordId} AS item, coalesce(${selectIdOfWrittenRow(importedParentRow)},
    ${selectItemId(PARENT_NAME, RUN_LOOKUP_SCOPE, sql`k.type <> 'userstory'`)}) AS above
  FROM ${fromBoundRowsWithJournal(...outcomes)} WHERE ${importedParentRow} IS NOT NULL OR ${importedParentKey} IS NOT NULL
  UNION ALL ${selectEarlierParentPairs}`
const selectItemParentPairs = selectParentPairs('created', 'updated')

export const attachChildrenOfType = (below: 'feature' | 'userstory') => sql`UPDATE ${workItems} SET
    epic_id = CASE a.type WHEN 'epic' THEN a.id ELSE a.epic_id END, feature_id = CASE a.type WHEN 'feature' THEN a.id END
  FROM (${selectItemParentPairs} ${ORDER_KEEPING_LIMIT}) pair CROSS JOIN ${workItems} a ON a.id = pair.above AND +a.subscription_id = ${caller.subscription}
  WHERE ${workItems.id} = pair.item AND +${workItems.subscriptionId} = ${caller.subscription}
    AND ${workItems.type} = ${inline(below)} AND a.type NOT IN ('userstory', ${inline(below)})`

const isWrittenByRun = (item: SQLWrapper) => sql`EXISTS (SELECT 1 FROM ${importRows} written
  WHERE ${rowIsWritten('written')} AND written.record_id = ${item})`
// The journal has the version of an item of the file.
export const moveStoriesWithFeatures = sql`UPDATE ${workItems} SET epic_id = hung.epic_id, updated_at = ${caller.now},
    version = ${workItems.version} + NOT ${isWrittenByRun(workItems.id)}
  FROM (SELECT f.id, f.epic_id FROM (${selectItemParentPairs}) CROSS JOIN ${workItems} f ON f.id = item AND f.type = 'feature' ${ORDER_KEEPING_LIMIT}) hung
  WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.featureId} = hung.id
    AND ${workItems.deletedAt} IS NULL AND ${workItems.epicId} IS NOT hung.epic_id`

/** Items from before the slice that the slice changes: of the file, below parents of the file, or below moved features. */
export const selectChangedItems = (isBefore: boolean) => {
  const differs = (when: SQL) => (isBefore ? sql`AND ${when}` : sql``)
  return sql`${selectIdsOfSlice('updated')} UNION SELECT c.id
    FROM (${selectEarlierParentPairs} ${ORDER_KEEPING_LIMIT}) pair CROSS JOIN ${workItems} a ON a.id = pair.above AND +a.subscription_id = ${caller.subscription}
    CROSS JOIN ${workItems} c ON c.id = pair.item AND +c.subscription_id = ${caller.subscription}
    WHERE c.type <> 'epic' AND a.type NOT IN ('userstory', c.type)
      ${differs(sql`(c.epic_id, c.feature_id) IS NOT (CASE a.type WHEN 'epic' THEN a.id ELSE a.epic_id END, CASE a.type WHEN 'feature' THEN a.id END)`)}
    UNION SELECT s.id FROM (${selectParentPairs('updated')} ${ORDER_KEEPING_LIMIT}) pair
    CROSS JOIN ${workItems} f ON f.id = pair.item AND +f.subscription_id = ${caller.subscription} AND f.type = 'feature'
    CROSS JOIN ${workItems} a ON a.id = pair.above AND +a.subscription_id = ${caller.subscription} AND a.type = 'epic'
    CROSS JOIN ${workItems} s ON s.subscription_id = ${caller.subscription} AND s.feature_id = f.id AND s.deleted_at IS NULL
    WHERE ${isBefore ? sql`s.epic_id IS NOT a.id` : sql`s.updated_at = ${caller.now}`}`
}

/**
 * Moves the stories of restored features with the features. The run's own stories return by the journal. `round` is the
 * part of the journal, named `r`.
 */
export function createStoryReturn(round: SQL, previousEpicId: SQL) {
  const selectStories = (where: SQL) => sql`SELECT s.id FROM ${round}
    CROSS JOIN ${workItems} f ON f.id = r.record_id AND +f.subscription_id = ${caller.subscription} AND f.type = 'feature'
    CROSS JOIN ${workItems} s ON s.subscription_id = ${caller.subscription} AND s.feature_id = f.id AND s.deleted_at IS NULL
    WHERE ${where} AND NOT EXISTS (SELECT 1 FROM ${importRows} written WHERE written.subscription_id = ${caller.subscription}
      AND written.record_id = s.id AND written.import_id = ${param('importId')})`
  return {
    isDue: selectStories(sql`f.deleted_at IS NULL AND f.version = r.version AND r.previous IS NOT NULL
      AND s.epic_id IS NOT ${previousEpicId}`),
    move: sql`UPDATE ${workItems} SET updated_at = ${caller.now}, version = ${workItems.version} + 1,
        epic_id = (SELECT f.epic_id FROM ${workItems} f WHERE f.id = ${workItems.featureId} AND f.subscription_id = ${caller.subscription})
      WHERE ${workItems.id} IN (${selectStories(sql`f.updated_at = ${caller.now} AND s.epic_id IS NOT f.epic_id`)})`,
    all: selectStories(sql`s.updated_at = ${caller.now}`),
  }
}
