import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns } from './columns'

export const documentTemplates = sqliteTable('document_templates', {
  ...idColumns,
  title: text().notNull(),
  category: text(),
  content: text().notNull().default(''),
  variables: text().notNull().default('[]'),
  ...removableColumns,
})

export const documents = sqliteTable('documents', {
  ...idColumns,
  productId: integer('product_id').notNull(),
  externalKey: text('external_key').notNull(),
  title: text().notNull(),
  content: text().notNull().default(''),
  templateId: integer('template_id'),
  ...removableColumns,
})
