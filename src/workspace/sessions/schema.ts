import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { integer, Timestamp } from '../../http/schemas'

export const SessionParams = z.object({
  sessionId: integer({ min: 1 }).meta({ description: 'Id of the session.', example: 1 }),
})

export const ListSessions = createListQuery(['-createdAt', 'createdAt']).extend({
  userId: integer({ min: 1 }).optional().meta({
    description: 'Sessions of this user. The default is your user; another user requires the scope `*`.',
  }),
})

export const Session = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'Browser and system at the sign-in.', example: 'Firefox on Linux' }),
    userId: z.int().meta({ description: 'User who signed in.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp.meta({ description: 'End without a further use: 30 days after the last use.' }),
    lastUsedAt: Timestamp.nullable().meta({ description: 'Last use, exact to 15 minutes.' }),
    revokedAt: Timestamp.nullable().meta({ description: 'End by a sign-out, a removal or a new role.' }),
    current: z.boolean().meta({ description: 'Whether the request comes from this session. False in events.' }),
  })
  .meta({ id: 'Session', description: 'A person who signed in with a browser.' })
