import * as z from 'zod'
import { listQuery } from '../../../http/pagination'
import { externalKey, integer, line, Timestamp } from '../../../http/schemas'
import { CUSTOM_TYPES } from '../../personas/custom-values/fits'
import { MAX_OPTIONS } from '../../personas/schema'
import { place } from '../segments/schema'

export const CustomFieldParams = z.object({
  customFieldId: integer({ min: 1 }).meta({ description: 'The id of the custom field.', example: 1 }),
})

export const OptionParams = CustomFieldParams.extend({
  optionId: integer({ min: 1 }).meta({ description: 'The id of the option.', example: 1 }),
})

export const AttachmentParams = CustomFieldParams.extend({
  persona_external_key: externalKey('PE', 'The key of the persona.'),
})

const type = z
  .enum(CUSTOM_TYPES, { error: `Must be one of ${CUSTOM_TYPES.join(', ')}` })
  .meta({ description: 'What its values are; fixed once a persona has one.' })

export const hasOptions = (of: string | undefined) => of === 'select' || of === 'multiselect'

const label = line(200)

const distinct = (labels: readonly string[]) => new Set(labels).size === labels.length

export const CreateCustomField = z
  .object({
    name: line(200),
    type,
    required: z.boolean().default(false).meta({ description: 'Its values can be changed, but not cleared.' }),
    order: place.optional(),
    options: z
      .array(label)
      .max(MAX_OPTIONS)
      .refine(distinct, 'Each option stands once')
      .optional()
      .meta({ description: 'Labels of what a `select` or `multiselect` chooses from.' }),
  })
  .refine(({ type, options }) => !options?.length || hasOptions(type), {
    path: ['options'],
    error: 'Only a select or multiselect has options. Leave them out.',
  })
  .meta({
    id: 'CreateCustomField',
    examples: [{ name: 'Seniority', type: 'select', required: false, options: ['Junior', 'Senior'] }],
  })

export const ModifyCustomField = z
  .object({
    name: line(200).optional(),
    type: type.optional(),
    required: z.boolean().optional(),
    order: place.optional(),
  })
  .meta({ id: 'ModifyCustomField', examples: [{ name: 'Level', required: true }] })

export const GivenOption = z.object({ label }).meta({ id: 'GivenOption', examples: [{ label: 'Lead' }] })

export const ListCustomFields = listQuery(['order', '-order']).extend({
  excludePersona: externalKey('PE', '').optional().meta({
    description: 'Without those that this persona has. Walks the custom fields.',
    example: 'PE-1',
  }),
})

export const CustomFieldOption = z
  .object({ id: z.int(), label: z.string() })
  .meta({ id: 'CustomFieldOption', description: 'What a select or multiselect chooses from.' })
export type CustomFieldOption = z.input<typeof CustomFieldOption>

export const CustomField = z
  .object({
    id: z.int(),
    name: z.string(),
    type: z.enum(CUSTOM_TYPES),
    required: z.boolean(),
    order: z.int(),
    options: z.array(CustomFieldOption),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'CustomField', description: 'What a workspace knows of personas besides.' })
