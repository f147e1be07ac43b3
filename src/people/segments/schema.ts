import * as z from 'zod'
import { integer, line, Timestamp, text } from '../../http/schemas'

/** One request's users: about 1 MiB of JSON, one batch of a second at most. */
export const MAX_USERS = 10_000
export const MAX_NAME = 200

export const SegmentParams = z.object({
  segmentId: integer({ min: 1 }).meta({ description: 'The id of the segment.', example: 1 }),
})

export const CreateSegment = z
  .object({
    name: line(200).meta({ description: 'Unique among the segments of the workspace.' }),
    description: text(10_000).optional(),
    color: text(50).optional(),
    type: z.enum(['manual'], { error: 'Must be "manual"' }).default('manual'),
  })
  .meta({
    id: 'CreateSegment',
    examples: [{ name: 'Beta testers', description: 'They see it first.', color: '#2f80ed' }],
  })

export const Segment = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    type: z.string().meta({ description: '`manual`: its members are added and removed by name.' }),
    userCount: z.int().meta({ description: 'Members, kept exact.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Segment', description: 'A segment of idea-manager members.' })

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
