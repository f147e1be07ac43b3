import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isRemoved, isVisible, removableColumns } from './columns'

export const kpis = sqliteTable(
  'kpis',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    externalKey: text('external_key').notNull(),
    title: text().notNull(),
    statement: text(),
    benchmark: integer().notNull().default(0),
    benchmarkUnit: text('benchmark_unit'),
    benchmarkType: text('benchmark_type'),
    aggregate: text().notNull().default('last'),
    dueDate: integer('due_date'),
    visualization: integer().notNull().default(1),
    dashboardVisualization: integer('dashboard_visualization').notNull().default(0),
    order: integer().notNull(),
    linked: integer().notNull().default(0),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('kpis_key').on(t.subscriptionId, t.externalKey),
    index('kpis_order').on(t.productId, t.order, t.id).where(isVisible),
    index('kpis_linked_order').on(t.productId, t.linked, t.order, t.id).where(isVisible),
    index('kpis_removed').on(t.deletedAt).where(isRemoved),
    index('kpis_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)

export const kpiRecords = sqliteTable(
  'kpi_records',
  {
    subscriptionId: integer('subscription_id').notNull(),
    kpiId: integer('kpi_id').notNull(),
    createdAt: integer('created_at').notNull(),
    id: integer().notNull(),
    value: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.kpiId, t.createdAt, t.id] })],
)

export const kpiDays = sqliteTable(
  'kpi_days',
  {
    subscriptionId: integer('subscription_id').notNull(),
    kpiId: integer('kpi_id').notNull(),
    day: integer().notNull(),
    records: integer().notNull(),
    sumHigh: integer('sum_high').notNull(),
    sumLow: integer('sum_low').notNull(),
    least: integer().notNull(),
    greatest: integer().notNull(),
    lastAt: integer('last_at').notNull(),
    lastValue: integer('last_value').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.kpiId, t.day] })],
)
