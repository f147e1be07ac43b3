import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, removableColumns } from './columns'

export const personaBoardSegments = sqliteTable('persona_board_segments', {
  ...idColumns,
  name: text().notNull(),
  color: text(),
  order: integer().notNull(),
  ...removableColumns,
})

export const personaCustomFields = sqliteTable('persona_custom_fields', {
  ...idColumns,
  name: text().notNull(),
  type: text().notNull(),
  required: integer().notNull().default(0),
  order: integer().notNull(),
  ...removableColumns,
})

export const personaCustomOptions = sqliteTable('persona_custom_options', {
  ...idColumns,
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
