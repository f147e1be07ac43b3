import * as z from 'zod'

export const PromoteFeedbackItem = z
  .object({ type: z.enum(['epic', 'feature', 'userstory']).meta({ description: 'Of the work item that is made.' }) })
  .meta({ id: 'PromoteFeedbackItem', examples: [{ type: 'epic' }] })
