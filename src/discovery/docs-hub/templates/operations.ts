import * as z from 'zod'
import { operation } from '../../../http/operation'
import { invalidInput } from '../../../text/errors'
import { sanitize } from '../../../text/html'
import * as queries from './queries'
import {
  CreateTemplate,
  ListTemplates,
  ModifyTemplate,
  Template,
  TemplateParams,
  type TemplateVariable,
} from './schema'
import { readPlaces } from './variables'

interface Given {
  content?: string | undefined
  variables?: TemplateVariable[] | undefined
}

/** The body with its HTML as it may be stored, where each variable stands in text and is one of those that are given. */
async function readable<B extends Given>(body: B): Promise<B> {
  if (body.content === undefined) return body
  const known = new Set(body.variables?.map(({ key }) => key))
  const { content, problems } = readPlaces(await sanitize(body.content, '/content'), known)
  if (!problems.length) return { ...body, content }
  throw invalidInput(problems.map((message) => ({ path: '/content', code: 'invalid_value', message })))
}

export const createTemplate = operation({
  id: 'createTemplate',
  method: 'post',
  path: '/api/v2/docs-hub/templates',
  tag: 'Documents',
  summary: 'Create a template of documents',
  description: 'A variable has its place in the text of the content, as `{{key}}`; one that is not given is a 400.',
  scope: 'personas:write',
  workspaceWide: true,
  status: 201,
  body: CreateTemplate,
  data: Template,
  async handle({ body, db }) {
    const { data } = await queries.createTemplate(db, await readable(body))
    return { data, message: 'Template saved', location: `/api/v2/docs-hub/templates/${data.id}` }
  },
})

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'get',
  path: '/api/v2/docs-hub/templates',
  tag: 'Documents',
  summary: 'List templates of documents',
  description: 'The newest first. They belong to the whole workspace.',
  scope: 'personas:read',
  query: ListTemplates,
  data: z.array(Template),
  handle: ({ query, db }) => queries.listTemplates(db, query),
})

export const getTemplate = operation({
  id: 'getTemplate',
  method: 'get',
  path: '/api/v2/docs-hub/templates/{templateId}',
  tag: 'Documents',
  summary: 'Retrieve a template of documents',
  description: 'With its variables.',
  scope: 'personas:read',
  params: TemplateParams,
  data: Template,
  errors: ['template_not_found'],
  handle: ({ params, db }) => queries.getTemplate(db, params),
})

export const modifyTemplate = operation({
  id: 'modifyTemplate',
  method: 'put',
  path: '/api/v2/docs-hub/templates/{templateId}',
  tag: 'Documents',
  summary: 'Modify a template of documents',
  description:
    'Changes the fields that are sent, content and variables together. Documents that were made from it stay as they are.',
  scope: 'personas:write',
  workspaceWide: true,
  params: TemplateParams,
  body: ModifyTemplate,
  data: Template,
  errors: ['template_not_found'],
  conditional: true,
  async handle({ params, body, db, ifMatch }) {
    return { ...(await queries.modifyTemplate(db, params, await readable(body), ifMatch)), message: 'Template saved' }
  },
})

export const removeTemplate = operation({
  id: 'removeTemplate',
  method: 'delete',
  path: '/api/v2/docs-hub/templates/{templateId}',
  tag: 'Documents',
  summary: 'Remove a template of documents',
  description: 'Documents that were made from it stay. It can be restored for 30 days.',
  scope: 'personas:write',
  workspaceWide: true,
  params: TemplateParams,
  data: z.object({}),
  errors: ['template_not_found'],
  conditional: true,
  async handle({ params, db, ifMatch }) {
    await queries.removeTemplate(db, params, ifMatch)
    return { data: {}, message: 'Template removed' }
  },
})

export const restoreTemplate = operation({
  id: 'restoreTemplate',
  method: 'post',
  path: '/api/v2/docs-hub/templates/{templateId}/restore',
  tag: 'Documents',
  summary: 'Restore a removed template of documents',
  description: 'As it was.',
  scope: 'personas:write',
  workspaceWide: true,
  params: TemplateParams,
  data: Template,
  errors: ['template_not_found'],
  async handle({ params, db }) {
    return { ...(await queries.restoreTemplate(db, params)), message: 'Template restored' }
  },
})
