import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const solutionVersions = sqliteTable('solution_versions', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  productId: integer('product_id').notNull(),
  externalKey: text('external_key').notNull(),
  name: text().notNull(),
  description: text(),
  status: text().notNull().default('planned'),
  startDate: integer('start_date'),
  releaseDate: integer('release_date'),
  releasedAt: integer('released_at'),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const solutionVersionItems = sqliteTable(
  'solution_version_items',
  {
    subscriptionId: integer('subscription_id').notNull(),
    solutionVersionId: integer('solution_version_id').notNull(),
    workItemId: integer('work_item_id').notNull(),
    position: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.solutionVersionId, t.workItemId] })],
)
