import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const personaBoardSegments = sqliteTable('persona_board_segments', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  name: text().notNull(),
  color: text(),
  order: integer().notNull(),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const personaCustomFields = sqliteTable('persona_custom_fields', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  name: text().notNull(),
  type: text().notNull(),
  required: integer().notNull().default(0),
  order: integer().notNull(),
  version: integer().notNull().default(1),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
})

export const personaCustomOptions = sqliteTable('persona_custom_options', {
  id: integer().primaryKey(),
  subscriptionId: integer('subscription_id').notNull(),
  fieldId: integer('field_id').notNull(),
  label: text().notNull(),
})

export const personaCustomValues = sqliteTable(
  'persona_custom_values',
  {
    subscriptionId: integer('subscription_id').notNull(),
    personaId: integer('persona_id').notNull(),
    fieldId: integer('field_id').notNull(),
    value: text(),
  },
  (t) => [primaryKey({ columns: [t.subscriptionId, t.personaId, t.fieldId] })],
)
