import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { EmailAddress, Timestamp } from '../../http/schemas'

export const CastVote = z
  .object({
    type: z.enum(['up', 'down', 'none']).meta({ description: '`none` takes the vote back.' }),
    email: EmailAddress.optional().meta({
      description:
        'On whose behalf. Somebody unknown becomes an idea-manager member, who is not invited. Default: the user of the key.',
    }),
  })
  .meta({ id: 'CastVote', examples: [{ type: 'up' }, { type: 'down', email: 'ada@example.com' }] })

export const Vote = z
  .object({
    externalKey: z.string().meta({ examples: ['IDEA-1'] }),
    vote: z.int().meta({ description: 'Votes for the item.' }),
    downVote: z.int().meta({ description: 'Votes against it.' }),
    haveIVoted: z.int().meta({ description: "1 when the key's user has a vote, else 0." }),
    type: z.string().meta({ description: 'The vote as it is now: `up`, `down` or `none`.' }),
  })
  .meta({ id: 'Vote', description: 'A vote, and what the item has with it.' })

export const ListVoters = listQuery(['-createdAt', 'createdAt'])

export const Voter = z
  .object({
    userId: z.int(),
    email: z.string().meta({ description: 'Empty of somebody who was removed.' }),
    type: z.string().meta({ description: '`up` or `down`.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Voter', description: 'Whoever has voted on an item.' })
