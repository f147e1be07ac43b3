import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isRemoved, isVisible, linkTable, removableColumns } from './columns'

export const assets = sqliteTable(
  'assets',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    userId: integer('user_id').notNull(),
    objectKey: text('object_key').notNull(),
    name: text().notNull(),
    description: text(),
    size: integer().notNull(),
    mime: text().notNull(),
    sha256: text().notNull(),
    usedAt: text('used_at').notNull().default(''),
    artifactId: integer('artifact_id'),
    status: text().notNull().default('active'),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('assets_object').on(t.subscriptionId, t.objectKey),
    index('assets_created').on(t.productId, t.createdAt, t.id).where(isVisible),
    index('assets_removed').on(t.deletedAt).where(isRemoved),
    index('assets_updated').on(t.productId, t.updatedAt, t.id).where(isVisible),
    index('assets_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)

export const attachments = linkTable(
  'attachments',
  {
    kind: text().notNull(),
    holderId: integer('holder_id').notNull(),
    assetId: integer('asset_id').notNull(),
  },
  (t) => [index('attachments_asset').on(t.subscriptionId, t.assetId)],
)
