import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { valueOrDefault } from '../../db/client/bulk'
import { importRows } from '../../db/schema/imports'
import { workItemComments, workItemForeignIds, workItems, workItemTags } from '../../db/schema/work-items'
import { caller, inline, insertInto, param, statements } from '../../db/sql/statement'
import {
  createImportedCommentInsert,
  createUnknownMemberInsert,
  selectCommentEmails,
} from '../../workspace/comments/imports/statements'
import type { ImportStatements } from '../../workspace/imports/bulk'
import { runIdOfBatch } from '../../workspace/imports/fields'
import {
  createImportUndo,
  createImportUpsert,
  fromBoundRowsWithJournal,
  type ImportUpsert,
  type LookupScope,
  numberOfRow,
  ORDER_KEEPING_LIMIT,
  RUN_LOOKUP_SCOPE,
  storedValueAt,
} from '../../workspace/imports/statements'
import { selectShownPercentage, story } from '../work-items/queries/record'
import { createNewKeys, selectRankOfKey } from '../work-items/rank/statements'
import { ImportedWorkItem } from './schema'

// Indexes into the array made by `stored` in importing.ts.
const [importedKey, importedJiraKey, importedType, importedParentRow, importedParentKey] = [
  storedValueAt(2),
  storedValueAt(3),
  storedValueAt(4),
  storedValueAt(5),
  storedValueAt(6),
]
const [importedParentJiraKey, importedNeededKey] = [storedValueAt(7), storedValueAt(8)]
const [importedParentSource, importedParentExternalId] = [storedValueAt(13), storedValueAt(14)]
const STORED_FIELDS_INDEX = 9
const [slugsPath, commentsPath, externalIdsPath] = [inline('$[10]'), inline('$[11]'), inline('$[12]')]

const importedFieldValue = (name: string) => sql.raw(`(p.value ->> '$[${STORED_FIELDS_INDEX}].${name}')`)
const COLUMNS_SET_BY_IMPORT = Object.entries(getTableColumns(workItems)).filter(([name]) => {
  const member = name === 'personas' ? 'persona' : name
  return member in story.fields && member in ImportedWorkItem.shape
})

/**
 * A percentage equal to the shown percentage counts as missing, because an export holds the shown percentage and items
 * below may change the percentage.
 */
const importedValueOfColumn = (column: SQLiteColumn) =>
  column === workItems.progressPercentage
    ? sql`nullif(${importedFieldValue(column.name)}, ${selectShownPercentage()})`
    : importedFieldValue(column.name)

const recordIsFromBeforeImport = (
  name: string,
  { product, since }: LookupScope,
) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND +${sql.raw(name)}.product_id = ${product} AND ${sql.raw(name)}.deleted_at IS NULL
  AND ${sql.raw(name)}.created_at < ${since}`

interface RecordName {
  key: SQL
  jiraKey: SQL
  /** A join that names the ids in other systems, with their source. */
  externalIds: { from: SQL; source: SQL; id: SQL }
}

const ROW_NAME: RecordName = {
  key: importedKey,
  jiraKey: importedJiraKey,
  externalIds: {
    from: sql`json_each(p.value, ${externalIdsPath}) e`,
    source: sql`e.value ->> 0`,
    id: sql`e.value ->> 1`,
  },
}
const PARENT_NAME: RecordName = {
  key: importedParentKey,
  jiraKey: importedParentJiraKey,
  externalIds: { from: sql`(SELECT 1) e`, source: importedParentSource, id: importedParentExternalId },
}

const selectRecordIdOfExternalId = (
  { from, source, id }: RecordName['externalIds'],
  place: LookupScope,
) => sql`(SELECT k.id
  FROM ${from} CROSS JOIN ${workItemForeignIds} x ON x.subscription_id = ${caller.subscription}
    AND x.product_id = ${place.product} AND x.source = ${source} AND x.foreign_id = ${id}
  CROSS JOIN ${workItems} k ON k.id = x.work_item_id AND ${recordIsFromBeforeImport('k', place)} LIMIT 1)`

/**
 * Only records from before the run, because the run creates records too. Without the hint, SQLite scans all items of
 * the product for the Jira key.
 */
const selectRecordId = (
  { key: called, jiraKey: jira, externalIds }: RecordName,
  place: LookupScope,
  also: SQL,
) => sql`coalesce(
  (SELECT k.id FROM ${workItems} k WHERE ${recordIsFromBeforeImport('k', place)} AND k.external_key = ${called} AND ${also}),
  (SELECT min(k.id) FROM ${workItems} k INDEXED BY work_items_jira_key WHERE k.product_id = ${place.product}
    AND k.jira_key = ${jira} AND k.jira_key <> '' AND +k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
    AND k.created_at < ${place.since} AND ${also}),
  ${selectRecordIdOfExternalId(externalIds, place)})`

const backlogUpsertSpec: ImportUpsert = {
  table: workItems,
  joins: (place) =>
    sql`LEFT JOIN ${workItems} ON ${workItems.id} = ${selectRecordId(ROW_NAME, place, sql`k.type = ${importedType}`)}`,
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
  },
  differs: sql`${importedParentKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} a
    WHERE a.id = coalesce(${workItems.featureId}, ${workItems.epicId}) AND a.subscription_id = ${caller.subscription}
      AND (a.external_key = ${importedParentKey} OR a.jira_key = ${importedParentJiraKey} AND a.jira_key <> ''
        OR EXISTS (SELECT 1 FROM ${workItemForeignIds} x WHERE x.subscription_id = ${caller.subscription}
          AND x.product_id = a.product_id AND x.source = ${importedParentSource}
          AND x.foreign_id = ${importedParentExternalId} AND x.work_item_id = a.id)))`,
  refusals: (place, changes) => [
    {
      when: sql`${importedNeededKey} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${workItems} n
        WHERE ${recordIsFromBeforeImport('n', place)} AND n.external_key = ${importedNeededKey})`,
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
  preview: sql`CASE WHEN ${numberOfRow} <= ${param('shown')} THEN json_patch(json_object('type', ${importedType},
    'externalKey', ${workItems.externalKey}, 'parent', ${importedParentKey}), p.value -> ${inline(STORED_FIELDS_INDEX)}) END`,
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
      COLUMNS_SET_BY_IMPORT.map(([name, column]) => [name, valueOrDefault(column, importedFieldValue(column.name))]),
    ),
    createdAt: caller.now,
    updatedAt: caller.now,
  },
  sql`FROM (SELECT p.value AS value, ${importRows.recordId} AS id, ${newItemKeys.key} AS key FROM ${fromBoundRowsWithJournal('created')}) p ORDER BY p.id`,
)

const rowIsWritten = (name: string) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND ${sql.raw(name)}.import_id = ${runIdOfBatch} AND ${sql.raw(name)}.outcome IN ('created', 'updated')`
const selectRecordIdOfRow = (row: SQL) =>
  sql`(SELECT m.record_id FROM ${importRows} m WHERE ${rowIsWritten('m')} AND m.row = ${row})`
const selectItemParentPairs = sql`SELECT ${importRows.recordId} AS item, coalesce(${selectRecordIdOfRow(importedParentRow)},
    ${selectRecordId(PARENT_NAME, RUN_LOOKUP_SCOPE, sql`k.type <> 'userstory'`)}) AS above
  FROM ${fromBoundRowsWithJournal('created', 'updated')} WHERE ${importedParentRow} IS NOT NULL OR ${importedParentKey} IS NOT NULL
  UNION ALL SELECT n.record_id, ${selectRecordIdOfRow(sql`n.parent_row`)} FROM ${importRows} n
  WHERE ${rowIsWritten('n')} AND n.parent_row > ${param('from')} AND n.parent_row <= ${param('to')} AND n.row <= ${param('from')}`

const attachChildrenOfType = (below: 'feature' | 'userstory') => sql`UPDATE ${workItems} SET
    epic_id = CASE a.type WHEN 'epic' THEN a.id ELSE a.epic_id END, feature_id = CASE a.type WHEN 'feature' THEN a.id END
  FROM (${selectItemParentPairs} ${ORDER_KEEPING_LIMIT}) pair CROSS JOIN ${workItems} a ON a.id = pair.above AND +a.subscription_id = ${caller.subscription}
  WHERE ${workItems.id} = pair.item AND +${workItems.subscriptionId} = ${caller.subscription}
    AND ${workItems.type} = ${inline(below)} AND a.type NOT IN ('userstory', ${inline(below)})`

const moveStoriesWithFeatures = sql`UPDATE ${workItems} SET epic_id = hung.epic_id
  FROM (SELECT f.id, f.epic_id FROM (${selectItemParentPairs}) CROSS JOIN ${workItems} f ON f.id = item AND f.type = 'feature' ${ORDER_KEEPING_LIMIT}) hung
  WHERE ${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.featureId} = hung.id
    AND ${workItems.deletedAt} IS NULL AND ${workItems.epicId} IS NOT hung.epic_id`

const deleteItemTags = sql`DELETE FROM ${workItemTags} WHERE ${workItemTags.subscriptionId} = ${caller.subscription}
  AND ${workItemTags.workItemId} IN (SELECT ${importRows.recordId} FROM ${fromBoundRowsWithJournal('updated')}
    WHERE json_type(p.value, ${slugsPath}) = 'array')`
const insertItemTags = insertInto(
  workItemTags,
  {
    subscriptionId: caller.subscription,
    productId: RUN_LOOKUP_SCOPE.product,
    slug: sql`s.value`,
    workItemId: importRows.recordId,
  },
  sql`FROM ${fromBoundRowsWithJournal('created', 'updated')} CROSS JOIN json_each(p.value, ${slugsPath}) s WHERE s.type = 'text' ON CONFLICT DO NOTHING`,
)

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

const writeBacklogSlice = statements([
  insertJournalRows,
  newItemKeys.take,
  insertImportedItems,
  updateItems,
  attachChildrenOfType('feature'),
  attachChildrenOfType('userstory'),
  moveStoriesWithFeatures,
  deleteItemTags,
  insertItemTags,
  insertCommenters,
  insertItemComments,
  insertExternalIds,
])

const itemHasKeptChildren = sql`EXISTS (SELECT 1 FROM (
    SELECT e.id FROM ${workItems} e WHERE e.subscription_id = ${caller.subscription} AND e.epic_id = ${workItems.id}
    UNION SELECT f.id FROM ${workItems} f WHERE f.subscription_id = ${caller.subscription} AND f.feature_id = ${workItems.id}) below
  CROSS JOIN ${workItems} c ON c.id = below.id AND +c.subscription_id = ${caller.subscription} AND c.deleted_at IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM ${importRows} WHERE ${importRows.subscriptionId} = ${caller.subscription}
    AND ${importRows.recordId} = c.id AND ${importRows.importId} = ${param('importId')}
    AND ${importRows.outcome} = 'created' AND ${importRows.version} = c.version))`

const selectPreviousParent = (name: 'epic_id' | 'feature_id') => sql`(SELECT a.id FROM ${workItems} a
  WHERE a.id = r.previous ->> ${inline(name)} AND a.subscription_id = ${caller.subscription} AND a.deleted_at IS NULL)`

const { restoredRecords: fromRestoredRecords, statements: createBacklogUndo } = createImportUndo(
  'backlog',
  backlogUpsertSpec,
)

const undoBacklogImport = statements(
  createBacklogUndo({
    noun: 'item',
    isUsed: itemHasKeptChildren,
    inUseMessage: 'The item has a child that the import did not create, or that was changed since.',
    beforeRestore: [
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
    restoreAssignments: [
      sql`epic_id = ${selectPreviousParent('epic_id')}, feature_id = ${selectPreviousParent('feature_id')}`,
    ],
  }),
)

export const backlogImportStatements: ImportStatements = {
  write: writeBacklogSlice,
  undo: undoBacklogImport,
  evaluate: evaluateItems,
}
