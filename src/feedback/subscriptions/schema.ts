import * as z from 'zod'
import { EmailAddress } from '../../http/schemas'

export const Subscribe = z
  .object({
    email: EmailAddress.optional().meta({
      description:
        'Address of the person to subscribe, which needs the scope `segments:write`. An unknown address becomes an idea-manager member, who is not invited. Default: the user of the key.',
    }),
  })
  .optional()
  .meta({ id: 'Subscribe', examples: [{}, { email: 'ada@example.com' }] })

export const Subscription = z
  .object({
    externalKey: z.string().meta({ examples: ['IDEA-1'] }),
    subscribed: z.boolean().meta({ description: 'True if the person gets a mail when the status changes.' }),
  })
  .meta({ id: 'Subscription', description: 'The subscription of a person to a feedback item.' })
