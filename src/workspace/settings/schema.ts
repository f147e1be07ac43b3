import * as z from 'zod'

const moderation = z.boolean().meta({
  description: 'New feedback items are `pending` until you set them to `approved` or `rejected`.',
})

export const ModifySettings = z
  .object({ feedback: z.object({ moderation: moderation.optional() }).optional() })
  .meta({ id: 'ModifySettings', examples: [{ feedback: { moderation: true } }] })

export const Settings = z
  .object({ feedback: z.object({ moderation }) })
  .meta({ id: 'Settings', description: 'Settings of the workspace.' })
