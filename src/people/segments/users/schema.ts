import * as z from 'zod'
import { Timestamp } from '../../../http/schemas'

/** One request's users: about 1 MiB of JSON, one batch of a second at most. */
export const MAX_USERS = 10_000
export const MAX_NAME = 200

/** Items are checked one by one by `readUsers`: a wrong one does not keep the others out. */
export const CreateUsers = z
  .array(
    z.unknown().meta({
      type: 'object',
      required: ['name', 'email'],
      properties: { name: { type: 'string', maxLength: MAX_NAME }, email: { type: 'string', maxLength: 254 } },
    }),
    { error: 'Must be an array of users, each with a name and an email' },
  )
  .min(1, 'Must hold at least one user')
  .max(MAX_USERS, `Must hold at most ${MAX_USERS} users. Send the rest in another request.`)
  .meta({ id: 'CreateUsers', examples: [[{ name: 'Ada Lovelace', email: 'ada@example.com' }]] })

const SegmentUser = z
  .object({
    id: z.int().meta({ description: '0 where the user was not added.' }),
    email: z.string(),
    role: z.string().meta({ examples: ['idm_member'] }),
    firstName: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SegmentUser' })

export const UsersAdded = z
  .object({
    inviteResults: z
      .array(
        z.object({
          success: z.boolean(),
          message: z.string().optional().meta({ description: 'Why the user was not added.' }),
          user: SegmentUser,
        }),
      )
      .meta({ description: 'One for each submitted user, in the same order.' }),
    segmentCount: z.int().meta({ description: 'Members of the segment afterwards.' }),
  })
  .meta({ id: 'UsersAdded' })
