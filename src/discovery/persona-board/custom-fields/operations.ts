import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { PersonaDetail } from '../../personas/schema'
import { attachCustomField as attach, detachCustomField as detach } from './queries/attach'
import * as queries from './queries/fields'
import * as options from './queries/options'
import {
  AttachmentParams,
  CreateCustomField,
  CustomField,
  CustomFieldOption,
  CustomFieldParams,
  ListCustomFields,
  ModifyCustomField,
  OptionBody,
  OptionParams,
} from './schema'

export const createCustomField = operation({
  id: 'createCustomField',
  of: 'custom_field',
  route: 'POST /api/v2/persona-board/custom-fields',
  summary: 'Create a custom field of personas',
  description: 'Attach the field to personas to set values. A name that another field has is a 409.',
  workspaceWide: true,
  body: CreateCustomField,
  data: CustomField,
  message: 'Custom field saved',
  location: '/api/v2/persona-board/custom-fields/{id}',
  handle: ({ body, db }) => queries.createCustomField(db, body),
})

export const listCustomFields = operation({
  id: 'listCustomFields',
  of: 'custom_field',
  route: 'GET /api/v2/persona-board/custom-fields',
  summary: 'List the custom fields of personas',
  description: 'Lists the fields by `order`, without archived fields. Fields belong to the whole workspace.',
  query: ListCustomFields,
  data: z.array(CustomField),
  handle: ({ query, db }) => queries.listCustomFields(db, query),
})

export const getCustomField = operation({
  id: 'getCustomField',
  of: 'custom_field',
  route: 'GET /api/v2/persona-board/custom-fields/{customFieldId}',
  summary: 'Retrieve a custom field of personas',
  description: 'Returns the field with its options.',
  params: CustomFieldParams,
  data: CustomField,
  handle: ({ params, db }) => queries.getCustomField(db, params),
})

export const modifyCustomField = operation({
  id: 'modifyCustomField',
  of: 'custom_field',
  route: 'PUT /api/v2/persona-board/custom-fields/{customFieldId}',
  summary: 'Modify a custom field of personas',
  description: 'Changes the fields that you send. Another `type` is a 409 once a persona has a value.',
  workspaceWide: true,
  params: CustomFieldParams,
  body: ModifyCustomField,
  data: CustomField,
  message: 'Custom field saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyCustomField(db, params, body, ifMatch),
})

export const removeCustomField = operation({
  id: 'removeCustomField',
  of: 'custom_field',
  route: 'DELETE /api/v2/persona-board/custom-fields/{customFieldId}',
  summary: 'Archive a custom field of personas',
  description: 'Personas no longer show the field. You can restore the field and its values for 30 days.',
  workspaceWide: true,
  params: CustomFieldParams,
  message: 'Custom field archived',
  handle: ({ params, db, ifMatch }) => queries.removeCustomField(db, params, ifMatch),
})

export const restoreCustomField = operation({
  id: 'restoreCustomField',
  of: 'custom_field',
  route: 'POST /api/v2/persona-board/custom-fields/{customFieldId}/restore',
  summary: 'Restore an archived custom field of personas',
  description: 'Restores the field with its values. A name that another field has is a 409.',
  workspaceWide: true,
  params: CustomFieldParams,
  data: CustomField,
  message: 'Custom field restored',
  handle: ({ params, db }) => queries.restoreCustomField(db, params),
})

export const purgeCustomField = operation({
  id: 'purgeCustomField',
  ceiling: declareCeiling(100_000, EACH_LINK_COST_REASON),
  of: 'custom_field',
  route: 'DELETE /api/v2/persona-board/custom-fields/{customFieldId}/permanent',
  summary: 'Delete a custom field of personas permanently',
  description: 'Deletes the field, archived or not, with its options and all values. You cannot undo the deletion.',
  workspaceWide: true,
  params: CustomFieldParams,
  message: 'Custom field deleted permanently',
  conditional: false,
  handle: ({ params, db }) => queries.purgeCustomField(db, params),
})

export const createCustomFieldOption = operation({
  id: 'createCustomFieldOption',
  of: 'custom_field',
  route: 'POST /api/v2/persona-board/custom-fields/{customFieldId}/options',
  summary: 'Add an option to a custom field',
  description: 'The field must be a select or multiselect. A label that another option has is a 409.',
  workspaceWide: true,
  params: CustomFieldParams,
  body: OptionBody,
  data: CustomFieldOption,
  message: 'Option saved',
  location: '/api/v2/persona-board/custom-fields/{customFieldId}/options/{id}',
  handle: async ({ params, body, db }) => ({ data: await options.createOption(db, params, body) }),
})

export const modifyCustomFieldOption = operation({
  id: 'modifyCustomFieldOption',
  of: 'custom_field_option',
  route: 'PUT /api/v2/persona-board/custom-fields/{customFieldId}/options/{optionId}',
  summary: 'Rename an option of a custom field',
  description: 'Personas keep the option.',
  workspaceWide: true,
  params: OptionParams,
  body: OptionBody,
  data: CustomFieldOption,
  errors: ['custom_field_not_found', 'option_not_found'],
  message: 'Option saved',
  conditional: false,
  handle: async ({ params, body, db }) => ({ data: await options.modifyOption(db, params, body) }),
})

export const removeCustomFieldOption = operation({
  id: 'removeCustomFieldOption',
  ceiling: declareCeiling(100_000, EACH_LINK_COST_REASON),
  of: 'custom_field_option',
  route: 'DELETE /api/v2/persona-board/custom-fields/{customFieldId}/options/{optionId}',
  summary: 'Remove an option of a custom field',
  description: 'Deletes the option permanently. An option that a persona has is a 409.',
  workspaceWide: true,
  conflicts: ['in_use'],
  params: OptionParams,
  errors: ['custom_field_not_found', 'option_not_found'],
  message: 'Option removed',
  conditional: false,
  handle: ({ params, db }) => options.removeOption(db, params),
})

export const attachCustomField = operation({
  id: 'attachCustomField',
  of: 'custom_field',
  route: 'POST /api/v2/persona-board/custom-fields/{customFieldId}/personas/{persona_external_key}',
  summary: 'Attach a custom field to a persona',
  description:
    'Attaches the field without a value; a PUT of the persona sets the value. A field that is already attached stays unchanged.',
  params: AttachmentParams,
  data: PersonaDetail,
  errors: ['custom_field_not_found', 'persona_not_found'],
  message: 'Custom field attached',
  handle: ({ params, db }) => attach(db, params),
})

export const detachCustomField = operation({
  id: 'detachCustomField',
  of: 'custom_field',
  route: 'DELETE /api/v2/persona-board/custom-fields/{customFieldId}/personas/{persona_external_key}',
  summary: 'Detach a custom field from a persona',
  description: 'Detaches the field and deletes its value. The request changes nothing if the field is not attached.',
  params: AttachmentParams,
  errors: ['custom_field_not_found', 'persona_not_found'],
  message: 'Custom field detached',
  conditional: false,
  handle: ({ params, db }) => detach(db, params),
})
