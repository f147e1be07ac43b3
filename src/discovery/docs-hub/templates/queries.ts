import type * as z from 'zod'
import { inserts, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { equals } from '../../../db/filter'
import { lifecycle } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import { documentTemplates } from '../../../db/schema/documents'
import { type TemplateKey, template } from './fields'
import { CreateTemplate, ListTemplates, ModifyTemplate } from './schema'

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

export const modifyTemplate = (
  db: Database,
  key: TemplateKey,
  body: z.output<typeof ModifyTemplate>,
  ifMatch: string | null,
) =>
  template.save(db, {
    guards: template.writable(key, ifMatch),
    statements: modified(key, body),
    answer: template.reply(key),
  })

// What was made from it stays.
const { removal, restoration } = lifecycle(template)

export const removeTemplate = (db: Database, key: TemplateKey, ifMatch: string | null) =>
  db.write(removal(key, ifMatch))

export const restoreTemplate = (db: Database, key: TemplateKey) => template.save(db, restoration(key))
