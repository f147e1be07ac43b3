import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { externalKey, html, integer, line, Timestamp, text, webAddress } from '../../http/schemas'

const MAX_GOALS = 100

export const PersonaParams = z.object({
  persona_external_key: externalKey('PE', 'The key of the persona.'),
})

const MAX_CUSTOM_TEXT = 10_000
export const MAX_CUSTOM_FIELDS = 100
export const MAX_OPTIONS = 200

const FIELD_ID = /^[1-9]\d{0,15}$/

export type CustomValue = string | number | boolean | number[] | null

const CustomValue = z.union([
  text(MAX_CUSTOM_TEXT),
  z.number(),
  z.boolean(),
  z.array(z.int().min(1)).max(MAX_OPTIONS),
  z.null(),
])

const customFields = z
  .record(text(16).regex(FIELD_ID, 'Must be the id of a custom field, in plain digits'), CustomValue)
  .refine(
    (values) => Object.keys(values).length <= MAX_CUSTOM_FIELDS,
    `Must have at most ${MAX_CUSTOM_FIELDS} custom fields`,
  )

const avatar = webAddress().meta({ description: 'Address of a picture.' })
const boardSegmentId = z.int().min(1).meta({ description: 'Id of a segment of the persona board.' })

const goals = () => z.array(line(1_000)).max(MAX_GOALS)

export const CreatePersona = z
  .object({
    name: line(200),
    occupation: text(500).optional(),
    quote: text(2_000).optional(),
    description: html().optional(),
    color: text(50).optional(),
    avatar: avatar.optional(),
    boardSegmentId: boardSegmentId.optional(),
    goals: goals().optional(),
    pains: goals().optional(),
    product: line(20).optional().meta({ description: 'External key of the product. Default: all products.' }),
  })
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

export const ModifyPersona = z
  .object({
    name: line(200).optional(),
    occupation: text(500).nullable().optional(),
    quote: text(2_000).nullable().optional(),
    description: html().nullable().optional(),
    color: text(50).nullable().optional(),
    avatar: avatar.nullable().optional(),
    boardSegmentId: boardSegmentId.nullable().optional(),
    goals: goals().optional().meta({ description: 'Replaces all goals.' }),
    pains: goals().optional().meta({ description: 'Replaces all pains.' }),
    product: line(20).nullable().optional().meta({
      description: 'External key of the new product; null means all products. Opportunities move with the persona.',
    }),
  })
  .extend({
    customFields: customFields.optional().meta({
      description:
        'Values by the ids of custom fields of the persona: text, a number, true or false, an ISO 8601 date, an address, the id of an option, or a list of option ids; null clears a value.',
    }),
  })
  .meta({ id: 'ModifyPersona', examples: [{ occupation: 'Head nurse', pains: ['Glare at night', 'Alarms'] }] })

export const ListPersonas = listQuery(['-createdAt', 'createdAt']).extend({
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
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Persona' })

export const PersonaDetail = Persona.extend({
  customFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.int()), z.null()])).meta({
    description: 'Values of the attached custom fields, by their ids; null means no value.',
  }),
}).meta({ id: 'PersonaDetail' })
