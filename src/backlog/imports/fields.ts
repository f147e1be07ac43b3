import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { workItemForeignIds, workItems } from '../../db/schema/work-items'
import { caller, inline } from '../../db/sql/statement'
import { selectMemberId, selectOpenVersionId } from '../../workspace/imports/lookups/statements'
import { createsInBatch } from '../../workspace/imports/missing/statements'
import { type LookupScope, storedValueAt } from '../../workspace/imports/statements'
import { story } from '../work-items/queries/record'
import { MAX_VERSION_NAME_CHARACTERS } from './kind'
import { ImportedWorkItem } from './schema'

// Indexes into the array made by `stored` in importing.ts.
export const [importedKey, importedJiraKey, importedType, importedParentRow, importedParentKey] = [
  storedValueAt(2),
  storedValueAt(3),
  storedValueAt(4),
  storedValueAt(5),
  storedValueAt(6),
]
export const [importedParentJiraKey, importedNeededKey] = [storedValueAt(7), storedValueAt(8)]
export const [importedParentSource, importedParentExternalId] = [storedValueAt(13), storedValueAt(14)]
export const STORED_FIELDS_INDEX = 9
export const [slugsPath, commentsPath, externalIdsPath] = [inline('$[10]'), inline('$[11]'), inline('$[12]')]

export const importedFieldValue = (name: string) => sql.raw(`(p.value ->> '$[${STORED_FIELDS_INDEX}].${name}')`)
export const [importedAssignee, importedAssigneeKey] = [storedValueAt(15), storedValueAt(16)]
export const versionsPath = inline('$[17]')

const selectAssigneeId = selectMemberId(importedAssigneeKey)
export const selectAssigneeIds = sql`(SELECT json_array(id) FROM (SELECT ${selectAssigneeId} AS id) WHERE id IS NOT NULL)`

export const fromImportedVersions = sql`json_each(p.value, ${versionsPath}) v`

export const isCreatableVersion = sql`length(v.value) <= ${inline(MAX_VERSION_NAME_CHARACTERS)}`

export const versionExists = (name: SQL, product: SQL) => sql`EXISTS (SELECT 1 FROM ${solutionVersions} known
  WHERE known.product_id = ${product} AND known.name = ${name} AND +known.subscription_id = ${caller.subscription}
    AND known.deleted_at IS NULL)`

/** Whether the run creates the version, for a dry run, which finds no version. */
const versionIsMissing = (product: SQL) =>
  sql`(${createsInBatch('versions')} AND ${isCreatableVersion} AND NOT ${versionExists(sql`v.value`, product)})`

const selectOtherVersions = (product: SQL) => sql`(SELECT group_concat(v.value, ', ') FROM ${fromImportedVersions}
  WHERE ${selectOpenVersionId(sql`v.value`, product)} IS NULL AND NOT ${versionIsMissing(product)})`

/** Versions that the item is linked to. */
export const selectPreviewedVersions = (
  product: SQL,
) => sql`(SELECT json_group_array(v.value) FROM ${fromImportedVersions}
  WHERE ${selectOpenVersionId(sql`v.value`, product)} IS NOT NULL OR ${versionIsMissing(product)})`

export const selectImportedIds = sql`(SELECT json_group_array(json_object('source', e.value ->> 0, 'externalId', e.value ->> 1))
  FROM json_each(p.value, ${externalIdsPath}) e)`

const addAttribute = (attributes: SQL, name: string, value: SQL) => sql`(SELECT CASE WHEN x IS NULL THEN a
  ELSE json_set(coalesce(a, '{}'), ${inline(`$.${name}`)}, x) END FROM (SELECT ${attributes} AS a, ${value} AS x))`

/** An assignee who is no member, and versions that do not exist or are released, stay as attributes. */
export const selectImportedAttributes = (product: SQL) =>
  addAttribute(
    addAttribute(
      importedFieldValue('attributes'),
      'assignee',
      sql`iif(${importedAssignee} IS NOT NULL AND ${selectAssigneeId} IS NULL, ${importedAssignee}, NULL)`,
    ),
    'fixVersions',
    selectOtherVersions(product),
  )

export const hasFurtherVersions = sql`EXISTS (SELECT 1 FROM ${fromImportedVersions}
  WHERE ${versionIsMissing(sql`${workItems.productId}`)} OR EXISTS (
    SELECT 1 FROM (SELECT ${selectOpenVersionId(sql`v.value`, sql`${workItems.productId}`)} AS open_id)
    WHERE open_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${solutionVersionItems} i
      WHERE i.subscription_id = ${caller.subscription} AND i.solution_version_id = open_id
        AND i.work_item_id = ${workItems.id})))`

export const selectVersionIds = sql`(SELECT json_group_array(i.solution_version_id) FROM ${solutionVersionItems} i
  WHERE i.subscription_id = ${caller.subscription} AND i.work_item_id = ${workItems.id})`

export const selectVersionNames = sql`SELECT ${storedValueAt(0)} AS row, v.key AS place, v.value AS name, v.value AS slug`

export const recordIsFromBeforeImport = (
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

export const ROW_NAME: RecordName = {
  key: importedKey,
  jiraKey: importedJiraKey,
  externalIds: {
    from: sql`json_each(p.value, ${externalIdsPath}) e`,
    source: sql`e.value ->> 0`,
    id: sql`e.value ->> 1`,
  },
}
export const PARENT_NAME: RecordName = {
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
export const selectRecordId = (
  { key: called, jiraKey: jira, externalIds }: RecordName,
  place: LookupScope,
  also: SQL,
) => sql`coalesce(
  (SELECT k.id FROM ${workItems} k WHERE ${recordIsFromBeforeImport('k', place)} AND k.external_key = ${called} AND ${also}),
  (SELECT min(k.id) FROM ${workItems} k INDEXED BY work_items_jira_key WHERE k.product_id = ${place.product}
    AND k.jira_key = ${jira} AND k.jira_key <> '' AND +k.subscription_id = ${caller.subscription} AND k.deleted_at IS NULL
    AND k.created_at < ${place.since} AND ${also}),
  ${selectRecordIdOfExternalId(externalIds, place)})`

export const COLUMNS_SET_BY_IMPORT = Object.entries(getTableColumns(workItems)).filter(([name]) => {
  const member = name === 'personas' ? 'persona' : name
  return name === 'userIds' || (member in story.fields && member in ImportedWorkItem.shape)
})

export function importedValueOfNewItem(column: SQLiteColumn, product: SQL): SQL {
  if (column === workItems.userIds) return selectAssigneeIds
  return column === workItems.attributes ? selectImportedAttributes(product) : importedFieldValue(column.name)
}
