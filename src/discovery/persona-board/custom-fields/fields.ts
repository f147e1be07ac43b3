import { sql } from 'drizzle-orm'
import { among, computedList, flag, moment } from '../../../db/field'
import { type Key, record } from '../../../db/record'
import { personaCustomFields, personaCustomOptions, personaCustomValues } from '../../../db/schema/persona-board'
import { caller } from '../../../db/statement'
import type { CustomType } from '../../personas/custom-values/fits'
import type { CustomFieldOption } from './schema'

const key = { customFieldId: personaCustomFields.id }
export type CustomFieldKey = Key<typeof key>

export const options = sql`(SELECT json_group_array(json(option)) FROM (
  SELECT json_object('id', o.id, 'label', o.label) AS option FROM ${personaCustomOptions} o
  WHERE o.subscription_id = ${caller.subscription} AND o.field_id = ${personaCustomFields.id} ORDER BY o.id))`

export const customField = record('custom_field', {
  table: personaCustomFields,
  within: 'workspace',
  key,
  unique: { column: personaCustomFields.name, taken: 'Another custom field has this name. Choose another.' },
  fields: {
    id: personaCustomFields.id,
    name: personaCustomFields.name,
    type: among<CustomType>(personaCustomFields.type),
    required: flag(personaCustomFields.required),
    order: personaCustomFields.order,
    options: computedList<CustomFieldOption>(options),
    createdAt: moment(personaCustomFields.createdAt),
    updatedAt: moment(personaCustomFields.updatedAt),
  },
})

export const itsValues = sql`${personaCustomValues} WHERE ${personaCustomValues.subscriptionId} = ${caller.subscription}
  AND ${personaCustomValues.fieldId} = ${customField.id}`
