import * as z from 'zod'
import { exportOperation } from '../../../export-operation'
import { ExportQuery } from '../../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling, PAGE_RECORDS_COST_REASON } from '../../../http/ceiling'
import { operation } from '../../../http/operation'
import { ProductParams } from '../../../http/schemas'
import { sanitizeProperty } from '../../../text/html/rich-text'
import { TemplateParams } from '../templates/schema'
import * as queries from './queries'
import { CreateDocument, Document, DocumentParams, InstantiateTemplate, ListDocuments, ModifyDocument } from './schema'

export const createDocument = operation({
  id: 'createDocument',
  of: 'document',
  route: 'POST /api/initiatives/{product_external_key}/documents',
  summary: 'Create a document',
  description: 'The document gets the next key `DOC-<number>`. HTML is sanitized.',
  params: ProductParams,
  body: CreateDocument,
  data: Document,
  message: 'Document saved',
  location: '/api/initiatives/{product_external_key}/documents/{externalKey}',
  handle: async ({ body, db }) => queries.createDocument(db, await sanitizeProperty(body, 'content')),
})

export const listDocuments = operation({
  id: 'listDocuments',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'document',
  route: 'GET /api/initiatives/{product_external_key}/documents',
  summary: 'List documents',
  description: 'The newest documents come first.',
  params: ProductParams,
  query: ListDocuments,
  data: z.array(Document),
  handle: ({ query, db }) => queries.listDocuments(db, query),
})

export const exportDocuments = exportOperation({
  id: 'exportDocuments',
  ceiling: declareCeiling(120_000, ALL_RECORDS_COST_REASON),
  of: 'document',
  route: 'GET /api/initiatives/{product_external_key}/documents/export',
  summary: 'Export the documents',
  description: 'Downloads all documents with their content, oldest first.',
  params: ProductParams,
  query: ExportQuery,
  read: ({ db }) => ({ name: 'documents', ...queries.exportDocuments(db) }),
})

export const getDocument = operation({
  id: 'getDocument',
  of: 'document',
  route: 'GET /api/initiatives/{product_external_key}/documents/{document_external_key}',
  summary: 'Retrieve a document',
  description: 'Returns the document.',
  params: DocumentParams,
  data: Document,
  handle: ({ params, db }) => queries.getDocument(db, params),
})

export const modifyDocument = operation({
  id: 'modifyDocument',
  of: 'document',
  route: 'PUT /api/initiatives/{product_external_key}/documents/{document_external_key}',
  summary: 'Modify a document',
  description: 'Changes the fields that you send. HTML is sanitized.',
  params: DocumentParams,
  body: ModifyDocument,
  data: Document,
  message: 'Document saved',
  handle: async ({ params, body, db, ifMatch }) =>
    queries.modifyDocument(db, params, await sanitizeProperty(body, 'content'), ifMatch),
})

export const removeDocument = operation({
  id: 'removeDocument',
  of: 'document',
  route: 'DELETE /api/initiatives/{product_external_key}/documents/{document_external_key}',
  summary: 'Remove a document',
  description: 'You can restore the document for 30 days.',
  params: DocumentParams,
  message: 'Document removed',
  handle: ({ params, db, ifMatch }) => queries.removeDocument(db, params, ifMatch),
})

export const restoreDocument = operation({
  id: 'restoreDocument',
  of: 'document',
  route: 'POST /api/initiatives/{product_external_key}/documents/{document_external_key}/restore',
  summary: 'Restore a removed document',
  description: 'Restores the document unchanged.',
  params: DocumentParams,
  data: Document,
  message: 'Document restored',
  handle: ({ params, db }) => queries.restoreDocument(db, params),
})

export const instantiateTemplate = operation({
  id: 'instantiateTemplate',
  of: 'template',
  route: 'POST /api/v2/docs-hub/templates/{templateId}/instantiate',
  storesRecords: true,
  summary: 'Create a document from a template',
  description:
    'Creates a document in the given product and fills in the variables. HTML in a value is shown as text. A variable with neither a value nor a default is a 400.',
  status: 201,
  params: TemplateParams,
  body: InstantiateTemplate,
  data: Document,
  message: 'Document saved',
  async handle({ params, body, db }) {
    const { data } = await queries.instantiateTemplate(db, params, body)
    return { data, location: `/api/initiatives/${body.product}/documents/${data.externalKey}` }
  },
})
