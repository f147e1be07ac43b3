import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isAnyRow, isRemoved, isVisible, linkTable, timestampColumns } from './columns'

export const tags = sqliteTable(
  'tags',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    name: text().notNull(),
    slug: text().notNull(),
    color: text(),
    ...timestampColumns,
    version: integer().notNull().default(1),
    deletedAt: integer('deleted_at'),
    usageCount: integer('usage_count').notNull().default(0),
  },
  (t) => [
    uniqueIndex('tags_slug').on(t.productId, t.slug).where(isVisible),
    index('tags_removed').on(t.deletedAt).where(isRemoved),
    index('tags_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('tags_updated').on(t.productId, t.updatedAt, t.id).where(isVisible),
    index('tags_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)

export const feedbackTags = linkTable(
  'feedback_tags',
  {
    feedbackId: integer('feedback_id').notNull(),
    tagId: integer('tag_id').notNull(),
  },
  (t) => [index('feedback_tags_tag').on(t.subscriptionId, t.tagId)],
)
