import * as z from 'zod'
import { createRestorableQuery } from '../../../http/pagination'
import { externalKey, html, line, Timestamp, text } from '../../../http/schemas'

export const CreateOpportunity = z
  .object({ valuePropositionName: line(500).meta({ description: 'Summary of the opportunity.' }) })
  .meta({ id: 'CreateOpportunity', examples: [{ valuePropositionName: 'A screen that is kind at night' }] })

export const OpportunityParams = z.object({
  opportunity_external_key: externalKey('OP', 'The key of the opportunity.'),
})

export const ListOpportunities = createRestorableQuery(['-createdAt', 'createdAt'])

const orderNumberSchema = z.int().min(0).max(1_000_000_000)

export const ModifyOpportunity = z
  .object({
    summary: line(500).optional(),
    description: html().optional(),
    color: text(50).optional(),
    spread: text(50).optional().meta({ description: 'Share of people affected.' }),
    intensity: text(50).optional().meta({ description: 'Strength of the effect.' }),
    progress: z.enum(['to-do', 'in-progress', 'done']).optional(),
    teamId: z
      .int()
      .min(0)
      .nullable()
      .transform((id) => id || null)
      .optional()
      .meta({ description: 'Id of the team; 0 or null means no team.' }),
    order: orderNumberSchema.optional(),
    planOrder: orderNumberSchema.optional(),
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
    initiativeId: z.int().meta({ description: 'Id of the product; 0 means all products.' }),
    wikiPageId: z.null(),
    order: z.int(),
    planOrder: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Opportunity', description: "Opportunity. A persona's notes have the same shape." })
