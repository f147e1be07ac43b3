import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { EmailAddress, storedValue, Timestamp } from '../../http/schemas'

export const CastVote = z
  .object({
    type: z.enum(['up', 'down', 'none']).meta({ description: '`none` takes the vote back.' }),
    email: EmailAddress.optional().meta({
      description:
        'Address of the voter. An unknown address becomes an idea-manager member without an invitation. Default: the user of the key.',
    }),
  })
  .meta({ id: 'CastVote', examples: [{ type: 'up' }, { type: 'down', email: 'ada@example.com' }] })

export const Vote = z
  .object({
    externalKey: z.string().meta({ examples: ['IDEA-1'] }),
    vote: z.int().meta({ description: 'Number of votes for the item.' }),
    downVote: z.int().meta({ description: 'Number of votes against the item.' }),
    haveIVoted: z.int().meta({ description: '1 if the user of the key has a vote, else 0.' }),
    type: storedValue(['up', 'down', 'none']).meta({ description: 'The current vote.' }),
  })
  .meta({ id: 'Vote', description: 'A vote, and the new counts of the item.' })

export const ListVoters = createListQuery(['-createdAt', 'createdAt'])

export const Voter = z
  .object({
    userId: z.int(),
    email: z.string().meta({ description: 'Empty for a removed user.' }),
    type: storedValue(['up', 'down']),
    createdAt: Timestamp,
  })
  .meta({ id: 'Voter', description: 'A user who has voted on an item.' })
