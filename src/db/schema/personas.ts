import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const personas = sqliteTable('personas', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  productId: integer('product_id'),
  externalKey: text('external_key').notNull(),
  name: text().notNull(),
  occupation: text(),
  quote: text(),
  description: text(),
  color: text(),
  goals: text().notNull().default('[]'),
  pains: text().notNull().default('[]'),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
  avatar: text(),
  boardSegmentId: integer('board_segment_id'),
})

export const personaSummaries = sqliteTable('persona_summaries', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  personaId: integer('persona_id').notNull(),
  type: text().notNull(),
  text: text().notNull(),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const personaDocumentation = sqliteTable(
  'persona_documentation',
  {
    subscriptionId: integer('subscription_id').notNull(),
    personaId: integer('persona_id').notNull(),
    title: text().notNull().default(''),
    content: text().notNull().default(''),
    version: integer().notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.personaId] })],
)

export const opportunities = sqliteTable('opportunities', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
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
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})
