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
  async handle({ body, db }) {
    const { data } = await queries.createCustomField(db, body)
    return { data, message: 'Custom field saved', location: `/api/v2/persona-board/custom-fields/${data.id}` }
  },
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
  async handle({ params, body, db, ifMatch }) {
    return { ...(await queries.modifyCustomField(db, params, body, ifMatch)), message: 'Custom field saved' }
  },
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
  async handle({ params, db, ifMatch }) {
    await queries.removeCustomField(db, params, ifMatch)
    return { data: {}, message: 'Custom field archived' }
  },
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
  async handle({ params, db }) {
    return { ...(await queries.restoreCustomField(db, params)), message: 'Custom field restored' }
  },
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
  async handle({ params, db }) {
    await queries.purgeCustomField(db, params)
    return { data: {}, message: 'Custom field removed for good' }
  },
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
  async handle({ params, body, db }) {
    const data = await options.createOption(db, params, body)
    const location = `/api/v2/persona-board/custom-fields/${params.customFieldId}/options/${data.id}`
    return { data, message: 'Option saved', location }
  },
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
  async handle({ params, body, db }) {
    return { data: await options.modifyOption(db, params, body), message: 'Option saved' }
  },
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
  async handle({ params, db }) {
    await options.removeOption(db, params)
    return { data: {}, message: 'Option removed' }
  },
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
  async handle({ params, db }) {
    return { ...(await attach(db, params)), message: 'Custom field attached' }
  },
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
  async handle({ params, db }) {
    await detach(db, params)
    return { data: {}, message: 'Custom field detached' }
  },
})
