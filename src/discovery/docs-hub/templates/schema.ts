import * as z from 'zod'
import { listQuery } from '../../../http/pagination'
import { html, integer, line, Timestamp, text } from '../../../http/schemas'
import { VARIABLE } from './variables'

const MAX_VARIABLES = 50
/** Longest text for a variable, in characters. */
export const MAX_VALUE = 10_000

export const TemplateParams = z.object({
  templateId: integer({ min: 1 }).meta({ description: 'The id of the template.', example: 1 }),
})

export const variableKey = text(64).regex(VARIABLE, 'Must be a name of letters, digits and _ that begins with a letter')

const Variable = z.object({
  key: variableKey,
  label: line(200).optional().meta({ description: 'What people are asked; the key without it.' }),
  default: text(MAX_VALUE)
    .nullish()
    .meta({ description: 'What stands there where nobody says; without one it is asked.' }),
})

const variables = z
  .array(Variable)
  .max(MAX_VARIABLES)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'Each key stands once')
  .transform((all) => all.map(({ key, label = key, default: given = null }) => ({ key, label, default: given })))

const content = html().meta({
  description: 'HTML, sanitised when it is stored. `{{key}}` in its text is the place of a variable.',
})

export const CreateTemplate = z
  .object({
    title: line(500),
    category: line(100).nullish(),
    content: content.default(''),
    variables: variables.default([]),
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
    content: content.optional(),
    variables: variables
      .optional()
      .meta({ description: 'They replace the present ones. One whose place the content has stays.' }),
  })
  .meta({ id: 'ModifyTemplate', examples: [{ title: 'Interview of an hour', category: 'Interviews' }] })

export const ListTemplates = listQuery(['-createdAt', 'createdAt']).extend({
  category: line(100).optional().meta({ description: 'Only these.' }),
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
  .meta({ id: 'Template', description: 'A template of documents.' })
