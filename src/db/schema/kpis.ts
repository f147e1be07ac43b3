import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const kpis = sqliteTable('kpis', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
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
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const kpiRecords = sqliteTable('kpi_records', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  kpiId: integer('kpi_id').notNull(),
  value: integer().notNull(),
  createdAt: integer('created_at').notNull(),
})
