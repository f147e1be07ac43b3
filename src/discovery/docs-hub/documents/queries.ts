import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../../db/access'
import { inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { type Field, longText, moment } from '../../../db/field'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { currentKey, takeNumber } from '../../../db/numbering'
import { type Key, record } from '../../../db/record'
import { guard } from '../../../db/refuse'
import { documents, documentTemplates } from '../../../db/schema/documents'
import { products } from '../../../db/schema/tenancy'
import { search } from '../../../db/search'
import { caller, inline, insertInto, param, statement, type Values } from '../../../db/statement'
import { type TemplateKey, template } from '../templates/fields'
import { CreateDocument, type InstantiateTemplate, ListDocuments, ModifyDocument } from './schema'

/** Uses the last character, because a quote is written as `''` in SQL. */
const hex = (sign: string) =>
  sign
    .charCodeAt(sign.length - 1)
    .toString(16)
    .toUpperCase()

const key = { document_external_key: documents.externalKey }
export type DocumentKey = Key<typeof key>

// Hides a removed template until the template is restored.
const madeFrom = sql`(SELECT ${documentTemplates.id} FROM ${documentTemplates}
  WHERE ${documentTemplates.subscriptionId} = ${caller.subscription} AND ${documentTemplates.id} = ${documents.templateId}
    AND ${documentTemplates.deletedAt} IS NULL)`
const templateId: Field<number | null, number | null, never> = { sql: madeFrom, json: () => madeFrom }

const document = record('document', {
  table: documents,
  within: 'product',
  key,
  fields: {
    id: documents.id,
    externalKey: documents.externalKey,
    initiativeId: documents.productId,
    title: documents.title,
    content: longText(documents.content),
    template: templateId,
    createdAt: moment(documents.createdAt),
    updatedAt: moment(documents.updatedAt),
  },
})

const inserted = inserts(document, CreateDocument, { values: { productId, externalKey: currentKey('DOC') } })
const created = document.event('created')

export const createDocument = (db: Database, body: z.output<typeof CreateDocument>) =>
  document.save(db, {
    statements: [takeNumber('DOC'), inserted(body), created({})],
    answer: document.created(),
  })

export const getDocument = document.get

export const listDocuments = list(document, ListDocuments, {
  sorts: { createdAt: documents.createdAt },
  filters: { q: search('document', documents.id) },
}).page

const modified = modifies(document, ModifyDocument)

export const modifyDocument = (
  db: Database,
  key: DocumentKey,
  body: z.output<typeof ModifyDocument>,
  ifMatch: string | null,
) =>
  document.save(db, {
    guards: document.writable(key, ifMatch),
    statements: modified(key, body),
    answer: document.reply(key),
  })

const { removal, restoration } = lifecycle(document)

export const removeDocument = (db: Database, key: DocumentKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreDocument = (db: Database, key: DocumentKey) => document.save(db, restoration(key))

const variables = sql`json_each(${documentTemplates.variables}) v`
const name = sql`(v.value ->> 'key')`
const given = sql`(SELECT g.value FROM json_each(${param('variables')}) g WHERE g.key = ${name})`
const value = sql`coalesce(${given}, v.value ->> 'default')`

// Escapes values for HTML. Braces are escaped too, because a value must not become a placeholder, and `&` comes first,
// because every replacement contains `&`.
const ESCAPED = ['&', '<', '>', '"', "''", '{', '}']
const escaped = ESCAPED.reduce(
  (text, sign) => sql`replace(${text}, ${inline(sign)}, ${inline(`&#x${hex(sign)};`)})`,
  value,
)

const found = sql`FROM ${documentTemplates}, ${variables} WHERE ${template.addressed}`

const wrong = sql`(SELECT json_group_array(json_array('/variables/' || name, message)) FROM (
    SELECT ${name} AS name, 'This variable has no default: say what stands in its place.' AS message ${found} AND ${value} IS NULL
    UNION ALL SELECT g.key, 'The template has no such variable. Leave it out.' FROM json_each(${param('variables')}) g
      WHERE NOT EXISTS (SELECT 1 ${found} AND ${name} = g.key))
  HAVING count(*) > 0)`
const misfit = guard<Values>(sql`'invalid_values:' || ${wrong}`, sql`${wrong} IS NOT NULL`)

/** Longest stored HTML, in bytes. */
const MAX_BYTES = inline(524_288)
const place = sql`'{{' || ${name} || '}}'`
const length = sql`(SELECT octet_length(${documentTemplates.content}) FROM ${documentTemplates} WHERE ${template.addressed})
  + (SELECT coalesce(sum((length(${documentTemplates.content}) - length(replace(${documentTemplates.content}, ${place}, '')))
      / length(${place}) * octet_length(${escaped})), 0) ${found})`
const tooLong = guard<Values>(
  sql`'validation_failed:/variables:The document would be longer than 512 KiB. Say less in the places of its variables.'`,
  sql`${length} > ${MAX_BYTES}`,
)

const filled = sql`(WITH RECURSIVE
    places (n, place, text) AS (SELECT row_number() OVER (ORDER BY v.key), ${place}, ${escaped} ${found}),
    filled (n, content) AS (
      SELECT 0, (SELECT ${documentTemplates.content} FROM ${documentTemplates} WHERE ${template.addressed})
      UNION ALL SELECT places.n, replace(filled.content, places.place, places.text)
        FROM filled CROSS JOIN places ON places.n = filled.n + 1)
  SELECT content FROM filled ORDER BY n DESC LIMIT 1)`

const instantiated = statement<never, Values>(() =>
  insertInto(
    documents,
    {
      subscriptionId: caller.subscription,
      productId: products.id,
      externalKey: currentKey('DOC'),
      title: param('title'),
      content: filled,
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
    guards: [template.absent(key), misfit(values), tooLong(values)],
    references: [{ kind: 'product', path: '/product', value: product }],
    statements: [takeNumber('DOC'), instantiated(values), created({})],
    answer: document.created(),
  })
}
