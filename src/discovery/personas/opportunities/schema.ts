import * as z from 'zod'
import { line, Timestamp } from '../../../http/schemas'

export const CreateOpportunity = z
  .object({ valuePropositionName: line(500).meta({ description: 'Becomes its summary.' }) })
  .meta({ id: 'CreateOpportunity', examples: [{ valuePropositionName: 'A screen that is kind at night' }] })

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
