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
import { NO_VARIABLE, readPlaces } from './variables'

interface Given {
  content?: string | undefined
  variables?: TemplateVariable[] | undefined
}

/** Sanitizes the HTML and checks the placeholders, because a placeholder must stand in text and name a variable. */
async function readable<B extends Given>(body: B): Promise<{ body: B; names: string[] }> {
  if (body.content === undefined) return { body, names: [] }
  const { content, names, inTag } = readPlaces(await sanitize(body.content, '/content'))
  const known = body.variables?.map(({ key }) => key)
  const unknown = known ? names.filter((name) => !known.includes(name)) : []
  const problems = [
    ...unknown.map((name) => `{{${name}}} ${NO_VARIABLE}`),
    ...(inTag ? ['A variable stands in text alone, not within a tag. Take it out of the tag.'] : []),
  ]
  if (!problems.length) return { body: { ...body, content }, names: known ? [] : names }
  throw invalidInput(problems.map((message) => ({ path: '/content', code: 'invalid_value', message })))
}

export const createTemplate = operation({
  id: 'createTemplate',
  of: 'template',
  route: 'POST /api/v2/docs-hub/templates',
  summary: 'Create a template of documents',
  description: 'A variable has its place in the text of the content, as `{{key}}`; one that is not given is a 400.',
  workspaceWide: true,
  body: CreateTemplate,
  data: Template,
  message: 'Template saved',
  location: '/api/v2/docs-hub/templates/{id}',
  handle: async ({ body, db }) => queries.createTemplate(db, (await readable(body)).body),
})

export const listTemplates = operation({
  id: 'listTemplates',
  of: 'template',
  route: 'GET /api/v2/docs-hub/templates',
  summary: 'List templates of documents',
  description: 'The newest first. They belong to the whole workspace.',
  query: ListTemplates,
  data: z.array(Template),
  handle: ({ query, db }) => queries.listTemplates(db, query),
})

export const getTemplate = operation({
  id: 'getTemplate',
  of: 'template',
  route: 'GET /api/v2/docs-hub/templates/{templateId}',
  summary: 'Retrieve a template of documents',
  description: 'With its variables.',
  params: TemplateParams,
  data: Template,
  handle: ({ params, db }) => queries.getTemplate(db, params),
})

export const modifyTemplate = operation({
  id: 'modifyTemplate',
  of: 'template',
  route: 'PUT /api/v2/docs-hub/templates/{templateId}',
  summary: 'Modify a template of documents',
  description:
    'Changes the fields that are sent. A place in the content is of a variable: one that is none is a 400. Documents that were made from it stay as they are.',
  workspaceWide: true,
  params: TemplateParams,
  body: ModifyTemplate,
  data: Template,
  message: 'Template saved',
  handle: async ({ params, body, db, ifMatch }) =>
    queries.modifyTemplate(db, params, { ...(await readable(body)), ifMatch }),
})

export const removeTemplate = operation({
  id: 'removeTemplate',
  of: 'template',
  route: 'DELETE /api/v2/docs-hub/templates/{templateId}',
  summary: 'Remove a template of documents',
  description: 'Documents that were made from it stay. It can be restored for 30 days.',
  workspaceWide: true,
  params: TemplateParams,
  message: 'Template removed',
  handle: ({ params, db, ifMatch }) => queries.removeTemplate(db, params, ifMatch),
})

export const restoreTemplate = operation({
  id: 'restoreTemplate',
  of: 'template',
  route: 'POST /api/v2/docs-hub/templates/{templateId}/restore',
  summary: 'Restore a removed template of documents',
  description: 'As it was.',
  workspaceWide: true,
  params: TemplateParams,
  data: Template,
  message: 'Template restored',
  handle: ({ params, db }) => queries.restoreTemplate(db, params),
})
