import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { makeExportReader } from '../../../db/records/export'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { makeListReader } from '../../../db/records/list'
import { type Key, record } from '../../../db/records/record'
import { documents, documentTemplates } from '../../../db/schema/documents'
import { products } from '../../../db/schema/tenancy'
import { productId } from '../../../db/sql/access'
import { type Field, longText, moment } from '../../../db/sql/field'
import { lastTakenKey, takeNumber } from '../../../db/sql/numbering'
import { referenceTo } from '../../../db/sql/references'
import { searchFilter } from '../../../db/sql/search'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { type TemplateKey, template } from '../templates/fields'
import { CreateDocument, type InstantiateTemplate, ListDocuments, ModifyDocument } from './schema'

/** Uses the last character, because a quote is written as `''` in SQL. */
const hexCodeOfCharacter = (sign: string) =>
  sign
    .charCodeAt(sign.length - 1)
    .toString(16)
    .toUpperCase()

const documentKeyColumns = { document_external_key: documents.externalKey }
export type DocumentKey = Key<typeof documentKeyColumns>

const liveTemplateId = sql`(SELECT ${documentTemplates.id} FROM ${documentTemplates}
  WHERE ${documentTemplates.subscriptionId} = ${caller.subscription} AND ${documentTemplates.id} = ${documents.templateId}
    AND ${documentTemplates.deletedAt} IS NULL)`
const templateIdField: Field<number | null, number | null, never> = {
  sql: liveTemplateId,
  json: () => liveTemplateId,
}

const document = record('document', {
  table: documents,
  scope: 'product',
  key: documentKeyColumns,
  fields: {
    id: documents.id,
    externalKey: documents.externalKey,
    initiativeId: documents.productId,
    title: documents.title,
    content: longText(documents.content),
    template: templateIdField,
    createdAt: moment(documents.createdAt),
    updatedAt: moment(documents.updatedAt),
  },
})

const insertDocument = insertStatement(document, CreateDocument, {
  values: { productId, externalKey: lastTakenKey('DOC') },
})
const emitDocumentCreated = document.emit('created')

export const createDocument = (db: Database, body: z.output<typeof CreateDocument>) =>
  document.save(db, {
    statements: [takeNumber('DOC'), insertDocument(body), emitDocumentCreated({})],
    returning: document.inserted(),
  })

export const getDocument = document.get

export const listDocuments = makeListReader(document, ListDocuments, {
  sorts: { createdAt: documents.createdAt },
  filters: { q: searchFilter('document', documents.id) },
}).page

export const exportDocuments = makeExportReader(document, documents.createdAt)

const updateDocument = updateStatement(document, ModifyDocument)

export const modifyDocument = (
  db: Database,
  key: DocumentKey,
  body: z.output<typeof ModifyDocument>,
  ifMatch: string | null,
) =>
  document.save(db, {
    guards: document.writeGuards(key, ifMatch),
    statements: updateDocument(key, body),
    returning: document.returningByKey(key),
  })

export const { remove: removeDocument, restore: restoreDocument } = makeLifecycle(document)

const templateVariableRows = sql`json_each(${documentTemplates.variables}) v`
const nameOfVariable = sql`(v.value ->> 'key')`
const requestedVariableValue = sql`(SELECT g.value FROM json_each(${param('variables')}) g WHERE g.key = ${nameOfVariable})`
const valueOfVariable = sql`coalesce(${requestedVariableValue}, v.value ->> 'default')`

// Braces are escaped too, because a value must not become a placeholder. `&` comes first, because every replacement
// contains `&`.
const HTML_ESCAPED_CHARACTERS = ['&', '<', '>', '"', "''", '{', '}']
const escapedVariableValue = HTML_ESCAPED_CHARACTERS.reduce(
  (text, sign) => sql`replace(${text}, ${inline(sign)}, ${inline(`&#x${hexCodeOfCharacter(sign)};`)})`,
  valueOfVariable,
)

const fromTemplateVariables = sql`FROM ${documentTemplates}, ${templateVariableRows} WHERE ${template.byKey}`

const variableIssues = sql`(SELECT json_group_array(json_array('/variables/' || name, message)) FROM (
    SELECT ${nameOfVariable} AS name, 'This variable has no default. Send a value.' AS message ${fromTemplateVariables} AND ${valueOfVariable} IS NULL
    UNION ALL SELECT g.key, 'The template does not have this variable. Leave out the value.' FROM json_each(${param('variables')}) g
      WHERE NOT EXISTS (SELECT 1 ${fromTemplateVariables} AND ${nameOfVariable} = g.key))
  HAVING count(*) > 0)`
const variablesInvalid = guard<Values>(sql`'invalid_values:' || ${variableIssues}`, sql`${variableIssues} IS NOT NULL`)

const MAX_DOCUMENT_BYTES = inline(524_288)
const variablePlaceholder = sql`'{{' || ${nameOfVariable} || '}}'`
const filledContentLength = sql`(SELECT octet_length(${documentTemplates.content}) FROM ${documentTemplates} WHERE ${template.byKey})
  + (SELECT coalesce(sum((length(${documentTemplates.content}) - length(replace(${documentTemplates.content}, ${variablePlaceholder}, '')))
      / length(${variablePlaceholder}) * octet_length(${escapedVariableValue})), 0) ${fromTemplateVariables})`
const documentTooLong = guard<Values>(
  'validation_failed:/variables:The document would be longer than 512 KiB. Shorten the values.',
  sql`${filledContentLength} > ${MAX_DOCUMENT_BYTES}`,
)

const filledContent = sql`(WITH RECURSIVE
    places (n, place, text) AS (SELECT row_number() OVER (ORDER BY v.key), ${variablePlaceholder}, ${escapedVariableValue} ${fromTemplateVariables}),
    filled (n, content) AS (
      SELECT 0, (SELECT ${documentTemplates.content} FROM ${documentTemplates} WHERE ${template.byKey})
      UNION ALL SELECT places.n, replace(filled.content, places.place, places.text)
        FROM filled CROSS JOIN places ON places.n = filled.n + 1)
  SELECT content FROM filled ORDER BY n DESC LIMIT 1)`

const insertDocumentFromTemplate = statement<never, Values>(() =>
  insertInto(
    documents,
    {
      subscriptionId: caller.subscription,
      productId: products.id,
      externalKey: lastTakenKey('DOC'),
      title: param('title'),
      content: filledContent,
      templateId: template.id,
      createdAt: caller.now,
      updatedAt: caller.now,
    },
    sql`FROM ${products} WHERE ${products.subscriptionId} = ${caller.subscription}
      AND ${products.externalKey} = ${param('into')} AND ${products.deletedAt} IS NULL`,
  ),
)

export const instantiateTemplate = (
  db: Database,
  key: TemplateKey,
  { product, title, variables }: z.output<typeof InstantiateTemplate>,
) => {
  const values = { ...key, into: product, title, variables: JSON.stringify(variables) }
  return document.save(db, {
    guards: [template.notFound(key), variablesInvalid(values), documentTooLong(values)],
    references: referenceTo('product', '/product', product),
    statements: [takeNumber('DOC'), insertDocumentFromTemplate(values), emitDocumentCreated({})],
    returning: document.inserted(),
  })
}
