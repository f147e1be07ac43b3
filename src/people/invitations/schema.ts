import * as z from 'zod'
import { EmailAddress, Timestamp } from '../../http/schemas'

export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'canceled'] as const

export const Invitation = z.object({
  status: z.enum(INVITATION_STATUSES),
  sentAt: Timestamp,
  expiresAt: Timestamp,
  resendCount: z.int(),
})

const inviting = (invites: 'true' | 'false') =>
  z.object({
    invite: z
      .enum(['true', 'false'], { error: 'Must be true or false' })
      .default(invites)
      .meta({ description: 'Whether those whom this makes are invited by mail. Who is known already is not.' }),
  })

/** The first query invites new members by default, the second only on request. */
export const ByInviting = inviting('true')
export const NotInviting = inviting('false')
export type Inviting = z.output<typeof NotInviting>

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

export const InviteResults = z
  .array(
    z.object({
      success: z.boolean(),
      message: z.string().optional().meta({ description: 'Why the user was not added.' }),
      user: SegmentUser,
    }),
  )
  .meta({ description: 'One for each submitted user, in the same order.' })

/** Limit per request, and thereby of a batch and its response. */
export const MAX_REINVITED = 10_000

const TOO_MANY = `Must hold at most ${MAX_REINVITED}. Send the rest in another request.`

export const ReinviteMembers = z
  .object({
    userIds: z
      .array(z.int().min(1))
      .min(1)
      .max(MAX_REINVITED, TOO_MANY)
      .optional()
      .meta({ description: 'Ids of members.' }),
    emails: z
      .array(EmailAddress)
      .min(1)
      .max(MAX_REINVITED, TOO_MANY)
      .optional()
      .meta({ description: 'Their addresses instead.' }),
    all: z
      .literal(true, { error: 'Must be true, or left out' })
      .optional()
      .meta({ description: `Everybody whose invitation is pending or expired instead, ${MAX_REINVITED} at a time.` }),
  })
  .refine(({ userIds, emails, all }) => [userIds, emails, all].filter((given) => given !== undefined).length === 1, {
    error: 'Must be given, or `emails`, or `all`, and only one of them',
    path: ['userIds'],
  })
  .meta({ id: 'ReinviteMembers', examples: [{ emails: ['dorothy@example.com'] }] })

export const MembersReinvited = z.object({ inviteResults: InviteResults }).meta({ id: 'MembersReinvited' })
