import * as z from 'zod'
import { listQuery } from '../../../http/pagination'
import { externalKey, html, line, Timestamp, text } from '../../../http/schemas'

export const CreateOpportunity = z
  .object({ valuePropositionName: line(500).meta({ description: 'Becomes its summary.' }) })
  .meta({ id: 'CreateOpportunity', examples: [{ valuePropositionName: 'A screen that is kind at night' }] })

export const OpportunityParams = z.object({
  opportunity_external_key: externalKey('OP', 'The key of the opportunity.'),
})

export const ListOpportunities = listQuery(['-createdAt', 'createdAt'])

const place = z.int().min(0).max(1_000_000_000)

export const ModifyOpportunity = z
  .object({
    summary: line(500).optional(),
    description: html().optional(),
    color: text(50).optional(),
    spread: text(50).optional().meta({ description: 'How many have it.' }),
    intensity: text(50).optional().meta({ description: 'How much they have it.' }),
    progress: z.enum(['to-do', 'in-progress', 'done']).optional(),
    teamId: z
      .int()
      .min(0)
      .nullable()
      .transform((id) => id || null)
      .optional()
      .meta({ description: 'The team it is for; 0 or null: none.' }),
    order: place.optional(),
    planOrder: place.optional(),
  })
  .meta({ id: 'ModifyOpportunity', examples: [{ progress: 'in-progress', spread: 'most', intensity: 'high' }] })

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
