import * as z from 'zod'
import { REASONS_WITHOUT_REPLY_MAIL } from '../../../people/notices/schema'

/** Named recipients. */
export const MAX_NAMED_RECIPIENTS = 20

/** Followers of one read. */
export const MAX_COUNTED_FOLLOWERS = 2_000

const Recipient = z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string().nullable() })

export const StatusUpdateAudience = z
  .object({
    recipients: z
      .int()
      .meta({ description: 'Number of people who get a mail about a status update, unless `notify` is `none`.' }),
    followers: z.int().meta({ description: 'Number of people who follow the item, without you.' }),
    stopped: z.int().meta({ description: 'Number of followers who chose no mail about a new status.' }),
    suppressed: z.int().meta({ description: 'Number of other followers with a suppressed address.' }),
    people: z
      .array(Recipient)
      .meta({ description: `The first ${MAX_NAMED_RECIPIENTS} people who get a mail, in the order of their ids.` }),
    isComplete: z.boolean().meta({
      description: `False if the item has more followers: only the first ${MAX_COUNTED_FOLLOWERS.toLocaleString('en-US')} are counted.`,
    }),
    reply: z
      .object({
        author: Recipient.nullable().meta({ description: 'Author of the item, who gets a mail about the comment.' }),
        nobodyBecause: z.enum(REASONS_WITHOUT_REPLY_MAIL).nullable().meta({
          description:
            'Reason for which nobody gets a mail: your user is not of the team, the item is anonymous or your own, or the author was removed, left the item, stopped mail about replies, or has a suppressed address.',
        }),
      })
      .meta({ description: 'Recipient of a public comment of yours on the item without mentions.' }),
  })
  .meta({
    id: 'StatusUpdateAudience',
    description: 'Recipients of a status update, and the number of followers without mail.',
  })
