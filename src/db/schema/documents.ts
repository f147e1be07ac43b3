import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { idColumns, isAnyRow, isRemoved, isVisible, removableColumns } from './columns'

export const documentTemplates = sqliteTable(
  'document_templates',
  {
    ...idColumns,
    title: text().notNull(),
    category: text(),
    content: text().notNull().default(''),
    variables: text().notNull().default('[]'),
    ...removableColumns,
  },
  (t) => [
    index('document_templates_created').on(t.subscriptionId, t.createdAt, t.id).where(isVisible),
    index('document_templates_category')
      .on(t.subscriptionId, t.category, t.createdAt, t.id)
      .where(sql`deleted_at IS NULL AND category IS NOT NULL`),
    index('document_templates_removed').on(t.deletedAt).where(isRemoved),
    index('document_templates_heavy')
      .on(t.subscriptionId)
      .where(sql`octet_length(content) + octet_length(variables) > 40000`),
    index('document_templates_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('document_templates_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('document_templates_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const documents = sqliteTable(
  'documents',
  {
    ...idColumns,
    productId: integer('product_id').notNull(),
    externalKey: text('external_key').notNull(),
    title: text().notNull(),
    content: text().notNull().default(''),
    templateId: integer('template_id'),
    ...removableColumns,
  },
  (t) => [
    uniqueIndex('documents_key').on(t.subscriptionId, t.externalKey),
    index('documents_created').on(t.productId, t.createdAt, t.id).where(isVisible),
    index('documents_template').on(t.subscriptionId, t.templateId).where(sql`template_id IS NOT NULL`),
    index('documents_removed').on(t.deletedAt).where(isRemoved),
    index('documents_heavy').on(t.subscriptionId).where(sql`octet_length(content) > 40000`),
    index('documents_updated').on(t.productId, t.updatedAt, t.id).where(isVisible),
    index('documents_removed_list').on(t.productId, t.deletedAt).where(isRemoved),
  ],
)
