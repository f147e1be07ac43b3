import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns } from './columns'

export const solutionVersions = sqliteTable('solution_versions', {
  ...idColumns,
  productId: integer('product_id').notNull(),
  externalKey: text('external_key').notNull(),
  name: text().notNull(),
  description: text(),
  status: text().notNull().default('planned'),
  startDate: integer('start_date'),
  releaseDate: integer('release_date'),
  releasedAt: integer('released_at'),
  ...removableColumns,
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
