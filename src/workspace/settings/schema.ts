import * as z from 'zod'

const moderation = z.boolean().meta({
  description: 'Feedback items begin as `pending`, until they are set to `approved` or `rejected`.',
})

export const ModifySettings = z
  .object({ feedback: z.object({ moderation: moderation.optional() }).optional() })
  .meta({ id: 'ModifySettings', examples: [{ feedback: { moderation: true } }] })

export const Settings = z
  .object({ feedback: z.object({ moderation }) })
  .meta({ id: 'Settings', description: 'What the whole workspace has settled.' })
