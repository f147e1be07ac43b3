import * as z from 'zod'

/** Named recipients. */
export const MAX_NAMED_RECIPIENTS = 20

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
    people: z
      .array(z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string().nullable() }))
      .meta({ description: `The first ${MAX_NAMED_RECIPIENTS} people who get a mail, in the order of their ids.` }),
    isComplete: z.boolean().meta({
      description: `False if the item has more followers: only the first ${MAX_COUNTED_FOLLOWERS.toLocaleString('en-US')} are counted.`,
    }),
  })
  .meta({
    id: 'StatusUpdateAudience',
    description: 'Recipients of a status update, and the number of followers without mail.',
  })
