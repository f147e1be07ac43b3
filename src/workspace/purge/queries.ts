import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../db/client/client'
import { productColumnByRemovableTable, RESTORE_TTL_MS } from '../../db/records/lifecycle'
import { assets, attachments } from '../../db/schema/assets'
import { changelogEntries, changelogFollowers, changelogIdeas, changelogVersions } from '../../db/schema/changelog'
import { experimentPersonas, experiments, experimentWorkItems } from '../../db/schema/experiments'
import {
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSlugs,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../db/schema/feedback'
import { importRefusals, importRows, imports } from '../../db/schema/imports'
import { kpiDays, kpiRecords, kpis } from '../../db/schema/kpis'
import { mailPreferences, noticeDigests, noticePeople } from '../../db/schema/notices'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../db/schema/persona-board'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../db/schema/personas'
import { invitations, segmentConfirmations, segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import { feedbackStatusUpdates } from '../../db/schema/status-updates'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../db/schema/story-maps'
import { feedbackTags, tags } from '../../db/schema/tags'
import { detachments, products, teamMembers, teamProducts, teams, users } from '../../db/schema/tenancy'
import {
  incomingReceipts,
  incomingRecords,
  incomingWebhooks,
  webhookDeliveries,
  webhooks,
} from '../../db/schema/webhooks'
import {
  workItemComments,
  workItemFiles,
  workItemForeignIds,
  workItemKeys,
  workItemKpis,
  workItemLinks,
  workItems,
  workItemTags,
} from '../../db/schema/work-items'
import { listOwnerKinds as holdersOf } from '../../db/sql/attachable-owners'
import { isInThisHome } from '../../db/sql/fence'
import { isBelowHighestId, primaryKeyColumns } from '../../db/sql/retention'
import { caller, inline, makeLazy, param, type Statement, statement } from '../../db/sql/statement'
import type { ImportName } from '../../imports'

// Limits per table and minute, high enough for the removals of a busy workspace.
const PURGED_RECORDS_PER_RUN = 50
const PURGED_ROWS_PER_RUN = 5_000

type SoftDeletedTable = SQLiteTable & { id: SQLiteColumn; subscriptionId: SQLiteColumn; deletedAt: SQLiteColumn }

interface PurgedTable {
  table: SoftDeletedTable
  dependentColumns: SQLiteColumn[]
  /** Column of the tombstone state: 1 keeps the removed text, 2 is erased. */
  tombstone?: SQLiteColumn
  objectColumn?: SQLiteColumn
  /** The content is soft-deleted, and each record is purged separately afterwards. */
  contentColumns?: SQLiteColumn[]
}

/** Children before parents. */
const DECLARED_PURGED_TABLES: readonly PurgedTable[] = [
  { table: feedbackComments, dependentColumns: [], tombstone: feedbackComments.tombstone },
  { table: workItemComments, dependentColumns: [], tombstone: workItemComments.tombstone },
  {
    table: feedbackItems,
    dependentColumns: [
      feedbackVotes.feedbackId,
      feedbackComments.feedbackId,
      feedbackTags.feedbackId,
      feedbackSubscriptions.feedbackId,
      feedbackSlugs.feedbackId,
      importRows.recordId,
      feedbackMergedComments.feedbackId,
      feedbackStatusUpdates.feedbackId,
      changelogIdeas.feedbackId,
    ],
    contentColumns: [feedbackItems.mergedInto],
  },
  {
    table: changelogEntries,
    dependentColumns: [changelogIdeas.changelogEntryId, changelogVersions.changelogEntryId],
  },
  { table: tags, dependentColumns: [feedbackTags.tagId] },
  { table: assets, dependentColumns: [workItemFiles.assetId, attachments.assetId], objectColumn: assets.objectKey },
  { table: kpis, dependentColumns: [kpiRecords.kpiId, kpiDays.kpiId, workItemKpis.kpiId] },
  {
    table: storyMaps,
    dependentColumns: [
      storyMapActivities.storyMapId,
      storyMapSteps.storyMapId,
      storyMapSwimlanes.storyMapId,
      storyMapCards.storyMapId,
    ],
  },
  { table: experiments, dependentColumns: [experimentPersonas.experimentId, experimentWorkItems.experimentId] },
  {
    table: solutionVersions,
    dependentColumns: [solutionVersionItems.solutionVersionId, changelogVersions.solutionVersionId],
  },
  {
    table: workItems,
    dependentColumns: [
      workItemFiles.workItemId,
      workItemKpis.workItemId,
      workItemTags.workItemId,
      workItemKeys.workItemId,
      solutionVersionItems.workItemId,
      experimentWorkItems.workItemId,
      workItemLinks.fromId,
      workItemLinks.toId,
      workItemForeignIds.workItemId,
      workItemComments.workItemId,
      detachments.removedId,
      importRows.recordId,
    ],
  },
  {
    table: personas,
    dependentColumns: [
      personaSummaries.personaId,
      personaDocumentation.personaId,
      opportunities.personaId,
      personaCustomValues.personaId,
      experimentPersonas.personaId,
    ],
  },
  { table: personaCustomFields, dependentColumns: [personaCustomOptions.fieldId, personaCustomValues.fieldId] },
  { table: incomingWebhooks, dependentColumns: [incomingReceipts.incomingWebhookId] },
  { table: webhooks, dependentColumns: [webhookDeliveries.webhookId] },
  { table: segments, dependentColumns: [segmentMembers.segmentId, segmentConfirmations.segmentId] },
  { table: teams, dependentColumns: [teamMembers.teamId, teamProducts.teamId, detachments.removedId] },
  {
    table: users,
    dependentColumns: [
      ...[teamMembers.userId, invitations.userId, detachments.removedId, importRows.recordId],
      ...[mailPreferences.userId, noticePeople.userId, noticeDigests.userId, segmentConfirmations.userId],
      ...[changelogFollowers.userId, importRefusals.userId],
    ],
  },
  {
    table: products,
    dependentColumns: [teamProducts.productId, incomingRecords.productId],
  },
]

export const listPurgedTables = makeLazy((): PurgedTable[] => {
  const productColumns = [...productColumnByRemovableTable.values()].filter((column) => column !== undefined)
  const declared = new Set<SQLiteTable>(DECLARED_PURGED_TABLES.map(({ table }) => table))
  const others = [...productColumnByRemovableTable.keys()].filter((table) => !declared.has(table))
  return [
    ...others.map((table) => ({ table: table as SoftDeletedTable, dependentColumns: [] })),
    ...DECLARED_PURGED_TABLES.map((one) => (one.table === products ? { ...one, contentColumns: productColumns } : one)),
  ]
})

export interface DuePurgeRecord {
  id: number
  subscriptionId: number
  object: string | null
}

const startOfRestorePeriod = sql`${caller.now} - ${inline(RESTORE_TTL_MS)}`

const selectDueRecords = ({ table, objectColumn, tombstone }: PurgedTable) =>
  statement<DuePurgeRecord>(sql`SELECT ${table.id} AS "id", ${table.subscriptionId} AS "subscriptionId",
      ${objectColumn ?? sql`NULL`} AS "object"
    FROM ${table} WHERE ${table.deletedAt} IS NOT NULL AND ${table.deletedAt} <= ${startOfRestorePeriod}
      ${tombstone ? sql`AND ${tombstone} = 0` : sql``} AND ${isInThisHome(table.subscriptionId)}
    ORDER BY ${table.deletedAt} LIMIT ${inline(PURGED_RECORDS_PER_RUN)}`)

const fromDueRecords = sql`json_each(${param('due')}) d`
const idOfDueRecord = sql`(d.value ->> 'id')`
const workspaceOfDueRecord = sql`(d.value ->> 'subscriptionId')`

/** Soft-deleted rows have a purge of their own. */
function rowBelongsToDueRecord(column: SQLiteColumn, owner: SoftDeletedTable): SQL {
  const { subscriptionId, deletedAt, tombstone } = getTableColumns(column.table) as Record<
    string,
    SQLiteColumn | undefined
  >
  const isTombstone = tombstone ? sql`OR ${tombstone} > 0` : sql``
  const isPresent = deletedAt ? sql`AND (${deletedAt} IS NULL ${isTombstone})` : sql``
  return sql`${subscriptionId} = ${workspaceOfDueRecord} AND ${column} = ${idOfDueRecord} ${isPresent} ${rowIsOfOwnerKind(column, owner)}`
}

function rowIsOfOwnerKind(column: SQLiteColumn, owner: SoftDeletedTable): SQL {
  if (COLUMNS_OF_SEVERAL_KINDS.has(column)) return sql`AND ${sql.identifier('kind')} IN (${kindsOfOwner(owner)})`
  if (column !== importRows.recordId) return sql``
  return sql`AND EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.id} = ${importRows.importId}
    AND ${imports.kind} = ${inline(`${IMPORT_NAME_BY_TABLE[getTableName(owner)]}`)})`
}

const COLUMNS_OF_SEVERAL_KINDS = new Set<SQLiteColumn>([detachments.removedId, attachments.holderId])

const IMPORT_NAME_BY_TABLE: Record<string, ImportName> = {
  users: 'people',
  work_items: 'backlog',
  feedback_items: 'feedback',
}

const DETACHMENT_KINDS_BY_TABLE: Record<string, string[]> = {
  teams: ['work_item_team', 'opportunity_team'],
  users: ['segment_member'],
  work_items: ['work_item_epic', 'work_item_feature', 'work_item_taken'],
}
const kindsOfOwner = (owner: SoftDeletedTable) =>
  sql.raw(
    [...(DETACHMENT_KINDS_BY_TABLE[getTableName(owner)] ?? ['']), ...holdersOf(owner)]
      .map((kind) => `'${kind}'`)
      .join(', '),
  )

type PurgeValues = { due: string }
type PurgeStatementMaker = (values: PurgeValues) => Statement<never>

function createPurgeStatements({
  table,
  dependentColumns: own,
  contentColumns = [],
}: PurgedTable): PurgeStatementMaker[] {
  const rows = holdersOf(table).length ? [...own, attachments.holderId] : own
  const deletions = rows.map((column) =>
    statement<never, PurgeValues>(sql`DELETE FROM ${column.table} WHERE (${primaryKeyColumns(column.table)}) IN (
      SELECT ${primaryKeyColumns(column.table)} FROM ${fromDueRecords} CROSS JOIN ${column.table} ON ${rowBelongsToDueRecord(column, table)}
        AND ${isBelowHighestId(column.table)}
      LIMIT ${inline(PURGED_ROWS_PER_RUN)})`),
  )
  const removals = contentColumns.map((column) =>
    statement<
      never,
      PurgeValues
    >(sql`UPDATE ${column.table} SET deleted_at = ${startOfRestorePeriod} WHERE (${primaryKeyColumns(column.table)}) IN (
      SELECT ${primaryKeyColumns(column.table)} FROM ${fromDueRecords} CROSS JOIN ${column.table} ON ${rowBelongsToDueRecord(column, table)}
        LIMIT ${inline(PURGED_ROWS_PER_RUN)})`),
  )
  const hasNoRows = [...rows, ...contentColumns].map(
    (column) => sql`AND NOT EXISTS (SELECT 1 FROM ${column.table} WHERE ${rowBelongsToDueRecord(column, table)})`,
  )
  const isDue = sql`${table.deletedAt} IS NOT NULL AND ${table.deletedAt} <= ${startOfRestorePeriod}`
  const deleteRecords = statement<never, PurgeValues>(sql`DELETE FROM ${table} WHERE ${table.id} IN (
    SELECT ${idOfDueRecord} FROM ${fromDueRecords} WHERE true ${hasNoRows.length ? sql.join(hasNoRows, sql` `) : sql``}) AND ${isDue}
      AND ${isBelowHighestId(table)}`)
  return [...deletions, ...removals, deleteRecords]
}

const listPurgeSteps = makeLazy(() =>
  listPurgedTables().map((purged) => ({ due: selectDueRecords(purged), statements: createPurgeStatements(purged) })),
)

const ERASE_TOMBSTONE_STATEMENTS = DECLARED_PURGED_TABLES.flatMap(({ table, tombstone }) => {
  if (!tombstone) return []
  const erase = statement<never>(sql`UPDATE ${table} SET tombstone = 2, removed_text = NULL WHERE ${table.id} IN (
    SELECT ${table.id} FROM ${table} WHERE ${tombstone} = 1 AND ${table.deletedAt} <= ${startOfRestorePeriod}
    ORDER BY ${table.deletedAt} LIMIT ${inline(PURGED_ROWS_PER_RUN)})`)
  return [erase]
})

export async function listDueRecords(store: Store): Promise<DuePurgeRecord[][]> {
  const found = await store.batch(
    null,
    ...listPurgeSteps().map(({ due }) => due({})),
    ...ERASE_TOMBSTONE_STATEMENTS.map((erase) => erase({})),
  )
  return found.slice(0, listPurgeSteps().length) as DuePurgeRecord[][]
}

export async function deleteDueRecords(store: Store, index: number, records: readonly DuePurgeRecord[]): Promise<void> {
  const values = { due: JSON.stringify(records) }
  await store.batch(null, ...(listPurgeSteps()[index]?.statements ?? []).map((make) => make(values)))
}
