import * as z from 'zod'
import { EmailAddress } from '../../../http/schemas'

export const FollowChangelog = z
  .object({
    email: EmailAddress.optional().meta({
      description:
        'Address of the person who follows, which needs the scope `segments:write`. An unknown address becomes an idea-manager member, who is not invited. Default: the user of the key.',
    }),
  })
  .optional()
  .meta({ id: 'FollowChangelog', examples: [{}, { email: 'ada@example.com' }] })

export const ChangelogSubscription = z
  .object({ subscribed: z.boolean().meta({ description: 'True if the person gets a mail about published entries.' }) })
  .meta({ id: 'ChangelogSubscription', description: 'The subscription of a person to the changelog.' })
