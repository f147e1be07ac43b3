import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { commentColumns, idColumns, linkTable, removableColumns, timestampColumns } from './columns'

export const settings = sqliteTable(
  'settings',
  {
    subscriptionId: integer('subscription_id').notNull(),
    feedback: text().notNull().default('{"moderation":false}'),
    version: integer().notNull().default(1),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId] })],
)

export const feedbackStatuses = sqliteTable('feedback_statuses', {
  ...idColumns,
  name: text().notNull(),
  slug: text().notNull(),
  color: text(),
  position: integer().notNull(),
  endsVoting: integer('ends_voting').notNull().default(0),
  progress: text(),
  ...removableColumns,
})

export const feedbackCategories = sqliteTable('feedback_categories', {
  ...idColumns,
  name: text().notNull(),
  description: text(),
  slug: text().notNull(),
  ...timestampColumns,
  deletedAt: integer('deleted_at'),
  version: integer().notNull().default(1),
})

export const feedbackItems = sqliteTable('feedback_items', {
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
})

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

export const feedbackSlugs = sqliteTable(
  'feedback_slugs',
  {
    subscriptionId: integer('subscription_id').notNull(),
    slug: text().notNull(),
    feedbackId: integer('feedback_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.slug] })],
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
  (t) => [primaryKey({ columns: [t.subscriptionId, t.feedbackId, t.userId] })],
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
  (t) => [primaryKey({ columns: [t.subscriptionId, t.feedbackId, t.userId] })],
)

export const feedbackComments = sqliteTable('feedback_comments', {
  ...idColumns,
  feedbackId: integer('feedback_id').notNull(),
  ...commentColumns,
})

export const feedbackNotices = sqliteTable('feedback_notices', {
  ...idColumns,
  feedbackId: integer('feedback_id'),
  statusId: integer('status_id'),
  solutionVersionId: integer('solution_version_id'),
  createdAt: integer('created_at').notNull(),
})

export const feedbackMergedComments = linkTable('feedback_merged_comments', {
  feedbackId: integer('feedback_id').notNull(),
  commentId: integer('comment_id').notNull(),
})

export const tags = sqliteTable('tags', {
  ...idColumns,
  productId: integer('product_id').notNull(),
  name: text().notNull(),
  slug: text().notNull(),
  color: text(),
  ...timestampColumns,
  version: integer().notNull().default(1),
  deletedAt: integer('deleted_at'),
  usageCount: integer('usage_count').notNull().default(0),
})

export const feedbackTags = linkTable('feedback_tags', {
  feedbackId: integer('feedback_id').notNull(),
  tagId: integer('tag_id').notNull(),
})
