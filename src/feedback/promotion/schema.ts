import * as z from 'zod'

export const PromoteFeedbackItem = z
  .object({ type: z.enum(['epic', 'feature', 'userstory']).meta({ description: 'Type of the new work item.' }) })
  .meta({ id: 'PromoteFeedbackItem', examples: [{ type: 'epic' }] })
