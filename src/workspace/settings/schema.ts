import * as z from 'zod'

const moderationFlag = z.boolean().meta({
  description: 'New feedback items are `pending` until you set them to `approved` or `rejected`.',
})

export const ModifySettings = z
  .object({ feedback: z.object({ moderation: moderationFlag.optional() }).optional() })
  .meta({ id: 'ModifySettings', examples: [{ feedback: { moderation: true } }] })

export const Settings = z
  .object({ feedback: z.object({ moderation: moderationFlag }) })
  .meta({ id: 'Settings', description: 'Settings of the workspace.' })
