import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { EmailAddress, integer, Timestamp } from '../../http/schemas'

export const REASONS = ['unsubscribe', 'hard_bounce', 'complaint', 'manual'] as const

export const SuppressionParams = z.object({
  suppressionId: integer({ min: 1 }).meta({ description: 'The id of the suppression.', example: 1 }),
})

export const CreateSuppression = z
  .object({
    email: EmailAddress,
    segmentId: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: 'The segment whose mail stops; without it all mail of the workspace.' }),
  })
  .meta({ id: 'CreateSuppression', examples: [{ email: 'ada@example.com' }] })

export const ListSuppressions = listQuery(['-createdAt', 'createdAt']).extend({
  email: EmailAddress.optional().meta({ description: 'Only those of this address.' }),
  segmentId: integer({ min: 1 }).optional().meta({ description: 'Only of this segment. Walks the suppressions.' }),
  reason: z.enum(REASONS).optional().meta({ description: 'Only for this reason. Walks the suppressions.' }),
})

export const Suppression = z
  .object({
    id: z.int(),
    email: z.string(),
    segmentId: z.int().nullable().meta({ description: 'The segment whose mail does not go there; null: none does.' }),
    reason: z.enum(REASONS),
    createdAt: Timestamp,
  })
  .meta({ id: 'Suppression', description: 'An address that gets no mail, of one segment or at all.' })
