import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { severalOf, Timestamp } from '../../http/schemas'

export const CONFIRMATION_STATUSES = ['pending', 'confirmed'] as const

export const ListSegmentConfirmations = createListQuery(['-createdAt', 'createdAt']).extend({
  status: severalOf(z.enum(CONFIRMATION_STATUSES)).optional().meta({
    description:
      'Only members with this status, or with any of several separated by commas. Looks at 10,000 members per page: a page can be short or empty and still have a next page.',
  }),
})

export const SegmentConfirmation = z
  .object({
    userId: z.int().meta({ description: 'Id of the member.' }),
    email: z.string(),
    status: z
      .enum(CONFIRMATION_STATUSES)
      .meta({ description: '`pending`: the member gets no mail of the segment until the member confirms.' }),
    askedAt: Timestamp.nullable().meta({
      description: 'Time of the last mail that asked. Null before the first mail, and for a suppressed address.',
    }),
    confirmedAt: Timestamp.nullable(),
  })
  .meta({ id: 'SegmentConfirmation', description: 'Confirmation of a member of a segment with double opt-in.' })

export const MAX_REQUESTED_CONFIRMATIONS = 10_000

export const RequestSegmentConfirmations = z
  .object({
    userIds: z
      .array(z.int().min(1))
      .min(1, 'Must hold at least one id')
      .max(
        MAX_REQUESTED_CONFIRMATIONS,
        `Must hold at most ${MAX_REQUESTED_CONFIRMATIONS} ids. Send the rest in another request.`,
      ),
  })
  .meta({ id: 'RequestSegmentConfirmations', examples: [{ userIds: [1] }] })

export const ConfirmationsRequested = z
  .object({ requested: z.int().meta({ description: 'Number of members who get the mail again.' }) })
  .meta({ id: 'ConfirmationsRequested' })
