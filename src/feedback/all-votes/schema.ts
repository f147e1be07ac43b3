import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { integer, moment, severalOf, storedValue, Timestamp } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { feedbackKeyParameter } from '../ideas/schema'

export const ListAllVotes = createListQuery(['-createdAt', 'createdAt']).extend({
  feedback: feedbackKeyParameter('votes'),
  userId: integer({ min: 1 }).optional().meta({ description: 'Only votes of the user with this id.' }),
  type: declareWeight(
    'walk',
    severalOf(z.enum(['up', 'down'], { error: 'Must be "up" or "down"' }))
      .optional()
      .meta({
        description:
          'Only votes for, or only votes against. Looks at 10,000 votes per page: a page can be short or empty and still have a next page.',
      }),
  ),
  updatedSince: moment().optional().meta({
    description: 'Only votes with a `createdAt` at or after this time. A vote of another type has a new `createdAt`.',
    example: '2026-01-31T09:00:00.000Z',
  }),
})

export const VoteOfWorkspace = z
  .object({
    feedbackKey: z.string().meta({ examples: ['IDEA-1'] }),
    userId: z.int(),
    type: storedValue(['up', 'down']),
    createdAt: Timestamp,
  })
  .meta({ id: 'VoteOfWorkspace', description: 'A vote on a feedback item of any product.' })
