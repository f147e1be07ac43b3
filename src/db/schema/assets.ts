import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const assets = sqliteTable('assets', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
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
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

/** Attached files, except for work items (`work_item_files`). */
export const attachments = sqliteTable(
  'attachments',
  {
    subscriptionId: integer('subscription_id').notNull(),
    kind: text().notNull(),
    holderId: integer('holder_id').notNull(),
    assetId: integer('asset_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.kind, t.holderId, t.assetId] })],
)
