import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  commentColumns,
  hasExternalId,
  idColumns,
  isAnyRow,
  isRemoved,
  isVisible,
  linkTable,
  removableColumns,
} from './columns'

export const workItems = sqliteTable(
  'work_items',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    type: text().notNull(),
    externalKey: text('external_key').notNull(),
    epicId: integer('epic_id'),
    featureId: integer('feature_id'),
    rank: text().notNull(),
    status: text().notNull().default('active'),
    summary: text().notNull(),
    color: text().notNull().default(''),
    progress: text().notNull().default('to-do'),
    progressPercentage: integer('progress_percentage').notNull().default(0),
    firstChild: text('first_child').notNull().default(''),
    backlog: integer().notNull().default(1),
    description: text().notNull().default(''),
    businessGoal: text('business_goal').notNull().default(''),
    personas: text().notNull().default('[]'),
    teamId: integer('team_id'),
    userIds: text('user_ids').notNull().default('[]'),
    startDate: integer('start_date'),
    endDate: integer('end_date'),
    tags: text().notNull().default('[]'),
    urls: text().notNull().default('[]'),
    jiraId: text('jira_id').notNull().default(''),
    jiraKey: text('jira_key').notNull().default(''),
    externalProgress: text('external_progress').notNull().default(''),
    estimate: text().notNull().default(''),
    businessValue: text('business_value').notNull().default(''),
    storyPoint: text('story_point').notNull().default(''),
    remainingTime: text('remaining_time').notNull().default(''),
    score: integer().notNull().default(0),
    scoring: text(),
    ...removableColumns,
    attributes: text().notNull().default('{}'),
    /** Generated column: the number in the business value. */
    businessValueNumber: real('business_value_number'),
    /** Generated column, in millionths: story points of a story, estimate of epics and features. */
    points: integer(),
  },
  (t) => [
    uniqueIndex('work_items_key').on(t.subscriptionId, t.externalKey),
    index('work_items_created').on(t.productId, t.type, t.createdAt, t.id).where(isVisible),
    index('work_items_epic').on(t.subscriptionId, t.epicId).where(sql`epic_id IS NOT NULL`),
    index('work_items_feature').on(t.subscriptionId, t.featureId).where(sql`feature_id IS NOT NULL`),
    index('work_items_team').on(t.subscriptionId, t.teamId).where(sql`team_id IS NOT NULL`),
    index('work_items_removed').on(t.deletedAt).where(isRemoved),
    index('work_items_heavy')
      .on(t.subscriptionId)
      .where(
        sql`octet_length(description) + octet_length(business_goal) + octet_length(personas) + octet_length(tags) + octet_length(urls) + octet_length(attributes) > 40000`,
      ),
    index('work_items_rank').on(t.productId, t.type, t.rank, t.id).where(isVisible),
    index('work_items_updated').on(t.productId, t.type, t.updatedAt, t.id).where(isVisible),
    index('work_items_score').on(t.productId, t.type, t.score, t.id).where(isVisible),
    index('work_items_value')
      .on(t.productId, t.type, t.businessValueNumber, t.id)
      .where(sql`deleted_at IS NULL AND business_value_number IS NOT NULL`),
    index('work_items_start')
      .on(t.productId, t.type, t.startDate, t.id)
      .where(sql`deleted_at IS NULL AND start_date IS NOT NULL`),
    index('work_items_end')
      .on(t.productId, t.type, t.endDate, t.id)
      .where(sql`deleted_at IS NULL AND end_date IS NOT NULL`),
    index('work_items_jira_key').on(t.productId, t.jiraKey).where(sql`jira_key <> ''`),
    index('work_items_jira_id').on(t.productId, t.jiraId).where(sql`jira_id <> ''`),
    index('work_items_removed_rank').on(t.productId, t.type, t.rank, t.id).where(isRemoved),
    index('work_items_assigned').on(t.subscriptionId, t.userIds).where(sql`user_ids <> '[]' AND deleted_at IS NULL`),
    index('work_items_removed_list').on(t.productId, t.type, t.deletedAt).where(isRemoved),
    index('work_items_all_created')
      .on(t.subscriptionId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND product_id > 0`),
    index('work_items_all_updated')
      .on(t.subscriptionId, t.updatedAt, t.id)
      .where(sql`deleted_at IS NULL AND product_id > 0`),
    index('work_items_all_removed').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

/** Sums of the leaves below an epic or a feature, kept by triggers (0007_backlog.sql). */
export const workItemRollups = sqliteTable(
  'work_item_rollups',
  {
    subscriptionId: integer('subscription_id').notNull(),
    workItemId: integer('work_item_id').notNull(),
    leaves: integer().notNull(),
    /** In millionths, like all columns of points. */
    points: integer().notNull(),
    done: integer().notNull(),
    weighted: integer().notNull(),
    percent: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.workItemId] })],
)

export const workItemFiles = linkTable(
  'work_item_files',
  {
    workItemId: integer('work_item_id').notNull(),
    assetId: integer('asset_id').notNull(),
  },
  (t) => [index('work_item_files_asset').on(t.subscriptionId, t.assetId)],
)

export const workItemKpis = linkTable(
  'work_item_kpis',
  {
    workItemId: integer('work_item_id').notNull(),
    kpiId: integer('kpi_id').notNull(),
  },
  (t) => [index('work_item_kpis_kpi').on(t.subscriptionId, t.kpiId)],
)

export const workItemTags = linkTable(
  'work_item_tags',
  {
    productId: integer('product_id').notNull(),
    slug: text().notNull(),
    workItemId: integer('work_item_id').notNull(),
  },
  (t) => [index('work_item_tags_item').on(t.subscriptionId, t.workItemId)],
)

export const workItemKeys = sqliteTable(
  'work_item_keys',
  {
    subscriptionId: integer('subscription_id').notNull(),
    externalKey: text('external_key').notNull(),
    workItemId: integer('work_item_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.externalKey] }),
    index('work_item_keys_item').on(t.subscriptionId, t.workItemId),
  ],
)

export const workItemLinks = sqliteTable(
  'work_item_links',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    fromId: integer('from_id').notNull(),
    toId: integer('to_id').notNull(),
    type: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('work_item_links_to').on(t.subscriptionId, t.toId, t.type, t.fromId),
    index('work_item_links_from').on(t.subscriptionId, t.fromId, t.type, t.toId),
  ],
)

export const workItemBulkRows = sqliteTable(
  'work_item_bulk',
  {
    subscriptionId: integer('subscription_id').notNull(),
    n: integer().notNull(),
    op: text().notNull(),
    type: text().notNull(),
    targetId: integer('target_id'),
    itemId: integer('item_id'),
    externalKey: text('external_key'),
    parent: integer(),
    body: text().notNull(),
    problem: text(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.n] }),
    index('work_item_bulk_target').on(t.subscriptionId, t.targetId).where(sql`target_id IS NOT NULL`),
    index('work_item_bulk_parent').on(t.subscriptionId, t.parent, t.targetId).where(sql`parent IS NOT NULL`),
  ],
)

export const workItemForeignIds = sqliteTable(
  'work_item_foreign_ids',
  {
    subscriptionId: integer('subscription_id').notNull(),
    productId: integer('product_id').notNull(),
    source: text().notNull(),
    foreignId: text('foreign_id').notNull(),
    workItemId: integer('work_item_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.productId, t.source, t.foreignId] }),
    index('work_item_foreign_ids_item').on(t.subscriptionId, t.workItemId),
    index('work_item_foreign_ids_id').on(t.subscriptionId, t.foreignId),
  ],
)

export const workItemComments = sqliteTable(
  'work_item_comments',
  {
    ...idColumns,
    workItemId: integer('work_item_id').notNull(),
    ...commentColumns,
  },
  (t) => [
    index('work_item_comments_thread')
      .on(t.subscriptionId, t.workItemId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL OR tombstone > 0`),
    index('work_item_comments_parent').on(t.subscriptionId, t.parentId).where(sql`parent_id IS NOT NULL`),
    index('work_item_comments_heavy').on(t.subscriptionId).where(sql`octet_length(text) > 40000`),
    index('work_item_comments_removed').on(t.deletedAt).where(sql`deleted_at IS NOT NULL AND tombstone = 0`),
    index('work_item_comments_tomb_removed').on(t.deletedAt).where(sql`tombstone = 1`),
    index('work_item_comments_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('work_item_comments_user').on(t.subscriptionId, t.userId).where(isVisible),
    index('work_item_comments_updated')
      .on(t.subscriptionId, t.workItemId, t.updatedAt, t.id)
      .where(sql`(deleted_at IS NULL OR tombstone > 0) AND version > 0`),
    index('work_item_comments_external_id')
      .on(t.subscriptionId, t.workItemId, t.source, t.externalId)
      .where(hasExternalId),
  ],
)
