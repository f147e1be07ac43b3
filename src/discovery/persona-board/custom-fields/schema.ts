import * as z from 'zod'
import { createRestorableQuery } from '../../../http/pagination'
import { externalKey, integer, line, Timestamp } from '../../../http/schemas'
import { FIELD_TYPES } from '../../personas/custom-values/fitting-types'
import { MAX_OPTIONS_PER_FIELD } from '../../personas/schema'
import { boardOrderSchema } from '../segments/schema'

export const CustomFieldParams = z.object({
  customFieldId: integer({ min: 1 }).meta({ description: 'The id of the custom field.', example: 1 }),
})

export const OptionParams = CustomFieldParams.extend({
  optionId: integer({ min: 1 }).meta({ description: 'The id of the option.', example: 1 }),
})

export const AttachmentParams = CustomFieldParams.extend({
  persona_external_key: externalKey('PE', 'The key of the persona.'),
})

const customFieldType = z
  .enum(FIELD_TYPES, { error: `Must be one of ${FIELD_TYPES.join(', ')}` })
  .meta({ description: 'Type of the values, fixed once a persona has a value.' })

export const typeHasOptions = (of: string | undefined) => of === 'select' || of === 'multiselect'

const optionLabel = line(200)

export const CreateCustomField = z
  .object({
    name: line(200),
    type: customFieldType,
    required: z.boolean().default(false).meta({ description: 'Whether values can be changed, but not cleared.' }),
    order: boardOrderSchema.optional(),
    options: z
      .array(optionLabel)
      .max(MAX_OPTIONS_PER_FIELD)
      .refine((labels) => new Set(labels).size === labels.length, 'Each option must be unique')
      .optional()
      .meta({ description: 'Labels of the options of a `select` or `multiselect`.' }),
  })
  .refine(({ type, options }) => !options?.length || typeHasOptions(type), {
    path: ['options'],
    error: 'Only a select or multiselect has options. Leave out the options.',
  })
  .meta({
    id: 'CreateCustomField',
    examples: [{ name: 'Seniority', type: 'select', required: false, options: ['Junior', 'Senior'] }],
  })

export const ModifyCustomField = z
  .object({
    name: line(200).optional(),
    type: customFieldType.optional(),
    required: z.boolean().optional(),
    order: boardOrderSchema.optional(),
  })
  .meta({ id: 'ModifyCustomField', examples: [{ name: 'Level', required: true }] })

export const OptionBody = z.object({ label: optionLabel }).meta({ id: 'GivenOption', examples: [{ label: 'Lead' }] })

export const ListCustomFields = createRestorableQuery(['order', '-order']).extend({
  excludePersona: externalKey('PE', '').optional().meta({
    description: 'Leaves out the custom fields of this persona. Looks at all custom fields.',
    example: 'PE-1',
  }),
})

export const CustomFieldOption = z
  .object({ id: z.int(), label: z.string() })
  .meta({ id: 'CustomFieldOption', description: 'Option of a select or multiselect.' })
export type CustomFieldOption = z.input<typeof CustomFieldOption>

export const CustomField = z
  .object({
    id: z.int(),
    name: z.string(),
    type: z.enum(FIELD_TYPES),
    required: z.boolean(),
    order: z.int(),
    options: z.array(CustomFieldOption),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'CustomField', description: 'Custom field for the personas of a workspace.' })
