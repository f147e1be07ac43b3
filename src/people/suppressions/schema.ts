import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { EmailAddress, integer, severalOf, Timestamp } from '../../http/schemas'

export const SUPPRESSION_REASONS = ['unsubscribe', 'hard_bounce', 'complaint', 'manual'] as const

export const SuppressionParams = z.object({
  suppressionId: integer({ min: 1 }).meta({ description: 'Id of the suppression.', example: 1 }),
})

export const CreateSuppression = z
  .object({
    email: EmailAddress,
    segmentId: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: 'Id of the segment whose mail stops; by default all mail of the workspace.' }),
  })
  .meta({ id: 'CreateSuppression', examples: [{ email: 'ada@example.com' }] })

export const ListSuppressions = createListQuery(['-createdAt', 'createdAt']).extend({
  email: EmailAddress.optional().meta({ description: 'Only suppressions of this address.' }),
  segmentId: integer({ min: 1 })
    .optional()
    .meta({ description: 'Only suppressions of this segment. Looks at all suppressions.' }),
  reason: severalOf(z.enum(SUPPRESSION_REASONS)).optional().meta({
    description:
      'Only suppressions with this reason, or with any of several separated by commas. Looks at all suppressions.',
  }),
})

export const Suppression = z
  .object({
    id: z.int(),
    email: z.string(),
    segmentId: z
      .int()
      .nullable()
      .meta({ description: 'Id of the segment whose mail stops; null for all mail of the workspace.' }),
    reason: z.enum(SUPPRESSION_REASONS),
    createdAt: Timestamp,
  })
  .meta({ id: 'Suppression', description: 'An address that gets no mail of a segment, or no mail at all.' })
