import * as z from 'zod'

export const Subscription = z
  .object({
    externalKey: z.string().meta({ examples: ['IDEA-1'] }),
    subscribed: z.boolean().meta({ description: "Whether the key's user is mailed when the status changes." }),
  })
  .meta({ id: 'Subscription', description: 'Whether somebody is mailed about a feedback item.' })
