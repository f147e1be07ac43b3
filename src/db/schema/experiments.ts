import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isRemoved, isVisible, linkTable, removableColumns } from './columns'

export const experiments = sqliteTable(
  'experiments',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    externalKey: text('external_key').notNull(),
    title: text().notNull(),
    hypothesis: text(),
    method: text(),
    successCriteria: text('success_criteria'),
    targetValue: integer('target_value'),
    actualValue: integer('actual_value'),
    status: text().notNull().default('draft'),
    result: text(),
    decision: text(),
    learnings: text(),
    kpiId: integer('kpi_id'),
    opportunityId: integer('opportunity_id'),
    startedAt: integer('started_at'),
    stoppedAt: integer('stopped_at'),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('experiments_key').on(t.subscriptionId, t.externalKey),
    index('experiments_created').on(t.productId, t.createdAt, t.id).where(isVisible),
    index('experiments_status').on(t.productId, t.status, t.createdAt, t.id).where(isVisible),
    index('experiments_kpi').on(t.subscriptionId, t.kpiId).where(sql`kpi_id IS NOT NULL`),
    index('experiments_opportunity').on(t.subscriptionId, t.opportunityId).where(sql`opportunity_id IS NOT NULL`),
    index('experiments_removed').on(t.deletedAt).where(isRemoved),
    index('experiments_heavy')
      .on(t.subscriptionId)
      .where(
        sql`coalesce(octet_length(hypothesis), 0) + coalesce(octet_length(method), 0) + coalesce( octet_length(success_criteria), 0 ) + coalesce(octet_length(learnings), 0) > 40000`,
      ),
    index('experiments_updated').on(t.productId, t.updatedAt, t.id).where(isVisible),
    index('experiments_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)

export const experimentPersonas = sqliteTable(
  'experiment_personas',
  {
    subscriptionId: integer('subscription_id').notNull(),
    experimentId: integer('experiment_id').notNull(),
    personaId: integer('persona_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.experimentId, t.personaId] }),
    index('experiment_personas_persona').on(t.subscriptionId, t.personaId, t.createdAt, t.experimentId),
  ],
)

export const experimentWorkItems = linkTable(
  'experiment_work_items',
  {
    experimentId: integer('experiment_id').notNull(),
    workItemId: integer('work_item_id').notNull(),
  },
  (t) => [index('experiment_work_items_item').on(t.subscriptionId, t.workItemId)],
)
