import * as z from 'zod'
import {
  createExternalIdField,
  createSourceField,
  pairIsWhole,
  ShownExternalId,
  ShownSource,
} from '../../http/external-id'
import { createRestorableQuery } from '../../http/pagination'
import { externalKey, html, integer, line, Timestamp, text, webAddress } from '../../http/schemas'

const MAX_GOALS_PER_PERSONA = 100

export const PersonaParams = z.object({
  persona_external_key: externalKey('PE', 'The key of the persona.'),
})

const MAX_CUSTOM_TEXT_LENGTH = 10_000
export const MAX_CUSTOM_FIELDS_PER_PERSONA = 100
export const MAX_OPTIONS_PER_FIELD = 200

const CUSTOM_FIELD_ID_PATTERN = /^[1-9]\d{0,15}$/

export type CustomValue = string | number | boolean | number[] | null

const CustomValue = z.union([
  text(MAX_CUSTOM_TEXT_LENGTH),
  z.number(),
  z.boolean(),
  z.array(z.int().min(1)).max(MAX_OPTIONS_PER_FIELD),
  z.null(),
])

const customFieldValues = z
  .record(text(16).regex(CUSTOM_FIELD_ID_PATTERN, 'Must be the id of a custom field, in plain digits'), CustomValue)
  .refine(
    (values) => Object.keys(values).length <= MAX_CUSTOM_FIELDS_PER_PERSONA,
    `Must have at most ${MAX_CUSTOM_FIELDS_PER_PERSONA} custom fields`,
  )

const avatarAddress = webAddress().meta({ description: 'Address of a picture.' })
const boardSegmentIdSchema = z.int().min(1).meta({ description: 'Id of a segment of the persona board.' })

const personaExternalIdFields = {
  source: createSourceField(),
  externalId: createExternalIdField('Id of the persona in `source`, unique in the workspace.'),
}

const createGoalsSchema = () => z.array(line(1_000)).max(MAX_GOALS_PER_PERSONA)

export const CreatePersona = z
  .object({
    name: line(200),
    occupation: text(500).optional(),
    quote: text(2_000).optional(),
    description: html().optional(),
    color: text(50).optional(),
    avatar: avatarAddress.optional(),
    boardSegmentId: boardSegmentIdSchema.optional(),
    goals: createGoalsSchema().optional(),
    pains: createGoalsSchema().optional(),
    product: line(20).optional().meta({ description: 'External key of the product. Default: all products.' }),
    ...personaExternalIdFields,
  })
  .refine(...pairIsWhole('externalId'))
  .meta({
    id: 'CreatePersona',
    examples: [
      {
        name: 'Nora Night',
        occupation: 'Nurse',
        quote: 'I have ten seconds for this.',
        description: '<p>Works in shifts.</p>',
        goals: ['Hand over without paper'],
        pains: ['Glare at night'],
      },
    ],
  })

const modifiableFields = {
  occupation: text(500).nullable().optional(),
  quote: text(2_000).nullable().optional(),
  description: html().nullable().optional(),
  color: text(50).nullable().optional(),
  avatar: avatarAddress.nullable().optional(),
  boardSegmentId: boardSegmentIdSchema.nullable().optional(),
  goals: createGoalsSchema().optional().meta({ description: 'Replaces all goals.' }),
  pains: createGoalsSchema().optional().meta({ description: 'Replaces all pains.' }),
  product: line(20).nullable().optional().meta({
    description: 'External key of the new product; null means all products. Opportunities move with the persona.',
  }),
}

export const ModifyPersona = z
  .object({
    name: line(200).optional(),
    ...modifiableFields,
    ...personaExternalIdFields,
    customFields: customFieldValues.optional().meta({
      description:
        'Values by the ids of custom fields of the persona: text, a number, true or false, an ISO 8601 date, an address, the id of an option, or a list of option ids; null clears a value.',
    }),
  })
  .refine(...pairIsWhole('externalId'))
  .meta({ id: 'ModifyPersona', examples: [{ occupation: 'Head nurse', pains: ['Glare at night', 'Alarms'] }] })

export const UpsertPersona = z
  .object({ name: line(200), ...modifiableFields })
  .meta({ id: 'UpsertPersona', examples: [{ name: 'Nora Night', occupation: 'Nurse', goals: ['Hand over on time'] }] })

export const ListPersonas = createRestorableQuery(['-createdAt', 'createdAt']).extend({
  boardSegmentId: integer({ min: 1 }).optional().meta({ description: 'Only personas in this segment of the board.' }),
})

export const Persona = z
  .object({
    id: z.int(),
    externalKey: z.string().meta({ examples: ['PE-1'] }),
    name: z.string(),
    occupation: z.string().nullable(),
    quote: z.string().nullable(),
    description: z.string().nullable().meta({ description: 'HTML.' }),
    color: z.string().nullable(),
    avatar: z.string().nullable(),
    goals: z.array(z.string()),
    pains: z.array(z.string()),
    boardSegmentId: z.int().nullable(),
    product: z.string().nullable().meta({ description: 'External key of the product; null means all products.' }),
    source: ShownSource,
    externalId: ShownExternalId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Persona' })

export const PersonaDetail = Persona.extend({
  customFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.int()), z.null()])).meta({
    description: 'Values of the attached custom fields, by their ids; null means no value.',
  }),
}).meta({ id: 'PersonaDetail' })
