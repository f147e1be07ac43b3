import * as z from 'zod'
import { externalKey, html, integer, line, Timestamp, text } from '../../http/schemas'

const MAX_GOALS = 100

export const PersonaParams = z.object({
  persona_external_key: externalKey('PE', 'The key of the persona.'),
})

export const SummaryParams = PersonaParams.extend({
  summaryId: integer({ min: 1 }).meta({ description: 'The id of the summary.', example: 1 }),
})

export const CreatePersona = z
  .object({
    name: line(200),
    occupation: text(500).optional(),
    quote: text(2_000).optional(),
    description: html().optional(),
    color: text(50).optional(),
    goals: z.array(line(1_000)).max(MAX_GOALS).optional(),
    pains: z.array(line(1_000)).max(MAX_GOALS).optional(),
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

const SummaryType = z.enum(['pain', 'gain', 'job', 'note'], { error: 'Must be "pain", "gain", "job" or "note"' })

export const CreateSummary = z
  .object({
    type: SummaryType,
    text: line(10_000).meta({ description: 'HTML or plain text; sanitised when it is stored.' }),
  })
  .meta({ id: 'CreateSummary', examples: [{ type: 'pain', text: 'The screen blinds her at night.' }] })

export const Summary = z
  .object({
    id: z.int(),
    type: z.string().meta({ examples: ['pain'] }),
    text: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Summary', description: 'One thing known about a persona.' })

export const CreateOpportunity = z
  .object({ valuePropositionName: line(500).meta({ description: 'Becomes its summary.' }) })
  .meta({ id: 'CreateOpportunity', examples: [{ valuePropositionName: 'A screen that is kind at night' }] })

export const ModifyDocumentation = z.object({ title: text(500).optional(), content: html().optional() }).meta({
  id: 'ModifyDocumentation',
  examples: [{ title: 'Notes on Nora', content: '<h2>Shift</h2><p>Starts at ten.</p>' }],
})

export const Opportunity = z
  .object({
    id: z.int(),
    summary: z.string(),
    description: z.string().meta({ description: 'HTML.' }),
    externalKey: z.string().meta({ examples: ['OP-1'] }),
    userId: z.null(),
    color: z.string(),
    urls: z.null(),
    spread: z.string(),
    intensity: z.string(),
    progress: z.string(),
    status: z.string().meta({ examples: ['active'] }),
    teamId: z.int(),
    subscriptionId: z.int(),
    initiativeId: z.int().meta({ description: 'Id of the product; 0 without one.' }),
    wikiPageId: z.null(),
    order: z.int(),
    planOrder: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Opportunity', description: "An opportunity; a persona's notes have the same shape." })
