import * as z from 'zod'

// What one read looks at: items in and below the version, ideas, and pairs of an idea and a follower.
export const MAX_COUNTED_ITEMS = 5_000
export const MAX_COUNTED_IDEAS = 500
export const MAX_COUNTED_PAIRS = 1_000

const [items, ideas, pairs] = [MAX_COUNTED_ITEMS, MAX_COUNTED_IDEAS, MAX_COUNTED_PAIRS].map((n) =>
  n.toLocaleString('en-US'),
)

export const ReleaseAudience = z
  .object({
    recipients: z
      .int()
      .meta({ description: 'Number of people who get a mail about the release, unless `notify` is `none`.' }),
    followers: z
      .int()
      .meta({ description: 'Number of people who follow an idea of the release, each counted once, without you.' }),
    stopped: z.int().meta({ description: 'Number of followers who chose no mail about releases.' }),
    suppressed: z.int().meta({ description: 'Number of other followers with a suppressed address.' }),
    ideas: z
      .int()
      .meta({ description: 'Number of ideas that are linked to an item of the version, or to an item below.' }),
    isComplete: z.boolean().meta({
      description: `False if there may be more recipients: the service looks at ${items} items, ${ideas} ideas, and ${pairs} pairs of an idea and a follower.`,
    }),
  })
  .meta({
    id: 'ReleaseAudience',
    description: 'Number of people who would get a mail about a release, and of the followers without mail.',
  })
