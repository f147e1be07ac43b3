import { sql } from 'drizzle-orm'
import { type Key, record } from '../../../db/records/record'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../db/schema/persona-board'
import { computedList, enumField, flag, moment } from '../../../db/sql/field'
import { caller } from '../../../db/sql/statement'
import type { CustomFieldType } from '../../personas/custom-values/fitting-types'
import type { CustomFieldOption } from './schema'

const customFieldKeyColumns = { customFieldId: personaCustomFields.id }
export type CustomFieldKey = Key<typeof customFieldKeyColumns>

export const optionsJsonOfField = sql`(SELECT json_group_array(json(option)) FROM (
  SELECT json_object('id', o.id, 'label', o.label) AS option FROM ${personaCustomOptions} o
  WHERE o.subscription_id = ${caller.subscription} AND o.field_id = ${personaCustomFields.id} ORDER BY o.id))`

export const customField = record('custom_field', {
  table: personaCustomFields,
  scope: 'workspace',
  key: customFieldKeyColumns,
  unique: {
    column: personaCustomFields.name,
    takenMessage: 'Another custom field has this name. Choose a different name.',
  },
  fields: {
    id: personaCustomFields.id,
    name: personaCustomFields.name,
    type: enumField<CustomFieldType>(personaCustomFields.type),
    required: flag(personaCustomFields.required),
    order: personaCustomFields.order,
    options: computedList<CustomFieldOption>(optionsJsonOfField),
    createdAt: moment(personaCustomFields.createdAt),
    updatedAt: moment(personaCustomFields.updatedAt),
  },
})

export const fromValuesOfCustomField = sql`${personaCustomValues} WHERE ${personaCustomValues.subscriptionId} = ${caller.subscription}
  AND ${personaCustomValues.fieldId} = ${customField.id}`
