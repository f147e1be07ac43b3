import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets, attachments } from '../../../db/schema/assets'
import { changelogEntries, changelogFollowers, changelogIdeas, changelogVersions } from '../../../db/schema/changelog'
import { documents, documentTemplates } from '../../../db/schema/documents'
import { addressKeys, erasedAddresses, erasures } from '../../../db/schema/erasures'
import { experimentPersonas, experiments, experimentWorkItems } from '../../../db/schema/experiments'
import { backupSchedule, exportEntries, exportRuns, restoredIds } from '../../../db/schema/exports'
import {
  feedbackBulkRows,
  feedbackCategories,
  feedbackChanges,
  feedbackComments,
  feedbackItems,
  feedbackMergedComments,
  feedbackSlugs,
  feedbackStatuses,
  feedbackSubscriptions,
  feedbackVotes,
} from '../../../db/schema/feedback'
import { importRefusals, importRows, imports, importWarnings } from '../../../db/schema/imports'
import { kpiDays, kpiRecords, kpis } from '../../../db/schema/kpis'
import {
  feedbackNotices,
  mailPreferences,
  mailSilence,
  noticeDigests,
  noticePeople,
  notices,
} from '../../../db/schema/notices'
import { deadLetters } from '../../../db/schema/operating'
import {
  personaBoardSegments,
  personaCustomFields,
  personaCustomOptions,
  personaCustomValues,
} from '../../../db/schema/persona-board'
import { opportunities, personaDocumentation, personaSummaries, personas } from '../../../db/schema/personas'
import { portals } from '../../../db/schema/portals'
import {
  emailChunks,
  emailRecipients,
  emailSlices,
  emails,
  invitations,
  mailOutages,
  segmentConfirmations,
  segmentMembers,
  segments,
  suppressions,
} from '../../../db/schema/segments-and-mail'
import { settings } from '../../../db/schema/settings'
import { signInDomains, signInSettings } from '../../../db/schema/sign-in-settings'
import { signIns } from '../../../db/schema/sign-ins'
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
import {
  apiKeys,
  counters,
  detachments,
  idempotencyKeys,
  log,
  logKeeping,
  placements,
  products,
  subscriptions,
  teamMembers,
  teamProducts,
  teams,
  users,
  writtenRows,
} from '../../../db/schema/tenancy'
import {
  incomingReceipts,
  incomingRecords,
  incomingWebhooks,
  webhookDeliveries,
  webhookFeeds,
  webhooks,
} from '../../../db/schema/webhooks'
import {
  workItemBulkRows,
  workItemComments,
  workItemFiles,
  workItemForeignIds,
  workItemKeys,
  workItemKpis,
  workItemLinks,
  workItemRollups,
  workItems,
  workItemTags,
} from '../../../db/schema/work-items'

export interface ExportedTable {
  table: SQLiteTable
  /** The walk reads all rows of the workspace in the order of this index, whose columns after the workspace are `by`. */
  walk?: { index: string; by: readonly SQLiteColumn[]; condition?: SQL }
  /** Secrets, and columns that SQLite computes. */
  leftOut?: readonly SQLiteColumn[]
}

const byId = (table: SQLiteTable & { id: SQLiteColumn }, name: string): ExportedTable => ({
  table,
  walk: { index: `${name}_tenant`, by: [table.id], condition: sql`${table.id} > 0` },
})

const byIndex = (table: SQLiteTable, index: string, ...by: SQLiteColumn[]): ExportedTable => ({
  table,
  walk: { index, by },
})

/** Tables without `walk` are read in the order of the primary key. Records come before the records that refer to them. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  { table: subscriptions, leftOut: [subscriptions.eraseAt] },
  { table: settings },
  { table: counters },
  byIndex(users, 'users_email', users.email),
  byIndex(products, 'products_key', products.externalKey),
  byId(teams, 'teams'),
  { table: teamMembers },
  { table: teamProducts },
  byIndex(assets, 'assets_object', assets.objectKey),

  byId(tags, 'tags'),
  {
    ...byIndex(workItems, 'work_items_key', workItems.externalKey),
    leftOut: [workItems.businessValueNumber, workItems.points],
  },
  { table: workItemKeys },
  { table: workItemForeignIds },
  { table: workItemTags },
  { table: workItemFiles },
  byIndex(workItemLinks, 'work_item_links_to', workItemLinks.toId, workItemLinks.type, workItemLinks.fromId),
  byId(workItemComments, 'work_item_comments'),
  byIndex(solutionVersions, 'solution_versions_key', solutionVersions.externalKey),
  { table: solutionVersionItems },
  byId(storyMaps, 'story_maps'),
  byIndex(
    storyMapActivities,
    'story_map_activities_rank',
    storyMapActivities.storyMapId,
    storyMapActivities.rank,
    storyMapActivities.id,
  ),
  byIndex(
    storyMapSteps,
    'story_map_steps_rank',
    ...[storyMapSteps.storyMapId, storyMapSteps.activityId, storyMapSteps.rank, storyMapSteps.id],
  ),
  byIndex(
    storyMapSwimlanes,
    'story_map_swimlanes_rank',
    storyMapSwimlanes.storyMapId,
    storyMapSwimlanes.rank,
    storyMapSwimlanes.id,
  ),
  byIndex(storyMapCards, 'story_map_cards_story', storyMapCards.workItemId, storyMapCards.storyMapId),

  byIndex(kpis, 'kpis_key', kpis.externalKey),
  { table: kpiRecords },
  { table: kpiDays },
  { table: workItemKpis },

  byId(feedbackStatuses, 'feedback_statuses'),
  byId(feedbackCategories, 'feedback_categories'),
  {
    ...byIndex(feedbackItems, 'feedback_items_key', feedbackItems.externalKey),
    leftOut: [feedbackItems.trending],
  },
  { table: feedbackSlugs },
  { table: feedbackTags },
  { table: feedbackVotes },
  { table: feedbackSubscriptions },
  byIndex(
    feedbackComments,
    'feedback_comments_created',
    ...[feedbackComments.feedbackId, feedbackComments.isPrivate, feedbackComments.createdAt, feedbackComments.id],
  ),
  { table: feedbackMergedComments },
  byIndex(
    feedbackStatusUpdates,
    'feedback_status_updates_created',
    ...[feedbackStatusUpdates.feedbackId, feedbackStatusUpdates.createdAt, feedbackStatusUpdates.id],
  ),
  byIndex(changelogEntries, 'changelog_entries_key', changelogEntries.externalKey),
  { table: changelogIdeas },
  { table: changelogVersions },
  { table: changelogFollowers },

  byId(segments, 'segments'),
  // Before the members, whose triggers keep existing confirmations.
  { table: segmentConfirmations },
  { table: segmentMembers },
  { table: invitations },
  { table: mailPreferences },
  {
    table: portals,
    leftOut: [
      ...[portals.endUserSecret, portals.previousSecret, portals.previousUntil, portals.sealedBy],
      ...[portals.domain, portals.domainVerified],
    ],
  },
  byIndex(suppressions, 'suppressions_address', suppressions.email, suppressions.segmentId),
  byIndex(emails, 'emails_reference', emails.randomName),
  { table: emailRecipients },

  byId(personaBoardSegments, 'persona_board_segments'),
  byId(personaCustomFields, 'persona_custom_fields'),
  byIndex(personaCustomOptions, 'persona_custom_options_field', personaCustomOptions.fieldId, personaCustomOptions.id),
  byIndex(personas, 'personas_key', personas.externalKey),
  byId(personaSummaries, 'persona_summaries'),
  { table: personaDocumentation },
  { table: personaCustomValues },
  byIndex(opportunities, 'opportunities_key', opportunities.externalKey),
  byIndex(experiments, 'experiments_key', experiments.externalKey),
  { table: experimentPersonas },
  { table: experimentWorkItems },
  byId(documentTemplates, 'document_templates'),
  byIndex(documents, 'documents_key', documents.externalKey),

  {
    ...byIndex(webhooks, 'webhooks_key', webhooks.keyId, webhooks.id),
    leftOut: [
      ...[webhooks.secret, webhooks.previousSecret, webhooks.previousUntil, webhooks.sealedBy],
      ...[webhooks.hookTokenHash, webhooks.sealedUrl],
    ],
  },
  {
    ...byIndex(incomingWebhooks, 'incoming_webhooks_token', incomingWebhooks.tokenHash),
    leftOut: [
      ...[incomingWebhooks.tokenHash, incomingWebhooks.previousTokenHash, incomingWebhooks.secret],
      ...[incomingWebhooks.previousSecret, incomingWebhooks.previousUntil, incomingWebhooks.sealedBy],
    ],
  },
  { table: attachments },
  { table: detachments },
]

const SECRETS_REASON = 'secrets'
const WORK_REASON = 'pending work of the service'
const OWN_REASON = 'bookkeeping of the service'

/** Tables of the workspace that an export leaves out, with the reason. The log has a step of its own. */
export const LEFT_OUT_TABLES: readonly (readonly [SQLiteTable, reason: string])[] = [
  [log, 'a file of its own, on request'],
  [apiKeys, SECRETS_REASON],
  [signIns, SECRETS_REASON],
  [signInSettings, SECRETS_REASON],
  [signInDomains, 'domains that a workspace of this service has verified'],
  [addressKeys, SECRETS_REASON],
  [erasedAddresses, 'hashes that only the key of the service can compare'],
  [erasures, 'the people are erased'],
  [imports, 'runs of the past, with a journal for an undo by id'],
  [importRows, 'the journal of an import'],
  [importWarnings, 'the journal of an import'],
  [importRefusals, 'the journal of an import'],
  [workItemRollups, 'sums that triggers compute'],
  [workItemBulkRows, WORK_REASON],
  [feedbackBulkRows, WORK_REASON],
  [feedbackChanges, WORK_REASON],
  [placements, WORK_REASON],
  [mailSilence, WORK_REASON],
  [feedbackNotices, WORK_REASON],
  [notices, WORK_REASON],
  [noticePeople, WORK_REASON],
  [noticeDigests, WORK_REASON],
  [emailChunks, WORK_REASON],
  [emailSlices, WORK_REASON],
  [webhookDeliveries, WORK_REASON],
  [webhookFeeds, WORK_REASON],
  [incomingReceipts, WORK_REASON],
  [incomingRecords, OWN_REASON],
  [deadLetters, WORK_REASON],
  [mailOutages, OWN_REASON],
  [idempotencyKeys, OWN_REASON],
  [writtenRows, OWN_REASON],
  [logKeeping, OWN_REASON],
  [exportRuns, OWN_REASON],
  [exportEntries, OWN_REASON],
  [restoredIds, OWN_REASON],
  [backupSchedule, OWN_REASON],
]
