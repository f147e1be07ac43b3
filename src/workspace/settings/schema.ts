import * as z from 'zod'
import { text } from '../../http/schemas'

const moderationFlag = z.boolean().meta({
  description: 'New feedback items are `pending` until you set them to `approved` or `rejected`.',
})

const MAX_ORIGINS = 50

/** Scheme, host and port, as browsers send an origin. */
const BrowserOrigin = text(300).refine(
  (origin) => URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && new URL(origin).origin === origin,
  {
    error: 'Must be an origin such as https://app.example.com: scheme, host and port, in lower case, without a path.',
  },
)

const allowedOrigins = z
  .array(BrowserOrigin)
  .max(MAX_ORIGINS)
  .meta({
    description:
      'Origins whose pages may call the service from a browser. Without an origin in this list, only servers and pages of the service itself can.',
    examples: [['https://app.example.com']],
  })

export const ModifySettings = z
  .object({
    feedback: z.object({ moderation: moderationFlag.optional() }).optional(),
    cors: allowedOrigins.optional(),
  })
  .meta({
    id: 'ModifySettings',
    examples: [{ feedback: { moderation: true }, cors: ['https://app.example.com'] }],
  })

export const Settings = z
  .object({ feedback: z.object({ moderation: moderationFlag }), cors: allowedOrigins })
  .meta({ id: 'Settings', description: 'Settings of the workspace.' })
