import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  commentColumns,
  externalIdColumns,
  hasExternalId,
  idColumns,
  isAnyRow,
  isRemoved,
  isVisible,
  linkTable,
  removableColumns,
  timestampColumns,
} from './columns'

const isListed = sql`deleted_at IS NULL AND merged_into IS NULL`

export const feedbackStatuses = sqliteTable(
  'feedback_statuses',
  {
    ...idColumns,
    name: text().notNull(),
    slug: text().notNull(),
    color: text(),
    position: integer().notNull(),
    endsVoting: integer('ends_voting').notNull().default(0),
    progress: text(),
    ...removableColumns,
  },
  (t) => [
    index('feedback_statuses_position').on(t.subscriptionId, t.position, t.id).where(isVisible),
    uniqueIndex('feedback_statuses_slug').on(t.subscriptionId, t.slug).where(isVisible),
    index('feedback_statuses_progress').on(t.subscriptionId, t.progress, t.position, t.id).where(isVisible),
    index('feedback_statuses_removed').on(t.deletedAt).where(isRemoved),
    index('feedback_statuses_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('feedback_statuses_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('feedback_statuses_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const feedbackCategories = sqliteTable(
  'feedback_categories',
  {
    ...idColumns,
    name: text().notNull(),
    description: text(),
    slug: text().notNull(),
    ...timestampColumns,
    deletedAt: integer('deleted_at'),
    version: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('feedback_categories_slug').on(t.subscriptionId, t.slug).where(isVisible),
    index('feedback_categories_removed').on(t.deletedAt).where(isRemoved),
    index('feedback_categories_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('feedback_categories_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('feedback_categories_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const feedbackItems = sqliteTable(
  'feedback_items',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    externalKey: text('external_key').notNull(),
    type: text().notNull().default('idea'),
    slug: text().notNull(),
    title: text().notNull(),
    targetAudience: text('target_audience').notNull().default(''),
    valueProposition: text('value_proposition').notNull().default(''),
    categoryId: integer('category_id'),
    shortDescription: text('short_description'),
    longDescription: text('long_description').notNull().default(''),
    videoUrl: text('video_url'),
    iconUrl: text('icon_url'),
    coverPhotoUrl: text('cover_photo_url').notNull().default(''),
    visibilityLevel: text('visibility_level'),
    isVotingOpen: integer('is_voting_open'),
    votingStartTime: integer('voting_start_time'),
    votingEndTime: integer('voting_end_time'),
    isPinned: integer('is_pinned'),
    isAnonymous: integer('is_anonymous'),
    statusId: integer('status_id'),
    userId: integer('user_id').notNull(),
    vote: integer().notNull().default(0),
    comment: integer().notNull().default(0),
    workItemId: integer('work_item_id'),
    ...removableColumns,
    commentBytes: integer('comment_bytes').notNull().default(0),
    mergedInto: integer('merged_into'),
    downVote: integer('down_vote').notNull().default(0),
    /** Generated column, from votes and creation time. */
    trending: integer().notNull(),
    collections: text().notNull().default('[]'),
    coverPhotos: text('cover_photos').notNull().default('[]'),
    attributes: text().notNull().default('{}'),
    ...externalIdColumns,
    statusUpdateCount: integer('status_update_count').notNull().default(0),
  },
  (t) => [
    uniqueIndex('feedback_items_key').on(t.subscriptionId, t.externalKey),
    uniqueIndex('feedback_items_slug').on(t.subscriptionId, t.slug),
    index('feedback_items_removed').on(t.deletedAt).where(isRemoved),
    index('feedback_items_merged').on(t.subscriptionId, t.mergedInto).where(sql`merged_into IS NOT NULL`),
    index('feedback_items_created').on(t.subscriptionId, t.createdAt, t.id).where(isListed),
    index('feedback_items_vote').on(t.subscriptionId, t.vote, t.id).where(isListed),
    index('feedback_items_trending').on(t.subscriptionId, t.trending, t.id).where(isListed),
    index('feedback_items_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isListed),
    index('feedback_items_status')
      .on(t.subscriptionId, t.statusId, t.createdAt, t.id)
      .where(sql`status_id IS NOT NULL`),
    index('feedback_items_pinned')
      .on(t.subscriptionId, t.createdAt, t.id)
      .where(sql`is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL`),
    index('feedback_items_pending')
      .on(t.subscriptionId, t.createdAt, t.id)
      .where(sql`visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL`),
    index('feedback_items_work_item').on(t.subscriptionId, t.workItemId).where(sql`work_item_id IS NOT NULL`),
    index('feedback_items_product').on(t.subscriptionId, t.productId, t.mergedInto, t.createdAt, t.id).where(isVisible),
    index('feedback_items_product_status')
      .on(t.productId, t.statusId, t.createdAt, t.id)
      .where(sql`status_id IS NOT NULL`),
    index('feedback_items_product_pinned')
      .on(t.productId, t.createdAt, t.id)
      .where(sql`is_pinned = 1 AND deleted_at IS NULL AND merged_into IS NULL`),
    index('feedback_items_product_pending')
      .on(t.productId, t.createdAt, t.id)
      .where(sql`visibility_level = 'pending' AND deleted_at IS NULL AND merged_into IS NULL`),
    index('feedback_items_heavy')
      .on(t.subscriptionId)
      .where(
        sql`octet_length(target_audience) + octet_length(value_proposition) + octet_length(long_description) + octet_length(attributes) > 40000`,
      ),
    index('feedback_items_category')
      .on(t.subscriptionId, t.categoryId, t.createdAt, t.id)
      .where(sql`category_id IS NOT NULL`),
    index('feedback_items_type').on(t.subscriptionId, t.type, t.createdAt, t.id).where(isVisible),
    index('feedback_items_author')
      .on(t.subscriptionId, t.userId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND is_anonymous IS NOT 1`),
    uniqueIndex('feedback_items_external_id')
      .on(t.subscriptionId, t.productId, t.source, t.externalId)
      .where(hasExternalId),
    index('feedback_items_id_elsewhere').on(t.subscriptionId, t.externalId).where(hasExternalId),
    index('feedback_items_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
    index('feedback_items_status_vote')
      .on(t.subscriptionId, t.statusId, t.vote, t.id)
      .where(sql`status_id IS NOT NULL AND deleted_at IS NULL AND merged_into IS NULL`),
  ],
)

export const feedbackBulkRows = sqliteTable(
  'feedback_bulk',
  {
    subscriptionId: integer('subscription_id').notNull(),
    n: integer().notNull(),
    productId: integer('product_id'),
    slug: text().notNull(),
    author: text(),
    name: text(),
    body: text().notNull(),
    tags: text().notNull(),
    userId: integer('user_id'),
    itemId: integer('item_id'),
    externalKey: text('external_key'),
    problem: text(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.n] })],
)

export const feedbackChanges = sqliteTable(
  'feedback_changes',
  {
    subscriptionId: integer('subscription_id').notNull(),
    n: integer().notNull(),
    op: text().notNull(),
    externalKey: text('external_key'),
    itemId: integer('item_id'),
    productId: integer('product_id'),
    intoId: integer('into_id'),
    body: text().notNull(),
    tags: text(),
    problem: text(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.n] }),
    index('feedback_changes_item').on(t.subscriptionId, t.itemId),
  ],
)

export const feedbackSlugs = sqliteTable(
  'feedback_slugs',
  {
    subscriptionId: integer('subscription_id').notNull(),
    slug: text().notNull(),
    feedbackId: integer('feedback_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.slug] }),
    index('feedback_slugs_item').on(t.subscriptionId, t.feedbackId),
  ],
)

export const feedbackVotes = sqliteTable(
  'feedback_votes',
  {
    subscriptionId: integer('subscription_id').notNull(),
    feedbackId: integer('feedback_id').notNull(),
    userId: integer('user_id').notNull(),
    createdAt: integer('created_at').notNull(),
    type: text().notNull().default('up'),
    mergedFrom: integer('merged_from'),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.feedbackId, t.userId] }),
    index('feedback_votes_created').on(t.subscriptionId, t.feedbackId, t.createdAt, t.userId),
    index('feedback_votes_user').on(t.subscriptionId, t.userId, t.createdAt),
    index('feedback_votes_up').on(t.subscriptionId, t.feedbackId, t.createdAt, t.userId).where(sql`type = 'up'`),
    index('feedback_votes_merged').on(t.subscriptionId, t.mergedFrom).where(sql`merged_from IS NOT NULL`),
    index('feedback_votes_all').on(t.subscriptionId, t.createdAt, t.feedbackId, t.userId),
  ],
)

export const feedbackSubscriptions = sqliteTable(
  'feedback_subscriptions',
  {
    subscriptionId: integer('subscription_id').notNull(),
    feedbackId: integer('feedback_id').notNull(),
    userId: integer('user_id').notNull(),
    /** `author`, `vote`, `comment` or `asked`; `left` after unsubscribing. */
    reason: text().notNull(),
    mergedFrom: integer('merged_from'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.feedbackId, t.userId] }),
    index('feedback_subscriptions_merged').on(t.subscriptionId, t.mergedFrom).where(sql`merged_from IS NOT NULL`),
    index('feedback_subscriptions_asked').on(t.subscriptionId, t.userId).where(sql`reason = 'asked'`),
  ],
)

export const feedbackComments = sqliteTable(
  'feedback_comments',
  {
    ...idColumns,
    feedbackId: integer('feedback_id').notNull(),
    ...commentColumns,
  },
  (t) => [
    index('feedback_comments_created').on(t.subscriptionId, t.feedbackId, t.isPrivate, t.createdAt, t.id),
    index('feedback_comments_user')
      .on(t.subscriptionId, t.userId, t.createdAt)
      .where(sql`is_private = 0 AND deleted_at IS NULL`),
    index('feedback_comments_thread')
      .on(t.subscriptionId, t.feedbackId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL OR tombstone > 0`),
    index('feedback_comments_parent').on(t.subscriptionId, t.parentId).where(sql`parent_id IS NOT NULL`),
    index('feedback_comments_heavy').on(t.subscriptionId).where(sql`octet_length(text) > 40000`),
    index('feedback_comments_removed').on(t.deletedAt).where(sql`deleted_at IS NOT NULL AND tombstone = 0`),
    index('feedback_comments_tomb_removed').on(t.deletedAt).where(sql`tombstone = 1`),
    index('feedback_comments_private').on(t.subscriptionId, t.userId).where(sql`is_private = 1 AND deleted_at IS NULL`),
    index('feedback_comments_updated')
      .on(t.subscriptionId, t.feedbackId, t.updatedAt, t.id)
      .where(sql`(deleted_at IS NULL OR tombstone > 0) AND version > 0`),
    index('feedback_comments_all_created')
      .on(t.subscriptionId, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL OR tombstone > 0`),
    index('feedback_comments_all_updated')
      .on(t.subscriptionId, t.updatedAt, t.id)
      .where(sql`deleted_at IS NULL OR tombstone > 0`),
    index('feedback_comments_external_id')
      .on(t.subscriptionId, t.feedbackId, t.source, t.externalId)
      .where(hasExternalId),
  ],
)

export const feedbackMergedComments = linkTable(
  'feedback_merged_comments',
  {
    feedbackId: integer('feedback_id').notNull(),
    commentId: integer('comment_id').notNull(),
  },
  (t) => [index('feedback_merged_comments_comment').on(t.subscriptionId, t.commentId)],
)
