import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets, attachments } from '../../../db/schema/assets'
import { changelogEntries, changelogIdeas, changelogVersions } from '../../../db/schema/changelog'
import { documents, documentTemplates } from '../../../db/schema/documents'
import { experimentPersonas, experiments, experimentWorkItems } from '../../../db/schema/experiments'
import {
  feedbackCategories,
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSlugs,
  feedbackStatuses,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../../db/schema/feedback'
import { kpiDays, kpiRecords, kpis } from '../../../db/schema/kpis'
import {
  personaBoardSegments,
  personaCustomFields,
  personaCustomOptions,
  personaCustomValues,
} from '../../../db/schema/persona-board'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../../db/schema/personas'
import { portals } from '../../../db/schema/portals'
import {
  emailRecipients,
  emails,
  segmentConfirmations,
  segmentMembers,
  segments,
  suppressions,
} from '../../../db/schema/segments-and-mail'
import { solutionVersionItems, solutionVersions } from '../../../db/schema/solution-versions'
import { feedbackStatusUpdates } from '../../../db/schema/status-updates'
import {
  storyMapActivities,
  storyMapCards,
  storyMapSteps,
  storyMapSwimlanes,
  storyMaps,
} from '../../../db/schema/story-maps'
import { feedbackTags, tags } from '../../../db/schema/tags'
import { detachments, products, teamMembers, teamProducts, teams, users } from '../../../db/schema/tenancy'
import { incomingWebhooks, webhooks } from '../../../db/schema/webhooks'
import {
  workItemComments,
  workItemFiles,
  workItemForeignIds,
  workItemKeys,
  workItemKpis,
  workItemLinks,
  workItems,
  workItemTags,
} from '../../../db/schema/work-items'
import { makeLazy } from '../../../db/sql/statement'
import { EXPORTED_TABLES } from './tables'

/** Each column of these names holds the id of a row of the table. */
const TABLE_BY_COLUMN_NAME: Readonly<Record<string, SQLiteTable>> = { productId: products, userId: users }

/** Further columns that hold the id of a row of the table. */
const REFERENCING_COLUMNS: readonly (readonly [SQLiteTable, readonly SQLiteColumn[]])[] = [
  [teams, [teamMembers.teamId, teamProducts.teamId, workItems.teamId, opportunities.teamId]],
  [assets, [attachments.assetId, workItemFiles.assetId, portals.logo, portals.darkLogo, changelogEntries.coverId]],
  [tags, [feedbackTags.tagId]],
  [
    workItems,
    [
      ...[workItems.epicId, workItems.featureId, workItemKeys.workItemId, workItemForeignIds.workItemId],
      ...[workItemTags.workItemId, workItemFiles.workItemId, workItemLinks.fromId, workItemLinks.toId],
      ...[workItemComments.workItemId, workItemKpis.workItemId, solutionVersionItems.workItemId],
      ...[storyMapCards.workItemId, feedbackItems.workItemId, experimentWorkItems.workItemId],
    ],
  ],
  [workItemComments, [workItemComments.parentId]],
  [
    solutionVersions,
    [
      ...[solutionVersionItems.solutionVersionId, storyMapSwimlanes.solutionVersionId],
      changelogVersions.solutionVersionId,
    ],
  ],
  [changelogEntries, [changelogIdeas.changelogEntryId, changelogVersions.changelogEntryId]],
  [
    storyMaps,
    [
      ...[storyMapActivities.storyMapId, storyMapSteps.storyMapId, storyMapSwimlanes.storyMapId],
      storyMapCards.storyMapId,
    ],
  ],
  [storyMapActivities, [storyMapSteps.activityId]],
  [storyMapSteps, [storyMapCards.stepId]],
  [storyMapSwimlanes, [storyMapCards.swimlaneId]],
  [kpis, [kpiRecords.kpiId, kpiDays.kpiId, workItemKpis.kpiId, experiments.kpiId]],
  [feedbackStatuses, [feedbackItems.statusId]],
  [feedbackCategories, [feedbackItems.categoryId]],
  [
    feedbackItems,
    [
      ...[feedbackItems.mergedInto, feedbackSlugs.feedbackId, feedbackTags.feedbackId, feedbackVotes.feedbackId],
      ...[feedbackVotes.mergedFrom, feedbackSubscriptions.feedbackId, feedbackSubscriptions.mergedFrom],
      ...[feedbackComments.feedbackId, feedbackMergedComments.feedbackId, feedbackStatusUpdates.feedbackId],
      changelogIdeas.feedbackId,
    ],
  ],
  [feedbackComments, [feedbackComments.parentId, feedbackMergedComments.commentId]],
  [segments, [segmentConfirmations.segmentId, segmentMembers.segmentId, suppressions.segmentId, emails.segmentId]],
  [emails, [emailRecipients.emailId]],
  [personaBoardSegments, [personas.boardSegmentId]],
  [personaCustomFields, [personaCustomOptions.fieldId, personaCustomValues.fieldId]],
  [
    personas,
    [
      ...[personaSummaries.personaId, personaDocumentation.personaId, personaCustomValues.personaId],
      ...[opportunities.personaId, experimentPersonas.personaId],
    ],
  ],
  [personaSummaries, [opportunities.summaryId]],
  [opportunities, [experiments.opportunityId]],
  [experiments, [experimentPersonas.experimentId, experimentWorkItems.experimentId]],
  [documentTemplates, [documents.templateId]],
]

/** Columns with a JSON array of ids. */
const REFERENCING_LISTS: readonly (readonly [SQLiteTable, readonly SQLiteColumn[]])[] = [
  [users, [workItems.userIds, workItemComments.mentions, feedbackComments.mentions]],
  [assets, [feedbackItems.coverPhotos]],
  [products, [webhooks.products, portals.products]],
  [feedbackStatuses, [portals.statuses]],
  [feedbackCategories, [portals.categories]],
  [segments, [portals.segments]],
]

interface KindColumn {
  column: SQLiteColumn
  /** Column of the same row with the kind of the row that the id names. */
  kindColumn: SQLiteColumn
  tableByKind: Readonly<Record<string, SQLiteTable>>
}

const OWNERS_BY_KIND = { feedback: feedbackItems, persona: personas, experiment: experiments, document: documents }

const REFERENCES_BY_KIND: readonly KindColumn[] = [
  { column: attachments.holderId, kindColumn: attachments.kind, tableByKind: OWNERS_BY_KIND },
  {
    column: assets.artifactId,
    kindColumn: assets.usedAt,
    tableByKind: { ...OWNERS_BY_KIND, epic: workItems, feature: workItems, userstory: workItems },
  },
  {
    column: detachments.removedId,
    kindColumn: detachments.kind,
    tableByKind: {
      ...{ work_item_epic: workItems, work_item_feature: workItems, work_item_taken: workItems },
      ...{ work_item_back: workItems, work_item_team: teams, opportunity_team: teams, segment_member: users },
    },
  },
  {
    column: detachments.holderId,
    kindColumn: detachments.kind,
    tableByKind: {
      ...{ work_item_epic: workItems, work_item_feature: workItems, work_item_taken: workItems },
      ...{ work_item_back: workItems, work_item_team: workItems },
      ...{ opportunity_team: opportunities, segment_member: segments },
    },
  },
]

/** Ids that name a row outside the export, or a number of the workspace. A restore replaces or keeps these. */
export const COLUMNS_WITHOUT_REFERENCE: readonly SQLiteColumn[] = [
  ...[webhooks.keyId, webhooks.firstKeyId, incomingWebhooks.keyId, incomingWebhooks.firstKeyId],
  ...[emailRecipients.byId, emailRecipients.providerId, workItems.jiraId],
]

export type CellReference =
  | { kind: 'id' | 'ids' | 'personas'; table: string }
  | { kind: 'by kind'; kindName: string; tableByKind: Readonly<Record<string, string>> }
  | { kind: 'options' }
  | { kind: 'member'; table: string; member: string }

const nameOf = (column: SQLiteColumn) => ({
  table: getTableName(column.table),
  name: Object.entries(getTableColumns(column.table)).find(([, member]) => member === column)?.[0] ?? column.name,
})

function collectReferences(): Map<string, Map<string, CellReference>> {
  const references = new Map<string, Map<string, CellReference>>()
  const add = (column: SQLiteColumn, reference: CellReference) => {
    const { table, name } = nameOf(column)
    const cells = references.get(table) ?? new Map<string, CellReference>()
    references.set(table, cells.set(name, reference))
  }
  for (const { table } of EXPORTED_TABLES) {
    const columns = getTableColumns(table) as Record<string, SQLiteColumn>
    for (const [name, target] of Object.entries(TABLE_BY_COLUMN_NAME))
      if (columns[name]) add(columns[name], { kind: 'id', table: getTableName(target) })
  }
  for (const [target, columns] of REFERENCING_COLUMNS)
    for (const column of columns) add(column, { kind: 'id', table: getTableName(target) })
  for (const [target, columns] of REFERENCING_LISTS)
    for (const column of columns) add(column, { kind: 'ids', table: getTableName(target) })
  for (const { column, kindColumn, tableByKind } of REFERENCES_BY_KIND) {
    const tables = Object.entries(tableByKind).map(([kind, table]) => [kind, getTableName(table)])
    add(column, { kind: 'by kind', kindName: nameOf(kindColumn).name, tableByKind: Object.fromEntries(tables) })
  }
  add(workItems.personas, { kind: 'personas', table: getTableName(personas) })
  add(personaCustomValues.value, { kind: 'options' })
  for (const column of [emails.variables, emailRecipients.variables])
    add(column, { kind: 'member', table: getTableName(products), member: 'productId' })
  return references
}

const getReferences = makeLazy(collectReferences)
const NO_REFERENCES: ReadonlyMap<string, CellReference> = new Map()

/** The references in the columns of a table, by the column name of the schema. */
export const referencesOf = (table: string): ReadonlyMap<string, CellReference> =>
  getReferences().get(table) ?? NO_REFERENCES
