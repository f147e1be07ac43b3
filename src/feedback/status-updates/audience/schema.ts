import * as z from 'zod'

/** Followers of one read. */
export const MAX_COUNTED_FOLLOWERS = 2_000

export const StatusUpdateAudience = z
  .object({
    recipients: z
      .int()
      .meta({ description: 'Number of people who get a mail about a status update, unless `notify` is `none`.' }),
    followers: z.int().meta({ description: 'Number of people who follow the item, without you.' }),
    stopped: z.int().meta({ description: 'Number of followers who chose no mail about a new status.' }),
    suppressed: z.int().meta({ description: 'Number of other followers with a suppressed address.' }),
    isComplete: z.boolean().meta({
      description: `False if the item has more followers: only the first ${MAX_COUNTED_FOLLOWERS.toLocaleString('en-US')} are counted.`,
    }),
  })
  .meta({
    id: 'StatusUpdateAudience',
    description: 'Number of recipients of a status update, and of followers without mail.',
  })
