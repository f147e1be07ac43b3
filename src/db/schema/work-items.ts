import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { commentColumns, idColumns, linkTable, removableColumns } from './columns'

export const workItems = sqliteTable('work_items', {
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
})

/** Sums of the leaves below an epic or a feature, kept by triggers (0081_rolled_up_progress.sql). */
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

export const workItemFiles = linkTable('work_item_files', {
  workItemId: integer('work_item_id').notNull(),
  assetId: integer('asset_id').notNull(),
})

export const workItemKpis = linkTable('work_item_kpis', {
  workItemId: integer('work_item_id').notNull(),
  kpiId: integer('kpi_id').notNull(),
})

export const workItemTags = linkTable('work_item_tags', {
  productId: integer('product_id').notNull(),
  slug: text().notNull(),
  workItemId: integer('work_item_id').notNull(),
})

export const workItemKeys = sqliteTable(
  'work_item_keys',
  {
    subscriptionId: integer('subscription_id').notNull(),
    externalKey: text('external_key').notNull(),
    workItemId: integer('work_item_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.externalKey] })],
)

export const workItemLinks = sqliteTable('work_item_links', {
  ...idColumns,
  productId: integer('product_id').notNull(),
  fromId: integer('from_id').notNull(),
  toId: integer('to_id').notNull(),
  type: text().notNull(),
  createdAt: integer('created_at').notNull(),
})

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
  (t) => [primaryKey({ columns: [t.subscriptionId, t.n] })],
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
  (t) => [primaryKey({ columns: [t.subscriptionId, t.productId, t.source, t.foreignId] })],
)

export const workItemComments = sqliteTable('work_item_comments', {
  ...idColumns,
  workItemId: integer('work_item_id').notNull(),
  ...commentColumns,
})
