import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { externalKey, html, line, Timestamp, text } from '../../http/schemas'

const MAX_GOALS = 100

export const PersonaParams = z.object({
  persona_external_key: externalKey('PE', 'The key of the persona.'),
})

const goals = () => z.array(line(1_000)).max(MAX_GOALS)

export const CreatePersona = z
  .object({
    name: line(200),
    occupation: text(500).optional(),
    quote: text(2_000).optional(),
    description: html().optional(),
    color: text(50).optional(),
    goals: goals().optional(),
    pains: goals().optional(),
    product: line(20).optional().meta({ description: 'External key of the product it belongs to; all without it.' }),
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
    goals: goals().optional().meta({ description: 'Replaces the present ones.' }),
    pains: goals().optional().meta({ description: 'Replaces the present ones.' }),
    product: line(20).nullable().optional().meta({
      description: 'External key of the product it belongs to from now on; null: all. Its opportunities go with it.',
    }),
  })
  .meta({ id: 'ModifyPersona', examples: [{ occupation: 'Head nurse', pains: ['Glare at night', 'Alarms'] }] })

export const ListPersonas = listQuery(['-createdAt', 'createdAt'])

export const Persona = z
  .object({
    id: z.int(),
    externalKey: z.string().meta({ examples: ['PE-1'] }),
    name: z.string(),
    occupation: z.string().nullable(),
    quote: z.string().nullable(),
    description: z.string().nullable().meta({ description: 'HTML.' }),
    color: z.string().nullable(),
    goals: z.array(z.string()),
    pains: z.array(z.string()),
    product: z.string().nullable().meta({ description: 'External key of its product; null: it belongs to all.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Persona' })
