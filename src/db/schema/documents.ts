import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const documentTemplates = sqliteTable('document_templates', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  title: text().notNull(),
  category: text(),
  content: text().notNull().default(''),
  variables: text().notNull().default('[]'),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  productId: integer('product_id').notNull(),
  externalKey: text('external_key').notNull(),
  title: text().notNull(),
  content: text().notNull().default(''),
  templateId: integer('template_id'),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})
