import * as z from 'zod'
import { operation } from '../../../http/operation'
import { invalidInputError } from '../../../text/errors'
import { sanitizeRichText } from '../../../text/html/rich-text'
import * as queries from './queries'
import {
  CreateTemplate,
  ListTemplates,
  ModifyTemplate,
  Template,
  TemplateParams,
  type TemplateVariable,
} from './schema'
import { parsePlaceholders, UNKNOWN_VARIABLE_MESSAGE } from './variables'

interface TemplateBody {
  content?: string | undefined
  variables?: TemplateVariable[] | undefined
}

async function sanitizeTemplateBody<B extends TemplateBody>(body: B): Promise<{ body: B; names: string[] }> {
  if (body.content === undefined) return { body, names: [] }
  const { content, names, inTag } = await parsePlaceholders(await sanitizeRichText(body.content, '/content'))
  const known = body.variables?.map(({ key }) => key)
  const unknown = known ? names.filter((name) => !known.includes(name)) : []
  const problems = [
    ...unknown.map((name) => `{{${name}}} ${UNKNOWN_VARIABLE_MESSAGE}`),
    ...(inTag ? ['A variable can be in text only, not inside a tag. Move the variable out of the tag.'] : []),
  ]
  if (!problems.length) return { body: { ...body, content }, names: known ? [] : names }
  throw invalidInputError(problems.map((message) => ({ path: '/content', code: 'invalid_value', message })))
}

export const createTemplate = operation({
  id: 'createTemplate',
  of: 'template',
  route: 'POST /api/v2/docs-hub/templates',
  summary: 'Create a document template',
  description:
    'Write a variable as `{{key}}` in the text of the content. A `{{key}}` that is not in `variables` is a 400.',
  workspaceWide: true,
  body: CreateTemplate,
  data: Template,
  message: 'Template saved',
  location: '/api/v2/docs-hub/templates/{id}',
  handle: async ({ body, db }) => queries.createTemplate(db, (await sanitizeTemplateBody(body)).body),
})

export const listTemplates = operation({
  id: 'listTemplates',
  of: 'template',
  route: 'GET /api/v2/docs-hub/templates',
  summary: 'List document templates',
  description: 'The newest templates come first. Templates belong to the whole workspace.',
  query: ListTemplates,
  data: z.array(Template),
  handle: ({ query, db }) => queries.listTemplates(db, query),
})

export const getTemplate = operation({
  id: 'getTemplate',
  of: 'template',
  route: 'GET /api/v2/docs-hub/templates/{templateId}',
  summary: 'Retrieve a document template',
  description: 'Returns the template with its variables.',
  params: TemplateParams,
  data: Template,
  handle: ({ params, db }) => queries.getTemplate(db, params),
})

export const modifyTemplate = operation({
  id: 'modifyTemplate',
  of: 'template',
  route: 'PUT /api/v2/docs-hub/templates/{templateId}',
  summary: 'Modify a document template',
  description:
    'Changes the fields that you send. A `{{key}}` that is not in `variables` is a 400. Documents created from the template stay unchanged.',
  workspaceWide: true,
  params: TemplateParams,
  body: ModifyTemplate,
  data: Template,
  message: 'Template saved',
  handle: async ({ params, body, db, ifMatch }) =>
    queries.modifyTemplate(db, params, { ...(await sanitizeTemplateBody(body)), ifMatch }),
})

export const removeTemplate = operation({
  id: 'removeTemplate',
  of: 'template',
  route: 'DELETE /api/v2/docs-hub/templates/{templateId}',
  summary: 'Remove a document template',
  description: 'Documents created from the template stay. You can restore the template for 30 days.',
  workspaceWide: true,
  params: TemplateParams,
  message: 'Template removed',
  handle: ({ params, db, ifMatch }) => queries.removeTemplate(db, params, ifMatch),
})

export const restoreTemplate = operation({
  id: 'restoreTemplate',
  of: 'template',
  route: 'POST /api/v2/docs-hub/templates/{templateId}/restore',
  summary: 'Restore a removed document template',
  description: 'Restores the template unchanged.',
  workspaceWide: true,
  params: TemplateParams,
  data: Template,
  message: 'Template restored',
  handle: ({ params, db }) => queries.restoreTemplate(db, params),
})
