import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../db/client'
import { identity } from '../../db/forget'
import { kindsOf as holdersOf } from '../../db/holders'
import { RESTORABLE } from '../../db/lifecycle'
import { assets, attachments } from '../../db/schema/assets'
import { documents, documentTemplates } from '../../db/schema/documents'
import { experimentPersonas, experiments, experimentWorkItems } from '../../db/schema/experiments'
import {
  feedbackCategories,
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSlugs,
  feedbackStatuses,
  feedbackSubscriptions,
  feedbackTags,
  feedbackVotes,
  tags,
} from '../../db/schema/feedback'
import { importRows, imports } from '../../db/schema/imports'
import { kpiDays, kpiRecords, kpis } from '../../db/schema/kpis'
import {
  personaBoardSegments,
  personaCustomFields,
  personaCustomOptions,
  personaCustomValues,
} from '../../db/schema/persona-board'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../db/schema/personas'
import { invitations, segmentMembers, segments } from '../../db/schema/segments-and-mail'
import { solutionVersionItems, solutionVersions } from '../../db/schema/solution-versions'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../db/schema/story-maps'
import { detachments, products, teamMembers, teamProducts, teams, users } from '../../db/schema/tenancy'
import { incomingReceipts, incomingWebhooks, webhookDeliveries, webhooks } from '../../db/schema/webhooks'
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
import { caller, inline, param, type Statement, statement } from '../../db/statement'
import type { ImportName } from '../../imports'

// Limits per table and minute, high enough for the removals of a busy workspace.
const RECORDS_PER_RUN = 50
const ROWS_PER_RUN = 5_000

type Removable = SQLiteTable & { id: SQLiteColumn; subscriptionId: SQLiteColumn; deletedAt: SQLiteColumn }

interface Purged {
  table: Removable
  /** A purge deletes the rows with the record's id in the listed columns. */
  rows: SQLiteColumn[]
  /** Column of the tombstone state: 1 keeps the removed text, 2 is erased. */
  tombstone?: SQLiteColumn
  /** Column with the R2 key of the record's bytes. */
  object?: SQLiteColumn
  /** A purge soft-deletes records with the id in the listed columns. Each record is purged separately afterwards. */
  content?: SQLiteColumn[]
}

/** Every table with soft-delete, children before parents. */
export const PURGED: readonly Purged[] = [
  { table: feedbackComments, rows: [], tombstone: feedbackComments.tombstone },
  { table: workItemComments, rows: [], tombstone: workItemComments.tombstone },
  {
    table: feedbackItems,
    rows: [
      feedbackVotes.feedbackId,
      feedbackComments.feedbackId,
      feedbackTags.feedbackId,
      feedbackSubscriptions.feedbackId,
      feedbackSlugs.feedbackId,
      importRows.recordId,
      feedbackMergedComments.feedbackId,
    ],
    content: [feedbackItems.mergedInto],
  },
  { table: feedbackCategories, rows: [] },
  { table: feedbackStatuses, rows: [] },
  { table: tags, rows: [feedbackTags.tagId] },
  { table: assets, rows: [workItemFiles.assetId, attachments.assetId], object: assets.objectKey },
  { table: kpis, rows: [kpiRecords.kpiId, kpiDays.kpiId, workItemKpis.kpiId] },
  {
    table: storyMaps,
    rows: [
      storyMapActivities.storyMapId,
      storyMapSteps.storyMapId,
      storyMapSwimlanes.storyMapId,
      storyMapCards.storyMapId,
    ],
  },
  { table: documents, rows: [] },
  { table: documentTemplates, rows: [] },
  { table: experiments, rows: [experimentPersonas.experimentId, experimentWorkItems.experimentId] },
  { table: solutionVersions, rows: [solutionVersionItems.solutionVersionId] },
  {
    table: workItems,
    rows: [
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
  { table: personaSummaries, rows: [] },
  { table: opportunities, rows: [] },
  {
    table: personas,
    rows: [
      personaSummaries.personaId,
      personaDocumentation.personaId,
      opportunities.personaId,
      personaCustomValues.personaId,
      experimentPersonas.personaId,
    ],
  },
  { table: personaBoardSegments, rows: [] },
  { table: personaCustomFields, rows: [personaCustomOptions.fieldId, personaCustomValues.fieldId] },
  { table: incomingWebhooks, rows: [incomingReceipts.incomingWebhookId] },
  { table: webhooks, rows: [webhookDeliveries.webhookId] },
  { table: segments, rows: [segmentMembers.segmentId] },
  { table: teams, rows: [teamMembers.teamId, teamProducts.teamId, detachments.removedId] },
  { table: users, rows: [teamMembers.userId, invitations.userId, detachments.removedId, importRows.recordId] },
  {
    table: products,
    rows: [teamProducts.productId],
    content: [
      feedbackItems.productId,
      tags.productId,
      assets.productId,
      kpis.productId,
      storyMaps.productId,
      experiments.productId,
      documents.productId,
      solutionVersions.productId,
      workItems.productId,
      personas.productId,
      incomingWebhooks.productId,
    ],
  },
]

export interface Due {
  id: number
  subscriptionId: number
  object: string | null
}

const ended = sql`${caller.now} - ${inline(RESTORABLE)}`

const dueOf = ({ table, object, tombstone }: Purged) =>
  statement<Due>(sql`SELECT ${table.id} AS "id", ${table.subscriptionId} AS "subscriptionId",
      ${object ?? sql`NULL`} AS "object"
    FROM ${table} WHERE ${table.deletedAt} IS NOT NULL AND ${table.deletedAt} <= ${ended}
      ${tombstone ? sql`AND ${tombstone} = 0` : sql``}
    ORDER BY ${table.deletedAt} LIMIT ${inline(RECORDS_PER_RUN)}`)

const due = sql`json_each(${param('due')}) d`
const dueId = sql`(d.value ->> 'id')`
const dueTenant = sql`(d.value ->> 'subscriptionId')`

/**
 * Rows of `column` with the id of a due record, except soft-deleted rows, because soft-deleted rows have a purge of
 * their own.
 */
function belonging(column: SQLiteColumn, owner: Removable): SQL {
  const { subscriptionId, deletedAt, tombstone } = getTableColumns(column.table) as Record<
    string,
    SQLiteColumn | undefined
  >
  const place = tombstone ? sql`OR ${tombstone} > 0` : sql``
  const standing = deletedAt ? sql`AND (${deletedAt} IS NULL ${place})` : sql``
  return sql`${subscriptionId} = ${dueTenant} AND ${column} = ${dueId} ${standing} ${ofKind(column, owner)}`
}

/** Restricts a column with ids of several resources to the ids of `owner`. */
function ofKind(column: SQLiteColumn, owner: Removable): SQL {
  if (KINDED.has(column)) return sql`AND ${sql.identifier('kind')} IN (${kindsOf(owner)})`
  if (column !== importRows.recordId) return sql``
  return sql`AND EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.id} = ${importRows.importId}
    AND ${imports.kind} = ${inline(`${IMPORTED[getTableName(owner)]}`)})`
}

const KINDED = new Set<SQLiteColumn>([detachments.removedId, attachments.holderId])

const IMPORTED: Record<string, ImportName> = { users: 'people', work_items: 'backlog', feedback_items: 'feedback' }

const KINDS: Record<string, string[]> = {
  teams: ['work_item_team', 'opportunity_team'],
  users: ['segment_member'],
  work_items: ['work_item_epic', 'work_item_feature', 'work_item_taken'],
}
const kindsOf = (owner: Removable) =>
  sql.raw([...(KINDS[getTableName(owner)] ?? ['']), ...holdersOf(owner)].map((kind) => `'${kind}'`).join(', '))

type Purging = { due: string }
type Make = (values: Purging) => Statement<never>

function purging({ table, rows: own, content = [] }: Purged): Make[] {
  const rows = holdersOf(table).length ? [...own, attachments.holderId] : own
  const deletions = rows.map((column) =>
    statement<never, Purging>(sql`DELETE FROM ${column.table} WHERE (${identity(column.table)}) IN (
      SELECT ${identity(column.table)} FROM ${due} CROSS JOIN ${column.table} ON ${belonging(column, table)}
      LIMIT ${inline(ROWS_PER_RUN)})`),
  )
  // Records with a purge of their own are soft-deleted, and purged later with all dependent rows.
  const removals = content.map((column) =>
    statement<
      never,
      Purging
    >(sql`UPDATE ${column.table} SET deleted_at = ${ended} WHERE (${identity(column.table)}) IN (
      SELECT ${identity(column.table)} FROM ${due} CROSS JOIN ${column.table} ON ${belonging(column, table)}
        LIMIT ${inline(ROWS_PER_RUN)})`),
  )
  const left = [...rows, ...content].map(
    (column) => sql`AND NOT EXISTS (SELECT 1 FROM ${column.table} WHERE ${belonging(column, table)})`,
  )
  const removed = sql`${table.deletedAt} IS NOT NULL AND ${table.deletedAt} <= ${ended}`
  // SQLite reuses the highest id after a delete, and keys, events and texts may still refer to the id: the highest row
  // waits until a newer row exists.
  const last = statement<never, Purging>(sql`DELETE FROM ${table} WHERE ${table.id} IN (
    SELECT ${dueId} FROM ${due} WHERE true ${left.length ? sql.join(left, sql` `) : sql``}) AND ${removed}
      AND ${table.id} < (SELECT max(id) FROM ${table})`)
  return [...deletions, ...removals, last]
}

const PARTS = PURGED.map((purged) => ({ due: dueOf(purged), statements: purging(purged) }))

const ERASING = PURGED.flatMap(({ table, tombstone }) => {
  if (!tombstone) return []
  const erase = statement<never>(sql`UPDATE ${table} SET tombstone = 2, removed_text = NULL WHERE ${table.id} IN (
    SELECT ${table.id} FROM ${table} WHERE ${tombstone} = 1 AND ${table.deletedAt} <= ${ended}
    ORDER BY ${table.deletedAt} LIMIT ${inline(ROWS_PER_RUN)})`)
  return [erase]
})

/** Lists the due records of each table in purge order, and erases the texts of expired tombstones. */
export async function listDue(store: Store): Promise<Due[][]> {
  const found = await store.batch(null, ...PARTS.map(({ due }) => due({})), ...ERASING.map((erase) => erase({})))
  return found.slice(0, PARTS.length) as Due[][]
}

export async function deleteDue(store: Store, place: number, records: readonly Due[]): Promise<void> {
  const values = { due: JSON.stringify(records) }
  await store.batch(null, ...(PARTS[place]?.statements ?? []).map((make) => make(values)))
}
