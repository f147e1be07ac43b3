import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isRemoved, isVisible, removableColumns } from './columns'

export const solutionVersions = sqliteTable(
  'solution_versions',
  {
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
    /** Values before the release, for taking the release back. */
    plannedStatus: text('planned_status'),
    plannedReleaseDate: integer('planned_release_date'),
    /** The mail about the release has left at this time at the latest. */
    revocableUntil: integer('revocable_until'),
  },
  (t) => [
    uniqueIndex('solution_versions_key').on(t.subscriptionId, t.externalKey),
    index('solution_versions_created').on(t.productId, t.createdAt, t.id).where(isVisible),
    index('solution_versions_release').on(t.productId, t.releaseDate, t.id).where(isVisible),
    index('solution_versions_removed').on(t.deletedAt).where(isRemoved),
    index('solution_versions_heavy').on(t.subscriptionId).where(sql`coalesce(octet_length(description), 0) > 40000`),
    index('solution_versions_name').on(t.productId, t.name).where(isVisible),
    index('solution_versions_updated').on(t.productId, t.updatedAt, t.id).where(isVisible),
    index('solution_versions_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)

export const solutionVersionItems = sqliteTable(
  'solution_version_items',
  {
    subscriptionId: integer('subscription_id').notNull(),
    solutionVersionId: integer('solution_version_id').notNull(),
    workItemId: integer('work_item_id').notNull(),
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.solutionVersionId, t.workItemId] }),
    index('solution_version_items_item').on(t.subscriptionId, t.workItemId),
  ],
)
