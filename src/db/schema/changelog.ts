import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  externalIdColumns,
  hasExternalId,
  idColumns,
  isRemoved,
  isVisible,
  linkTable,
  removableColumns,
  tenantColumn,
} from './columns'

export const changelogEntries = sqliteTable(
  'changelog_entries',
  {
    ...idColumns,
    productId: integer('product_id'),
    externalKey: text('external_key').notNull(),
    title: text().notNull(),
    content: text().notNull().default(''),
    labels: text().notNull().default('[]'),
    coverId: integer('cover_id'),
    status: text().notNull().default('draft'),
    publishAt: integer('publish_at'),
    publishedAt: integer('published_at'),
    ...removableColumns,
    notify: text().notNull().default('later'),
    announcedAt: integer('announced_at'),
    ...externalIdColumns,
  },
  (t) => [
    uniqueIndex('changelog_entries_key').on(t.subscriptionId, t.externalKey),
    index('changelog_entries_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('changelog_entries_published').on(t.subscriptionId, t.publishedAt, t.id).where(isVisible),
    index('changelog_entries_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('changelog_entries_status').on(t.subscriptionId, t.status, t.createdAt, t.id).where(isVisible),
    index('changelog_entries_product').on(t.subscriptionId, t.productId, t.createdAt, t.id).where(isVisible),
    index('changelog_entries_product_status')
      .on(t.subscriptionId, t.productId, t.status, t.createdAt, t.id)
      .where(isVisible),
    index('changelog_entries_product_published')
      .on(t.subscriptionId, t.productId, t.publishedAt, t.id)
      .where(isVisible),
    index('changelog_entries_cover').on(t.subscriptionId, t.coverId).where(sql`cover_id IS NOT NULL`),
    index('changelog_entries_due')
      .on(t.subscriptionId, t.publishAt, t.id)
      .where(sql`status = 'scheduled' AND deleted_at IS NULL`),
    index('changelog_entries_removed').on(t.deletedAt).where(isRemoved),
    index('changelog_entries_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
    index('changelog_entries_heavy').on(t.subscriptionId).where(sql`octet_length(content) > 40000`),
    index('changelog_entries_external_id').on(t.subscriptionId, t.source, t.externalId).where(hasExternalId),
  ],
)

export const changelogIdeas = linkTable(
  'changelog_ideas',
  { changelogEntryId: integer('changelog_entry_id').notNull(), feedbackId: integer('feedback_id').notNull() },
  (t) => [index('changelog_ideas_idea').on(t.subscriptionId, t.feedbackId)],
)

export const changelogVersions = linkTable(
  'changelog_versions',
  {
    changelogEntryId: integer('changelog_entry_id').notNull(),
    solutionVersionId: integer('solution_version_id').notNull(),
  },
  (t) => [index('changelog_versions_version').on(t.subscriptionId, t.solutionVersionId)],
)

export const changelogFollowers = sqliteTable(
  'changelog_followers',
  {
    ...tenantColumn,
    userId: integer('user_id').notNull(),
    leftAt: integer('left_at'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.userId] })],
)
