import * as z from 'zod'
import { EmailAddress } from '../../http/schemas'
import { InviteResults } from '../members/schema'

/** Of one request: its batch and its answer. */
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
