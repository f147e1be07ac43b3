import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { equals } from '../../../db/filter'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { guard } from '../../../db/refuse'
import { documentTemplates } from '../../../db/schema/documents'
import { inline, param, type Values } from '../../../db/statement'
import { type TemplateKey, template } from './fields'
import { CreateTemplate, ListTemplates, ModifyTemplate } from './schema'
import { NO_VARIABLE } from './variables'

const inserted = inserts(template, CreateTemplate, { returns: template.created() })
const created = template.event('created')

export const createTemplate = (db: Database, body: z.output<typeof CreateTemplate>) =>
  template.save(db, { statements: [inserted(body), created({})], answer: template.created() })

export const getTemplate = template.get

export const listTemplates = list(template, ListTemplates, {
  sorts: { createdAt: documentTemplates.createdAt },
  filters: { category: equals(documentTemplates.category) },
}).page

const modified = modifies(template, ModifyTemplate)

const wrong = (path: string, name: SQL, from: SQL) => {
  const issues = sql`(SELECT json_group_array(json_array(${inline(path)}, '{{' || ${name} || '}} ${sql.raw(NO_VARIABLE)}'))
    FROM ${documentTemplates}, ${from} HAVING count(*) > 0)`
  return guard<Values>(sql`'invalid_values:' || ${issues}`, sql`${issues} IS NOT NULL`)
}
const has = (list: SQL, key: SQL) => sql`EXISTS (SELECT 1 FROM json_each(${list}) k WHERE k.value ->> 'key' = ${key})`

// Checks new content against the stored variables, and new variables against the stored content.
const unknownPlaces = wrong(
  '/content',
  sql`n.value`,
  sql`json_each(${param('names')}) n WHERE ${template.addressed} AND NOT ${has(sql`${documentTemplates.variables}`, sql`n.value`)}`,
)
const lostVariables = wrong(
  '/variables',
  sql`(v.value ->> 'key')`,
  sql`json_each(${documentTemplates.variables}) v WHERE ${template.addressed}
    AND instr(${documentTemplates.content}, '{{' || (v.value ->> 'key') || '}}') > 0
    AND NOT ${has(sql`${param('given')}`, sql`(v.value ->> 'key')`)}`,
)

interface Change {
  body: z.output<typeof ModifyTemplate>
  /** Variables in the new content, if the body sends no variables. */
  names: readonly string[]
  ifMatch: string | null
}

export const modifyTemplate = (db: Database, key: TemplateKey, { body, names, ifMatch }: Change) =>
  template.save(db, {
    guards: [
      ...template.writable(key, ifMatch),
      ...(names.length ? [unknownPlaces({ ...key, names: JSON.stringify(names) })] : []),
      ...(body.variables && body.content === undefined
        ? [lostVariables({ ...key, given: JSON.stringify(body.variables) })]
        : []),
    ],
    statements: modified(key, body),
    answer: template.reply(key),
  })

// Documents made from the template stay.
const { removal, restoration } = lifecycle(template)

export const removeTemplate = (db: Database, key: TemplateKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreTemplate = (db: Database, key: TemplateKey) => template.save(db, restoration(key))
