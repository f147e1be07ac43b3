import * as z from 'zod'
import { EmailAddress, Timestamp } from '../../http/schemas'

export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'canceled'] as const

export const Invitation = z.object({
  status: z.enum(INVITATION_STATUSES),
  sentAt: Timestamp,
  expiresAt: Timestamp,
  resendCount: z.int(),
})

const createInviteQuery = (invites: 'true' | 'false') =>
  z.object({
    invite: z
      .enum(['true', 'false'], { error: 'Must be true or false' })
      .default(invites)
      .meta({ description: 'Whether new and returning people get an invitation by mail. Known people get none.' }),
  })

export const InviteByDefaultQuery = createInviteQuery('true')
export const InviteOnRequestQuery = createInviteQuery('false')
export type InviteQuery = z.output<typeof InviteOnRequestQuery>

const SegmentUser = z
  .object({
    id: z.int().meta({ description: 'Id of the user, or 0 if no user was added or found.' }),
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
      message: z.string().optional().meta({ description: 'Reason why the user was not added or invited.' }),
      user: SegmentUser,
    }),
  )
  .meta({ description: 'Results of the submitted users, in the same order.' })

/** Bounds the batch and its response. */
export const MAX_REINVITED_MEMBERS = 10_000

const TOO_MANY_MEMBERS_MESSAGE = `Must have at most ${MAX_REINVITED_MEMBERS} items. Send the rest in another request.`

export const ReinviteMembers = z
  .object({
    userIds: z
      .array(z.int().min(1))
      .min(1)
      .max(MAX_REINVITED_MEMBERS, TOO_MANY_MEMBERS_MESSAGE)
      .optional()
      .meta({ description: 'Ids of members.' }),
    emails: z
      .array(EmailAddress)
      .min(1)
      .max(MAX_REINVITED_MEMBERS, TOO_MANY_MEMBERS_MESSAGE)
      .optional()
      .meta({ description: 'Addresses of members, instead of `userIds`.' }),
    all: z
      .literal(true, { error: 'Must be true, or left out' })
      .optional()
      .meta({
        description: `All members whose invitation is pending or expired, ${MAX_REINVITED_MEMBERS.toLocaleString('en-US')} per request.`,
      }),
  })
  .refine(({ userIds, emails, all }) => [userIds, emails, all].filter((given) => given !== undefined).length === 1, {
    error: 'Send exactly one of `userIds`, `emails` and `all`',
    path: ['userIds'],
  })
  .meta({ id: 'ReinviteMembers', examples: [{ emails: ['dorothy@example.com'] }] })

export const MembersReinvited = z.object({ inviteResults: InviteResults }).meta({ id: 'MembersReinvited' })
