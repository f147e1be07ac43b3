import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns, versionColumns } from './columns'

export const personas = sqliteTable('personas', {
  ...idColumns,
  productId: integer('product_id'),
  externalKey: text('external_key').notNull(),
  name: text().notNull(),
  occupation: text(),
  quote: text(),
  description: text(),
  color: text(),
  goals: text().notNull().default('[]'),
  pains: text().notNull().default('[]'),
  ...removableColumns,
  avatar: text(),
  boardSegmentId: integer('board_segment_id'),
})

export const personaSummaries = sqliteTable('persona_summaries', {
  ...idColumns,
  personaId: integer('persona_id').notNull(),
  type: text().notNull(),
  text: text().notNull(),
  ...removableColumns,
})

export const personaDocumentation = sqliteTable(
  'persona_documentation',
  {
    subscriptionId: integer('subscription_id').notNull(),
    personaId: integer('persona_id').notNull(),
    title: text().notNull().default(''),
    content: text().notNull().default(''),
    ...versionColumns,
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.personaId] })],
)

export const opportunities = sqliteTable('opportunities', {
  ...idColumns,
  productId: integer('product_id'),
  personaId: integer('persona_id').notNull(),
  summaryId: integer('summary_id').notNull(),
  externalKey: text('external_key').notNull(),
  summary: text().notNull(),
  description: text().notNull().default(''),
  color: text().notNull().default(''),
  spread: text().notNull().default(''),
  intensity: text().notNull().default(''),
  progress: text().notNull().default('to-do'),
  status: text().notNull().default('active'),
  teamId: integer('team_id'),
  order: integer().notNull(),
  planOrder: integer('plan_order').notNull(),
  ...removableColumns,
})
