import * as z from 'zod'
import { createRestorableQuery } from '../../../http/pagination'
import { html, integer, line, Timestamp, text } from '../../../http/schemas'
import { VARIABLE_NAME_PATTERN } from './variables'

const MAX_VARIABLES_PER_TEMPLATE = 50
export const MAX_VARIABLE_LENGTH = 10_000

export const TemplateParams = z.object({
  templateId: integer({ min: 1 }).meta({ description: 'The id of the template.', example: 1 }),
})

export const TemplateVariableKey = text(64).regex(
  VARIABLE_NAME_PATTERN,
  'Must be a name of letters, digits and _ that begins with a letter',
)

const TemplateVariableInput = z.object({
  key: TemplateVariableKey,
  label: line(200).optional().meta({ description: 'Display name of the variable. Default: the key.' }),
  default: text(MAX_VARIABLE_LENGTH)
    .nullish()
    .meta({ description: 'Text for documents without a value. Without a default, a value is required.' }),
})

const templateVariables = z
  .array(TemplateVariableInput)
  .max(MAX_VARIABLES_PER_TEMPLATE)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'Each key must be unique')
  .transform((all) => all.map(({ key, label = key, default: given = null }) => ({ key, label, default: given })))

const templateContent = html().meta({
  description: 'HTML, sanitized when stored. `{{key}}` in the text is a placeholder for a variable.',
})

export const CreateTemplate = z
  .object({
    title: line(500),
    category: line(100).nullish(),
    content: templateContent.default(''),
    variables: templateVariables.default([]),
  })
  .meta({
    id: 'CreateTemplate',
    examples: [
      {
        title: 'Interview',
        category: 'Research',
        content: '<h1>{{name}}</h1><p>What is the hardest part of your shift?</p>',
        variables: [{ key: 'name', label: 'Who was asked', default: 'Somebody' }],
      },
    ],
  })

export const ModifyTemplate = z
  .object({
    title: line(500).optional(),
    category: line(100).nullish(),
    content: templateContent.optional(),
    variables: templateVariables
      .optional()
      .meta({ description: 'Replaces all variables. A variable that the content uses must stay.' }),
  })
  .meta({ id: 'ModifyTemplate', examples: [{ title: 'Interview of an hour', category: 'Interviews' }] })

export const ListTemplates = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  category: line(100).optional().meta({ description: 'Only templates of this category.' }),
})

export interface TemplateVariable {
  key: string
  label: string
  default: string | null
}

export const Template = z
  .object({
    id: z.int(),
    title: z.string(),
    category: z.string().nullable(),
    content: z.string().meta({ description: 'HTML.' }),
    variables: z.array(z.object({ key: z.string(), label: z.string(), default: z.string().nullable() })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Template', description: 'Template for documents.' })
