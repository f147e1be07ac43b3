import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { makeLifecycle } from '../../../db/records/lifecycle'
import { makeListReader } from '../../../db/records/list'
import { documentTemplates } from '../../../db/schema/documents'
import { equals, unindexedWithSort } from '../../../db/sql/filter'
import { inline, param, type Values } from '../../../db/sql/statement'
import { type TemplateKey, template } from './fields'
import { CreateTemplate, ListTemplates, ModifyTemplate } from './schema'
import { UNKNOWN_VARIABLE_MESSAGE } from './variables'

const insertTemplate = insertStatement(template, CreateTemplate, { returns: template.inserted() })
const emitTemplateCreated = template.emit('created')

export const createTemplate = (db: Database, body: z.output<typeof CreateTemplate>) =>
  template.save(db, { statements: [insertTemplate(body), emitTemplateCreated({})], returning: template.inserted() })

export const getTemplate = template.get

export const listTemplates = makeListReader(template, ListTemplates, {
  sorts: { createdAt: documentTemplates.createdAt },
  filters: { category: unindexedWithSort(documentTemplates.updatedAt)(equals(documentTemplates.category)) },
}).page

const updateTemplate = updateStatement(template, ModifyTemplate)

const createPlaceholderGuard = (path: string, name: SQL, from: SQL) => {
  const issues = sql`(SELECT json_group_array(json_array(${inline(path)}, '{{' || ${name} || '}} ${sql.raw(UNKNOWN_VARIABLE_MESSAGE)}'))
    FROM ${documentTemplates}, ${from} HAVING count(*) > 0)`
  return guard<Values>(sql`'invalid_values:' || ${issues}`, sql`${issues} IS NOT NULL`)
}
const variableIsDeclared = (list: SQL, key: SQL) =>
  sql`EXISTS (SELECT 1 FROM json_each(${list}) k WHERE k.value ->> 'key' = ${key})`

const templateHasUnknownPlaceholders = createPlaceholderGuard(
  '/content',
  sql`n.value`,
  sql`json_each(${param('names')}) n WHERE ${template.byKey} AND NOT ${variableIsDeclared(sql`${documentTemplates.variables}`, sql`n.value`)}`,
)
const usedVariablesMissing = createPlaceholderGuard(
  '/variables',
  sql`(v.value ->> 'key')`,
  sql`json_each(${documentTemplates.variables}) v WHERE ${template.byKey}
    AND instr(${documentTemplates.content}, '{{' || (v.value ->> 'key') || '}}') > 0
    AND NOT ${variableIsDeclared(sql`${param('given')}`, sql`(v.value ->> 'key')`)}`,
)

interface TemplateChange {
  body: z.output<typeof ModifyTemplate>
  names: readonly string[]
  ifMatch: string | null
}

export const modifyTemplate = (db: Database, key: TemplateKey, { body, names, ifMatch }: TemplateChange) =>
  template.save(db, {
    guards: [
      ...template.writeGuards(key, ifMatch),
      ...(names.length ? [templateHasUnknownPlaceholders({ ...key, names: JSON.stringify(names) })] : []),
      ...(body.variables && body.content === undefined
        ? [usedVariablesMissing({ ...key, given: JSON.stringify(body.variables) })]
        : []),
    ],
    statements: updateTemplate(key, body),
    returning: template.returningByKey(key),
  })

export const { remove: removeTemplate, restore: restoreTemplate } = makeLifecycle(template)
