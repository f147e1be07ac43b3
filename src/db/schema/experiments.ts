import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, linkTable, removableColumns } from './columns'

export const experiments = sqliteTable('experiments', {
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
})

export const experimentPersonas = sqliteTable(
  'experiment_personas',
  {
    subscriptionId: integer('subscription_id').notNull(),
    experimentId: integer('experiment_id').notNull(),
    personaId: integer('persona_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.experimentId, t.personaId] })],
)

export const experimentWorkItems = linkTable('experiment_work_items', {
  experimentId: integer('experiment_id').notNull(),
  workItemId: integer('work_item_id').notNull(),
})
