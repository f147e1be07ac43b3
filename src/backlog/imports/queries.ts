import { type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { valueOrDefault } from '../../db/client/bulk'
import { completeUpdatedEvents, emitEventsOf } from '../../db/records/set-events'
import { feedbackItems } from '../../db/schema/feedback'
import { importRows } from '../../db/schema/imports'
import { solutionVersionItems } from '../../db/schema/solution-versions'
import {
  workItemComments,
  workItemForeignIds,
  workItemLinks,
  workItems,
  workItemTags,
} from '../../db/schema/work-items'
import { caller, inline, insertInto, param, type Statement, statements } from '../../db/sql/statement'
import { emitFollowingIdeas } from '../../feedback/following/statements'
import { journalNewMembers, noteLastMember } from '../../people/imports/new-members/statements'
import { emitNewMembers } from '../../people/members/statements'
import {
  createImportedCommentInsert,
  createUnknownMemberInsert,
  selectCommentEmails,
} from '../../workspace/comments/imports/statements'
import { createsMissing, type ImportSliceValues, type ImportStatements } from '../../workspace/imports/bulk'
import { itemIsFromBeforeImport } from '../../workspace/imports/lookups/statements'
import { emitMissingRecords } from '../../workspace/imports/missing/statements'
import {
  createImportUndo,
  createImportUpsert,
  fromBoundRowsWithJournal,
  type ImportUpsert,
  ORDER_KEEPING_LIMIT,
  RUN_LOOKUP_SCOPE,
  selectIdsOfSlice,
} from '../../workspace/imports/statements'
import { itemComment } from '../comments/fields'
import { solutionVersion } from '../solution-versions/fields'
import { workItem } from '../work-items/queries/any'
import { createBareEventSource, selectShownPercentage } from '../work-items/queries/record'
import { createNewKeys, selectRankOfKey } from '../work-items/rank/statements'
import {
  COLUMNS_SET_BY_IMPORT,
  commentsPath,
  externalIdsPath,
  hasFurtherLinks,
  hasFurtherVersions,
  importedFieldValue,
  importedNeededKey,
  importedParentExternalId,
  importedParentJiraKey,
  importedParentKey,
  importedParentRow,
  importedParentSource,
  importedTimeOfCreation,
  importedType,
  importedValueOfNewItem,
  selectIdOfRow,
  selectVersionIds,
} from './fields'
import {
  attachChildrenOfType,
  createStoryReturn,
  moveStoriesWithFeatures,
  selectChangedItems,
} from './parents/statements'
import { previewItem } from './preview/fields'
import {
  createVersionsOfAllRows,
  createVersionsOfNewItems,
  emitNewLinks,
  linkItems,
  linksRemain,
  linkVersions,
  removeLinksOfRun,
  removeUnusedVersions,
  replaceTags,
} from './statements'

/**
 * A percentage equal to the shown percentage counts as missing, because an export holds the shown percentage and items
 * below may change the percentage.
 */
const importedValueOfColumn = (column: SQLiteColumn) =>
  column === workItems.progressPercentage
    ? sql`nullif(${importedFieldValue(column.name)}, ${selectShownPercentage()})`
    : importedValueOfNewItem(column, sql`${workItems.productId}`)

const backlogUpsertSpec: ImportUpsert = {
  table: workItems,
  record: workItem,
  joins: (place) => sql`LEFT JOIN ${workItems} ON ${workItems.id} = ${selectIdOfRow(place)}`,
  newValues: Object.fromEntries(
    COLUMNS_SET_BY_IMPORT.map(([, column]) => [
      column.name,
      { column, value: sql`coalesce(${importedValueOfColumn(column)}, ${column})` },
    ]),
  ),
  oldValues: {
    epic_id: workItems.epicId,
    feature_id: workItems.featureId,
    slugs: sql`(SELECT json_group_array(slug) FROM ${workItemTags}
      WHERE ${workItemTags.subscriptionId} = ${caller.subscription} AND ${workItemTags.workItemId} = ${workItems.id})`,
    versions: selectVersionIds,
  },
  differs: (
    place,
  ) => sql`${hasFurtherVersions} OR ${hasFurtherLinks(place)} OR ${importedParentKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} a
    WHERE a.id = coalesce(${workItems.featureId}, ${workItems.epicId}) AND a.subscription_id = ${caller.subscription}
      AND (a.external_key = ${importedParentKey} OR a.jira_key = ${importedParentJiraKey} AND a.jira_key <> ''
        OR EXISTS (SELECT 1 FROM ${workItemForeignIds} x WHERE x.subscription_id = ${caller.subscription}
          AND x.product_id = a.product_id AND x.source = ${importedParentSource}
          AND x.foreign_id = ${importedParentExternalId} AND x.work_item_id = a.id)))`,
  refusals: (place, changes) => [
    {
      when: sql`${importedNeededKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} n
        WHERE ${itemIsFromBeforeImport('n', place)} AND n.external_key = ${importedNeededKey})`,
      field: 'parent',
      value: importedNeededKey,
      reason: 'This product has no item with this key.',
    },
    {
      when: sql`${changes} AND coalesce(${importedFieldValue('start_date')}, ${workItems.startDate}) > coalesce(${importedFieldValue('end_date')}, ${workItems.endDate})`,
      field: 'endDate',
      reason: 'Must not be before the startDate of the item.',
    },
  ],
  parentRow: importedParentRow,
  preview: previewItem,
}
const {
  journal: insertJournalRows,
  update: updateItems,
  evaluate: evaluateItems,
} = createImportUpsert(backlogUpsertSpec)

const newItemKeys = createNewKeys(fromBoundRowsWithJournal('created'), { type: importedType, n: importRows.row })
const insertImportedItems = insertInto(
  workItems,
  {
    id: sql`p.id`,
    subscriptionId: caller.subscription,
    productId: RUN_LOOKUP_SCOPE.product,
    type: importedType,
    externalKey: sql`p.key`,
    rank: selectRankOfKey(sql`p.key`),
    ...Object.fromEntries(
      COLUMNS_SET_BY_IMPORT.map(([name, column]) => [
        name,
        valueOrDefault(column, importedValueOfNewItem(column, RUN_LOOKUP_SCOPE.product)),
      ]),
    ),
    createdAt: importedTimeOfCreation,
    updatedAt: caller.now,
  },
  sql`FROM (SELECT p.value AS value, ${importRows.recordId} AS id, ${newItemKeys.key} AS key FROM ${fromBoundRowsWithJournal('created')}) p ORDER BY p.id`,
)

const hasChildren = sql`(EXISTS (SELECT 1 FROM ${workItems} b WHERE b.subscription_id = ${caller.subscription} AND b.epic_id = ${workItems.id})
  OR EXISTS (SELECT 1 FROM ${workItems} b WHERE b.subscription_id = ${caller.subscription} AND b.feature_id = ${workItems.id}))`
const bareItem = { ...workItem, eventSource: createBareEventSource(workItem) }
const selectSliceComments = sql`SELECT m.id FROM (${selectIdsOfSlice('created')} ${ORDER_KEEPING_LIMIT}) made
  CROSS JOIN ${workItemComments} m ON m.subscription_id = ${caller.subscription} AND m.work_item_id = made.id AND m.deleted_at IS NULL`
const emitNewRecords = [
  completeUpdatedEvents(workItem, selectChangedItems(false)),
  emitMissingRecords('versions', solutionVersion),
  emitEventsOf('created', bareItem, selectIdsOfSlice('created'), sql`NOT ${hasChildren}`),
  emitEventsOf('created', workItem, selectIdsOfSlice('created'), hasChildren),
  emitNewLinks,
  emitNewMembers(selectCommentEmails(commentsPath)),
  emitEventsOf('created', itemComment, selectSliceComments),
]

const insertItemComments = createImportedCommentInsert(workItemComments, commentsPath)
const insertCommenters = createUnknownMemberInsert(selectCommentEmails(commentsPath))

// The id of a live item in another system stays with that item.
const insertExternalIds = insertInto(
  workItemForeignIds,
  {
    subscriptionId: caller.subscription,
    productId: RUN_LOOKUP_SCOPE.product,
    source: sql`e.value ->> 0`,
    foreignId: sql`e.value ->> 1`,
    workItemId: importRows.recordId,
  },
  sql`FROM ${fromBoundRowsWithJournal('created')} CROSS JOIN json_each(p.value, ${externalIdsPath}) e
    WHERE true ON CONFLICT DO UPDATE SET work_item_id = excluded.work_item_id
    WHERE NOT EXISTS (SELECT 1 FROM ${workItems} w WHERE w.id = ${workItemForeignIds.workItemId}
      AND w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL)`,
)

const journalItems = statements([insertJournalRows])
const writeItems = statements([
  newItemKeys.take,
  insertImportedItems,
  emitEventsOf('updated', workItem, selectChangedItems(true)),
  updateItems,
  emitFollowingIdeas(selectIdsOfSlice('updated')),
  attachChildrenOfType('feature'),
  attachChildrenOfType('userstory'),
  moveStoriesWithFeatures,
  ...replaceTags,
  noteLastMember,
  insertCommenters,
  journalNewMembers,
  insertItemComments,
  insertExternalIds,
  linkVersions,
  ...linkItems,
  ...emitNewRecords,
])

const writeBacklogSlice = (slice: ImportSliceValues): Statement<never>[] => {
  const updates = slice.onConflict === 'update'
  const creates = createsMissing(slice, 'versions')
  return [
    ...(creates && updates ? createVersionsOfAllRows(slice) : []),
    ...journalItems(slice),
    ...(creates && !updates ? createVersionsOfNewItems(slice) : []),
    ...writeItems(slice),
  ]
}

/** Created by the run, and unchanged since. */
const isOnlyOfRun = (item: 'c' | 'o') => sql`EXISTS (SELECT 1 FROM ${importRows}
  WHERE ${importRows.subscriptionId} = ${caller.subscription} AND ${importRows.recordId} = ${sql.raw(item)}.id
    AND ${importRows.importId} = ${param('importId')} AND ${importRows.outcome} = 'created'
    AND ${importRows.version} = ${sql.raw(item)}.version)`

/** The comments of the file are not newer than the import of the item. */
const itemHasActivity = (item: SQLWrapper, importedAt: SQLWrapper) => sql`(
  EXISTS (SELECT 1 FROM ${workItemComments} m WHERE m.subscription_id = ${caller.subscription} AND m.work_item_id = ${item}
    AND m.deleted_at IS NULL AND m.updated_at > ${importedAt})
  OR EXISTS (SELECT 1 FROM ${feedbackItems} i WHERE i.subscription_id = ${caller.subscription} AND i.work_item_id = ${item}
    AND i.deleted_at IS NULL)
  OR EXISTS (SELECT 1 FROM (
      SELECT l.to_id AS id FROM ${workItemLinks} l WHERE l.subscription_id = ${caller.subscription} AND l.from_id = ${item}
      UNION ALL SELECT l.from_id FROM ${workItemLinks} l WHERE l.subscription_id = ${caller.subscription} AND l.to_id = ${item}) linked
    CROSS JOIN ${workItems} o ON o.id = linked.id AND +o.subscription_id = ${caller.subscription} AND o.deleted_at IS NULL
    WHERE NOT ${isOnlyOfRun('o')}))`

const itemHasKeptChildren = sql`EXISTS (SELECT 1 FROM (
    SELECT e.id FROM ${workItems} e WHERE e.subscription_id = ${caller.subscription} AND e.epic_id = ${workItems.id}
    UNION SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription} AND f.feature_id = ${workItems.id}) below
  CROSS JOIN ${workItems} c ON c.id = below.id AND +c.subscription_id = ${caller.subscription} AND c.deleted_at IS NULL
  WHERE NOT ${isOnlyOfRun('c')} OR ${itemHasActivity(sql`c.id`, sql`c.updated_at`)})`

const selectPreviousParent = (name: 'epic_id' | 'feature_id') => sql`(SELECT a.id FROM ${workItems} a
  WHERE a.id = r.previous ->> ${inline(name)} AND a.subscription_id = ${caller.subscription} AND a.deleted_at IS NULL)`

const {
  round: selectUndoRound,
  restoredRecords: fromRestoredRecords,
  statements: createBacklogUndo,
} = createImportUndo('backlog', backlogUpsertSpec, linksRemain)

const selectRestored = sql`SELECT r.record_id FROM ${selectUndoRound('updated')} WHERE r.previous IS NOT NULL`
const stories = createStoryReturn(selectUndoRound('updated'), selectPreviousParent('epic_id'))

const undoBacklogImport = statements([
  ...removeLinksOfRun,
  ...createBacklogUndo({
    noun: 'item',
    isUsed: sql`(${itemHasActivity(workItems.id, workItems.updatedAt)} OR ${itemHasKeptChildren})`,
    inUseMessage: 'The item has a comment, a link or an idea that the import did not create, or a child that stays.',
    beforeRestore: [
      emitEventsOf('updated', workItem, stories.isDue),
      sql`DELETE FROM ${solutionVersionItems} WHERE ${solutionVersionItems.subscriptionId} = ${caller.subscription}
        AND (${solutionVersionItems.solutionVersionId}, ${solutionVersionItems.workItemId}) IN (
          SELECT i.solution_version_id, i.work_item_id FROM ${fromRestoredRecords(sql`CROSS JOIN ${solutionVersionItems} i
            ON i.subscription_id = ${caller.subscription} AND i.work_item_id = ${workItems.id}`)}
            AND r.previous ->> '$.versions' IS NOT NULL
            AND i.solution_version_id NOT IN (SELECT value FROM json_each(r.previous, '$.versions')))`,
      sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
        AND ${workItemTags.workItemId} IN (SELECT ${workItems.id} FROM ${fromRestoredRecords()})`,
      insertInto(
        workItemTags,
        {
          subscriptionId: caller.subscription,
          productId: workItems.productId,
          slug: sql`s.value`,
          workItemId: workItems.id,
        },
        sql`FROM ${fromRestoredRecords(sql`CROSS JOIN json_each(r.previous, '$.slugs') s`)} ON CONFLICT DO NOTHING`,
      ),
    ],
    afterRestore: [emitFollowingIdeas(selectRestored), stories.move, completeUpdatedEvents(workItem, stories.all)],
    restoreAssignments: [
      sql`epic_id = ${selectPreviousParent('epic_id')}, feature_id = ${selectPreviousParent('feature_id')}`,
    ],
  }),
  ...removeUnusedVersions,
])

export const backlogImportStatements: ImportStatements = {
  write: writeBacklogSlice,
  undo: undoBacklogImport,
  evaluate: evaluateItems,
}
