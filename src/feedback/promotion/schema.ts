import * as z from 'zod'
import { text } from '../../http/schemas'

const WorkItemKey = text(30).min(1)

export const PromoteFeedbackItem = z
  .object({
    type: z.enum(['epic', 'feature', 'userstory']).optional().meta({ description: 'Type of the new work item.' }),
    into: WorkItemKey.optional().meta({ description: 'Key of an existing work item of the same product.' }),
  })
  .refine(({ type, into }) => (type === undefined) !== (into === undefined), {
    path: ['type'],
    error: 'Send either type, for a new work item, or into, with the key of an existing work item',
  })
  .meta({ id: 'PromoteFeedbackItem', examples: [{ type: 'epic' }] })

export const LinkFeedbackItem = z
  .object({ workItem: WorkItemKey.meta({ description: 'Key of a work item of the same product.' }) })
  .meta({ id: 'LinkFeedbackItem', examples: [{ workItem: 'FE-1' }] })
