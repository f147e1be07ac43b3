import { type Key, record } from '../../../db/records/record'
import { documentTemplates } from '../../../db/schema/documents'
import { longJson, longText, moment } from '../../../db/sql/field'
import type { TemplateVariable } from './schema'

const templateKeyColumns = { templateId: documentTemplates.id }
export type TemplateKey = Key<typeof templateKeyColumns>

export const template = record('template', {
  table: documentTemplates,
  scope: 'workspace',
  key: templateKeyColumns,
  fields: {
    id: documentTemplates.id,
    title: documentTemplates.title,
    category: documentTemplates.category,
    content: longText(documentTemplates.content),
    variables: longJson<TemplateVariable[]>(documentTemplates.variables),
    createdAt: moment(documentTemplates.createdAt),
    updatedAt: moment(documentTemplates.updatedAt),
  },
})
