import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { idColumns, isAnyRow, isRemoved, isVisible, removableColumns } from './columns'

export const personaBoardSegments = sqliteTable(
  'persona_board_segments',
  {
    ...idColumns,
    name: text().notNull(),
    color: text(),
    order: integer().notNull(),
    ...removableColumns,
  },
  (t) => [
    index('persona_board_segments_name').on(t.subscriptionId, t.name).where(isVisible),
    index('persona_board_segments_order').on(t.subscriptionId, t.order, t.id).where(isVisible),
    index('persona_board_segments_removed').on(t.deletedAt).where(isRemoved),
    index('persona_board_segments_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('persona_board_segments_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('persona_board_segments_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const personaCustomFields = sqliteTable(
  'persona_custom_fields',
  {
    ...idColumns,
    name: text().notNull(),
    type: text().notNull(),
    required: integer().notNull().default(0),
    order: integer().notNull(),
    ...removableColumns,
  },
  (t) => [
    index('persona_custom_fields_name').on(t.subscriptionId, t.name).where(isVisible),
    index('persona_custom_fields_order').on(t.subscriptionId, t.order, t.id).where(isVisible),
    index('persona_custom_fields_removed').on(t.deletedAt).where(isRemoved),
    index('persona_custom_fields_tenant').on(t.subscriptionId, t.id).where(isAnyRow),
    index('persona_custom_fields_updated').on(t.subscriptionId, t.updatedAt, t.id).where(isVisible),
    index('persona_custom_fields_removed_list').on(t.subscriptionId, t.deletedAt).where(isRemoved),
  ],
)

export const personaCustomOptions = sqliteTable(
  'persona_custom_options',
  {
    ...idColumns,
    fieldId: integer('field_id').notNull(),
    label: text().notNull(),
  },
  (t) => [index('persona_custom_options_field').on(t.subscriptionId, t.fieldId, t.id)],
)

export const personaCustomValues = sqliteTable(
  'persona_custom_values',
  {
    subscriptionId: integer('subscription_id').notNull(),
    personaId: integer('persona_id').notNull(),
    fieldId: integer('field_id').notNull(),
    value: text(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.personaId, t.fieldId] }),
    index('persona_custom_values_field').on(t.subscriptionId, t.fieldId, t.personaId),
  ],
)
