import * as z from 'zod'
import { EACH_LINK, walk } from '../../../http/ceiling'
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
  GivenOption,
  ListCustomFields,
  ModifyCustomField,
  OptionParams,
} from './schema'

export const createCustomField = operation({
  id: 'createCustomField',
  of: 'custom_field',
  route: 'POST /api/v2/persona-board/custom-fields',
  summary: 'Create a custom field of personas',
  description: 'A persona has it once it is attached. A name that another field has is a 409.',
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
  description: 'In their order, without the archived ones. They belong to the whole workspace.',
  query: ListCustomFields,
  data: z.array(CustomField),
  handle: ({ query, db }) => queries.listCustomFields(db, query),
})

export const getCustomField = operation({
  id: 'getCustomField',
  of: 'custom_field',
  route: 'GET /api/v2/persona-board/custom-fields/{customFieldId}',
  summary: 'Retrieve a custom field of personas',
  description: 'With its options.',
  params: CustomFieldParams,
  data: CustomField,
  handle: ({ params, db }) => queries.getCustomField(db, params),
})

export const modifyCustomField = operation({
  id: 'modifyCustomField',
  of: 'custom_field',
  route: 'PUT /api/v2/persona-board/custom-fields/{customFieldId}',
  summary: 'Modify a custom field of personas',
  description: 'Changes the fields that are sent. Another `type` is a 409 once a persona has a value.',
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
  description: 'Personas show it no more; its values return with it. It can be restored for 30 days.',
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
  description: 'With its values. While another has its name: a 409.',
  workspaceWide: true,
  params: CustomFieldParams,
  data: CustomField,
  message: 'Custom field restored',
  handle: ({ params, db }) => queries.restoreCustomField(db, params),
})

export const purgeCustomField = operation({
  id: 'purgeCustomField',
  ceiling: walk(100_000, EACH_LINK),
  of: 'custom_field',
  route: 'DELETE /api/v2/persona-board/custom-fields/{customFieldId}/permanent',
  summary: 'Remove a custom field of personas for good',
  description: 'With its options and all values, archived or not. Nothing brings it back.',
  workspaceWide: true,
  params: CustomFieldParams,
  message: 'Custom field removed for good',
  conditional: false,
  handle: ({ params, db }) => queries.purgeCustomField(db, params),
})

export const createCustomFieldOption = operation({
  id: 'createCustomFieldOption',
  of: 'custom_field',
  route: 'POST /api/v2/persona-board/custom-fields/{customFieldId}/options',
  summary: 'Add an option to a custom field',
  description: 'Of a select or multiselect, whose options have a label each: a second one is a 409.',
  workspaceWide: true,
  params: CustomFieldParams,
  body: GivenOption,
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
  description: 'Personas that have it keep it.',
  workspaceWide: true,
  params: OptionParams,
  body: GivenOption,
  data: CustomFieldOption,
  errors: ['custom_field_not_found', 'option_not_found'],
  message: 'Option saved',
  conditional: false,
  handle: async ({ params, body, db }) => ({ data: await options.modifyOption(db, params, body) }),
})

export const removeCustomFieldOption = operation({
  id: 'removeCustomFieldOption',
  ceiling: walk(100_000, EACH_LINK),
  of: 'custom_field_option',
  route: 'DELETE /api/v2/persona-board/custom-fields/{customFieldId}/options/{optionId}',
  summary: 'Remove an option of a custom field',
  description: 'For good. One that a persona has is a 409.',
  workspaceWide: true,
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
  description: 'Without a value, which a PUT of the persona sets. One that is attached already stays as it is.',
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
  description: 'Its value goes with it. One that is not attached changes nothing.',
  params: AttachmentParams,
  errors: ['custom_field_not_found', 'persona_not_found'],
  message: 'Custom field detached',
  conditional: false,
  handle: ({ params, db }) => detach(db, params),
})
