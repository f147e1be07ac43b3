import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { importRows } from '../../db/schema/imports'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { users } from '../../db/schema/tenancy'
import { workItemLinks, workItems } from '../../db/schema/work-items'
import { caller, inline } from '../../db/sql/statement'
import { runIdOfBatch } from '../../workspace/imports/fields'
import {
  createItemName,
  type ItemName,
  selectItemId,
  selectMemberId,
  selectOpenVersionId,
  selectTeamId,
} from '../../workspace/imports/lookups/statements'
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
export const [versionsPath, membersPath] = [inline('$[17]'), inline('$[22]')]

const [importedTeam, importedCreatedAt] = [storedValueAt(19), storedValueAt(21)]
const assigneesPath = inline('$[20]')

const selectAssigneeId = selectMemberId(importedAssigneeKey)
const joinAssignees = sql`json_each(p.value, ${assigneesPath}) address LEFT JOIN ${users} u
  ON u.subscription_id = ${caller.subscription} AND u.email = address.value AND u.deleted_at IS NULL WHERE address.type = 'text'`
export const selectAssigneeIds = sql`coalesce(
  (SELECT json_array(id) FROM (SELECT ${selectAssigneeId} AS id) WHERE id IS NOT NULL),
  nullif((SELECT json_group_array(u.id) FROM ${joinAssignees} AND u.id IS NOT NULL), '[]'))`
const selectOtherAssignees = sql`(SELECT group_concat(address.value, ', ') FROM ${joinAssignees} AND u.id IS NULL)`

const selectImportedTeamId = selectTeamId(importedTeam)

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

const rowHasRoomFor = (name: string) => sql.raw(`(p.value ->> '$[23].${name}')`)

const addAttribute = (attributes: SQL, name: string, value: SQL) => sql`(SELECT CASE WHEN x IS NULL THEN a
  ELSE json_set(coalesce(a, '{}'), ${inline(`$.${name}`)}, x) END
  FROM (SELECT ${attributes} AS a, CASE WHEN ${rowHasRoomFor(name)} THEN ${value} END AS x))`

// Finds the assignee once, and not again for each member of a card.
const selectOtherMembers = sql`(SELECT group_concat(m.value ->> 0, ', ')
  FROM (SELECT ${selectAssigneeId} AS id LIMIT 1) assignee CROSS JOIN json_each(p.value, ${membersPath}) m
  WHERE coalesce(${selectMemberId(sql`(m.value ->> 1)`)}, 0) IS NOT assignee.id)`

/** A team and people that are unknown, other people of a card, and versions that do not exist or are released, stay as attributes. */
export const selectImportedAttributes = (product: SQL) =>
  addAttribute(
    addAttribute(
      addAttribute(
        addAttribute(
          importedFieldValue('attributes'),
          'team',
          sql`iif(${importedTeam} IS NOT NULL AND ${selectImportedTeamId} IS NULL, ${importedTeam}, NULL)`,
        ),
        'assignee',
        sql`iif(${importedAssignee} IS NOT NULL AND ${selectAssigneeId} IS NULL, ${importedAssignee}, ${selectOtherAssignees})`,
      ),
      'members',
      selectOtherMembers,
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

export const ROW_NAME: ItemName = {
  key: importedKey,
  jiraKey: importedJiraKey,
  externalIds: {
    from: sql`json_each(p.value, ${externalIdsPath}) e`,
    source: sql`e.value ->> 0`,
    id: sql`e.value ->> 1`,
  },
}
export const PARENT_NAME = createItemName(
  importedParentKey,
  importedParentJiraKey,
  importedParentSource,
  importedParentExternalId,
)

export const rowIsWritten = (name: string) => sql`${sql.raw(name)}.subscription_id = ${caller.subscription}
  AND ${sql.raw(name)}.import_id = ${runIdOfBatch} AND ${sql.raw(name)}.outcome IN ('created', 'updated')`

/** Id of an item that the run has created or updated. */
export const selectIdOfWrittenRow = (row: SQL) =>
  sql`(SELECT m.record_id FROM ${importRows} m WHERE ${rowIsWritten('m')} AND m.row = ${row})`

// The values of a `LinkOfRow`.
const linkValueAt = (place: number) => sql.raw(`(l.value ->> ${place})`)
export const [linkType, linkIsReversed, linkedRow] = [linkValueAt(0), linkValueAt(1), linkValueAt(2)]
export const fromImportedLinks = sql`json_each(p.value, ${inline('$[18]')}) l`
const LINKED_NAME = createItemName(linkValueAt(3), linkValueAt(4), linkValueAt(5), linkValueAt(6), linkValueAt(7))
const linkedType = linkValueAt(8)

/** Items of several types may have the same id in Jira. */
export const selectIdOfRow = (place: LookupScope) => selectItemId(ROW_NAME, place, sql`k.type = ${importedType}`)
export const selectIdOfLinked = (place: LookupScope) =>
  selectItemId(LINKED_NAME, place, sql`k.type = coalesce(${linkedType}, k.type)`)

const isLinkedTo = (from: SQL, to: SQL, type: SQL) => sql`EXISTS (SELECT 1 FROM ${workItemLinks} known
  WHERE known.subscription_id = ${caller.subscription} AND known.from_id = ${from} AND known.type = ${type}
    AND known.to_id = ${to})`

/** Two items have at most one link of a type, in either direction. */
export const itemsAreLinked = (a: SQL, b: SQL, type: SQL) =>
  sql`(${isLinkedTo(a, b, type)} OR ${isLinkedTo(b, a, type)})`

export const hasFurtherLinks = (place: LookupScope) => sql`EXISTS (SELECT 1 FROM ${fromImportedLinks}
  WHERE EXISTS (SELECT 1 FROM (SELECT ${selectIdOfLinked(place)} AS other)
    WHERE other <> ${workItems.id} AND NOT ${itemsAreLinked(sql`other`, sql`${workItems.id}`, linkType)}))`

export const COLUMNS_SET_BY_IMPORT = Object.entries(getTableColumns(workItems)).filter(([name]) => {
  const member = name === 'personas' ? 'persona' : name
  return name === 'userIds' || name === 'teamId' || (member in story.fields && member in ImportedWorkItem.shape)
})

export function importedValueOfNewItem(column: SQLiteColumn, product: SQL): SQL {
  if (column === workItems.userIds) return selectAssigneeIds
  if (column === workItems.teamId) return selectImportedTeamId
  return column === workItems.attributes ? selectImportedAttributes(product) : importedFieldValue(column.name)
}

export const importedTimeOfCreation = sql`min(coalesce(${importedCreatedAt}, ${caller.now}), ${caller.now})`
