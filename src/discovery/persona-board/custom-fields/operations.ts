import * as z from 'zod'
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
  method: 'post',
  path: '/api/v2/persona-board/custom-fields',
  tag: 'Persona board',
  summary: 'Create a custom field of personas',
  description: 'A persona has it once it is attached. A name that another field has is a 409.',
  scope: 'personas:write',
  workspaceWide: true,
  status: 201,
  body: CreateCustomField,
  data: CustomField,
  message: 'Custom field saved',
  location: '/api/v2/persona-board/custom-fields/{id}',
  handle: ({ body, db }) => queries.createCustomField(db, body),
})

export const listCustomFields = operation({
  id: 'listCustomFields',
  method: 'get',
  path: '/api/v2/persona-board/custom-fields',
  tag: 'Persona board',
  summary: 'List the custom fields of personas',
  description: 'In their order, without the archived ones. They belong to the whole workspace.',
  scope: 'personas:read',
  query: ListCustomFields,
  data: z.array(CustomField),
  handle: ({ query, db }) => queries.listCustomFields(db, query),
})

export const getCustomField = operation({
  id: 'getCustomField',
  method: 'get',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}',
  tag: 'Persona board',
  summary: 'Retrieve a custom field of personas',
  description: 'With its options.',
  scope: 'personas:read',
  params: CustomFieldParams,
  data: CustomField,
  errors: ['custom_field_not_found'],
  handle: ({ params, db }) => queries.getCustomField(db, params),
})

export const modifyCustomField = operation({
  id: 'modifyCustomField',
  method: 'put',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}',
  tag: 'Persona board',
  summary: 'Modify a custom field of personas',
  description: 'Changes the fields that are sent. Another `type` is a 409 once a persona has a value.',
  scope: 'personas:write',
  workspaceWide: true,
  params: CustomFieldParams,
  body: ModifyCustomField,
  data: CustomField,
  errors: ['custom_field_not_found'],
  conditional: true,
  message: 'Custom field saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyCustomField(db, params, body, ifMatch),
})

export const removeCustomField = operation({
  id: 'removeCustomField',
  method: 'delete',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}',
  tag: 'Persona board',
  summary: 'Archive a custom field of personas',
  description: 'Personas show it no more; its values return with it. It can be restored for 30 days.',
  scope: 'personas:write',
  workspaceWide: true,
  params: CustomFieldParams,
  data: z.object({}),
  errors: ['custom_field_not_found'],
  conditional: true,
  message: 'Custom field archived',
  handle: ({ params, db, ifMatch }) => queries.removeCustomField(db, params, ifMatch),
})

export const restoreCustomField = operation({
  id: 'restoreCustomField',
  method: 'post',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/restore',
  tag: 'Persona board',
  summary: 'Restore an archived custom field of personas',
  description: 'With its values. While another has its name: a 409.',
  scope: 'personas:write',
  workspaceWide: true,
  params: CustomFieldParams,
  data: CustomField,
  errors: ['custom_field_not_found'],
  message: 'Custom field restored',
  handle: ({ params, db }) => queries.restoreCustomField(db, params),
})

export const purgeCustomField = operation({
  id: 'purgeCustomField',
  method: 'delete',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/permanent',
  tag: 'Persona board',
  summary: 'Remove a custom field of personas for good',
  description: 'With its options and all values, archived or not. Nothing brings it back.',
  scope: 'personas:write',
  workspaceWide: true,
  params: CustomFieldParams,
  data: z.object({}),
  errors: ['custom_field_not_found'],
  message: 'Custom field removed for good',
  handle: ({ params, db }) => queries.purgeCustomField(db, params),
})

export const createCustomFieldOption = operation({
  id: 'createCustomFieldOption',
  method: 'post',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/options',
  tag: 'Persona board',
  summary: 'Add an option to a custom field',
  description: 'Of a select or multiselect, whose options have a label each: a second one is a 409.',
  scope: 'personas:write',
  workspaceWide: true,
  status: 201,
  params: CustomFieldParams,
  body: GivenOption,
  data: CustomFieldOption,
  errors: ['custom_field_not_found'],
  message: 'Option saved',
  location: '/api/v2/persona-board/custom-fields/{customFieldId}/options/{id}',
  handle: async ({ params, body, db }) => ({ data: await options.createOption(db, params, body) }),
})

export const modifyCustomFieldOption = operation({
  id: 'modifyCustomFieldOption',
  method: 'put',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/options/{optionId}',
  tag: 'Persona board',
  summary: 'Rename an option of a custom field',
  description: 'Personas that have it keep it.',
  scope: 'personas:write',
  workspaceWide: true,
  params: OptionParams,
  body: GivenOption,
  data: CustomFieldOption,
  errors: ['custom_field_not_found', 'option_not_found'],
  message: 'Option saved',
  handle: async ({ params, body, db }) => ({ data: await options.modifyOption(db, params, body) }),
})

export const removeCustomFieldOption = operation({
  id: 'removeCustomFieldOption',
  method: 'delete',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/options/{optionId}',
  tag: 'Persona board',
  summary: 'Remove an option of a custom field',
  description: 'For good. One that a persona has is a 409.',
  scope: 'personas:write',
  workspaceWide: true,
  params: OptionParams,
  data: z.object({}),
  errors: ['custom_field_not_found', 'option_not_found'],
  message: 'Option removed',
  handle: ({ params, db }) => options.removeOption(db, params),
})

export const attachCustomField = operation({
  id: 'attachCustomField',
  method: 'post',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/personas/{persona_external_key}',
  tag: 'Persona board',
  summary: 'Attach a custom field to a persona',
  description: 'Without a value, which a PUT of the persona sets. One that is attached already stays as it is.',
  scope: 'personas:write',
  params: AttachmentParams,
  data: PersonaDetail,
  errors: ['custom_field_not_found', 'persona_not_found'],
  message: 'Custom field attached',
  handle: ({ params, db }) => attach(db, params),
})

export const detachCustomField = operation({
  id: 'detachCustomField',
  method: 'delete',
  path: '/api/v2/persona-board/custom-fields/{customFieldId}/personas/{persona_external_key}',
  tag: 'Persona board',
  summary: 'Detach a custom field from a persona',
  description: 'Its value goes with it. One that is not attached changes nothing.',
  scope: 'personas:write',
  params: AttachmentParams,
  data: z.object({}),
  errors: ['custom_field_not_found', 'persona_not_found'],
  message: 'Custom field detached',
  handle: ({ params, db }) => detach(db, params),
})
